import { ConnectorAuthError } from '@connector-auth/api';
import { describe, expect, test } from 'vitest';
import { connectThings, manualClock, scriptedTransport, times } from '../../test/scripted.ts';
import { createLimiter } from './buckets.ts';
import { execute } from './execute.ts';
import { vendorError } from './failure.ts';
import { grantsInMemory, type Grant } from './grants.ts';
import { TransportError, type Transport } from './transport.ts';

const list = { entity: 'things', action: 'list' };
const create = { entity: 'things', action: 'create', params: { name: 'one' } };
const page = { body: { ids: ['a'], more: false } };
const lost = new TransportError(
  vendorError('Things', null, { kind: 'vendor', message: 'the connection was lost' }),
  true,
);
const connectionRefused = new TransportError(
  vendorError('Things', null, { kind: 'vendor', message: 'could not connect' }),
  false,
);

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => new Error('it succeeded'),
    (thrown: unknown) => thrown,
  );
  return error instanceof ConnectorAuthError ? error.code : String(error);
}

describe('retries', () => {
  test.each([{ status: 500 }, { status: 503 }, { status: 429 }, { body: undefined }, lost])(
    'retries a call that only reads after %o',
    async failure => {
      const { transport, left } = scriptedTransport(failure, page);
      const { result } = await execute(connectThings(transport), list);
      expect(result).toEqual([{ id: 'a' }]);
      expect(left()).toBe(0);
    },
  );

  test("gives up after four attempts and reports the vendor's message", async () => {
    const { transport, requests } = scriptedTransport(...times(4, { status: 503, body: { message: 'nap' } }));
    await expect(execute(connectThings(transport), list)).rejects.toMatchObject({
      code: 'vendor_failed',
      message: 'Things request failed: nap',
      vendor: { name: 'Things', status: 503, message: 'nap' },
    });
    expect(requests).toHaveLength(4);
  });

  test.each([{ status: 500 }, { status: 503 }, { status: 429 }, lost])(
    'never retries a write call that may have arrived: %o',
    async failure => {
      const { transport, requests } = scriptedTransport(failure);
      await expect(execute(connectThings(transport), create)).rejects.toBeInstanceOf(ConnectorAuthError);
      expect(requests).toHaveLength(1);
    },
  );

  test('retries a write call if the request was definitely never sent', async () => {
    const { transport, requests } = scriptedTransport(connectionRefused, {});
    await execute(connectThings(transport), create);
    expect(requests).toHaveLength(2);
  });

  test('waits for as long as the vendor specifies', async () => {
    const clock = manualClock();
    const { transport } = scriptedTransport({ status: 429, headers: { 'retry-after': '7' } }, page);
    await execute(connectThings(transport, { clock }), list);
    expect(clock.slept).toEqual([7000]);
  });

  test('does not wait beyond the deadline and reports how long the vendor asks to wait', async () => {
    const clock = manualClock();
    const { transport } = scriptedTransport({ status: 429, headers: { 'retry-after': '3600' } });
    await expect(execute(connectThings(transport, { clock }), list)).rejects.toMatchObject({
      code: 'vendor_rate_limited',
      retryAfterSeconds: 3600,
    });
    expect(clock.slept).toEqual([]);
  });

  test('does not wait for hours, even without a deadline', async () => {
    const clock = manualClock();
    const { transport } = scriptedTransport({ status: 429, headers: { 'retry-after': '14400' } });
    const connection = connectThings(transport, { clock });
    await expect(execute(connection, list, { deadlineMs: Infinity })).rejects.toMatchObject({
      code: 'vendor_rate_limited',
      retryAfterSeconds: 14_400,
    });
    expect(clock.slept).toEqual([]);
  });

  test('increases the backoff with each attempt', async () => {
    const clock = manualClock();
    const { transport } = scriptedTransport({ status: 500 }, { status: 500 }, { status: 500 }, page);
    await execute(connectThings(transport, { clock }), list);
    expect(clock.slept).toEqual([250, 500, 1000]);
  });

  test('truncates a long vendor message', async () => {
    const { transport } = scriptedTransport({ status: 400, body: { message: 'no '.repeat(100_000) } });
    const error: unknown = await execute(connectThings(transport), list).catch((error: unknown) => error);
    expect(String(error).length).toBeLessThan(2_100);
    expect(error).toMatchObject({ vendor: { message: 'no '.repeat(700).slice(0, 2_000) } });
  });

  test('reports a redirect as a failure, because it is not followed', async () => {
    const { transport } = scriptedTransport(...times(4, { status: 302, body: page.body }));
    await expect(execute(connectThings(transport), list)).rejects.toMatchObject({
      code: 'vendor_failed',
      message: 'Things request failed: the response is a redirect',
    });
  });

  test('does not retry a request that the vendor rejected', async () => {
    const { transport, requests } = scriptedTransport({ status: 400, body: { message: 'no such page' } });
    expect(await codeOf(execute(connectThings(transport), list))).toBe('vendor_refused_request');
    expect(requests).toHaveLength(1);
  });

  test('reports the number of attempts when the vendor hangs', async () => {
    const clock = manualClock();
    const hanging: Transport = async (_request, { vendorName, timeoutMs }) => {
      await clock.sleep(timeoutMs);
      const message = `${vendorName} did not respond within ${Math.round(timeoutMs / 1000)} s`;
      throw new TransportError(new ConnectorAuthError('vendor_timeout', message), true);
    };
    await expect(execute(connectThings(hanging, { clock }), list)).rejects.toMatchObject({
      code: 'vendor_timeout',
      message: 'Things did not respond within 30 s (last of 2 attempts, 60 s in total)',
    });
    await expect(execute(connectThings(hanging, { clock }), create)).rejects.toMatchObject({
      message: 'Things did not respond within 30 s',
    });
  });

  test('stops waiting for a retry when the caller cancels', async () => {
    const controller = new AbortController();
    controller.abort();
    const { transport } = scriptedTransport({ status: 500 });
    expect(await codeOf(execute(connectThings(transport), list, { signal: controller.signal }))).toBe(
      'aborted',
    );
  });
});

describe('cancelled calls', () => {
  test('does not use up a refresh token for a cancelled call', async () => {
    const { transport, requests } = scriptedTransport();
    const grant = { method: 'tokens', credentials: { refresh_token: 'r' }, state: {}, settings: {} };
    const connection = connectThings(transport, { grants: grantsInMemory(grant) });
    expect(await codeOf(execute(connection, list, { signal: AbortSignal.abort() }))).toBe('aborted');
    expect(requests).toEqual([]);
  });
});

describe('rate limits', () => {
  test('allows a burst, then spaces out the calls', async () => {
    const clock = manualClock();
    const { transport } = scriptedTransport(page, page, page, page);
    const connection = connectThings(transport, { clock, limiter: createLimiter(clock) });
    for (let call = 0; call < 4; call++) await execute(connection, list);
    expect(clock.slept).toEqual([1000, 1000]);
  });

  test('rejects a call that would wait beyond its deadline and reports how long to wait', async () => {
    const clock = manualClock();
    const { transport, requests } = scriptedTransport(page, page);
    const connection = connectThings(transport, { clock, limiter: createLimiter(clock) });
    await execute(connection, list);
    await execute(connection, list);
    await expect(execute(connection, list, { deadlineMs: clock.now() + 500 })).rejects.toMatchObject({
      code: 'vendor_rate_limited',
      retryAfterSeconds: 1,
    });
    expect(requests).toHaveLength(2);
  });

  test('stops waiting for a rate limit when the caller cancels', async () => {
    const clock = manualClock();
    const { transport, requests } = scriptedTransport(page, page);
    const connection = connectThings(transport, { clock, limiter: createLimiter(clock) });
    await execute(connection, list);
    await execute(connection, list);
    expect(await codeOf(execute(connection, list, { signal: AbortSignal.abort() }))).toBe('aborted');
    expect(requests).toHaveLength(2);
  });
});

describe('credential refresh', () => {
  const stale: Grant = { method: 'tokens', credentials: { refresh_token: 'r1' }, state: {}, settings: {} };
  const tokens = { body: { refresh_token: 'r2', access_token: 'a2' } };

  test('refreshes before the first call if no access token is stored', async () => {
    const { transport, requests } = scriptedTransport(tokens, page);
    await execute(connectThings(transport, { grant: stale }), list);
    expect(requests.map(({ url }) => url)).toEqual([
      'https://things.example/token',
      'https://things.example/things',
    ]);
    expect(requests[1]?.headers).toEqual({ authorization: 'Bearer a2' });
  });

  test('refreshes once for concurrent calls', async () => {
    const { transport, requests } = scriptedTransport(tokens, ...times(50, page));
    const connection = connectThings(transport, { grant: stale });
    await Promise.all(Array.from({ length: 50 }, () => execute(connection, list)));
    expect(requests.filter(({ url }) => url.endsWith('/token'))).toHaveLength(1);
  });

  test('refreshes once after the vendor rejects the credentials and resends even a write call', async () => {
    const grant = { ...stale, credentials: { refresh_token: 'r1', access_token: 'a1' } };
    const { transport, requests } = scriptedTransport({ status: 401 }, tokens, {});
    await execute(connectThings(transport, { grant }), create);
    expect(requests.map(({ headers }) => headers?.['authorization'])).toEqual([
      'Bearer a1',
      undefined,
      'Bearer a2',
    ]);
  });

  test('requires consent if the vendor also rejects the refreshed credentials', async () => {
    const { transport } = scriptedTransport(tokens, { status: 401 }, tokens, { status: 401 });
    expect(await codeOf(execute(connectThings(transport, { grant: stale }), list))).toBe(
      'reauthentication_required',
    );
  });

  test('does not use new credentials before they are stored', async () => {
    const order: string[] = [];
    const { transport } = scriptedTransport(tokens, page);
    const grants = grantsInMemory(stale, async ({ credentials }) => {
      order.push(`storing ${String(credentials['refresh_token'])}`);
      await Promise.resolve();
      order.push('stored');
    });
    const watched: typeof transport = (request, call) => {
      order.push(request.url);
      return transport(request, call);
    };
    await execute(connectThings(watched, { grants }), list);
    expect(order).toEqual([
      'https://things.example/token',
      'storing r2',
      'stored',
      'https://things.example/things',
    ]);
  });

  test('does not use new credentials if storing them fails', async () => {
    const { transport, requests } = scriptedTransport(tokens);
    const grants = grantsInMemory(stale, () => Promise.reject(new Error('disk full')));
    await expect(execute(connectThings(transport, { grants }), list)).rejects.toThrow('disk full');
    expect(requests).toHaveLength(1);
  });
});
