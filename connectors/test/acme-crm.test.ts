/** The example of the guide about sources of one's own, against its vendor, without the service. */
import { createHash } from 'node:crypto';
import { systemClock } from '@connector-auth/api';
import {
  connect,
  connectorClass,
  createTransport,
  grantsInMemory,
  parseGrant,
  unlimited,
  type Grant,
  type SyncPage,
} from '@connector-auth/connectors/kind';
import { afterEach, beforeEach, expect, test } from 'vitest';
import acmeCrm from '../examples/acme-crm.ts';
import { acmeKey, startAcmeVendor, type AcmeVendor } from './acme-vendor.ts';

let vendor: AcmeVendor;
beforeEach(async () => {
  vendor = await startAcmeVendor();
});
afterEach(() => vendor.close());

const credentials = { api_key: acmeKey };
const AcmeCrm = connectorClass(acmeCrm);

function open() {
  const transport = createTransport({ sandboxUrl: vendor.url });
  return new AcmeCrm({ credentials, transport, limiter: unlimited });
}

test('lists, reads, creates and changes records, whose ids keep 19 digits', async () => {
  const { contacts, deals } = open();
  const names: (string | null)[] = [];
  for await (const { name } of contacts.listAll()) names.push(name);
  expect(names).toEqual(['Ada', 'Grace', 'Alan', 'Barbara', 'Donald']);
  expect((await contacts.get({ id: 'c1' })).result).toMatchObject({ name: 'Grace', email: null });

  const { result: created } = await contacts.create({ name: 'Alonzo', email: 'ed@acme.example' });
  await contacts.update({ id: created.id, name: 'Alonzo C.' });
  expect((await contacts.get({ id: created.id })).result).toMatchObject({
    name: 'Alonzo C.',
    email: 'ed@acme.example',
  });

  const { result } = await deals.list({ stage: 'won' });
  expect(result).toMatchObject([{ id: 9_223_372_036_854_775_801n }]);
  expect((await deals.get({ id: '9223372036854775801' })).result).toEqual(result[0]);
  await expect(deals.get({ id: '1' })).rejects.toMatchObject({ code: 'record_not_found' });
});

test('waits as long as the vendor asks, and reports what it rejects', async () => {
  const slept: number[] = [];
  const clock = {
    now: () => systemClock.now(),
    sleep: (ms: number) => {
      slept.push(ms);
      return Promise.resolve();
    },
  };
  const connection = connect({
    kind: acmeCrm,
    grants: grantsInMemory(parseGrant(acmeCrm, credentials)),
    transport: createTransport({ sandboxUrl: vendor.url }),
    limiter: unlimited,
    clock,
  });
  vendor.limit(1, 7);
  const { list } = acmeCrm.entities.contacts.actions;
  await list.run({}, await connection.vendorFor({ repeatable: true }));
  expect(slept).toEqual([7_000]);
  const wrong = new AcmeCrm({
    credentials: { api_key: 'wrong' },
    transport: createTransport({ sandboxUrl: vendor.url }),
    limiter: unlimited,
  });
  expect(await wrong.check()).toMatchObject({ status: 'unhealthy' });
  await expect(wrong.contacts.list()).rejects.toMatchObject({
    code: 'reauthentication_required',
    vendor: { status: 401, code: 'invalid_credentials', message: 'Sign in again' },
  });
});

test('syncs what changed and what was deleted, and resumes after any page', async () => {
  const connection = connect({
    kind: acmeCrm,
    grants: grantsInMemory(parseGrant(acmeCrm, credentials)),
    transport: createTransport({ sandboxUrl: vendor.url }),
    limiter: unlimited,
  });
  const { sync } = acmeCrm.entities.contacts.search;
  const read = async (since: string | null, position: unknown = null): Promise<SyncPage[]> => {
    const pages: SyncPage[] = [];
    const run = sync.run(await connection.vendorFor({ repeatable: true }), { since, position });
    for await (const page of run) pages.push(page);
    return pages;
  };
  const namesIn = (pages: readonly SyncPage[]) =>
    pages.flatMap(({ records }) => records.map(({ name }) => name));

  const whole = await read(null);
  expect(namesIn(whole)).toEqual(['Ada', 'Grace', 'Alan', 'Barbara', 'Donald']);
  for (const [index, { position }] of whole.slice(0, -1).entries())
    expect(namesIn(await read(null, position))).toEqual(namesIn(whole.slice(index + 1)));
  const since = whole.at(-1)?.since ?? null;
  // Five minutes before the last change.
  expect(since).toBe('2026-01-04T23:55:00.000Z');

  vendor.delete('contacts', 'c4');
  await open().contacts.update({ id: 'c0', name: 'Ada L.' });
  const changes = await read(since);
  expect(changes.flatMap(({ deleted = [] }) => deleted.map(({ id }) => id))).toEqual(['c4']);
  expect(namesIn(changes)).toEqual(['Ada L.']);
});

test('signs in with a code and PKCE, and uses each refresh token once', async () => {
  const [method] = acmeCrm.authMethods;
  const { consent } = method;
  if (!consent) throw new Error('The method has no consent');
  const app = { clientId: 'acme-client', clientSecret: 'acme-client-secret', extras: {} };
  const redirectUri = 'https://connect.example/callback';
  const codeVerifier = 'a-verifier-that-is-long-enough-for-the-specification';
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
  const page = new URL(consent.url({ app, redirectUri, state: 'state', codeChallenge }));
  expect(page.origin + page.pathname).toBe('https://login.acme-crm.example/authorize');
  expect(Object.fromEntries(page.searchParams)).toEqual({
    response_type: 'code',
    client_id: 'acme-client',
    redirect_uri: redirectUri,
    scope: 'crm.read crm.write',
    state: 'state',
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
  });

  const transport = createTransport({ sandboxUrl: vendor.url });
  const code = vendor.consent(codeChallenge);
  const exchange = consent.exchange({ app, redirectUri, code, codeVerifier });
  const call = { vendorName: 'Acme CRM', hosts: acmeCrm.hosts, timeoutMs: 10_000 };
  const tokens = consent.readTokens(await transport(exchange, call), Date.now());
  const used: unknown[] = [];
  const grants = grantsInMemory({ method: method.id, settings: {}, ...tokens }, (grant: Grant) => {
    used.push(grant.credentials['refresh_token']);
  });
  const connection = connect({ kind: acmeCrm, grants, transport, limiter: unlimited, app });
  const check = async () => acmeCrm.check.run(await connection.vendorFor({ repeatable: true }));
  expect(await check()).toEqual({ account: 'account-1' });
  expect(used).toEqual([]);
  vendor.expireTokens();
  await check();
  vendor.expireTokens();
  await check();
  expect(new Set(used).size).toBe(2);

  const stale = grantsInMemory({ method: method.id, settings: {}, ...tokens, state: {} });
  const late = connect({ kind: acmeCrm, grants: stale, transport, limiter: unlimited, app });
  await expect(late.vendorFor({ repeatable: true }).then(acmeCrm.check.run)).rejects.toMatchObject({
    code: 'reauthentication_required',
  });
});
