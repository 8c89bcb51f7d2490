import { readFileSync } from 'node:fs';
import { execute, type Connection } from '@connector-auth/connectors/kind';
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
import stripe from './index.ts';

/** The used part of Stripe's API. */
const description = JSON.parse(
  readFileSync(new URL('../fixtures/api.json', import.meta.url), 'utf8'),
) as Description;
const key = 'rk_test_sample';
const tableNames = ['customers', 'subscriptions', 'invoices'] as const;
type Table = (typeof tableNames)[number];
const schemas = { customers: 'Customer', subscriptions: 'Subscription', invoices: 'Invoice' } as const;

interface Stored {
  readonly id: string;
  readonly created: number;
  readonly description: string;
  readonly status?: string;
}

let tables: Record<Table, Stored[]>;
let events: {
  readonly id: string;
  readonly created: number;
  readonly type: string;
  readonly object: object;
}[];
let refused: VendorReply | null;
let vendor: VendorServer;
let connection: Connection;

const seconds = (): number => Math.floor(Date.now() / 1000);
const rowsOf = (prefix: string, count: number, status?: string): Stored[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `${prefix}_${index}`,
    created: seconds() - 86_400 - index,
    description: `No. ${index}`,
    ...(status !== undefined && { status }),
  }));

beforeAll(async () => {
  vendor = await startVendor(actAsVendor(description, respond));
});
afterAll(() => vendor.close());
afterEach(() => expect(vendor.problems.splice(0)).toEqual([]));
beforeEach(() => {
  tables = {
    customers: rowsOf('cus', 250),
    subscriptions: [...rowsOf('sub', 2, 'active'), ...rowsOf('ended', 1, 'canceled')],
    invoices: rowsOf('in', 101, 'draft'),
  };
  events = [];
  refused = null;
  connection = openSource(stripe, vendor, { method: 'restricted_key', credentials: { access_token: key } });
});

function respond({ operation, path: [id], query, headers }: VendorRequest): VendorReply {
  if (headers['authorization'] !== `Bearer ${key}`) return error(401, undefined, 'Invalid API Key provided');
  if (headers['stripe-version'] !== '2026-10-28.endive') return error(404, undefined, 'Invalid version');
  if (refused !== null) return refused;
  if (operation === 'GET /v1/events') {
    const since = Number(Object(query['created']).gte ?? 0);
    const prefix = String(query['type']).replace('*', '');
    const found = events.filter(({ created, type }) => created >= since && type.startsWith(prefix));
    return pageOf('/v1/events', found.toReversed(), query, ({ object, ...event }) =>
      sampleOf(description, 'Event', { ...event, data: { object } }),
    );
  }
  const name = operation.split('/')[2] as Table;
  const toBody = (stored: Stored) => sampleOf(description, schemas[name], stored);
  if (id === undefined) {
    const isListed = ({ status }: Stored): boolean =>
      name !== 'subscriptions' || query['status'] === 'all' || status !== 'canceled';
    return pageOf(`/v1/${name}`, tables[name].filter(isListed), query, toBody);
  }
  const found = tables[name].find(each => each.id === id);
  if (found) return { body: toBody(found) };
  return name === 'customers' && id !== 'cus_unknown'
    ? { body: { id, object: 'customer', deleted: true } }
    : error(404, 'resource_missing', `No such ${name}: '${id}'`);
}

function error(status: number, code: string | undefined, message: string): VendorReply {
  return { status, body: { error: { type: 'invalid_request_error', code, message } } };
}

function pageOf<Item extends { readonly id: string }>(
  url: string,
  items: readonly Item[],
  { limit = 10, starting_after }: VendorRequest['query'],
  toBody: (item: Item) => unknown,
): VendorReply {
  const start = starting_after === undefined ? 0 : items.findIndex(({ id }) => id === starting_after) + 1;
  const end = start + Number(limit);
  const data = items.slice(start, end).map(toBody);
  return { body: { object: 'list', url, has_more: end < items.length, data } };
}

/** Creates, changes or deletes an object, and records the event. */
function change(
  name: Table,
  id: string,
  action: 'created' | 'updated' | 'deleted',
  members: Partial<Stored> = {},
): void {
  const old = tables[name].find(each => each.id === id) ?? { id, created: seconds(), description: 'New' };
  const others = tables[name].filter(each => each.id !== id);
  tables[name] = action === 'deleted' ? others : [{ ...old, ...members }, ...others];
  const noun = name.slice(0, -1);
  const type = `${name === 'subscriptions' ? 'customer.subscription' : noun}.${action}`;
  events.push({ id: `evt_${events.length}`, created: seconds(), type, object: { ...old, object: noun } });
}

const keysOf = ({ records }: { readonly records: ReadonlyMap<string, unknown> }): string[] =>
  [...records.keys()].toSorted();

test.each(tableNames)('a full sync of %s reads all pages', async name => {
  const synced = await syncRecords(connection, name);
  expect(keysOf(synced)).toEqual(tables[name].map(({ id }) => id).toSorted());
  expect(synced.pages).toBe(Math.ceil(tables[name].length / 100));
});

test('an incremental sync reads what changed, and reports what was deleted', async () => {
  const { since } = await syncRecords(connection, 'customers');
  change('customers', 'cus_7', 'updated', { description: 'First' });
  change('subscriptions', 'sub_1', 'updated');
  change('customers', 'cus_new', 'created');
  change('customers', 'cus_8', 'deleted');
  // The events of one customer fill a page.
  for (let index = 0; index < 101; index += 1)
    change('customers', 'cus_7', 'updated', { description: `Last ${index}` });
  vendor.requested.length = 0;
  const customers = await syncRecords(connection, 'customers', since);
  expect(keysOf(customers)).toEqual(['cus_7', 'cus_new']);
  expect(customers.records.get('cus_7')).toMatchObject({ description: 'Last 100' });
  expect(customers.deleted).toEqual(['cus_8']);
  expect(vendor.requested).not.toContain('GET /v1/customers');

  const before = await syncRecords(connection, 'invoices');
  change('invoices', 'in_0', 'deleted');
  change('invoices', 'in_1', 'updated', { status: 'paid' });
  const upcoming = { created: seconds(), type: 'invoice.upcoming', object: { object: 'invoice' } };
  events.push({ id: 'evt_upcoming', ...upcoming });
  const invoices = await syncRecords(connection, 'invoices', before.since);
  expect(invoices.deleted).toEqual(['in_0']);
  expect([...invoices.records.values()]).toMatchObject([{ id: 'in_1', status: 'paid' }]);
});

test('an incremental sync starts before the latest change that is known, also if nothing changed meanwhile', async () => {
  const { since } = await syncRecords(connection, 'subscriptions');
  expect((await syncRecords(connection, 'subscriptions', since)).since).toBe(since);
  change('subscriptions', 'sub_0', 'updated', { status: 'canceled' });
  const later = await syncRecords(connection, 'subscriptions', since);
  expect(later.records.get('sub_0')).toMatchObject({ status: 'canceled' });
  expect(Date.parse(later.since ?? '')).toBeGreaterThan(Date.parse(since ?? ''));
});

test('lists and gets records', async () => {
  const run = async (entity: Table, action: 'list' | 'get', params: Readonly<Record<string, unknown>>) =>
    execute(connection, { entity, action, params });
  const { result, connector_metadata } = await run('invoices', 'list', {});
  expect(result).toHaveLength(100);
  const { cursor } = connector_metadata as { cursor: string };
  expect(await run('invoices', 'list', { cursor, status: 'draft' })).toMatchObject({
    result: [{ id: 'in_100' }],
    connector_metadata: { has_more: false },
  });
  expect((await run('subscriptions', 'get', { id: 'sub_1' })).result).toMatchObject({ status: 'active' });
  const { id } = tables.customers.pop()!;
  for (const gone of [id, 'cus_unknown'])
    await expect(run('customers', 'get', { id: gone })).rejects.toMatchObject({ code: 'record_not_found' });
});

test('distinguishes rejected keys, missing permissions and limits', async () => {
  const check = async () => stripe.check.run(await connection.vendorFor({ repeatable: false, maxWaitMs: 0 }));
  expect(await check()).toEqual({ account: null });
  refused = error(
    403,
    'more_permissions_required',
    'The provided key does not have the required permissions',
  );
  await expect(check()).rejects.toMatchObject({ code: 'vendor_permission_missing' });
  refused = { ...error(429, 'rate_limit', 'Request rate limit exceeded'), headers: { 'retry-after': '60' } };
  await expect(check()).rejects.toMatchObject({ code: 'vendor_rate_limited' });
  connection = openSource(stripe, vendor, {
    method: 'restricted_key',
    credentials: { access_token: 'rk_other' },
  });
  await expect(check()).rejects.toMatchObject({ code: 'reauthentication_required' });
});
