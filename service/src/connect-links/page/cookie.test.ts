import { expect, test } from 'vitest';
import { visitCookie } from './cookie.ts';

const id = '7d9f3a52-1c6e-4c0b-9a53-0a6f6b1d8d11';

test('sets a host-only cookie for each link over https, and one that is not Secure over http', () => {
  const attributes = 'Max-Age=86400; Path=/; HttpOnly; SameSite=Lax';
  expect(visitCookie('https://connect.example').set(id, 'key')).toBe(
    `__Host-connector-auth-link-${id}=key; ${attributes}; Secure`,
  );
  expect(visitCookie('http://localhost:8787').set(id, 'key')).toBe(
    `connector-auth-link-${id}=key; ${attributes}`,
  );
});

test('reads only the cookie of the link that no other host can set', () => {
  const { read } = visitCookie('https://connect.example');
  expect(read(id, `a=b; __Host-connector-auth-link-${id}=key`)).toBe('key');
  expect(read(id, `connector-auth-link-${id}=planted`)).toBeNull();
  expect(read(id, undefined)).toBeNull();
});
