import { describe, expect, test } from 'vitest';
import { fixture, sample } from '../../test/google-ads.ts';
import { consent } from './consent.ts';
import { googleAds } from './index.ts';
import { signIn } from './sign-in.ts';

const app = { clientId: 'client', clientSecret: 'secret', extras: {} };
const redirectUri = 'https://service.example/oauth/callback';
const now = Date.parse('2026-11-21T10:00:00Z');
const tokens = fixture('oauth_token_1_code_exchange') as Record<string, unknown>;

describe('Google Ads consent', () => {
  test('requests offline access, a new consent and PKCE', () => {
    const url = new URL(consent.url({ app, redirectUri, state: 's', codeChallenge: 'c' }));
    expect(url.origin + url.pathname).toBe('https://accounts.google.com/o/oauth2/v2/auth');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'client',
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'https://www.googleapis.com/auth/adwords',
      access_type: 'offline',
      prompt: 'consent',
      state: 's',
      code_challenge: 'c',
      code_challenge_method: 'S256',
    });
  });

  test('sends the client secret and the code verifier in the body of the code exchange', () => {
    expect(consent.exchange({ app, redirectUri, code: '4/x', codeVerifier: 'v' })).toEqual({
      method: 'POST',
      url: 'https://oauth2.googleapis.com/token',
      form: {
        grant_type: 'authorization_code',
        code: '4/x',
        redirect_uri: redirectUri,
        client_id: 'client',
        client_secret: 'secret',
        code_verifier: 'v',
      },
    });
  });

  test('returns a refresh token and an access token, and uses the access token immediately', () => {
    const { credentials, state } = consent.readTokens(sample('oauth_token_1_code_exchange'), now);
    expect(credentials).toEqual({ refresh_token: '1//0gSampleRefresh' });
    const [method] = googleAds.authMethods;
    const grant = { method: method.id, credentials, state, settings: {} };
    expect(method.refresh?.isDue(grant, now)).toBe(false);
    expect(method.authorize({ method: 'GET', url: 'https://x' }, grant).headers).toEqual({
      authorization: 'Bearer ya29.sample-access',
    });
  });

  test.each([
    ['a used code', { status: 400, body: { error: 'invalid_grant' } }, 'vendor_refused_request'],
    ['an unknown app', { status: 401, body: { error: 'invalid_client' } }, 'vendor_misconfigured'],
    [
      'Google Ads was not selected',
      { status: 200, body: { ...tokens, scope: 'openid' } },
      'vendor_permission_missing',
    ],
    ['no refresh token', { status: 200, body: { ...tokens, refresh_token: undefined } }, 'vendor_failed'],
    ['HTML', { status: 502, body: undefined }, 'vendor_failed'],
  ])('rejects a token response: %s', (_name, response, code) => {
    expect(() => consent.readTokens({ headers: {}, ...response }, now)).toThrow(
      expect.objectContaining({ code }),
    );
  });

  test('revokes the refresh token in the body', () => {
    const grant = { method: 'oauth', credentials: { refresh_token: 'r' }, state: {}, settings: {} };
    expect(signIn.revocation.request?.(grant, app)).toEqual({
      method: 'POST',
      url: 'https://oauth2.googleapis.com/revoke',
      form: { token: 'r' },
    });
  });
});
