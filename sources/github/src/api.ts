import { byLink } from '@connector-auth/connectors/rest';
import { z } from 'zod';

export const api = {
  name: 'GitHub',
  url: 'https://api.github.com',
  // https://docs.github.com/en/rest/about-the-rest-api/api-versions
  headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
};

/**
 * The `Link` header has the next page's address, with a page number or a cursor. 100 records are the maximum.
 * https://docs.github.com/en/rest/using-the-rest-api/using-pagination-in-the-rest-api
 */
export const paging = byLink({ params: ['page', 'after'] });

export const text = z.string().nullable();
export const count = z.int().nullable();
export const flag = z.boolean().nullable();
export const time = z.iso.datetime().nullable();
export const user = z.object({ id: z.int(), login: z.string(), type: text }).nullable();

/** The params of what belongs to a repository. */
export const inRepository = {
  owner: z.string().min(1).describe('Login of the owner of the repository'),
  repo: z.string().min(1).describe('Name of the repository, without the owner'),
};
