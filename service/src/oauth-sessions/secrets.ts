import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { parseJson, stringifyJson } from '@connector-auth/api';
import type { Grant } from '@connector-auth/connectors/kind';
import { z } from 'zod';
import type { Sealer } from '../crypto/seal.ts';

/** What is secret about a session, all of it 256 random bits in base64url. */
export interface SessionSecrets {
  /** Goes to the vendor and comes back once. */
  readonly state: string;
  /** Of PKCE; stays here until the code is exchanged. */
  readonly codeVerifier: string;
  /** In a cookie of the browser that passed the service's own page. */
  readonly browserKey: string;
  /** What the connector is made with. */
  readonly secretId: string;
}

/** The row that sealed values belong to. */
export interface SessionRef {
  readonly organizationId: string;
  readonly id: string;
}

export function createSecrets(): SessionSecrets {
  const random = (): string => randomBytes(32).toString('base64url');
  return { state: random(), codeVerifier: random(), browserKey: random(), secretId: random() };
}

/** SHA-256: enough for values nobody can guess, so that the database holds nothing that can be presented. */
export function hashOf(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}

/** The S256 challenge of a verifier, RFC 7636. */
export function challengeOf(verifier: string): string {
  return hashOf(verifier).toString('base64url');
}

/** Compares two secrets in a time that tells nothing of where they differ. */
export function secretsMatch(one: string, other: string): boolean {
  return timingSafeEqual(hashOf(one), hashOf(other));
}

export function sealSecrets(sealer: Sealer, row: SessionRef, secrets: SessionSecrets): Uint8Array {
  return sealer.seal(JSON.stringify(secrets), placeOf(row, 'secrets'));
}

export function openSecrets(sealer: Sealer, row: SessionRef, sealed: Uint8Array): SessionSecrets {
  return secretsSchema.parse(JSON.parse(sealer.open(sealed, placeOf(row, 'secrets'))));
}

/** Seals the grant that a consent gave, for the time until a connector is made with it. */
export function sealSessionGrant(
  sealer: Sealer,
  row: SessionRef,
  { method, credentials, state }: Grant,
): Uint8Array {
  return sealer.seal(stringifyJson({ method, credentials, state }), placeOf(row, 'credentials'));
}

/** The grant of a session, without settings: those come with the connector. */
export function openSessionGrant(sealer: Sealer, row: SessionRef, sealed: Uint8Array): Grant {
  return {
    ...grantSchema.parse(parseJson(sealer.open(sealed, placeOf(row, 'credentials')))),
    settings: {},
  };
}

const secretsSchema = z.object({
  state: z.string(),
  codeVerifier: z.string(),
  browserKey: z.string(),
  secretId: z.string(),
});
const members = z.record(z.string(), z.unknown());
const grantSchema = z.object({ method: z.string(), credentials: members, state: members });

function placeOf({ organizationId, id }: SessionRef, column: 'secrets' | 'credentials') {
  return { organizationId, table: 'oauth_sessions', column, row: id } as const;
}
