import { asObject, defineAction, readDeclared, type Vendor } from '@connector-auth/connectors/kind';
import { fetchPage, integer, requestTo } from '@connector-auth/connectors/rest';
import { z } from 'zod';
import { api, count, flag, inRepository, paging, text, time, user } from './api.ts';

/** https://docs.github.com/en/rest/repos/repos#list-repositories-for-the-authenticated-user */
export const repositories = {
  api,
  noun: 'repository',
  plural: 'repositories',
  path: '/user/repos',
  paging,
  // Pages are numbered. In the order of their creation, a change moves no repository to a page that was already read.
  query: { per_page: 100, sort: 'created', direction: 'asc' },
  record: z.object({
    id: integer,
    full_name: text.describe('Owner and name, such as `octocat/hello-world`'),
    name: text,
    owner: user,
    description: text,
    private: flag,
    visibility: text.describe('`public`, `private` or `internal`'),
    archived: flag,
    disabled: flag,
    fork: flag,
    has_issues: flag,
    default_branch: text,
    language: text,
    topics: z.array(z.string()).nullable(),
    html_url: text,
    stargazers_count: count,
    forks_count: count,
    open_issues_count: count.describe('Open issues and pull requests'),
    size: count.describe('In kilobytes'),
    created_at: time,
    pushed_at: time,
    updated_at: time,
  }),
};

/** https://docs.github.com/en/rest/repos/repos#get-a-repository */
export const getRepository = getOne('Get a repository', '/repos/{owner}/{repo}', {}, repositories.record);

/** Declares an action that gets a record by its owner, its repository and perhaps its number. */
export function getOne<Params extends z.ZodRawShape, Shape extends z.ZodObject>(
  summary: string,
  path: string,
  params: Params,
  record: Shape,
) {
  const read = readDeclared(api.name, record);
  return defineAction({
    summary,
    params: z.strictObject({ ...inRepository, ...params }),
    record,
    run: async (values, vendor) => {
      const { body } = await vendor.send(requestTo(api, vendor.grant, { path, values }));
      return { result: read(body), connector_metadata: null };
    },
  });
}

/** Returns the params of the lists in all repositories with a feature, such as issues. */
export async function listRepositories(
  vendor: Vendor,
  hasFeature: (repository: Readonly<Record<string, unknown>>) => boolean,
) {
  const found: { owner: string; repo: string }[] = [];
  let cursor: string | null = null;
  do {
    const page = await fetchPage(repositories, vendor, {}, cursor);
    for (const repository of page.records.map(asObject)) {
      const [owner = '', repo = ''] = String(repository['full_name']).split('/');
      // GitHub rejects requests for disabled repositories with 403.
      if (repository['disabled'] !== true && hasFeature(repository)) found.push({ owner, repo });
    }
    cursor = page.next;
  } while (cursor !== null);
  return found;
}
