import { systemClock, type Clock } from '@connector-auth/api';
import { describe, expect, test } from 'vitest';
import { VendorResponses } from './response-memory.ts';

const MiB = 1024 * 1024;
const customer = (customerId: string, organizationId = 'organization') => ({ organizationId, customerId });

/** Returns whether a reservation was made at once. */
const isImmediate = (wait: Promise<void> | undefined): boolean => wait === undefined;

/** Returns whether a promise has settled when all other work is done. */
async function isSettled(promise: Promise<void> | undefined): Promise<boolean> {
  const waiting = new Promise<false>(resolve => setImmediate(() => resolve(false)));
  return Promise.race([promise?.then(() => true) ?? true, waiting]);
}

describe('memory for vendor responses', () => {
  test('one customer can use a quarter of the memory without affecting others', async () => {
    const responses = new VendorResponses(systemClock, 64 * MiB);
    const first = responses.open(customer('busy'));
    expect(isImmediate(first.reserve(10 * MiB))).toBe(true);
    const second = responses.open(customer('busy'));
    const waiting = second.reserve(10 * MiB);
    expect(await isSettled(waiting)).toBe(false);
    expect(await isSettled(responses.open(customer('other')).reserve(10 * MiB))).toBe(true);
    first.release();
    await waiting;
    expect(responses.usedBytes).toBe(20 * MiB);
  });

  test('the customers of one organization leave a quarter of the memory to other organizations', async () => {
    const responses = new VendorResponses(systemClock, 64 * MiB);
    const scopes = ['1', '2', '3', '4'].map(name => responses.open(customer(name)));
    const waits = scopes.map(scope => scope.reserve(15 * MiB));
    expect(waits.map(isImmediate)).toEqual([true, true, true, false]);
    expect(await isSettled(responses.open(customer('1', 'other')).reserve(15 * MiB))).toBe(true);
    scopes[0]?.release();
    await waits[3];
  });

  test('grants memory to waiting organizations in turn, and to interactive before background responses', async () => {
    const responses = new VendorResponses(systemClock, 64 * MiB);
    const holder = responses.open(customer('1', 'big'));
    await holder.reserve(64 * MiB);
    const order: string[] = [];
    const ask = (organizationId: string, name: string, priority: 'interactive' | 'background') => {
      const scope = responses.open(customer(name, organizationId), priority);
      return (async () => {
        await scope.reserve(MiB);
        order.push(name);
      })();
    };
    const all = [
      ask('a', 'a sync', 'background'),
      ask('a', 'a1', 'interactive'),
      ask('a', 'a2', 'interactive'),
      ask('b', 'b1', 'interactive'),
    ];
    holder.release();
    await Promise.all(all);
    expect(order).toEqual(['a1', 'b1', 'a2', 'a sync']);
  });

  test('responses that arrive in parts never wait for each other', async () => {
    const responses = new VendorResponses(systemClock, 64 * MiB);
    const names = Array.from({ length: 6 }, (_, index) => String(index));
    // Each customer has two responses of 24 MiB, which arrive in parts of 1 MiB.
    const arriving = [...names, ...names].map(async name => {
      const scope = responses.open(customer(name));
      for (let part = 0; part < 24; part += 1) {
        await scope.reserve(MiB);
        expect(responses.usedBytes).toBeLessThanOrEqual((64 + 24) * MiB);
        await new Promise(setImmediate);
      }
      scope.release();
    });
    await Promise.all(arriving);
    expect(responses.usedBytes).toBe(0);
  });

  test('small responses neither wait nor overtake a large one', async () => {
    const responses = new VendorResponses(systemClock, 64 * MiB);
    const holder = responses.open(customer('busy'));
    await holder.reserve(16 * MiB);
    const large = responses.open(customer('busy')).reserve(10 * MiB);
    const medium = responses.open(customer('busy')).reserve(MiB);
    expect(isImmediate(responses.open(customer('busy')).reserve(1000))).toBe(true);
    expect(await isSettled(medium)).toBe(false);
    holder.release();
    await Promise.all([large, medium]);
  });

  test('a response that waits too long fails with rate_limited', async () => {
    const clock: Clock = { now: Date.now, sleep: () => Promise.resolve() };
    const responses = new VendorResponses(clock, 64 * MiB);
    await responses.open(customer('busy')).reserve(16 * MiB);
    const waiting = responses.open(customer('busy'));
    await expect(waiting.reserve(MiB)).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 5 });
    waiting.release();
    expect(responses.usedBytes).toBe(16 * MiB);
  });

  test('a cancelled operation leaves the queue', async () => {
    const responses = new VendorResponses(systemClock, 64 * MiB);
    const holder = responses.open(customer('busy'));
    await holder.reserve(16 * MiB);
    const leaving = new AbortController();
    const waiting = responses.open(customer('busy')).reserve(MiB, leaving.signal);
    leaving.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'aborted' });
    holder.release();
    expect(responses.usedBytes).toBe(0);
  });

  test('frees memory that was taken over separately from memory that was reserved later', async () => {
    const responses = new VendorResponses(systemClock, 64 * MiB);
    const scope = responses.open(customer('busy'), 'background');
    await scope.reserve(4 * MiB);
    const freePage = scope.takeOver();
    await scope.reserve(2 * MiB);
    freePage();
    freePage();
    expect(responses.usedBytes).toBe(2 * MiB);
    scope.takeOver();
    await scope.reserve(MiB);
    scope.release();
    expect(responses.usedBytes).toBe(0);
  });

  test('parses large responses one after another, with other work in between', async () => {
    const responses = new VendorResponses(systemClock, 64 * MiB);
    const order: string[] = [];
    const parse = async (name: string): Promise<void> => {
      await responses.open(customer(name)).takeTurn(2 * MiB);
      order.push(name);
    };
    const parsing = [parse('1'), parse('2')];
    await new Promise(setImmediate);
    order.push('other work');
    await Promise.all(parsing);
    expect(order).toEqual(['1', 'other work', '2']);
    expect(responses.open(customer('3')).takeTurn(1000)).toBeUndefined();
  });
});
