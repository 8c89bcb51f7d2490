import type { Entity, Sync, Vendor } from '@connector-auth/connectors/kind';
import { create, integer, list, search, syncByTime } from '@connector-auth/connectors/rest';
import { z } from 'zod';
import { api, count, flag, inRepository, paging, text, time, user } from './api.ts';
import { getOne, listRepositories } from './repositories.ts';

const record = z.object({
  id: integer,
  number: count.describe('Number in the repository, for `get`'),
  repository_url: text.describe('Such as `https://api.github.com/repos/octocat/hello-world`'),
  title: text,
  body: text.describe('Markdown'),
  state: text.describe('`open` or `closed`'),
  state_reason: text.describe('`completed`, `reopened`, `not_planned` or `duplicate`'),
  user,
  labels: z.array(z.unknown()).nullable(),
  assignees: z.array(z.unknown()).nullable(),
  milestone: z.object({ number: count, title: text, due_on: text }).nullable(),
  comments: count,
  locked: flag,
  author_association: text,
  html_url: text,
  created_at: time,
  updated_at: time,
  closed_at: time,
});

/**
 * GitHub lists pull requests among issues. They have the member `pull_request`.
 * https://docs.github.com/en/rest/issues/issues#list-repository-issues
 */
const listed = {
  api,
  noun: 'issue',
  path: '/repos/{owner}/{repo}/issues',
  paging,
  // See `repositories`.
  query: { per_page: 100, sort: 'created', direction: 'asc' },
  record: record.extend({ pull_request: z.unknown().nullable() }),
};
const issue = { ...listed, record };
type Listed = Readonly<Record<string, unknown>>;

function withoutPullRequests<Record extends Listed>(page: readonly Record[]): Omit<Record, 'pull_request'>[] {
  return page.flatMap(({ pull_request, ...issue }) => ((pull_request ?? null) === null ? [issue] : []));
}

const listAll = list(listed, {
  params: {
    ...inRepository,
    state: z.enum(['open', 'closed', 'all']).optional().describe('Default: `open`'),
    labels: z.string().optional().describe('Names of labels, separated by commas'),
    since: z.iso.datetime().optional().describe('Only issues that changed at this time or later'),
  },
});

/**
 * `since` filters by the time of the last change. GitHub has no list of deleted or transferred issues, so only full runs find that
 * they are gone.
 */
const changes = syncByTime(
  { ...listed, query: { ...listed.query, state: 'all' } },
  {
    field: 'updated_at',
    param: 'since',
    within: vendor => listRepositories(vendor, ({ has_issues }) => has_issues !== false),
    // The repository was deleted, or its issues were disabled, since the repositories were listed.
    skips: ({ code }) => code === 'record_not_found',
    onlyFullRunsFind: 'deleted and transferred issues',
  },
);
const sync: Sync = {
  ...changes,
  run: async function* (vendor, start) {
    for await (const page of changes.run(vendor, start)) {
      yield { ...page, records: withoutPullRequests(page.records) };
    }
  },
};

export const issues = {
  title: 'Issues',
  description: 'Issues of the repositories, without pull requests',
  actions: {
    list: {
      ...listAll,
      record,
      run: async (params: Parameters<typeof listAll.run>[0], vendor: Vendor) => {
        const page = await listAll.run(params, vendor);
        return { ...page, result: withoutPullRequests(page.result) };
      },
    },
    get: getOne('Get an issue', `${listed.path}/{number}`, { number: z.int().min(1) }, record),
    // https://docs.github.com/en/rest/issues/issues#create-an-issue
    create: create(issue, {
      params: {
        ...inRepository,
        title: z.string().min(1),
        body: z.string().optional().describe('Markdown'),
        labels: z.array(z.string()).optional(),
        assignees: z.array(z.string()).optional().describe('Logins'),
      },
    }),
  },
  search: search(issue, {
    indexed: ['closed_at', 'created_at', 'repository_url', 'state', 'updated_at'],
    text: ['title', 'body'],
    sync,
  }),
} satisfies Entity;
