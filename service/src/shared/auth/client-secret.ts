import {
  createHash,
  createHmac,
  randomBytes,
  scrypt,
  timingSafeEqual,
  type ScryptOptions,
} from 'node:crypto';
import { ConnectorAuthError } from '@connector-auth/api';
import { LRUCache } from 'lru-cache';
import { Semaphore, type SemaphoreLimits } from '../../platform/concurrency/semaphore.ts';

/**
 * scrypt parameters, which cost 32 MiB and about 60 ms per hash. Each hash includes its parameters, so that
 * old hashes remain valid after a change.
 */
const cost = { N: 2 ** 15, r: 8, p: 1 };
const keyLength = 32;

/** Lets scanners recognize a leaked secret. */
const generatedPrefix = 'ca_secret_';

/** Generates a client secret of 256 random bits. RFC 6749, section 10.10, recommends at least 160. */
export function generateClientSecret(): string {
  return `${generatedPrefix}${randomBytes(32).toString('base64url')}`;
}

/** Hashes a generated client secret, which needs no slow hash because it cannot be guessed. */
export function hashGeneratedSecret(secret: string): string {
  return `sha256$${createHash('sha256').update(secret).digest('base64url')}`;
}

/** Hashes a client secret that a person may have chosen, in the format `scrypt$N$r$p$salt$key`. */
export async function hashClientSecret(secret: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(secret, salt, keyLength, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

export interface SecretVerifier {
  /**
   * Returns the first of the hashes that belongs to the secret, or null. If there are none because the client id
   * is unknown, takes as long as comparing one.
   * @throws ConnectorAuthError `overloaded` if too many comparisons are waiting.
   */
  findMatch(secret: string, hashes: readonly string[]): Promise<string | null>;
}

const maxCachedSecrets = 1000;

/**
 * Creates a verifier that limits concurrent and waiting comparisons, because each comparison is expensive.
 * Caches a correct secret as a keyed hash, so that repeated requests skip scrypt until the stored hash
 * changes.
 */
export function createSecretVerifier(
  limits: SemaphoreLimits = { maxConcurrent: 2, maxQueued: 64 },
): SecretVerifier {
  const semaphore = new Semaphore(limits, tooManyComparisons);
  const key = randomBytes(32);
  const verified = new LRUCache<string, string>({ max: maxCachedSecrets });
  // The hash of a random value, which is used for the comparison if the client id is unknown.
  const decoy = [
    'scrypt',
    cost.N,
    cost.r,
    cost.p,
    'AAAAAAAAAAAAAAAAAAAAAA',
    randomBytes(32).toString('base64url'),
  ].join('$');

  // Concurrent requests with the same secret share one comparison.
  const comparing = new Map<string, Promise<boolean>>();

  const matches = async (secret: string, hash: string): Promise<boolean> => {
    const digest = createHmac('sha256', key).update(secret).digest('base64');
    if (verified.get(hash) === digest) return true;
    const comparison = `${hash} ${digest}`;
    const pending = comparing.get(comparison) ?? semaphore.run('', () => compare(secret, hash));
    comparing.set(comparison, pending);
    try {
      const isMatch = await pending;
      if (isMatch) verified.set(hash, digest);
      return isMatch;
    } finally {
      comparing.delete(comparison);
    }
  };

  return {
    findMatch: async (secret, hashes) => {
      const fast = hashGeneratedSecret(secret);
      const found = hashes.find(hash => timingSafeEqual(digestOf(hash), digestOf(fast)));
      if (found !== undefined) return found;
      const slow = hashes.filter(hash => hash.startsWith('scrypt$'));
      if (slow.length === 0) await matches(secret, decoy);
      for (const hash of slow) if (await matches(secret, hash)) return hash;
      return null;
    },
  };
}

/** Returns a digest of equal length for any text, for a comparison in constant time. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function tooManyComparisons(): ConnectorAuthError {
  return new ConnectorAuthError('overloaded', 'Too many concurrent token requests: try again in a second', {
    retryAfterSeconds: 1,
  });
}

async function compare(secret: string, hash: string): Promise<boolean> {
  const [scheme, N, r, p, salt, key] = hash.split('$');
  if (scheme !== 'scrypt' || salt === undefined || key === undefined)
    throw new Error('A stored client secret hash has an unknown format');
  const expected = Buffer.from(key, 'base64url');
  const options = { N: Number(N), r: Number(r), p: Number(p) };
  return timingSafeEqual(
    await derive(secret, Buffer.from(salt, 'base64url'), expected.length, options),
    expected,
  );
}

function derive(secret: string, salt: Buffer, length: number, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Node's default memory limit is just below what N = 2^15 needs.
    scrypt(secret, salt, length, { ...options, maxmem: 128 * 1024 * 1024 }, (error, derived) =>
      error ? reject(error) : resolve(derived),
    );
  });
}
