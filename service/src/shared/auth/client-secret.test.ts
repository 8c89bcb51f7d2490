import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { useCheapScrypt } from '../../../test/cheap-scrypt.ts';
import {
  createSecretVerifier,
  generateClientSecret,
  hashClientSecret,
  hashGeneratedSecret,
} from './client-secret.ts';

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

test('hashes a client secret slowly, and differently each time', async () => {
  const [one, other] = [await hashClientSecret('right'), await hashClientSecret('right')];
  expect(one).not.toBe(other);
  expect(one).toMatch(/^scrypt\$32768\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
  const verifier = createSecretVerifier();
  expect(await verifier.findMatch('right', [one])).toBe(one);
  expect(await verifier.findMatch('wrong', [one])).toBeNull();
});

describe('client secrets', () => {
  useCheapScrypt();

  test('matches a secret only with its own hash', async () => {
    const verifier = createSecretVerifier();
    const hash = await hashClientSecret('right');
    expect(await verifier.findMatch('right', [hash])).toBe(hash);
    expect(await verifier.findMatch('wrong', [hash])).toBeNull();
    expect(await verifier.findMatch('right', [await hashClientSecret('other')])).toBeNull();
    expect(await verifier.findMatch('', [hash])).toBeNull();
  });

  test('finds the hash of a chosen or generated secret among several hashes', async () => {
    const verifier = createSecretVerifier();
    const generated = generateClientSecret();
    const hashes = [await hashClientSecret('chosen'), hashGeneratedSecret(generated)];
    expect(await verifier.findMatch('chosen', hashes)).toBe(hashes[0]);
    expect(await verifier.findMatch(generated, hashes)).toBe(hashes[1]);
    expect(await verifier.findMatch(generateClientSecret(), hashes)).toBeNull();
    // A person may choose a secret that looks generated.
    const chosen = await hashClientSecret(generated);
    expect(await verifier.findMatch(generated, [chosen])).toBe(chosen);
  });

  test('generates different secrets of 256 bits with a recognizable prefix', () => {
    const [one, other] = [generateClientSecret(), generateClientSecret()];
    expect(one).toMatch(/^ca_secret_[\w-]{43}$/);
    expect(one).not.toBe(other);
    expect(hashGeneratedSecret(one)).not.toContain(one);
  });

  test('caches a matching secret only for its own hash', async () => {
    const verifier = createSecretVerifier();
    const hash = await hashClientSecret('right');
    await verifier.findMatch('right', [hash]);
    const costs = watchScrypt();
    for (let count = 0; count < 10; count += 1) expect(await verifier.findMatch('right', [hash])).toBe(hash);
    expect(costs).toEqual([]);
    expect(await verifier.findMatch('wrong', [hash])).toBeNull();
    expect(await verifier.findMatch('right', [await hashClientSecret('new')])).toBeNull();
  });

  test('does the same work to reject an unknown client id as it does to reject a wrong secret', async () => {
    const verifier = createSecretVerifier();
    const hash = await hashClientSecret('right');
    const costs = watchScrypt();
    expect(await verifier.findMatch('wrong', [hash])).toBeNull();
    expect(await verifier.findMatch('wrong', [])).toBeNull();
    expect(costs).toHaveLength(2);
    expect(costs[1]).toEqual(costs[0]);
  });

  test('compares a secret only once for concurrent requests', async () => {
    const verifier = createSecretVerifier({ maxConcurrent: 1, maxQueued: 0 });
    const hash = await hashClientSecret('right');
    const costs = watchScrypt();
    const response = await Promise.all(Array.from({ length: 50 }, () => verifier.findMatch('right', [hash])));
    expect(new Set(response)).toEqual(new Set([hash]));
    expect(costs).toHaveLength(1);
  });

  test('rejects a comparison if the queue is full', async () => {
    const verifier = createSecretVerifier({ maxConcurrent: 1, maxQueued: 2 });
    const tries = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) => verifier.findMatch(`wrong ${index}`, [])),
    );
    const rejected = tries.filter(({ status }) => status === 'rejected');
    expect(rejected).toHaveLength(8 - 1 - 2);
    expect(rejected[0]).toMatchObject({ reason: { code: 'overloaded', retryAfterSeconds: 1 } });
    expect(await verifier.findMatch('wrong', [])).toBeNull();
  });
});

/** Records what determines the time that each call of scrypt takes, which a busy machine would change. */
function watchScrypt(): object[] {
  const costs: object[] = [];
  const { scrypt } = crypto;
  vi.spyOn(crypto, 'scrypt').mockImplementation((password, salt, length, options, done) => {
    costs.push({ salt: Buffer.from(salt as Buffer).length, length, ...options });
    scrypt(password, salt, length, options, done);
  });
  syncBuiltinESMExports();
  return costs;
}
