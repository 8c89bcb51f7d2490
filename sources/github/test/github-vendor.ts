import { readFileSync } from 'node:fs';
import {
  actAsVendor,
  sampleOf,
  startVendor,
  type Description,
  type VendorReply,
  type VendorRequest,
  type VendorServer,
} from '@connector-auth/source-testing';

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
export const description: Description = {
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

/** The token that GitHub accepts. */
export const token = 'github_pat_sample';

/** An issue or a pull request, perhaps with further members. */
export interface Item extends Readonly<Record<string, unknown>> {
  readonly id: number;
  readonly number: number;
  readonly title: string;
  readonly state: 'open' | 'closed';
  readonly created_at: string;
  readonly updated_at: string;
}

/** What GitHub stores: repositories with their issues and pull requests, which have common numbers, and perhaps further members. */
export interface Repository extends Readonly<Record<string, unknown>> {
  readonly id: number;
  readonly full_name: string;
  readonly has_issues: boolean;
  issues: Item[];
  pulls: Item[];
}

/** A time of a day after New Year. */
export const day = (number: number): string =>
  new Date(Date.UTC(2026, 0, 1) + number * 86_400_000).toISOString().replace('.000', '');

/** Makes issues or pull requests, of which the oldest changed last. */
export const itemsOf = (repository: number, count: number, first: number): Item[] =>
  Array.from({ length: count }, (_, index) => ({
    id: repository * 10_000 + first + index,
    number: first + index,
    title: `Item ${first + index}`,
    state: index % 2 === 0 ? 'closed' : 'open',
    created_at: day(first + index),
    updated_at: day(300 - index),
  }));

/** What GitHub stores, and what it responds with. */
export interface GitHub {
  repositories: Repository[];
  /** The response to every request with a valid token, if there is one. */
  limit: VendorReply | null;
  /** The valid tokens. */
  readonly granted: Set<string>;
  readonly respond: (request: VendorRequest) => VendorReply;
  /** Returns the path by name of a path with the id of a repository, which the address of a next page has. */
  readonly describedPath: (path: string) => string;
}

/** A GitHub that a test can change, and its server. */
export interface RunningGitHub extends GitHub {
  readonly server: VendorServer;
  /** Returns to what it stored at first. */
  reset(): void;
}

/** Starts a server that acts as GitHub. */
export async function startGitHub(): Promise<RunningGitHub> {
  const github = createGitHub(firstRepositories(), [token]);
  const server = await startVendor(actAsVendor(description, github.respond, github.describedPath));
  return Object.assign(github, {
    server,
    reset: () => {
      github.repositories = firstRepositories();
      github.limit = null;
      github.granted.clear();
      github.granted.add(token);
    },
  });
}

/** Creates a GitHub whose users have access to all its repositories. */
export function createGitHub(repositories: Repository[], tokens: readonly string[]): GitHub {
  const nameOf = (id: string): string =>
    github.repositories.find(repository => repository.id === Number(id))?.full_name ?? 'deleted/deleted';
  const github: GitHub = {
    repositories,
    limit: null,
    granted: new Set(tokens),
    respond,
    describedPath: path => path.replace(/^\/repositories\/(\d+)/, (_, id: string) => `/repos/${nameOf(id)}`),
  };
  return github;

  function respond({ operation, path, query, headers, body }: VendorRequest): VendorReply {
    const error = (status: number, message: string): VendorReply => ({ status, body: { message } });
    if (operation === 'POST /login/oauth/access_token')
      return issueToken(Object(body) as Record<string, string>);
    if (operation === 'DELETE /applications/{client_id}/token') {
      const client = `Basic ${Buffer.from('app-1:app-secret').toString('base64')}`;
      if (headers['authorization'] !== client) return error(404, 'Not Found');
      const { access_token } = body as { readonly access_token: string };
      const unknown = { message: 'Validation Failed', documentation_url: 'https://docs.github.com/rest' };
      return github.granted.delete(access_token) ? { status: 204 } : { status: 422, body: unknown };
    }
    if (!github.granted.has(String(headers['authorization']).replace('Bearer ', '')))
      return error(401, 'Bad credentials');
    if (github.limit !== null) return github.limit;
    if (operation === 'GET /user') return { body: sampleOf(description, 'private-user', { id: 583231 }) };
    if (operation === 'GET /user/repos')
      return pageOf(github.repositories, 'user/repos', query, repositoryOf);
    const repository = github.repositories.find(({ full_name }) => full_name === path.slice(0, 2).join('/'));
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
        return { body: sampleOf(description, 'full-repository', membersOf(repository)) };
      case 'GET /repos/{owner}/{repo}/issues':
        if (!repository.has_issues) return error(410, 'Issues are disabled for this repo');
        return pageOf(list([...issues, ...pulls]), `repositories/${repository.id}/issues`, query, item =>
          issueOf(repository, item),
        );
      case 'POST /repos/{owner}/{repo}/issues': {
        const created = { ...itemsOf(repository.id, 1, 900).at(0), ...Object(body) };
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
    const access_token = `gho_${github.granted.size}`;
    github.granted.add(access_token);
    return { body: { access_token, scope: 'repo', token_type: 'bearer' } };
  }
}

function firstRepositories(): Repository[] {
  return [
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
  const keyOf = (each: Stored): number => Date.parse(String(Object(each)[`${sort}_at`]));
  const order = direction === 'asc' ? 1 : -1;
  const sorted = stored.toSorted((one, other) => (keyOf(one) - keyOf(other)) * order);
  const end = page * per_page;
  const next = new URLSearchParams({ ...query, page: String(page + 1) });
  return {
    body: sorted.slice(end - per_page, end).map(toBody),
    headers:
      end < sorted.length ? { link: `<https://api.github.com/${path}?${next.toString()}>; rel="next"` } : {},
  };
}

function membersOf({ issues: _issues, pulls: _pulls, ...members }: Repository) {
  return { ...members, name: members.full_name.split('/')[1] };
}

function repositoryOf(repository: Repository) {
  return sampleOf(description, 'repository', membersOf(repository));
}

function issueOf({ full_name, pulls }: Repository, item: Item) {
  const links = { url: null, html_url: null, diff_url: null, patch_url: null };
  return sampleOf(description, 'issue', {
    ...item,
    repository_url: `https://api.github.com/repos/${full_name}`,
    ...(pulls.includes(item) && { pull_request: links }),
  });
}
