/** GitHub's REST API, version 2022-11-28. */
import { defineKind } from '@connector-auth/connectors/kind';
import { bearer, checkBy, list, rateLimit, search, syncAll } from '@connector-auth/connectors/rest';
import { api } from './api.ts';
import { signIn } from './auth.ts';
import { readFailure } from './failure.ts';
import { issues } from './issues.ts';
import { pullRequests } from './pull-requests.ts';
import { getRepository, repositories } from './repositories.ts';

export default defineKind({
  key: 'github',
  name: api.name,
  definitionId: 'a3c1a0c5-5f0e-4f0b-8a53-0c6f6ce2b7d4',
  description: 'Repositories, issues and pull requests',
  supportLevel: 'community',
  category: 'Development',
  access: { reads: ['repositories', 'issues', 'pull requests'], changes: ['issues'] },
  icon: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" rx="11" fill="#24292f"/><path d="M16 16v16M32 22c0 6-16 4-16 10" fill="none" stroke="#fff" stroke-width="3"/><g fill="#24292f" stroke="#fff" stroke-width="3"><circle cx="16" cy="13" r="4"/><circle cx="16" cy="35" r="4"/><circle cx="32" cy="18" r="4"/></g></svg>',
  environmentPrefix: 'OAUTH_GITHUB',
  hosts: ['api.github.com', 'github.com'],
  authMethods: [
    signIn,
    // Fine-grained tokens need read access to Issues, Metadata and Pull requests: the permissions that
    // https://docs.github.com/en/rest/authentication/permissions-required-for-fine-grained-personal-access-tokens lists.
    bearer({
      title: 'Personal access token',
      description: 'A token with read access to metadata, issues and pull requests.',
      instead: 'Use an access token instead',
      example: 'github_pat_…',
      helpUrl:
        'https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/managing-your-personal-access-tokens',
      revokeUrl: 'https://github.com/settings/personal-access-tokens',
    }),
  ],
  // 5,000 requests an hour for each user, and 900 points a minute, of which a GET takes one:
  // https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
  rateLimits: [rateLimit({ burst: 100, perSecond: 1.3 })],
  fullSyncCallsPerHour: 1_000,
  entities: {
    repositories: {
      title: 'Repositories',
      description:
        'Repositories that the user owns, collaborates on or has access to as a member of an organization',
      actions: { list: list(repositories), get: getRepository },
      search: search(repositories, {
        indexed: ['created_at', 'full_name', 'pushed_at', 'updated_at'],
        text: ['full_name', 'description'],
        sync: syncAll(repositories),
      }),
    },
    issues,
    pull_requests: pullRequests,
  },
  // https://docs.github.com/en/rest/users/users#get-the-authenticated-user
  check: checkBy(api, { entity: 'repositories', path: '/user', account: 'id' }),
  readFailure,
});
