import { readFileSync } from 'node:fs';
import { createTransport, execute, type Connection } from '@connector-auth/connectors/kind';
import {
  openSource,
  sampleOf,
  actAsVendor,
  startVendor,
  syncRecords,
  type Description,
  type VendorReply,
  type VendorRequest,
  type VendorServer,
} from '@connector-auth/source-testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import hubspot from './index.ts';

/**
 * The used part of HubSpot's API. Its published client does not describe these two operations, which are written after
 * https://developers.hubspot.com/docs/api-reference/auth-oauth-v3/guide and
 * https://developers.hubspot.com/docs/api-reference/legacy/account/account-information/guide.
 */
const fixture = JSON.parse(
  readFileSync(new URL('../fixtures/api.json', import.meta.url), 'utf8'),
) as Description;
const text = { type: 'string' };
const form = ['grant_type', 'client_id', 'client_secret', 'redirect_uri', 'code', 'refresh_token'];
const description: Description = {
  ...fixture,
  operations: {
    ...fixture.operations,
    'GET /account-info/v3/details': {
      responses: {
        200: { type: 'object', properties: { portalId: { type: 'integer' } } },
        401: { $ref: '#/schemas/ModelError' },
      },
    },
    'POST /oauth/v3/token': {
      body: {
        type: 'object',
        properties: Object.fromEntries(form.map(name => [name, text])),
        required: ['grant_type', 'client_id', 'client_secret'],
        additionalProperties: false,
      },
      responses: { 200: { type: 'object' }, 400: { type: 'object' } },
    },
  },
};

interface Stored {
  readonly id: number;
  readonly properties: Readonly<Record<string, string | null>>;
  readonly updatedAt: string;
  readonly archived: boolean;
}

const modified = {
  contacts: 'lastmodifieddate',
  companies: 'hs_lastmodifieddate',
  deals: 'hs_lastmodifieddate',
};
type Table = keyof typeof modified;
const tableNames = Object.keys(modified) as Table[];
const tokens = new Set<string>();
let tables: Record<Table, Stored[]>;
let refused: VendorReply | null;
let vendor: VendorServer;
let connection: Connection;

const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();
const objects = (count: number, properties: Readonly<Record<string, string>>): Stored[] =>
  Array.from({ length: count }, (_, index) => ({
    // In the order of texts, 1000 precedes 999.
    id: 900 + index,
    properties,
    updatedAt: hoursAgo(48 + index),
    archived: false,
  }));

beforeAll(async () => {
  vendor = await startVendor(actAsVendor(description, respond));
});
afterAll(() => vendor.close());
afterEach(() => expect(vendor.problems.splice(0)).toEqual([]));
beforeEach(() => {
  tokens.clear();
  tokens.add('pat-sample');
  tables = {
    contacts: objects(250, { email: 'ada@acme.example', firstname: 'Ada' }),
    companies: objects(2, { name: 'Acme' }),
    deals: objects(2, { dealname: 'Renewal', amount: '1250.50' }),
  };
  refused = null;
  connection = openSource(hubspot, vendor, {
    method: 'private_app',
    credentials: { access_token: 'pat-sample' },
  });
});

function error(status: number, category: string, message: string): VendorReply {
  return { status, body: sampleOf(description, 'ModelError', { category, message }) };
}

function respond({ operation, path: [type, id], query, body, headers }: VendorRequest): VendorReply {
  if (operation === 'POST /oauth/v3/token') return issueTokens(body as Readonly<Record<string, string>>);
  if (!tokens.has(String(headers['authorization']).replace('Bearer ', '')))
    return error(401, 'EXPIRED_AUTHENTICATION', 'The access token is expired');
  if (refused !== null) return refused;
  if (operation.endsWith('/details')) return { body: { portalId: 62_515 } };
  const name = type as Table;
  if (operation.endsWith('/search')) return found(name, body as Parameters<typeof found>[1]);
  const {
    archived = false,
    after = 0,
    limit = 10,
    properties = [],
  } = query as {
    readonly archived?: boolean;
    readonly after?: string;
    readonly limit?: number;
    readonly properties?: readonly string[];
  };
  // The names are separated by commas.
  const names = properties.flatMap(each => each.split(','));
  const rows = tables[name].filter(row => row.archived === archived);
  if (id !== undefined) {
    const row = rows.find(row => row.id === Number(id));
    return row ? { body: objectOf(row, names) } : error(404, 'OBJECT_NOT_FOUND', 'Object not found.');
  }
  return {
    body: pageOf(
      rows.filter(row => row.id > Number(after)),
      limit,
      names,
    ),
  };
}

/** Responds to a search: its filters, at most 10,000 results, and the objects in the order of their ids. */
function found(
  name: Table,
  {
    filterGroups,
    sorts,
    properties,
    limit,
    after,
  }: {
    readonly filterGroups: readonly [
      { readonly filters: readonly Record<'propertyName' | 'operator' | 'value', string>[] },
    ];
    readonly sorts: readonly string[];
    readonly properties: readonly string[];
    readonly limit: number;
    readonly after?: string;
  },
): VendorReply {
  if (Number(after ?? 0) + limit > 10_000 || limit > 200)
    return error(400, 'VALIDATION_ERROR', 'Too many results');
  expect(sorts).toEqual(['hs_object_id']);
  const rows = tables[name].filter(
    row =>
      !row.archived &&
      filterGroups[0].filters.every(({ propertyName, operator, value }) => {
        if (propertyName === 'hs_object_id' && operator === 'GT') return row.id > Number(value);
        expect([propertyName, operator]).toEqual([modified[name], 'GTE']);
        return Date.parse(row.updatedAt) >= Number(value);
      }),
  );
  return { body: { total: rows.length, ...pageOf(rows, limit, properties) } };
}

function pageOf(rows: readonly Stored[], limit: number, properties: readonly string[]) {
  const page = rows.toSorted((one, other) => one.id - other.id).slice(0, limit);
  const after = String(page.at(-1)?.id);
  return {
    results: page.map(row => objectOf(row, properties)),
    ...(rows.length > page.length && { paging: { next: { after } } }),
  };
}

/** Contains only the requested properties. */
function objectOf({ id, properties, updatedAt, archived }: Stored, names: readonly string[]) {
  const requested = Object.fromEntries(names.map(name => [name, properties[name] ?? null]));
  return sampleOf(description, 'SimplePublicObject', {
    id: String(id),
    properties: requested,
    updatedAt,
    archived,
  });
}

function issueTokens({
  grant_type,
  code,
  client_secret,
  refresh_token,
}: Readonly<Record<string, string>>): VendorReply {
  const isValid =
    client_secret === 'app-secret' &&
    (grant_type === 'authorization_code' ? code === 'code-1' : refresh_token === 'refresh-1');
  if (!isValid) return { status: 400, body: { error: 'invalid_grant' } };
  const access_token = `access-${tokens.size}`;
  tokens.add(access_token);
  return { body: { access_token, refresh_token: 'refresh-1', expires_in: 1800, hub_id: 62_515 } };
}

const keysOf = ({ records }: { readonly records: ReadonlyMap<string, unknown> }): string[] =>
  [...records.keys()].toSorted();

test.each(tableNames)('a full sync of %s reads all pages', async name => {
  const synced = await syncRecords(connection, name);
  expect(keysOf(synced)).toEqual(tables[name].map(({ id }) => String(id)).toSorted());
  expect(synced.pages).toBe(Math.ceil(tables[name].length / 100));
  const [first] = tables[name];
  expect(synced.records.get('900')).toMatchObject({ ...first?.properties, updatedAt: first?.updatedAt });
});

test('an incremental sync reads what changed, over all pages of a search, and what was deleted', async () => {
  const { since } = await syncRecords(connection, 'contacts');
  tables.contacts = tables.contacts.map(row => ({
    ...row,
    ...(row.id < 1_120 && {
      properties: { ...row.properties, firstname: 'Grace' },
      updatedAt: hoursAgo(0.1),
    }),
    archived: row.id >= 1_148,
  }));
  vendor.requested.length = 0;
  const more = await syncRecords(connection, 'contacts', since);
  expect(more.records.size).toBe(220);
  expect(more.records.get('900')).toMatchObject({ email: 'ada@acme.example', firstname: 'Grace' });
  expect(more.deleted).toEqual(['1148', '1149']);
  expect(vendor.requested.filter(operation => operation.endsWith('/search'))).toHaveLength(2);
  expect(keysOf(await syncRecords(connection, 'contacts'))).not.toContain('1148');
});

test('lists and gets records with their properties', async () => {
  const run = async (action: 'list' | 'get', params: Readonly<Record<string, unknown>>) =>
    execute(connection, { entity: 'contacts', action, params });
  const { result, connector_metadata } = await run('list', {});
  expect(result).toHaveLength(100);
  const { cursor } = connector_metadata as { cursor: string };
  expect((await run('list', { cursor })).result).toMatchObject({ 0: { id: '1000' } });
  expect((await run('get', { id: '901' })).result).toMatchObject({
    id: '901',
    firstname: 'Ada',
    phone: null,
  });
  await expect(run('get', { id: '7' })).rejects.toMatchObject({ code: 'record_not_found' });
});

test('signs in, renews tokens that expire, and identifies the account', async () => {
  const signIn = hubspot.authMethods.find(({ id }) => id === 'oauth')!;
  const { consent } = signIn;
  const app = { clientId: 'app', clientSecret: 'app-secret', extras: {} };
  const redirectUri = 'https://fieldbook.example/callback';
  const url = new URL(consent!.url({ app, redirectUri, state: 'state-1', codeChallenge: null }));
  expect(url.origin + url.pathname).toBe('https://app.hubspot.com/oauth/authorize');
  expect(url.searchParams.get('scope')).toContain('crm.objects.deals.read');
  const send = createTransport({ sandboxUrl: vendor.url });
  const call = { vendorName: 'HubSpot', hosts: hubspot.hosts, timeoutMs: 60_000 };
  const exchange = { app, redirectUri, code: 'code-1', codeVerifier: null };
  const granted = consent!.readTokens(await send(consent!.exchange(exchange), call), Date.now());
  expect(granted.credentials).toEqual({ refresh_token: 'refresh-1' });
  const signedIn = openSource(hubspot, vendor, { method: 'oauth', ...granted, app });
  const check = async () => hubspot.check.run(await signedIn.vendorFor({ repeatable: false }));
  expect(await check()).toEqual({ account: '62515' });
  tokens.clear();
  expect(await check()).toEqual({ account: '62515' });
});

test('distinguishes rejected tokens, missing scopes and limits', async () => {
  const list = async () =>
    connection
      .vendorFor({ repeatable: false, maxWaitMs: 0 })
      .then(opened => hubspot.entities.deals.actions.list.run({}, opened));
  refused = error(403, 'MISSING_SCOPES', 'This app hasn’t been granted all required scopes');
  await expect(list()).rejects.toMatchObject({ code: 'vendor_permission_missing' });
  refused = {
    ...error(429, 'RATE_LIMITS', 'You have reached your secondly limit.'),
    headers: { 'retry-after': '60' },
  };
  await expect(list()).rejects.toMatchObject({ code: 'vendor_rate_limited' });
  tokens.clear();
  await expect(list()).rejects.toMatchObject({ code: 'reauthentication_required' });
});
