import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCharacters } from '../../scripts/any-characters.ts';
import { isLoopback, isLoopbackPage, parseOrigin } from './origin.ts';

describe('valid origins', () => {
  test.each([
    ['https://app.example.com', 'https://app.example.com'],
    ['https://app.example.com:8443', 'https://app.example.com:8443'],
    ['https://app.example.com:443', 'https://app.example.com'],
    ['http://localhost:80', 'http://localhost'],
    ['HTTPS://App.Example.COM', 'https://app.example.com'],
    ['http://localhost:5173', 'http://localhost:5173'],
    ['http://127.0.0.1:5173', 'http://127.0.0.1:5173'],
    ['http://acme.localhost:5173', 'http://acme.localhost:5173'],
    ['http://Acme.eu.LocalHost', 'http://acme.eu.localhost'],
    ['http://[::1]:5173', 'http://[::1]:5173'],
    ['https://[2001:DB8::1]', 'https://[2001:db8::1]'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['https://my_app.example.com', 'https://my_app.example.com'],
  ])('accepts %s', (text, origin) => {
    expect(parseOrigin(text)).toBe(origin);
  });
});

describe('invalid origins', () => {
  test.each([
    ['an empty string', ''],
    ['the word null', 'null'],
    ['a bare host', 'app.example.com'],
    ['http on a host other than localhost', 'http://app.example.com'],
    ['a host that starts with localhost', 'http://localhost.example.com'],
    ['http on a host that ends with localhost', 'http://notlocalhost'],
    ['http on localhost with an empty label', 'http://.localhost'],
    ['http on a subdomain of localhost with a trailing dot', 'http://acme.localhost.'],
    ['another scheme', 'ftp://app.example.com'],
    ['a scheme without authority', 'javascript:alert(1)'],
    ['a trailing slash', 'https://app.example.com/'],
    ['a path', 'https://app.example.com/embed'],
    ['a query', 'https://app.example.com?x=1'],
    ['a fragment', 'https://app.example.com#top'],
    ['a user name', 'https://user@app.example.com'],
    ['a user name and password', 'https://user:secret@app.example.com'],
    ['a wildcard', 'https://*.example.com'],
    ['a full-width wildcard', 'https://＊.example.com'],
    ['a backslash', 'https://app.example.com\\@evil.example'],
    ['a percent-encoded character', 'https://app%2eexample.com'],
    ['a full-width slash', 'https://app.example.com／evil'],
    ['leading white space', ' https://app.example.com'],
    ['trailing white space', 'https://app.example.com '],
    ['a line break', 'https://app.example.com\nhttps://evil.example'],
    ['two origins', 'https://a.example,https://b.example'],
    ['characters that would end a policy directive', "https://a.example;script-src'unsafe-inline'"],
    ['an empty port', 'https://app.example.com:'],
    ['a port above 65535', 'https://app.example.com:65536'],
    ['a port that is not a number', 'https://app.example.com:http'],
    ['an unclosed bracket', 'http://[::1'],
  ])('rejects %s', (_what, text) => {
    expect(parseOrigin(text)).toBeNull();
  });
});

test('accepts its own output unchanged', () => {
  fc.assert(
    fc.property(fc.oneof(fc.webUrl(), originLike()), text => {
      const origin = parseOrigin(text);
      fc.pre(origin !== null);
      expect(parseOrigin(origin)).toBe(origin);
      expect(new URL(origin).origin).toBe(origin);
    }),
  );
});

test('never throws and never accepts a path', () => {
  fc.assert(
    fc.property(fc.oneof(anyCharacters(), originLike()), tail => {
      expect(parseOrigin(`https://app.example.com/${tail}`)).toBeNull();
      expect(() => parseOrigin(tail)).not.toThrow();
    }),
  );
});

/** Near-valid origins: a scheme, a host of common and unusual characters, and an optional port. */
function originLike(): fc.Arbitrary<string> {
  const hostCharacter = fc.oneof(
    fc.constantFrom(
      'a',
      'Z',
      '0',
      '.',
      '-',
      '_',
      '~',
      '!',
      '$',
      "'",
      '(',
      '*',
      ',',
      ';',
      ':',
      '@',
      '%',
      '[',
      '"',
      '<',
    ),
    anyCharacters({ minLength: 1, maxLength: 1 }),
  );
  const host = fc.oneof(
    fc.domain(),
    fc.array(hostCharacter, { minLength: 1, maxLength: 12 }).map(c => c.join('')),
  );
  return fc
    .tuple(
      fc.constantFrom('https://', 'http://', 'HTTPS://'),
      host,
      fc.constantFrom('', ':443', ':8080', ':70000'),
    )
    .map(parts => parts.join(''));
}

test('only localhost, 127.0.0.1 and [::1] are loopback hosts', () => {
  expect(['localhost', '127.0.0.1', '[::1]'].every(isLoopback)).toBe(true);
  expect(['', '::1', '127.0.0.2', 'localhost.', 'example.com'].some(isLoopback)).toBe(false);
});

test('subdomains of localhost are loopback hosts for pages only', () => {
  expect(['localhost', '127.0.0.1', '[::1]', 'acme.localhost', 'a.b.localhost'].every(isLoopbackPage)).toBe(
    true,
  );
  expect(
    ['', '.localhost', 'a..localhost', 'acme.localhost.', 'a.localhost.example'].some(isLoopbackPage),
  ).toBe(false);
  expect(isLoopback('acme.localhost')).toBe(false);
});
