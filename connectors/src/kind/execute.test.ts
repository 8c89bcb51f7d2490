import { ConnectorAuthError } from '@connector-auth/api';
import { describe, expect, it } from 'vitest';
import { connectThings, scriptedTransport, things, times } from '../../test/scripted.ts';
import { parseGrant, parseSettings } from './credentials.ts';
import { describeAuthMethods } from './describe.ts';
import { check, execute } from './execute.ts';

const neverCalled = scriptedTransport().transport;

async function rejectionOf(operation: Parameters<typeof execute>[1]): Promise<ConnectorAuthError> {
  const error: unknown = await execute(connectThings(neverCalled), operation).catch(
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ConnectorAuthError)) throw new Error(`not refused: ${String(error)}`);
  return error;
}

describe('a faulty operation makes no vendor call', () => {
  it.each(['nothing', '__proto__', 'constructor', ''])('unknown entity %j', async entity => {
    expect(await rejectionOf({ entity, action: 'list' })).toMatchObject({
      code: 'unknown_entity',
      status: 422,
    });
  });

  it.each(['get', 'toString', 'search', ''])('unknown action %j', async action => {
    expect(await rejectionOf({ entity: 'things', action })).toMatchObject({
      code: 'unknown_action',
      status: 422,
    });
  });

  it('lists every faulty parameter with its path', async () => {
    const error = await rejectionOf({
      entity: 'things',
      action: 'list',
      params: { page: 0, size: 'many', colour: 'red' },
    });
    expect(error.code).toBe('invalid_params');
    expect(error.errors.map(({ path }) => path).toSorted()).toEqual([
      'params.colour',
      'params.page',
      'params.size',
    ]);
  });
});

it.each([
  ['things', 'list', '{"__proto__":{"page":1}}', 'params.__proto__'],
  ['things', 'list', '{"constructor":1}', 'params.constructor'],
  ['*', 'check', '{"a":1}', 'params.a'],
  ['*', 'check', '{"__proto__":1}', 'params.__proto__'],
])('refuses a parameter that does not exist: %s %s %s', async (entity, action, params, path) => {
  const error = await rejectionOf({ entity, action, params: JSON.parse(params) as Record<string, unknown> });
  expect(error).toMatchObject({
    code: 'invalid_params',
    errors: [{ path, message: 'Unknown field' }],
  });
});

it.each([undefined, null, {}])('takes %j for no parameters', async params => {
  const { transport } = scriptedTransport({ body: { ids: [], more: false } });
  const outcome = await execute(connectThings(transport), { entity: 'things', action: 'list', params });
  expect(outcome).toEqual({ result: [], connector_metadata: { page: 1, more: false } });
});

describe('checking', () => {
  it('tells that the credentials work', async () => {
    const { transport } = scriptedTransport({});
    expect(await check(connectThings(transport))).toEqual({
      status: 'healthy',
      error: null,
      checked_entity: 'things',
      checked_action: 'list',
    });
  });

  it('tells why they do not', async () => {
    const { transport } = scriptedTransport({ status: 401, body: { message: 'unknown key' } });
    expect(await check(connectThings(transport))).toMatchObject({
      status: 'unhealthy',
      error: 'Things no longer accepts the credentials: unknown key',
    });
  });

  it('does not take a vendor that fails for bad credentials', async () => {
    const { transport } = scriptedTransport(...times(4, { status: 500 }));
    await expect(check(connectThings(transport))).rejects.toMatchObject({ code: 'vendor_failed' });
  });

  it('is also the action check of the entity *', async () => {
    const { transport } = scriptedTransport({});
    const outcome = await execute(connectThings(transport), { entity: '*', action: 'check', params: {} });
    expect(outcome).toMatchObject({ result: { status: 'healthy' }, connector_metadata: null });
  });
});

describe('credentials', () => {
  it('finds the auth method by the shape', () => {
    expect(parseGrant(things, { key: 'k' }).method).toBe('key');
    expect(parseGrant(things, { refresh_token: 'r' }).method).toBe('tokens');
  });

  it('tells the faults of the method that was meant', () => {
    expect(() => parseGrant(things, { refresh_token: '', colour: 'red' })).toThrow(
      expect.objectContaining({
        code: 'invalid_credentials',
        errors: [
          { path: 'credentials.refresh_token', message: expect.any(String) as string },
          { path: 'credentials.colour', message: 'Unknown field' },
        ],
      }),
    );
  });

  it('refuses settings of a kind that has none', () => {
    expect(() => parseGrant(things, { key: 'k' }, { start_date: '2026-01-01' })).toThrow(
      /replication_config.start_date/,
    );
  });

  it.each([
    ['The settings', { key: 'k' }, { colour: 'red' }],
    ['The credentials', { key: '' }, {}],
    ['The credentials and settings', { key: '' }, { colour: 'red' }],
  ])('says what does not fit: %s', (what, credentials, settings) => {
    expect(() => parseGrant(things, credentials, settings)).toThrow(
      new RegExp(`^${what} are not valid for Things: `),
    );
  });

  it('says that settings beside a consent do not fit', () => {
    expect(() => parseSettings(things, { colour: 'red' })).toThrow(
      /^The settings are not valid for Things: /,
    );
  });

  it('describes each method by a JSON Schema that allows nothing else', () => {
    const [key] = describeAuthMethods(things);
    expect(key?.schema).toMatchObject({ type: 'object', required: ['key'], additionalProperties: false });
  });
});
