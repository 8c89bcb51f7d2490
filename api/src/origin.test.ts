import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isLoopback, parseOrigin } from './origin.ts';

describe('accepts and normalises', () => {
  test.each([
    ['https://app.example.com', 'https://app.example.com'],
    ['https://app.example.com:8443', 'https://app.example.com:8443'],
    ['https://app.example.com:443', 'https://app.example.com'],
    ['http://localhost:80', 'http://localhost'],
    ['HTTPS://App.Example.COM', 'https://app.example.com'],
    ['http://localhost:5173', 'http://localhost:5173'],
    ['http://127.0.0.1:5173', 'http://127.0.0.1:5173'],
    ['http://[::1]:5173', 'http://[::1]:5173'],
    ['https://[2001:DB8::1]', 'https://[2001:db8::1]'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['https://my_app.example.com', 'https://my_app.example.com'],
  ])('%s', (text, origin) => {
    expect(parseOrigin(text)).toBe(origin);
  });
});

describe('refuses', () => {
  test.each([
    ['nothing', ''],
    ['the word null', 'null'],
    ['a bare host', 'app.example.com'],
    ['plain http elsewhere than on this machine', 'http://app.example.com'],
    ['a host that only starts like this machine', 'http://localhost.example.com'],
    ['another scheme', 'ftp://app.example.com'],
    ['a scheme without authority', 'javascript:alert(1)'],
    ['a slash at the end', 'https://app.example.com/'],
    ['a path', 'https://app.example.com/embed'],
    ['a query', 'https://app.example.com?x=1'],
    ['a fragment', 'https://app.example.com#top'],
    ['a user', 'https://user@app.example.com'],
    ['a user and a password', 'https://user:secret@app.example.com'],
    ['a wildcard', 'https://*.example.com'],
    ['a wildcard in full width', 'https://＊.example.com'],
    ['a backslash', 'https://app.example.com\\@evil.example'],
    ['an escape', 'https://app%2eexample.com'],
    ['a slash in full width', 'https://app.example.com／evil'],
    ['white space before it', ' https://app.example.com'],
    ['white space after it', 'https://app.example.com '],
    ['a line break', 'https://app.example.com\nhttps://evil.example'],
    ['two origins', 'https://a.example,https://b.example'],
    ['what would end a policy directive', "https://a.example;script-src'unsafe-inline'"],
    ['an empty port', 'https://app.example.com:'],
    ['a port beyond 65535', 'https://app.example.com:65536'],
    ['a port that is no number', 'https://app.example.com:http'],
    ['an open bracket', 'http://[::1'],
  ])('%s', (_what, text) => {
    expect(parseOrigin(text)).toBeNull();
  });
});

test('an origin it gives is one it accepts unchanged', () => {
  fc.assert(
    fc.property(fc.oneof(fc.webUrl(), originLike()), text => {
      const origin = parseOrigin(text);
      fc.pre(origin !== null);
      expect(parseOrigin(origin)).toBe(origin);
      expect(new URL(origin).origin).toBe(origin);
    }),
  );
});

test('nothing makes it throw, and nothing with a path comes through', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), originLike()), tail => {
      expect(parseOrigin(`https://app.example.com/${tail}`)).toBeNull();
      expect(() => parseOrigin(tail)).not.toThrow();
    }),
  );
});

/** Texts near the border: a scheme, a host made of usual and unusual characters, perhaps a port. */
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
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
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

test('only three host names mean this machine', () => {
  expect(['localhost', '127.0.0.1', '[::1]'].every(isLoopback)).toBe(true);
  expect(['', '::1', '127.0.0.2', 'localhost.', 'example.com'].some(isLoopback)).toBe(false);
});
