import { expect, test } from 'vitest';
import { connectorAuth, type ConnectorAuthOptions } from './index.ts';

const good: ConnectorAuthOptions = {
  baseUrl: 'https://connectors.example.com',
  clientId: 'id',
  clientSecret: 'secret-do-not-log',
  allowedOrigins: ['https://app.example.com'],
  resolveCustomer: () => null,
};

test('connectorAuth lists all invalid options in one error', () => {
  const bad = {
    baseUrl: 'connectors',
    clientId: 'id',
    clientSecret: 'secret-do-not-log',
    allowedOrigins: ['https://app.example.com', 'https://app.example.com/', '*'],
    resolveCustomer: 'acme',
    allowedActions: ['list', 'delete'],
    allowedManagement: ['delete', 'destroy'],
    allowedSources: [],
    serviceUrl: '/connectors',
    timeoutMs: '5s',
    retries: 3,
  };
  // Callers in plain JavaScript can pass any value.
  expect(() => connectorAuth(bad as unknown as ConnectorAuthOptions)).toThrow(
    new TypeError(
      [
        'Invalid options for connectorAuth():',
        "  baseUrl: Must be the service's URL, e.g. https://connectors.example.com",
        '  timeoutMs: Must be a whole number of milliseconds from 1 to 86400000',
        '  retries: Unknown field',
        '  allowedOrigins.1: Must be https://host[:port], or http on localhost, without path, wildcard or trailing slash',
        '  allowedOrigins.2: Must be https://host[:port], or http on localhost, without path, wildcard or trailing slash',
        '  resolveCustomer: Must be a function that returns the signed-in customer, e.g. req => req.session.customer ?? null',
        '  allowedActions: Must list one or more of: list, get, search, update, create, check',
        '  allowedManagement: Must list any of: create, rename, reconnect, delete, settings, link',
        '  allowedSources: Must list one or more connector kinds; omit it to allow all',
        "  serviceUrl: Must be the service's URL, e.g. https://connectors.example.com",
      ].join('\n'),
    ),
  );
});

test.each([undefined, null, 'https://connectors.example.com'])(
  'connectorAuth throws if its options are %j',
  options => {
    // Callers in plain JavaScript can pass any value.
    expect(() => connectorAuth(options as unknown as ConnectorAuthOptions)).toThrow(
      'Invalid options for connectorAuth()',
    );
  },
);

test.each<[string, Partial<ConnectorAuthOptions>]>([
  ['an empty list of origins', { allowedOrigins: [] }],
  ['an empty list of actions', { allowedActions: [] }],
  ['a service URL with a password', { serviceUrl: 'https://a:b@connectors.example.com' }],
])('connectorAuth rejects %s', (_what, options) => {
  expect(() => connectorAuth({ ...good, ...options })).toThrow(TypeError);
});

test('error messages do not contain the client secret', () => {
  expect(() => connectorAuth({ ...good, baseUrl: '' })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining(good.clientSecret) }),
  );
});

test('connectorAuth accepts valid options', () => {
  expect(() => connectorAuth(good)).not.toThrow();
});
