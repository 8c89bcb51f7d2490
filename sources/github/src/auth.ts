import type { AuthMethod } from '@connector-auth/connectors/kind';
import { oauth } from '@connector-auth/connectors/rest';
import { api } from './api.ts';

/** https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps#web-application-flow */
const standard = oauth(api, {
  description: 'Sign in and allow access to your repositories.',
  helpUrl: 'https://docs.github.com/en/apps/oauth-apps/using-oauth-apps/authorizing-oauth-apps',
  authorizeUrl: 'https://github.com/login/oauth/authorize',
  tokenUrl: 'https://github.com/login/oauth/access_token',
  // No scope only reads private repositories: https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/scopes-for-oauth-apps.
  // GitHub Apps have permissions instead, and ignore it.
  scopes: [{ name: 'repo', says: 'full control of private repositories' }],
  revokeUrl: 'https://github.com/settings/applications',
});

/**
 * Sign-in with an OAuth app or a GitHub App. If their tokens expire, a refresh token works once:
 * https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/refreshing-user-access-tokens
 */
export const signIn: AuthMethod = {
  ...standard,
  revocation: {
    ...standard.revocation,
    // Not the authorization, which is shared by all connectors of the same user.
    // https://docs.github.com/en/rest/apps/oauth-applications#delete-an-app-token
    request: (grant, app) => {
      const [, access_token] =
        standard.authorize({ method: 'GET', url: api.url }, grant).headers?.['authorization']?.split(' ') ??
        [];
      if (app === null || access_token === undefined) return null;
      const client = Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64');
      return {
        method: 'DELETE',
        url: `${api.url}/applications/${encodeURIComponent(app.clientId)}/token`,
        headers: { ...api.headers, authorization: `Basic ${client}` },
        body: { access_token },
      };
    },
    isAlreadyRevoked: ({ status }) => status === 404,
  },
};
