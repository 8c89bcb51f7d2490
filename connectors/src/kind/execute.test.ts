import { ConnectorAuthError } from '@connector-auth/api';
import { describe, expect, test } from 'vitest';
import { connectThings, scriptedTransport, things, times } from '../../test/scripted.ts';
import { parseGrant, parseSettings } from './credentials.ts';
import { describeAuthMethods } from './describe.ts';
import { check, execute } from './execute.ts';

const neverCalled = scriptedTransport().transport;

async function rejectionOf(operation: Parameters<typeof execute>[1]): Promise<ConnectorAuthError> {
  const error: unknown = await execute(connectThings(neverCalled), operation).catch(
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ConnectorAuthError)) throw new Error(`not rejected: ${String(error)}`);
  return error;
}

describe('invalid operations make no vendor call', () => {
  test.each(['nothing', '__proto__', 'constructor', ''])('rejects an unknown entity: %j', async entity => {
    expect(await rejectionOf({ entity, action: 'list' })).toMatchObject({
      code: 'unknown_entity',
      status: 422,
    });
  });

  test.each(['get', 'toString', 'search', ''])('rejects an unknown action: %j', async action => {
    expect(await rejectionOf({ entity: 'things', action })).toMatchObject({
      code: 'unknown_action',
      status: 422,
    });
  });

  test('reports every invalid parameter with its path', async () => {
    const error = await rejectionOf({
      entity: 'things',
      action: 'list',
      params: { page: 0, size: 'many', color: 'red' },
    });
    expect(error.code).toBe('invalid_params');
    expect(error.errors.map(({ path }) => path).toSorted()).toEqual([
      'params.color',
      'params.page',
      'params.size',
    ]);
  });
});

test.each([
  ['things', 'list', '{"__proto__":{"page":1}}', 'params.__proto__', 'Fields: page, size'],
  ['things', 'list', '{"constructor":1}', 'params.constructor', 'Fields: page, size'],
  ['*', 'check', '{"a":1}', 'params.a', 'No fields are accepted here'],
  ['*', 'check', '{"__proto__":1}', 'params.__proto__', 'No fields are accepted here'],
])('rejects an unknown parameter: %s %s %s', async (entity, action, params, path, fields) => {
  const error = await rejectionOf({ entity, action, params: JSON.parse(params) as Record<string, unknown> });
  expect(error).toMatchObject({
    code: 'invalid_params',
    errors: [{ path, message: `Unknown field. ${fields}` }],
  });
});

test.each([undefined, null, {}])('accepts %j for an action that needs no parameters', async params => {
  const { transport } = scriptedTransport({ body: { ids: [], more: false } });
  const outcome = await execute(connectThings(transport), { entity: 'things', action: 'list', params });
  expect(outcome).toEqual({ result: [], connector_metadata: { page: 1, more: false } });
});

describe('check', () => {
  test('reports healthy credentials', async () => {
    const { transport } = scriptedTransport({});
    expect(await check(connectThings(transport))).toEqual({
      status: 'healthy',
      error: null,
      checked_entity: 'things',
      checked_action: 'list',
    });
  });

  test('reports why credentials are unhealthy', async () => {
    const { transport } = scriptedTransport({ status: 401, body: { message: 'unknown key' } });
    expect(await check(connectThings(transport))).toMatchObject({
      status: 'unhealthy',
      error: 'Things no longer accepts the credentials: unknown key',
    });
  });

  test('throws if the vendor fails instead of reporting unhealthy credentials', async () => {
    const { transport } = scriptedTransport(...times(4, { status: 500 }));
    await expect(check(connectThings(transport))).rejects.toMatchObject({ code: 'vendor_failed' });
  });

  test('runs a check as the `check` action on the `*` entity', async () => {
    const { transport } = scriptedTransport({});
    const outcome = await execute(connectThings(transport), { entity: '*', action: 'check', params: {} });
    expect(outcome).toMatchObject({ result: { status: 'healthy' }, connector_metadata: null });
  });
});

describe('credentials', () => {
  test('detects the auth method by the shape of the credentials', () => {
    expect(parseGrant(things, { key: 'k' }).method).toBe('key');
    expect(parseGrant(things, { refresh_token: 'r' }).method).toBe('tokens');
  });

  test('reports the issues of the closest auth method', () => {
    expect(() => parseGrant(things, { refresh_token: '', color: 'red' })).toThrow(
      expect.objectContaining({
        code: 'invalid_credentials',
        errors: [
          { path: 'credentials.refresh_token', message: expect.any(String) as string },
          { path: 'credentials.color', message: 'Unknown field. Fields: refresh_token, access_token' },
        ],
      }),
    );
  });

  test('rejects settings for a kind that declares none', () => {
    expect(() => parseGrant(things, { key: 'k' }, { start_date: '2026-01-01' })).toThrow(
      /replication_config.start_date/,
    );
  });

  test.each([
    ['The settings', { key: 'k' }, { color: 'red' }],
    ['The credentials', { key: '' }, {}],
    ['The credentials and settings', { key: '' }, { color: 'red' }],
  ])('names the invalid part of the input: %s', (what, credentials, settings) => {
    expect(() => parseGrant(things, credentials, settings)).toThrow(
      new RegExp(`^${what} are not valid for Things: `),
    );
  });

  test('rejects invalid settings for a grant from an OAuth flow', () => {
    expect(() => parseSettings(things, { color: 'red' })).toThrow(/^The settings are not valid for Things: /);
  });

  test('describes each method with a JSON Schema that allows no other fields', () => {
    const [key] = describeAuthMethods(things);
    expect(key?.schema).toMatchObject({ type: 'object', required: ['key'], additionalProperties: false });
  });
});
