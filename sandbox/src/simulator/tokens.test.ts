import { describe, expect, test } from 'vitest';
import { createClock } from './clock.ts';
import { createTokenStore, type TokenStore } from './tokens.ts';

const clock = createClock();
const makeStore = (vendor = 'gong', seed = 'sandbox'): TokenStore => createTokenStore(vendor, seed, clock);
const GRANTED = { account: 'lumen', clientId: 'app', scopes: ['read'], resources: ['1'] };

describe('tokens', () => {
  test('tokens encode their grant and details, whatever their prefix', () => {
    const store = makeStore();
    for (const prefix of ['', 'ya29.', '1//', 'eyJhbGciOiJIUzI1NiJ9.']) {
      const token = store.issue('code', GRANTED, { prefix, details: { redirectUri: 'http://localhost/' } });
      expect(token.startsWith(prefix)).toBe(true);
      expect(store.read('code', token)).toEqual({
        state: 'live',
        grant: GRANTED,
        details: { redirectUri: 'http://localhost/' },
      });
    }
  });

  test('tokens are invalid as another kind, for another vendor or seed, or if they were modified', () => {
    const store = makeStore();
    const token = store.issue('refresh', GRANTED);
    expect(store.read('access', token)).toBe(undefined);
    expect(makeStore('google-ads').read('refresh', token)).toBe(undefined);
    expect(makeStore('gong', 'other').read('refresh', token)).toBe(undefined);
    for (const altered of [
      `x${token}`,
      `${token}x`,
      token.slice(1),
      `ya29.${token}`,
      '',
      '.',
      'a.b',
      token.replace('.', ''),
    ]) {
      expect(store.read('refresh', altered)).toBe(undefined);
    }
  });

  test('tokens can be spent only once, and can be revoked by token or account', () => {
    const store = makeStore();
    const [one, other, quiet] = [
      store.issue('refresh', GRANTED),
      store.issue('refresh', GRANTED),
      store.issue('refresh', { ...GRANTED, account: 'quiet' }),
    ];
    expect([store.spend(one), store.spend(one), store.read('refresh', one)?.state]).toEqual([
      true,
      false,
      'spent',
    ]);
    store.revokeAccount('lumen');
    expect([store.read('refresh', other)?.state, store.read('refresh', quiet)?.state]).toEqual([
      'revoked',
      'live',
    ]);
    const later = store.issue('refresh', GRANTED);
    expect(store.read('refresh', later)?.state).toBe('live');
    store.revoke(later);
    expect(store.read('refresh', later)?.state).toBe('revoked');
  });

  test('tokens expire after their lifetime or on demand, without affecting tokens issued later', () => {
    const store = makeStore();
    const short = store.issue('access', GRANTED, { lifetimeSeconds: 10 });
    clock.advance(9_000);
    expect(store.read('access', short)?.state).toBe('live');
    clock.advance(1_000);
    expect(store.read('access', short)?.state).toBe('expired');
    const [before, refresh] = [store.issue('access', GRANTED), store.issue('refresh', GRANTED)];
    store.expireAccessTokens();
    const after = store.issue('access', GRANTED);
    const states = [
      store.read('access', before),
      store.read('refresh', refresh),
      store.read('access', after),
    ];
    expect(states.map(reading => reading?.state)).toEqual(['expired', 'live', 'live']);
  });
});
