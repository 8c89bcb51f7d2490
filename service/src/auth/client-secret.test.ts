import { performance } from 'node:perf_hooks';
import { describe, expect, test } from 'vitest';
import { createSecretVerifier, hashClientSecret } from './client-secret.ts';

describe('a client secret', () => {
  test('matches a secret only with its own hash', async () => {
    const verifier = createSecretVerifier();
    const hash = await hashClientSecret('right');
    expect(await verifier.matches('right', hash)).toBe(true);
    expect(await verifier.matches('wrong', hash)).toBe(false);
    expect(await verifier.matches('right', await hashClientSecret('other'))).toBe(false);
    expect(await verifier.matches('', hash)).toBe(false);
  });

  test('creates a different hash each time, which does not contain the secret', async () => {
    const [one, other] = [await hashClientSecret('right'), await hashClientSecret('right')];
    expect(one).not.toBe(other);
    expect(one).toMatch(/^scrypt\$32768\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
  });

  test('caches a matching secret only for its own hash', async () => {
    const verifier = createSecretVerifier();
    const hash = await hashClientSecret('right');
    await verifier.matches('right', hash);
    const startedAt = performance.now();
    for (let count = 0; count < 1000; count += 1) expect(await verifier.matches('right', hash)).toBe(true);
    // Running scrypt a thousand times would take a minute.
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    expect(await verifier.matches('wrong', hash)).toBe(false);
    expect(await verifier.matches('right', await hashClientSecret('new'))).toBe(false);
  });

  test('takes as long to reject an unknown client as it does to reject a wrong secret', async () => {
    const verifier = createSecretVerifier();
    const hash = await hashClientSecret('right');
    const [known, unknown] = [
      await shortestTime(() => verifier.matches('wrong', hash)),
      await shortestTime(() => verifier.matches('wrong', null)),
    ];
    expect(await verifier.matches('right', null)).toBe(false);
    expect(unknown).toBeGreaterThan(known / 3);
  });

  test('compares a secret only once for concurrent requests', async () => {
    const verifier = createSecretVerifier({ maxConcurrent: 1, maxQueued: 0 });
    const hash = await hashClientSecret('right');
    const response = await Promise.all(Array.from({ length: 50 }, () => verifier.matches('right', hash)));
    expect(new Set(response)).toEqual(new Set([true]));
  });

  test('rejects a comparison if the queue is full', async () => {
    const verifier = createSecretVerifier({ maxConcurrent: 1, maxQueued: 2 });
    const tries = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) => verifier.matches(`wrong ${index}`, null)),
    );
    const rejected = tries.filter(({ status }) => status === 'rejected');
    expect(rejected).toHaveLength(8 - 1 - 2);
    expect(rejected[0]).toMatchObject({ reason: { code: 'overloaded', retryAfterSeconds: 1 } });
    expect(await verifier.matches('wrong', null)).toBe(false);
  });
});

async function shortestTime(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < 5; count += 1) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  }
  return Math.min(...times);
}
