import { describe, expect, test } from 'vitest';
import { browserCookies } from './cookie.ts';

const session = { organizationId: 'o', id: '7d9f3a52-1c6e-4c0b-9a53-0a6f6b1d8d11' };
const other = { ...session, id: '00000000-0000-4000-8000-000000000000' };

describe('the OAuth session cookie', () => {
  test('sets a host-only, HttpOnly and Secure cookie over https', () => {
    const { set, clear } = browserCookies('https://connect.example.com');
    const attributes = 'Path=/; HttpOnly; SameSite=Lax; Secure';
    expect(set(session, 'key')).toBe(`__Host-connector-auth-${session.id}=key; Max-Age=600; ${attributes}`);
    expect(clear(session)).toBe(`__Host-connector-auth-${session.id}=; Max-Age=0; ${attributes}`);
  });

  test('omits Secure over http', () => {
    const { set } = browserCookies('http://localhost:8787');
    expect(set(session, 'key')).toBe(
      `connector-auth-${session.id}=key; Max-Age=600; Path=/; HttpOnly; SameSite=Lax`,
    );
  });

  test('reads the cookie only for its own session', () => {
    const { read } = browserCookies('https://connect.example.com');
    const header = `a=b; __Host-connector-auth-${session.id}=key; connector-auth-${other.id}=planted`;
    expect(read(session, header)).toBe('key');
    // A cookie without the prefix may have been set by another host on the domain.
    expect(read(other, header)).toBeNull();
    expect(read(session, undefined)).toBeNull();
    expect(read(session, `x__Host-connector-auth-${session.id}=key`)).toBeNull();
  });
});
