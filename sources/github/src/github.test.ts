import { readFileSync } from 'node:fs';
import { createTransport, execute, type Connection } from '@connector-auth/connectors/kind';
import {
  openSource,
  sampleOf,
  startVendor,
  syncRecords,
  type Description,
  type VendorReply,
  type VendorRequest,
  type VendorServer,
} from '@connector-auth/source-testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import github from './index.ts';

/**
 * The used part of GitHub's OpenAPI document. It does not describe the token endpoint, which is written after
 * https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps#web-application-flow.
 */
const fixture = JSON.parse(
  readFileSync(new URL('../fixtures/api.json', import.meta.url), 'utf8'),
) as Description;
const form = [
  'client_id',
  'client_secret',
  'code',
  'redirect_uri',
  'code_verifier',
  'grant_type',
  'refresh_token',
];
const description: Description = {
  ...fixture,
  operations: {
    ...fixture.operations,
    'POST /login/oauth/access_token': {
      body: {
        type: 'object',
        properties: Object.fromEntries(form.map(name => [name, { type: 'string' }])),
        required: ['client_id', 'client_secret'],
        additionalProperties: false,
      },
      responses: { 200: { type: 'object' } },
    },
  },
};
const app = { clientId: 'app-1', clientSecret: 'app-secret', extras: {} };
const token = 'github_pat_sample';

interface Item {
  readonly id: number;
  readonly number: number;
  readonly title: string;
  readonly state: 'open' | 'closed';
  readonly created_at: string;
  readonly updated_at: string;
}

/** What GitHub stores: repositories with their issues and pull requests, which have common numbers. */
interface Repository {
  readonly id: number;
  readonly full_name: string;
  readonly has_issues: boolean;
  issues: Item[];
  pulls: Item[];
}

const day = (number: number): string =>
  new Date(Date.UTC(2026, 0, 1) + number * 86_400_000).toISOString().replace('.000', '');
const itemsOf = (repository: number, count: number, first: number): Item[] =>
  Array.from({ length: count }, (_, index) => ({
    id: repository * 10_000 + first + index,
    number: first + index,
    title: `Item ${first + index}`,
    state: index % 2 === 0 ? 'closed' : 'open',
    created_at: day(first + index),
    // The oldest changed last.
    updated_at: day(300 - index),
  }));

let repositories: Repository[];
let vendor: VendorServer;
let connection: Connection;
let limit: VendorReply | null;
let granted: Set<string>;

beforeAll(async () => {
  // As at GitHub, the address of a next page has the id of the repository.
  const nameOf = (id: string): string =>
    repositories.find(repository => repository.id === Number(id))?.full_name ?? 'deleted/deleted';
  vendor = await startVendor(description, respond, path =>
    path.replace(/^\/repositories\/(\d+)/, (_, id: string) => `/repos/${nameOf(id)}`),
  );
});
afterAll(() => vendor.close());
afterEach(() => expect(vendor.problems.splice(0)).toEqual([]));
beforeEach(() => {
  repositories = [
    {
      id: 1,
      full_name: 'octocat/hello-world',
      has_issues: true,
      issues: itemsOf(1, 205, 1),
      pulls: itemsOf(1, 101, 206),
    },
    { id: 2, full_name: 'octocat/empty', has_issues: true, issues: [], pulls: [] },
    { id: 3, full_name: 'octocat/no-issues', has_issues: false, issues: [], pulls: itemsOf(3, 1, 1) },
  ];
  limit = null;
  granted = new Set([token]);
  connection = openSource(github, vendor, {
    method: 'access_token',
    credentials: { access_token: token },
  });
});

function respond({ operation, path, query, headers, body }: VendorRequest): VendorReply {
  const error = (status: number, message: string): VendorReply => ({ status, body: { message } });
  if (operation === 'POST /login/oauth/access_token')
    return issueToken(Object(body) as Record<string, string>);
  if (operation === 'DELETE /applications/{client_id}/token') {
    expect(headers['authorization']).toBe(`Basic ${Buffer.from('app-1:app-secret').toString('base64')}`);
    const { access_token } = body as { readonly access_token: string };
    const unknown = { message: 'Validation Failed', documentation_url: 'https://docs.github.com/rest' };
    return granted.delete(access_token) ? { status: 204 } : { status: 422, body: unknown };
  }
  if (!granted.has(String(headers['authorization']).replace('Bearer ', '')))
    return error(401, 'Bad credentials');
  if (limit !== null) return limit;
  if (operation === 'GET /user') return { body: sampleOf(description, 'private-user', { id: 583231 }) };
  if (operation === 'GET /user/repos') return pageOf(repositories, 'user/repos', query, repositoryOf);
  const repository = repositories.find(({ full_name }) => full_name === path.slice(0, 2).join('/'));
  if (!repository) return error(404, 'Not Found');
  const { issues, pulls } = repository;
  const find = (items: Item[]) => items.find(({ number }) => number === Number(path[2]));
  const { state: wanted = 'open', since = '' } = query as {
    readonly state?: string;
    readonly since?: string;
  };
  const list = (items: Item[]) =>
    items.filter(({ state, updated_at }) => ['all', state].includes(wanted) && updated_at >= since);
  switch (operation) {
    case 'GET /repos/{owner}/{repo}':
      return { body: sampleOf(description, 'full-repository', namesOf(repository)) };
    case 'GET /repos/{owner}/{repo}/issues':
      if (!repository.has_issues) return error(410, 'Issues are disabled for this repo');
      return pageOf(list([...issues, ...pulls]), `repositories/${repository.id}/issues`, query, item =>
        issueOf(repository, item),
      );
    case 'POST /repos/{owner}/{repo}/issues': {
      const created = { ...itemsOf(repository.id, 1, 900)[0]!, ...Object(body) };
      issues.push(created);
      return { status: 201, body: issueOf(repository, created) };
    }
    case 'GET /repos/{owner}/{repo}/issues/{issue_number}': {
      const found = find(issues);
      return found ? { body: issueOf(repository, found) } : error(404, 'Not Found');
    }
    case 'GET /repos/{owner}/{repo}/pulls':
      return pageOf(list(pulls), `repositories/${repository.id}/pulls`, query, item =>
        sampleOf(description, 'pull-request-simple', item),
      );
    default: {
      const found = find(pulls);
      return found ? { body: sampleOf(description, 'pull-request', found) } : error(404, 'Not Found');
    }
  }
}

/** GitHub responds to a wrong code with status 200, too. */
function issueToken({ code, code_verifier }: Readonly<Record<string, string>>): VendorReply {
  if (code !== 'code-1' || code_verifier !== 'verifier-1')
    return { body: { error: 'bad_verification_code' } };
  const access_token = `gho_${granted.size}`;
  granted.add(access_token);
  return { body: { access_token, scope: 'repo', token_type: 'bearer' } };
}

/** Sorts, and returns the page of the query with the address of the next one. */
function pageOf<Stored extends object>(
  stored: readonly Stored[],
  path: string,
  query: Readonly<Record<string, unknown>>,
  toBody: (stored: Stored) => unknown,
): VendorReply {
  const {
    sort = 'created',
    direction = 'desc',
    per_page = 30,
    page = 1,
  } = query as {
    readonly sort?: string;
    readonly direction?: string;
    readonly per_page?: number;
    readonly page?: number;
  };
  const sorted = stored.toSorted((one, other) => {
    const [left, right] = [one, other].map(each => String(Object(each)[`${sort}_at`]));
    return (left! < right! ? -1 : Number(left! > right!)) * (direction === 'asc' ? 1 : -1);
  });
  const end = page * per_page;
  const next = new URLSearchParams({ ...query, page: String(page + 1) });
  return {
    body: sorted.slice(end - per_page, end).map(toBody),
    headers:
      end < sorted.length ? { link: `<https://api.github.com/${path}?${next.toString()}>; rel="next"` } : {},
  };
}

function namesOf({ id, full_name, has_issues }: Repository) {
  return { id, full_name, name: full_name.split('/')[1], has_issues };
}

function repositoryOf(repository: Repository) {
  return sampleOf(description, 'repository', namesOf(repository));
}

function issueOf({ full_name, pulls }: Repository, item: Item) {
  const links = { url: null, html_url: null, diff_url: null, patch_url: null };
  return sampleOf(description, 'issue', {
    ...item,
    repository_url: `https://api.github.com/repos/${full_name}`,
    ...(pulls.includes(item) && { pull_request: links }),
  });
}

const idsOf = (items: Iterable<{ readonly id: number }>): string[] =>
  Array.from(items, ({ id }) => String(id)).toSorted();
const keysOf = ({ records }: Awaited<ReturnType<typeof syncRecords>>): string[] =>
  [...records.keys()].toSorted();

test('a full sync reads all pages of all repositories, and keeps issues and pull requests apart', async () => {
  const [first, , third] = repositories;
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
  const [first] = repositories;
  const issues = await syncRecords(connection, 'issues');
  const pulls = await syncRecords(connection, 'pull_requests');
  const changed = { title: 'Changed', updated_at: day(310) };
  first!.issues[2] = { ...first!.issues[2]!, ...changed };
  first!.pulls[100] = { ...first!.pulls[100]!, ...changed };
  const deleted = first!.issues.pop()!;

  vendor.requested.length = 0;
  const more = await syncRecords(connection, 'issues', issues.since);
  expect(keysOf(more)).toEqual(['10001', '10003']);
  expect(more.records.get('10003')).toMatchObject({ title: 'Changed' });
  const morePulls = await syncRecords(connection, 'pull_requests', pulls.since);
  expect(morePulls.records.get('10306')).toMatchObject({ title: 'Changed' });
  // One page of each repository.
  expect(vendor.requested.filter(name => name.endsWith('/pulls'))).toHaveLength(3);
  expect((await syncRecords(connection, 'issues', more.since)).since).toBe(more.since);

  expect((await syncRecords(connection, 'issues')).records.has(String(deleted.id))).toBe(false);
});

test('a repository that disappears during a sync does not stop it', async () => {
  const { run } = github.entities.issues.search.sync;
  const pages = run(await connection.vendorFor({ repeatable: true }), { since: null, position: null });
  repositories[1]!.issues = itemsOf(2, 101, 1);
  const seen: string[] = [];
  for await (const { records } of pages) {
    seen.push(...records.map(({ repository_url }) => String(repository_url)));
    repositories = repositories.filter(({ id }) => id !== 1);
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
    repositories[0]!.issues.filter(({ state }) => state === 'open').map(({ number }) => number),
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

test('identifies the account, and tells rejected credentials from limits', async () => {
  const vendorOf = () => connection.vendorFor({ repeatable: false, maxWaitMs: 0 });
  expect(await github.check.run(await vendorOf())).toEqual({ account: '583231' });
  const reset = Math.ceil(Date.now() / 1000) + 600;
  const body = { message: 'API rate limit exceeded' };
  for (const headers of [
    { 'retry-after': '60' },
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) },
  ]) {
    limit = { status: 403, headers, body };
    await expect(github.check.run(await vendorOf())).rejects.toMatchObject({ code: 'vendor_rate_limited' });
  }
  limit = { status: 403, body: { message: 'Resource not accessible by personal access token' } };
  await expect(github.check.run(await vendorOf())).rejects.toMatchObject({
    code: 'vendor_permission_missing',
  });
  const rejected = openSource(github, vendor, {
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
  const send = createTransport({ sandboxUrl: vendor.url });
  const call = { vendorName: 'GitHub', hosts: github.hosts, timeoutMs: 60_000 };
  const exchange = async (code: string) => {
    const request = consent!.exchange({ app, redirectUri, code, codeVerifier: 'verifier-1' });
    return consent!.readTokens(await send(request, call), Date.now());
  };
  await expect(exchange('code-2')).rejects.toMatchObject({ code: 'vendor_refused_request' });
  const grant = { method: 'oauth', settings: {}, ...(await exchange('code-1')) };
  const signedIn = openSource(github, vendor, grant);
  expect(await github.check.run(await signedIn.vendorFor({ repeatable: false }))).toEqual({
    account: '583231',
  });
  const revoke = revocation.request!(grant, app)!;
  expect(await send(revoke, call)).toMatchObject({ status: 204 });
  expect([...granted]).toEqual([token]);
  // GitHub also responds with 422 to too many requests.
  expect(revocation.isAlreadyRevoked!(await send(revoke, call))).toBe(false);
  expect(revocation.request!(grant, null)).toBeNull();
});
