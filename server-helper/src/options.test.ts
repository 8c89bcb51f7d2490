import { expect, test } from 'vitest';
import { connectorAuth, type ConnectorAuthOptions } from './index.ts';

const good: ConnectorAuthOptions = {
  baseUrl: 'https://connectors.example.com',
  clientId: 'id',
  clientSecret: 'do-not-tell-anyone',
  allowedOrigins: ['https://app.example.com'],
  resolveCustomer: () => null,
};

test('says everything that is wrong at once, and what to write', () => {
  const bad = {
    baseUrl: 'connectors',
    clientId: 'id',
    clientSecret: 'do-not-tell-anyone',
    allowedOrigins: ['https://app.example.com', 'https://app.example.com/', '*'],
    resolveCustomer: 'acme',
    allowedActions: ['list', 'delete'],
    allowedSources: [],
    serviceUrl: '/connectors',
    timeoutMs: '5s',
    retries: 3,
  };
  // Callers in plain JavaScript are not held back by the types.
  expect(() => connectorAuth(bad as unknown as ConnectorAuthOptions)).toThrow(
    new TypeError(
      [
        'connectorAuth cannot work with these options:',
        '  baseUrl: Write the address of the service, e.g. https://connectors.example.com',
        '  timeoutMs: Write a whole number of milliseconds, from 1 to 86400000',
        '  retries: This field does not exist here',
        '  allowedOrigins.1: Write https://host[:port], or http on localhost; without a path, wildcard or slash at the end',
        '  allowedOrigins.2: Write https://host[:port], or http on localhost; without a path, wildcard or slash at the end',
        '  resolveCustomer: Give a function that tells who is signed in, e.g. req => req.session.customer ?? null',
        '  allowedActions: List some of: list, get, search, update, create, check',
        '  allowedSources: List kinds of source by what requests call them, or leave it out for all',
        '  serviceUrl: Write the address of the service, e.g. https://connectors.example.com',
      ].join('\n'),
    ),
  );
});

test.each([undefined, null, 'https://connectors.example.com'])('refuses %j for options', options => {
  // Callers in plain JavaScript are not held back by the types.
  expect(() => connectorAuth(options as unknown as ConnectorAuthOptions)).toThrow(
    'connectorAuth cannot work',
  );
});

test.each<[string, Partial<ConnectorAuthOptions>]>([
  ['no origin at all', { allowedOrigins: [] }],
  ['no action at all', { allowedActions: [] }],
  ['a service address with a password', { serviceUrl: 'https://a:b@connectors.example.com' }],
])('refuses %s', (_what, options) => {
  expect(() => connectorAuth({ ...good, ...options })).toThrow(TypeError);
});

test('never repeats the secret', () => {
  expect(() => connectorAuth({ ...good, baseUrl: '' })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining(good.clientSecret) }),
  );
});

test('takes options that are right', () => {
  expect(() => connectorAuth(good)).not.toThrow();
});
