import { expect, test } from 'vitest';
import { visitCookie } from './cookie.ts';

const id = '7d9f3a52-1c6e-4c0b-9a53-0a6f6b1d8d11';
const expiresAt = new Date('2030-01-01T01:00:00.900Z');

const clock = { now: () => Date.parse('2030-01-01T00:00:00Z') };

test('sets a host-only cookie for each link over https, and one that is not Secure over http', () => {
  const attributes = 'Max-Age=7200; Path=/; HttpOnly; SameSite=Lax';
  expect(visitCookie('https://connect.example', clock).set(id, 'key', expiresAt)).toBe(
    `__Host-connector-auth-link-${id}=key; ${attributes}; Secure`,
  );
  expect(visitCookie('http://localhost:8787', clock).set(id, 'key', expiresAt)).toBe(
    `connector-auth-link-${id}=key; ${attributes}`,
  );
});

test('keeps the cookie for an hour after the link expires, so that its page can say so', () => {
  const cookie = visitCookie('https://connect.example', clock);
  expect(cookie.set(id, 'key', new Date('2030-01-01T00:01:00Z'))).toContain('; Max-Age=3660;');
  expect(cookie.set(id, 'key', new Date('2030-01-01T00:00:00.100Z'))).toContain('; Max-Age=3600;');
});

test('reads only the cookie of the link that no other host can set', () => {
  const { read } = visitCookie('https://connect.example', clock);
  expect(read(id, `a=b; __Host-connector-auth-link-${id}=key`)).toBe('key');
  expect(read(id, `connector-auth-link-${id}=planted`)).toBeNull();
  expect(read(id, undefined)).toBeNull();
});
