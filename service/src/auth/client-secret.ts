import { createHmac, randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { ConnectorAuthError } from '@connector-auth/api';
import { LRUCache } from 'lru-cache';
import { Semaphore, type SemaphoreLimits } from '../concurrency/semaphore.ts';

/** What scrypt is asked for: 32 MiB and about 60 ms. Stored with each hash, so that a change leaves old hashes readable. */
const cost = { N: 2 ** 15, r: 8, p: 1 };
const keyLength = 32;

/** A hash of a client secret for the database: `scrypt$N$r$p$salt$key`. */
export async function hashClientSecret(secret: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(secret, salt, keyLength, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** Compares client secrets with their hashes. */
export interface SecretVerifier {
  /**
   * Whether the secret fits the hash. Without a hash (the client id is unknown) it takes as long and says no.
   * @throws ConnectorAuthError `overloaded` when too many comparisons are waiting.
   */
  matches(secret: string, hash: string | null): Promise<boolean>;
}

const maxCachedSecrets = 1000;

/**
 * A verifier that cannot be used to exhaust the machine: so many comparisons run at once, so many wait, the rest is
 * refused.
 * A secret that was right is remembered (as a keyed hash, for as long as its stored hash stays the same) and costs nothing.
 */
export function createSecretVerifier(
  limits: SemaphoreLimits = { maxConcurrent: 2, maxQueued: 64 },
): SecretVerifier {
  const semaphore = new Semaphore(limits, tooManyComparisons);
  const key = randomBytes(32);
  const verified = new LRUCache<string, string>({ max: maxCachedSecrets });
  // A hash of nothing anybody knows: what an unknown client id is compared with.
  const decoy = [
    'scrypt',
    cost.N,
    cost.r,
    cost.p,
    'AAAAAAAAAAAAAAAAAAAAAA',
    randomBytes(32).toString('base64url'),
  ].join('$');

  // The same secret asked for by several requests at once is compared once.
  const comparing = new Map<string, Promise<boolean>>();

  return {
    matches: async (secret, hash) => {
      const digest = createHmac('sha256', key).update(secret).digest('base64');
      if (hash !== null && verified.get(hash) === digest) return true;
      const comparison = `${hash ?? decoy} ${digest}`;
      const asked = comparing.get(comparison) ?? semaphore.run('', () => compare(secret, hash ?? decoy));
      comparing.set(comparison, asked);
      try {
        const fits = (await asked) && hash !== null;
        if (fits) verified.set(hash, digest);
        return fits;
      } finally {
        comparing.delete(comparison);
      }
    },
  };
}

function tooManyComparisons(): ConnectorAuthError {
  return new ConnectorAuthError('overloaded', 'Too many token requests at once: try again in a second', {
    retryAfterSeconds: 1,
  });
}

async function compare(secret: string, hash: string): Promise<boolean> {
  const [scheme, N, r, p, salt, key] = hash.split('$');
  if (scheme !== 'scrypt' || salt === undefined || key === undefined)
    throw new Error('A stored client secret hash is not ours');
  const expected = Buffer.from(key, 'base64url');
  const options = { N: Number(N), r: Number(r), p: Number(p) };
  return timingSafeEqual(
    await derive(secret, Buffer.from(salt, 'base64url'), expected.length, options),
    expected,
  );
}

function derive(secret: string, salt: Buffer, length: number, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Node's default memory limit is exactly too small for N = 2^15.
    scrypt(secret, salt, length, { ...options, maxmem: 128 * 1024 * 1024 }, (error, derived) =>
      error ? reject(error) : resolve(derived),
    );
  });
}
