import { describe, expect, test } from 'vitest';
import { kinds } from '../kinds.ts';
import { readStandardCallback, readTokenError, type Consent } from './consent.ts';
import { parseGrant } from './credentials.ts';
import { describeAuthMethods } from './describe.ts';
import type { Grant, OAuthApp } from './grants.ts';
import type { Kind } from './kind.ts';
import { isAllowedHost } from './transport.ts';

const now = Date.parse('2026-11-21T10:00:00Z');
const app: OAuthApp = { clientId: 'an id', clientSecret: 's&c=ret', extras: {} };
const redirectUri = 'https://service.example/oauth/callback?x=1&y=2';
const response = (body: unknown, status = 200) => ({ status, headers: {}, body });

const consenting = kinds.flatMap(kind =>
  kind.authMethods.flatMap(method =>
    method.consent ? [{ key: kind.key, kind, method, consent: method.consent }] : [],
  ),
);
const consentOf = (key: string): Consent => {
  const found = consenting.find(each => each.key === key);
  if (!found) throw new Error(`${key} asks for no consent`);
  return found.consent;
};

describe.each(consenting)('consent of $key', ({ kind, method, consent }) => {
  test('requests consent over https with the app, redirect URL and state', () => {
    const url = new URL(
      consent.url({ app, redirectUri, state: 'st&te', codeChallenge: consent.usesPkce ? 'challenge' : null }),
    );
    expect(url.protocol).toBe('https:');
    expect([...url.searchParams.values()]).toEqual(
      expect.arrayContaining([app.clientId, redirectUri, 'st&te']),
    );
    expect(url.searchParams.get('code_challenge')).toBe(consent.usesPkce ? 'challenge' : null);
    expect(url.href).not.toContain(app.clientSecret);
  });

  test('sends the code to one of the kind’s hosts, with PKCE if the vendor supports it', () => {
    const codeVerifier = consent.usesPkce ? 'verifier' : null;
    const request = consent.exchange({ app, redirectUri, code: 'the code', codeVerifier });
    const url = new URL(request.url);
    expect(isAllowedHost(url.host, kind.hosts)).toBe(true);
    expect(url.search).toBe('');
    const sent = JSON.stringify(request);
    expect(sent).toContain('the code');
    expect(sent.includes('verifier')).toBe(consent.usesPkce);
  });

  test('revokes a grant at one of the kind’s hosts, if the vendor supports it', () => {
    const grant: Grant = {
      method: method.id,
      credentials: { access_token: 'a', refresh_token: 'r' },
      state: {},
      settings: {},
    };
    const request = method.revocation.request?.(grant, app) ?? null;
    if (request !== null) expect(isAllowedHost(new URL(request.url).host, kind.hosts)).toBe(true);
    expect(request === null).toBe(kind.key === 'gong');
  });

  test.each([
    ['an HTML page', undefined],
    ['nothing', null],
    ['an empty object', {}],
    ['a list', []],
    ['a string', 'ok'],
    ['tokens that are not strings', { access_token: 1, refresh_token: {}, data: { access_token: 1 } }],
  ])('rejects a token response: %s', (_title, body) => {
    expect(() => consent.readTokens(response(body), now)).toThrow(
      expect.objectContaining({ code: 'vendor_failed' }),
    );
  });

  test('offers sign-in with an empty form if there is an OAuth app', () => {
    expect(describeAuthMethods(kind).some(({ id }) => id === method.id)).toBe(false);
    const offered = describeAuthMethods(kind, { hasOAuthApp: true }).find(({ id }) => id === method.id);
    expect(offered).toMatchObject({ type: 'oauth', schema: { type: 'object', properties: {} } });
  });
});

describe('token responses', () => {
  test('reads Gong tokens with the company’s API host and the expiry', () => {
    const body = {
      access_token: 'a',
      refresh_token: 'r',
      expires_in: 86_400,
      api_base_url_for_customer: 'https://company-17.api.gong.io/',
    };
    expect(consentOf('gong').readTokens(response(body), now)).toEqual({
      credentials: { access_token: 'a', refresh_token: 'r' },
      state: {
        api_base_url_for_customer: 'https://company-17.api.gong.io',
        access_token_expires_at: '2026-11-22T10:00:00.000Z',
      },
    });
  });

  test('reads TikTok tokens and preserves every digit of the advertiser ids', () => {
    const data = { access_token: 'a', advertiser_ids: ['7210046633581101057', 7210046633581101058n] };
    expect(consentOf('tiktok-marketing').readTokens(response({ code: 0, message: 'OK', data }), now)).toEqual(
      {
        credentials: { access_token: 'a' },
        state: { advertiser_ids: ['7210046633581101057', '7210046633581101058'] },
      },
    );
  });

  test('stores Google’s refresh token as a credential and its access token as state', () => {
    const scope = 'openid https://www.googleapis.com/auth/adwords';
    const body = { access_token: 'a', refresh_token: 'r', expires_in: 3599, scope };
    expect(consentOf('google-ads').readTokens(response(body), now)).toMatchObject({
      credentials: { refresh_token: 'r' },
      state: { access: { token: 'a', endsAt: now + 3_599_000 } },
    });
  });

  test.each([
    [
      'Google Ads was not selected',
      { access_token: 'a', refresh_token: 'r', scope: 'openid' },
      'vendor_permission_missing',
    ],
    [
      'there is no refresh token',
      { access_token: 'a', scope: 'https://www.googleapis.com/auth/adwords' },
      'vendor_failed',
    ],
  ])('rejects Google tokens if %s', (_title, body, code) => {
    expect(() => consentOf('google-ads').readTokens(response(body), now)).toThrow(
      expect.objectContaining({ code }),
    );
  });

  test('reports an operator error if TikTok rejects the app', () => {
    const body = { code: 40101, message: 'App id or secret is incorrect.' };
    expect(() => consentOf('tiktok-marketing').readTokens(response(body), now)).toThrow(
      expect.objectContaining({ code: 'vendor_misconfigured' }),
    );
  });
});

describe('a standard callback', () => {
  test.each([
    [{ code: 'c', state: 's' }, { code: 'c' }],
    [
      { error: 'access_denied', code: 'c' },
      { error: 'access_denied', description: null },
    ],
    [
      { error: 'x', error_description: 'because' },
      { error: 'x', description: 'because' },
    ],
    [{ state: 's' }, { error: 'server_error', description: expect.any(String) }],
    [{ code: '' }, { error: 'server_error', description: expect.any(String) }],
  ])('reads %j', (query: Record<string, string>, outcome) => {
    expect(readStandardCallback(query)).toEqual(outcome);
  });

  test("reads the code from a parameter with TikTok's name", () => {
    expect(consentOf('tiktok-marketing').readCallback({ auth_code: 'c', code: 'other' })).toEqual({
      code: 'c',
    });
  });
});

describe('a rejected code', () => {
  test.each([
    [400, { error: 'invalid_grant' }, 'request'],
    [401, { error: 'invalid_client' }, 'operator'],
    [400, { error: 'redirect_uri_mismatch' }, 'operator'],
    [429, {}, 'rate_limit'],
    [503, { error: 'temporarily_unavailable' }, 'vendor'],
    [200, undefined, 'vendor'],
  ])('classifies %i with %j as %s', (status, body, kind) => {
    expect(readTokenError(response(body, status), now).kind).toBe(kind);
  });
});

describe('pasted credentials', () => {
  test('never matches pasted credentials to a method that requires consent', () => {
    const pasted = (key: string, credentials: Record<string, unknown>) => {
      const kind = kinds.find(each => each.key === key);
      if (!kind) throw new Error(`There is no kind ${key}`);
      return parseGrant(kind, credentials).method;
    };
    expect(pasted('tiktok-marketing', { access_token: 'a' })).toBe('access_token');
    expect(() => pasted('google-ads', { refresh_token: 'r' })).toThrow(/client_id/);
    expect(pasted('gong', { refresh_token: 'r' })).toBe('oauth');
  });

  test('asks the user to sign in if the kind does not accept pasted credentials', () => {
    const [first] = consenting;
    if (!first) throw new Error('No kind asks for consent');
    const only: Kind = { ...first.kind, authMethods: [{ ...first.method, isConsentOnly: true }] };
    expect(() => parseGrant(only, { key: 'k' })).toThrow(/Sign in instead/);
  });
});
