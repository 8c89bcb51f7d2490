import { createTransport, execute, type Connection } from '@connector-auth/connectors/kind';
import { openSource, syncRecords } from '@connector-auth/source-testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { day, itemsOf, startGitHub, token, type Item, type RunningGitHub } from '../test/github-vendor.ts';
import github from './index.ts';

const app = { clientId: 'app-1', clientSecret: 'app-secret', extras: {} };
let vendor: RunningGitHub;
let connection: Connection;

beforeAll(async () => {
  vendor = await startGitHub();
});
afterAll(() => vendor.server.close());
afterEach(() => expect(vendor.server.problems.splice(0)).toEqual([]));
beforeEach(() => {
  vendor.reset();
  connection = openSource(github, vendor.server, {
    method: 'access_token',
    credentials: { access_token: token },
  });
});

const idsOf = (items: Iterable<{ readonly id: number }>): string[] =>
  Array.from(items, ({ id }) => String(id)).toSorted();
const keysOf = ({ records }: Awaited<ReturnType<typeof syncRecords>>): string[] =>
  [...records.keys()].toSorted();

test('a full sync reads all pages of all repositories, and keeps issues and pull requests apart', async () => {
  const [first, , third] = vendor.repositories;
  expect(keysOf(await syncRecords(connection, 'repositories'))).toEqual(['1', '2', '3']);
  const issues = await syncRecords(connection, 'issues');
  expect(keysOf(issues)).toEqual(idsOf(first!.issues));
  expect(issues.records.get('10001')).toMatchObject({
    number: 1,
    state: 'closed',
    repository_url: 'https://api.github.com/repos/octocat/hello-world',
  });
  expect(issues.records.get('10001')).not.toHaveProperty('pull_request');
  expect(keysOf(await syncRecords(connection, 'pull_requests'))).toEqual(
    idsOf([...first!.pulls, ...third!.pulls]),
  );
});

test('an incremental sync reads only what changed, and the next full one finds deletions', async () => {
  const [first] = vendor.repositories;
  const issues = await syncRecords(connection, 'issues');
  const pulls = await syncRecords(connection, 'pull_requests');
  const changed = { title: 'Changed', updated_at: day(310) };
  first!.issues[2] = { ...first!.issues[2]!, ...changed };
  first!.pulls[100] = { ...first!.pulls[100]!, ...changed };
  const deleted = first!.issues.pop()!;

  vendor.server.requested.length = 0;
  const more = await syncRecords(connection, 'issues', issues.since);
  expect(keysOf(more)).toEqual(['10001', '10003']);
  expect(more.records.get('10003')).toMatchObject({ title: 'Changed' });
  const morePulls = await syncRecords(connection, 'pull_requests', pulls.since);
  expect(morePulls.records.get('10306')).toMatchObject({ title: 'Changed' });
  // One page of each repository.
  expect(vendor.server.requested.filter(name => name.endsWith('/pulls'))).toHaveLength(3);
  expect((await syncRecords(connection, 'issues', more.since)).since).toBe(more.since);

  expect((await syncRecords(connection, 'issues')).records.has(String(deleted.id))).toBe(false);
});

test('a repository that disappears during a sync does not stop it', async () => {
  const { run } = github.entities.issues.search.sync;
  const pages = run(await connection.vendorFor({ repeatable: true }), { since: null, position: null });
  vendor.repositories[1]!.issues = itemsOf(2, 101, 1);
  const seen: string[] = [];
  for await (const { records } of pages) {
    seen.push(...records.map(({ repository_url }) => String(repository_url)));
    vendor.repositories = vendor.repositories.filter(({ id }) => id !== 1);
  }
  expect(new Set(seen)).toEqual(new Set(['https://api.github.com/repos/octocat/empty']));
});

test('lists, gets and creates records', async () => {
  const inRepository = { owner: 'octocat', repo: 'hello-world' };
  const page = await execute(connection, { entity: 'issues', action: 'list', params: inRepository });
  const { cursor } = page.connector_metadata as { cursor: string };
  const next = await execute(connection, {
    entity: 'issues',
    action: 'list',
    params: { ...inRepository, cursor },
  });
  const numbers = [page, next].flatMap(({ result }) => (result as Item[]).map(({ number }) => number));
  expect(numbers).toEqual(
    vendor.repositories[0]!.issues.filter(({ state }) => state === 'open').map(({ number }) => number),
  );
  const get = async (entity: string, number: number) =>
    (await execute(connection, { entity, action: 'get', params: { ...inRepository, number } })).result;
  expect(await get('issues', 7)).toMatchObject({ id: 10_007 });
  expect(await get('pull_requests', 206)).toMatchObject({ id: 10_206, merged_at: null });
  await expect(get('issues', 5_000)).rejects.toMatchObject({ code: 'record_not_found' });
  const repository = await execute(connection, {
    entity: 'repositories',
    action: 'get',
    params: inRepository,
  });
  expect(repository.result).toMatchObject({ id: 1, full_name: 'octocat/hello-world' });
  const params = { ...inRepository, title: 'Broken', labels: ['bug'] };
  const { result } = await execute(connection, { entity: 'issues', action: 'create', params });
  expect(result).toMatchObject({ title: 'Broken' });
});

test('identifies the account, and distinguishes rejected credentials and limits', async () => {
  const vendorOf = () => connection.vendorFor({ repeatable: false, maxWaitMs: 0 });
  expect(await github.check.run(await vendorOf())).toEqual({ account: '583231' });
  const reset = Math.ceil(Date.now() / 1000) + 600;
  const body = { message: 'API rate limit exceeded' };
  for (const headers of [
    { 'retry-after': '60' },
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) },
  ]) {
    vendor.limit = { status: 403, headers, body };
    await expect(github.check.run(await vendorOf())).rejects.toMatchObject({ code: 'vendor_rate_limited' });
  }
  vendor.limit = { status: 403, body: { message: 'Resource not accessible by personal access token' } };
  await expect(github.check.run(await vendorOf())).rejects.toMatchObject({
    code: 'vendor_permission_missing',
  });
  const rejected = openSource(github, vendor.server, {
    method: 'access_token',
    credentials: { access_token: 'other' },
  });
  const check = github.check.run(await rejected.vendorFor({ repeatable: false }));
  await expect(check).rejects.toMatchObject({ code: 'reauthentication_required' });
});

test('signs in with a code, and revokes only its own token', async () => {
  const { consent, revocation } = github.authMethods[0];
  const redirectUri = 'https://fieldbook.example/callback';
  const url = new URL(consent!.url({ app, redirectUri, state: 'state-1', codeChallenge: 'challenge-1' }));
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    client_id: 'app-1',
    scope: 'repo',
    code_challenge: 'challenge-1',
    code_challenge_method: 'S256',
  });
  const send = createTransport({ sandboxUrl: vendor.server.url });
  const call = { vendorName: 'GitHub', hosts: github.hosts, timeoutMs: 60_000 };
  const exchange = async (code: string) => {
    const request = consent!.exchange({ app, redirectUri, code, codeVerifier: 'verifier-1' });
    return consent!.readTokens(await send(request, call), Date.now());
  };
  await expect(exchange('code-2')).rejects.toMatchObject({ code: 'vendor_refused_request' });
  const grant = { method: 'oauth', settings: {}, ...(await exchange('code-1')) };
  const signedIn = openSource(github, vendor.server, grant);
  expect(await github.check.run(await signedIn.vendorFor({ repeatable: false }))).toEqual({
    account: '583231',
  });
  const revoke = revocation.request!(grant, app)!;
  expect(await send(revoke, call)).toMatchObject({ status: 204 });
  expect([...vendor.granted]).toEqual([token]);
  // GitHub also responds with 422 to too many requests.
  expect(revocation.isAlreadyRevoked!(await send(revoke, call))).toBe(false);
  expect(revocation.request!(grant, null)).toBeNull();
});
