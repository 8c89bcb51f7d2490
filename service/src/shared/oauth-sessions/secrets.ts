import { timingSafeEqual } from 'node:crypto';
// oxlint-disable-next-line no-restricted-imports -- reads what this service sealed
import { parseJson, stringifyJson } from '@connector-auth/api';
import type { Grant } from '@connector-auth/connectors/kind';
import { z } from 'zod';
import { hashOf, randomSecret } from '../../platform/crypto/random-secret.ts';
import type { Sealer } from '../../platform/crypto/seal.ts';

/** A session's secrets, each consisting of 256 random bits in base64url. */
export interface SessionSecrets {
  /** The `state` parameter of the consent URL, which the vendor returns (RFC 6749, sections 4.1.1 and 10.12). */
  readonly state: string;
  /** The PKCE verifier, which is sent to the vendor with the code (RFC 7636, section 4.1). */
  readonly codeVerifier: string;
  /** Stored in a cookie in the browser that started the OAuth flow. */
  readonly browserKey: string;
  /** The single-use reference to the grant, which is redeemed for a connector. */
  readonly secretId: string;
  /**
   * Proves that a form which starts the OAuth flow comes from the widget that requested it. Null if a backend
   * requested it.
   */
  readonly startProof: string | null;
}

export interface SessionRef {
  readonly organizationId: string;
  readonly id: string;
}

/** Identifies a session and the owner to which its sealed values are bound. */
export interface SessionOwner extends SessionRef {
  readonly customerId: string;
  /** Key of the connector kind. */
  readonly kind: string;
}

export function createSecrets({ isForWidget }: { readonly isForWidget: boolean }): SessionSecrets {
  return {
    state: randomSecret(),
    codeVerifier: randomSecret(),
    browserKey: randomSecret(),
    secretId: randomSecret(),
    startProof: isForWidget ? randomSecret() : null,
  };
}

/** Returns the S256 challenge for a PKCE verifier (RFC 7636, section 4.2). */
export function challengeOf(verifier: string): string {
  return hashOf(verifier).toString('base64url');
}

/** Compares two secrets in constant time. */
export function secretsMatch(one: string, other: string): boolean {
  return timingSafeEqual(hashOf(one), hashOf(other));
}

export function sealSecrets(sealer: Sealer, row: SessionOwner, secrets: SessionSecrets): Uint8Array {
  return sealer.seal(JSON.stringify(secrets), placeOf(row, 'secrets'));
}

export function openSecrets(sealer: Sealer, row: SessionOwner, sealed: Uint8Array): SessionSecrets {
  // oxlint-disable-next-line no-restricted-properties -- reads what this service sealed
  return secretsSchema.parse(JSON.parse(sealer.open(sealed, placeOf(row, 'secrets'))));
}

export function sealSessionGrant(
  sealer: Sealer,
  row: SessionOwner,
  { method, credentials, state }: Grant,
): Uint8Array {
  return sealer.seal(stringifyJson({ method, credentials, state }), placeOf(row, 'credentials'));
}

/**
 * Decrypts the grant of a session. The grant has no settings because a user enters them outside the OAuth
 * flow.
 */
export function openSessionGrant(sealer: Sealer, row: SessionOwner, sealed: Uint8Array): Grant {
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
  startProof: z.string().nullable(),
});
const members = z.record(z.string(), z.unknown());
const grantSchema = z.object({ method: z.string(), credentials: members, state: members });

function placeOf({ organizationId, id, customerId, kind }: SessionOwner, column: 'secrets' | 'credentials') {
  const owner = { customerId, kind, version: null };
  return { organizationId, table: 'oauth_sessions', column, row: id, owner } as const;
}
