import { createHash, randomBytes } from 'node:crypto';

/** Returns 256 random bits in base64url. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Hashes a random secret with SHA-256, so that the database does not store a usable one. */
export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
