import { expect, onTestFinished, test, vi } from 'vitest';
import * as fastify from './fastify.ts';
import * as hono from './hono.ts';
import { connectorAuth, createConnectorAuth, type ConnectorAuthOptions } from './index.ts';
import * as next from './next.ts';
import * as node from './node.ts';

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
    access: 'admin',
    replicationDefaults: { granola: 7 },
    signInUrl: '/login',
    serviceUrl: '/connectors',
    timeoutMs: '5s',
    onError: 'log',
    onToken: true,
    retries: 3,
  };
  // Callers in plain JavaScript can pass any value.
  expect(() => connectorAuth(bad as unknown as ConnectorAuthOptions)).toThrow(
    new TypeError(
      [
        'Invalid options for connectorAuth():',
        "  baseUrl: Must be the service's URL, e.g. https://connectors.example.com",
        '  timeoutMs: Must be a whole number of milliseconds from 1 to 86400000',
        '  allowedOrigins.1: Must be https://host[:port], or http on localhost, without path or trailing slash. * can replace the first label',
        '  allowedOrigins.2: Must have * as the whole first label of a domain, e.g. https://*.example.com or http://*.localhost:3000',
        '  resolveCustomer: Must be a function that returns the signed-in customer, e.g. req => req.session.customer ?? null',
        '  allowedActions: Must list one or more of: list, get, search, update, create, check',
        '  allowedManagement: Must list any of: create, rename, reconnect, delete, settings, link',
        '  allowedSources: Must list one or more connector kinds; omit it to allow all',
        '  access: Must be one of: read, write',
        '  replicationDefaults.granola: Must be an object with settings',
        '  signInUrl: Must be a function',
        "  serviceUrl: Must be the service's URL, e.g. https://connectors.example.com",
        '  onError: Must be a function',
        '  onToken: Must be a function',
        '  retries: Unknown field',
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

/** Each option with values of a wrong type. */
const badValues: Record<keyof ConnectorAuthOptions, readonly unknown[]> = {
  baseUrl: [undefined, null, 7, '', 'ftp://a.example'],
  clientId: [undefined, null, 7, ''],
  clientSecret: [undefined, null, 7, ''],
  organizationId: [null, 7, 'acme'],
  timeoutMs: [null, 0, 1.5, '5s'],
  dispatcher: [null, {}],
  userAgent: [null, 7, 'a\nb'],
  clock: [null, 7],
  random: [null, 7],
  allowedOrigins: [undefined, null, 7, 'https://app.example.com', [], [7], [null], {}],
  resolveCustomer: [undefined, null, 'acme'],
  resolveUser: [null, 'ana', {}],
  allowedActions: [null, 'list', [], ['destroy'], [7]],
  allowedManagement: [null, 'create', ['destroy'], [7]],
  allowedData: [null, 'private_fields', ['everything'], [7]],
  allowedSources: [null, 'granola', [], [''], [7]],
  access: [null, 'admin', ['read'], true],
  replicationDefaults: [null, 'granola', [], { granola: 7 }, { granola: null }, { granola: [] }],
  signInUrl: [null, '/login', {}],
  serviceUrl: [null, 7, ''],
  webhookSecret: [null, 'secret', [], ['secret'], 7],
  onEvent: [null, 'log', {}, () => {}],
  onError: [null, 'log', {}],
  onToken: [null, 'log', {}],
};

test.each(Object.entries(badValues).flatMap(([name, values]) => values.map(value => [name, value] as const)))(
  'every server’s helper names the option %s if it is %j',
  (name, value) => {
    // Callers in plain JavaScript can pass any value.
    const options = { ...good, [name]: value } as never;
    const creators: readonly ((options: never) => unknown)[] = [
      connectorAuth,
      createConnectorAuth,
      ...[fastify, hono, next, node].map(module => module.connectorAuth),
    ];
    for (const create of creators) expect(() => create(options)).toThrow(new RegExp(`^  ${name}`, 'm'));
  },
);

test('the helper for Next.js checks its options at start, but not during a build, which may lack the variables', async () => {
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const { baseUrl, clientId, allowedOrigins } = good;
  const bad = { baseUrl, clientId, allowedOrigins, clientSecret: '', resolveCustomer: () => null };
  expect(() => next.connectorAuth(bad)).toThrow('clientSecret');
  vi.stubEnv('NEXT_PHASE', 'phase-production-build');
  const { GET } = next.connectorAuth(bad);
  await expect(GET(new Request('https://app.example.com/connector-auth/connectors'))).rejects.toThrow(
    'clientSecret',
  );
});
