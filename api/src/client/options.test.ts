import { describe, expect, test } from 'vitest';
import { createClient, createCustomerClient } from './client.ts';
import { parseClientOptions, type ClientOptions } from './options.ts';

const good = {
  baseUrl: 'https://connectors.example.com',
  clientId: 'id',
  clientSecret: 'secret-do-not-log',
};

test('createClient lists all invalid options in one error', () => {
  const bad = { baseUrl: 'connectors', clientId: '', timeoutMs: 0, organizationId: 'x', retries: 3 };
  // Callers in plain JavaScript can pass any value.
  expect(() => createClient(bad as unknown as ClientOptions)).toThrow(
    new TypeError(
      [
        'Invalid options for createClient():',
        "  baseUrl: Must be the service's URL, e.g. https://connectors.example.com",
        '  organizationId: Must be a UUID',
        '  timeoutMs: Must be a whole number of milliseconds from 1 to 86400000',
        '  clientId: Must be the client id of your application. It is empty: is the environment variable set?',
        '  clientSecret: Must be the client secret of your application',
        '  retries: Unknown field',
      ].join('\n'),
    ),
  );
});

test('createClient accepts valid options', () => {
  expect(() => createClient(good)).not.toThrow();
});

test('createClient throws without options', () => {
  // Callers in plain JavaScript can pass any value.
  expect(() => createClient(undefined as unknown as ClientOptions)).toThrow(
    /^Invalid options for createClient/,
  );
});

test('error messages do not contain the client secret', () => {
  expect(() => createClient({ ...good, baseUrl: '' })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining(good.clientSecret) }),
  );
});

test('rejects a scoped token that cannot be sent in a header', () => {
  for (const token of ['', 'a b', 'a\nb', 'é']) {
    expect(() => createCustomerClient({ baseUrl: good.baseUrl, token })).toThrow(
      /token: Must be a scoped token/,
    );
  }
});

describe('baseUrl', () => {
  test.each([
    ['https://connectors.example.com', 'https://connectors.example.com'],
    ['https://connectors.example.com/', 'https://connectors.example.com'],
    ['https://example.com/connectors//', 'https://example.com/connectors'],
    ['http://connectors.internal:8787', 'http://connectors.internal:8787'],
  ])('normalizes the base URL %s to %s', (baseUrl, normal) => {
    expect(parseClientOptions({ ...good, baseUrl }).connection.baseUrl).toBe(normal);
  });

  test.each([
    '',
    'connectors.example.com',
    'ftp://connectors.example.com',
    'javascript:alert(1)',
    'https://user:secret@connectors.example.com',
    'https://connectors.example.com?x=1',
    'https://connectors.example.com/#',
  ])('rejects the base URL %j', baseUrl => {
    expect(() => parseClientOptions({ ...good, baseUrl })).toThrow(/^  baseUrl: /m);
  });
});

test.each([
  ['dispatcher', {}],
  ['dispatcher', 'proxy'],
  ['clock', 7],
  ['random', 0.5],
  ['userAgent', 'a\r\nb'],
  ['userAgent', ''],
  ['timeoutMs', 1e12],
])('rejects %s %j', (option, value) => {
  expect(() => parseClientOptions({ ...good, [option]: value })).toThrow(new RegExp(`^  ${option}: `, 'm'));
});
