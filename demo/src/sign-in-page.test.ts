import { expect, test } from 'vitest';
import { pathOnThisHost, signInPage } from './sign-in-page.ts';

test.each([
  ['/connector-auth/connect-link?link=1&code=c', '/connector-auth/connect-link?link=1&code=c'],
  ['/#connections', '/#connections'],
  ['//evil.example/', '/'],
  ['/\\evil.example/', '/'],
  ['/.//evil.example/', '/evil.example/'],
  ['https://evil.example/', '/'],
  ['javascript:alert(1)', '/'],
  [undefined, '/'],
  [['/a', '/b'], '/'],
])('signing in returns for %j to %s', (next, path) => {
  expect(pathOnThisHost(next)).toBe(path);
});

test('the sign-in page does not contain what the address says as markup', () => {
  expect(signInPage('/"><script>')).not.toContain('<script>');
});
