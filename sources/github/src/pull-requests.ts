import type { Entity, Grant, Sync } from '@connector-auth/connectors/kind';
import {
  integer,
  list,
  requestTo,
  search,
  syncByTime,
  type Paging,
  type Values,
} from '@connector-auth/connectors/rest';
import { z } from 'zod';
import { api, count, flag, inRepository, paging, text, time, user } from './api.ts';
import { getOne, listRepositories } from './repositories.ts';

const branch = z.object({
  ref: text,
  sha: text,
  repo: z.object({ id: integer, full_name: text }).nullable().describe('Null if the repository was deleted'),
});

/** https://docs.github.com/en/rest/pulls/pulls#list-pull-requests */
const listed = {
  api,
  noun: 'pull request',
  path: '/repos/{owner}/{repo}/pulls',
  paging,
  query: { per_page: 100, sort: 'created', direction: 'asc' },
  record: z.object({
    id: integer,
    number: count.describe('Number in the repository, for `get`'),
    title: text,
    body: text.describe('Markdown'),
    state: text.describe('`open` or `closed`'),
    draft: flag,
    user,
    labels: z.array(z.unknown()).nullable(),
    assignees: z.array(z.unknown()).nullable(),
    requested_reviewers: z.array(z.unknown()).nullable(),
    head: branch.nullable(),
    base: branch.nullable(),
    merge_commit_sha: text,
    html_url: text,
    created_at: time,
    updated_at: time,
    closed_at: time,
    merged_at: time.describe('Null if the pull request is not merged'),
  }),
};
const all = { ...listed, query: { ...listed.query, state: 'all' } };

/**
 * GitHub cannot filter pull requests by their last change, but sort by it. A pull request that changes meanwhile moves to a page that
 * was already read, and is read by the next run.
 */
function changedSince(since: string) {
  const query = { ...all.query, sort: 'updated', direction: 'desc' };
  const untilSince: Paging = {
    ...paging,
    next: page => {
      const { updated_at } = Object(page.records.at(-1)) as { updated_at?: string };
      return Date.parse(updated_at ?? '') < Date.parse(since) ? null : paging.next(page);
    },
  };
  return {
    ...all,
    paging: untilSince,
    // Not a parameter of this list.
    request: (params: Values, grant: Grant) =>
      requestTo(api, grant, { path: all.path, values: { ...query, ...params, since: undefined } }),
  };
}

const onlyFullRunsFind = 'pull requests of repositories that are no longer accessible';
const sync: Sync = {
  incremental: true,
  onlyFullRunsFind,
  run: (vendor, start) =>
    syncByTime(all, {
      field: 'updated_at',
      param: 'since',
      within: () => listRepositories(vendor, ({ has_pull_requests }) => has_pull_requests !== false),
      skips: ({ code }) => code === 'record_not_found',
      onlyFullRunsFind,
      ...(start.since !== null && { changed: changedSince(start.since) }),
    }).run(vendor, start),
};

/** Pull requests cannot be deleted. */
export const pullRequests = {
  title: 'Pull requests',
  description: 'Pull requests of the repositories',
  actions: {
    list: list(listed, {
      params: {
        ...inRepository,
        state: z.enum(['open', 'closed', 'all']).optional().describe('Default: `open`'),
        base: z.string().optional().describe('Name of the branch that they would change'),
      },
    }),
    // https://docs.github.com/en/rest/pulls/pulls#get-a-pull-request
    get: getOne('Get a pull request', `${listed.path}/{number}`, { number: z.int().min(1) }, listed.record),
  },
  search: search(listed, {
    indexed: ['closed_at', 'created_at', 'merged_at', 'state', 'updated_at'],
    text: ['title', 'body'],
    sync,
  }),
} satisfies Entity;
