import { describe, expect, test } from 'vitest';
import { clientOf, empty, id, list, problem, serve } from '../../test/client-of.ts';
import { application } from '../../test/scripted-service.ts';
import { TestClock } from '../../test/test-clock.ts';
import { ConnectorAuthError } from '../problem.ts';
import { createClient, createCustomerClient } from './client.ts';

describe('deadline', () => {
  test('a call fails with `timeout` when its time is up', async () => {
    const clock = new TestClock();
    const { client, service } = await clientOf(['hang'], { clock, timeoutMs: 5_000 });
    const call = client.execute(id, list);
    await service.received(1);
    clock.advance(5_000);
    await expect(call).rejects.toMatchObject({ code: 'timeout', status: 504 });
    expect(clock.sleeping).toBe(0);
  });

  test('the time limit of a call overrides the client’s', async () => {
    const clock = new TestClock();
    const { client, service } = await clientOf(['hang'], { clock });
    const call = client.execute(id, list, { timeoutMs: 100 });
    await service.received(1);
    clock.advance(100);
    await expect(call).rejects.toMatchObject({ code: 'timeout' });
  });

  test('a call fails with `timeout` if the headers arrive but the body does not', async () => {
    const clock = new TestClock();
    const service = await serve(({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"result":');
      return 'hang';
    });
    const client = createClient({ ...application, baseUrl: service.baseUrl, clock, timeoutMs: 5_000 });
    const call = client.execute(id, list);
    await service.received(1);
    clock.advance(5_000);
    await expect(call).rejects.toMatchObject({ code: 'timeout' });
  });

  test('a call fails with `aborted` and closes the connection when the caller cancels', async () => {
    const { client, service } = await clientOf(['hang']);
    const caller = new AbortController();
    const call = client.execute(id, list, { signal: caller.signal });
    await service.received(1);
    const closed = new Promise<void>(resolve => service.requests[0]?.response.once('close', resolve));
    caller.abort(new Error('tab closed'));
    await expect(call).rejects.toMatchObject({ code: 'aborted', cause: { message: 'tab closed' } });
    await closed;
  });

  test('a call fails with `aborted` when the caller cancels during a retry delay', async () => {
    const clock = new TestClock();
    const service = await serve(() => problem('overloaded'));
    const client = createCustomerClient({
      baseUrl: service.baseUrl,
      token: 'scoped-1',
      clock,
      random: () => 0.5,
    });
    const caller = new AbortController();
    const call = client.execute(id, list, { signal: caller.signal });
    const deadlineAndRepeat = 2;
    await clock.asleep(deadlineAndRepeat);
    caller.abort();
    await expect(call).rejects.toMatchObject({ code: 'aborted' });
    expect(clock.sleeping).toBe(0);
  });

  test('a call with an aborted signal fails with `aborted` and sends nothing', async () => {
    const { client, service } = await clientOf([empty]);
    const call = client.execute(id, list, { signal: AbortSignal.abort() });
    await expect(call).rejects.toMatchObject({ code: 'aborted' });
    expect(service.tokenRequests).toHaveLength(0);
  });

  test('a call fails with `unreachable` if no server is listening', async () => {
    const { client, service } = await clientOf([empty], { clock: new TestClock(9_000) });
    await service.close();
    const error = await client.execute(id, list).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConnectorAuthError);
    expect(error).toMatchObject({ code: 'unreachable', status: 503, cause: { code: 'ECONNREFUSED' } });
  });

  test('a call fails with `malformed_request` if its time limit is invalid', async () => {
    const { client } = await clientOf([empty]);
    for (const timeoutMs of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      await expect(client.execute(id, list, { timeoutMs })).rejects.toMatchObject({
        code: 'malformed_request',
        errors: [{ path: 'timeoutMs' }],
      });
    }
  });

  test('a call removes its listener from the caller’s signal', async () => {
    const { client } = await clientOf([empty]);
    const { signal } = new AbortController();
    let listeners = 0;
    const counted = new Proxy(signal, {
      get(target, key) {
        if (key === 'addEventListener') listeners += 1;
        if (key === 'removeEventListener') listeners -= 1;
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    await client.execute(id, list, { signal: counted });
    expect(listeners).toBe(0);
  });
});
