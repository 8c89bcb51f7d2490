import { ConnectorAuthError, type AccessLevel } from '@connector-auth/api';
import type { Grant, Kind } from '@connector-auth/connectors/kind';
import type { Kysely } from 'kysely';
import { hashOf } from '../../platform/crypto/random-secret.ts';
import type { Sealer } from '../../platform/crypto/seal.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { Tenant } from '../auth/caller.ts';
import { acquireLease, type Lease, type LeaseStore } from '../credentials/lease.ts';
import type { StoredConnector } from '../repositories/connectors.ts';
import { openSessionGrant, sealSessionGrant } from './secrets.ts';
import { findSessionBySecret, redeemSession, replaceSessionGrant, type StoredSession } from './store.ts';

/** A request that presents a secret id. `customerId` is null if the customer does not exist yet. */
export interface Presentation extends Required<Tenant> {
  readonly kind: Kind;
  readonly secretId: string;
  /** The connector to re-authenticate, or null to create one. */
  readonly targetId: string | null;
}

export interface SecretStore extends LeaseStore {
  readonly sealer: Sealer;
}

/** A secret id that is reserved for one attempt to create or re-authenticate a connector. */
export interface SecretReservation {
  readonly status: 'reserved';
  readonly grant: Grant;
  /** Stores a refreshed grant in the session, so that a later attempt can use it. */
  readonly replaceGrant: (renewed: Grant) => Promise<void>;
  /**
   * Redeems the secret id, in the transaction that stores the connector.
   * @throws ConnectorAuthError `secret_id_invalid` if the secret id expired or the session was cancelled in the meantime.
   */
  commit(transaction: Kysely<Tables>, connector: { readonly id: string }): Promise<void>;
  /** Releases the reservation, whether or not it was committed. */
  release(): Promise<void>;
}

/** A secret id that was already redeemed. */
export interface RedeemedSecret {
  readonly status: 'redeemed';
  readonly connectorId: string;
}

/** Exceeds the maximum time that a vendor can take to verify new credentials. */
const leaseSeconds = 90;

/**
 * Reserves a secret id under a lease. If another request has already reserved the secret id, waits for that
 * request to finish.
 * @throws ConnectorAuthError `secret_id_invalid` if the secret id is unknown or expired, or belongs to
 * another customer or kind.
 */
export async function reserveSecret(
  store: SecretStore,
  presentation: Presentation,
): Promise<SecretReservation | RedeemedSecret> {
  const first = await requireSession(store.db, presentation);
  if (first.usedBy !== null) return redeemedBy(first.usedBy);
  const lease = await acquireLease(store, {
    name: `secret:${first.id}`,
    seconds: leaseSeconds,
    maxWaitMs: leaseSeconds * 1000,
    isDone: async () => (await requireSession(store.db, presentation)).usedBy !== null,
  });
  if (lease === null) {
    const { usedBy } = await requireSession(store.db, presentation);
    if (usedBy === null) throw endedMeanwhile();
    return redeemedBy(usedBy);
  }
  try {
    const session = await requireSession(store.db, presentation);
    if (session.usedBy === null) return reservationOf(store, session, lease);
    await lease.release();
    return redeemedBy(session.usedBy);
  } catch (error) {
    await lease.release();
    throw error;
  }
}

function reservationOf({ db, sealer }: SecretStore, session: StoredSession, lease: Lease): SecretReservation {
  if (session.sealedGrant === null) throw endedMeanwhile();
  return {
    status: 'reserved',
    grant: openSessionGrant(sealer, session, session.sealedGrant),
    replaceGrant: renewed => replaceSessionGrant(db, session, sealSessionGrant(sealer, session, renewed)),
    commit: async (transaction, { id }) => {
      if (!(await redeemSession(transaction, session, id))) throw endedMeanwhile();
    },
    release: () => lease.release(),
  };
}

function redeemedBy(connectorId: string): RedeemedSecret {
  return { status: 'redeemed', connectorId };
}

async function requireSession(db: Kysely<Tables>, presentation: Presentation): Promise<StoredSession> {
  const { organizationId, customerId, kind, secretId, targetId, linkId } = presentation;
  const session = await findSessionBySecret(db, organizationId, hashOf(secretId));
  // All cases share one message, so that callers cannot probe for other tenants' secret ids.
  const isOwn = session?.customerId === customerId && session.linkId === linkId;
  if (!isOwn || session.status !== 'completed') {
    throw invalidSecretError('it is unknown, cancelled or expired; start the consent again');
  }
  if (session.kind !== kind.key) throw invalidSecretError(`it is not for ${kind.name}`);
  // A redeemed secret id is valid only for the connector that it created or re-authenticated.
  const target = session.usedBy ?? session.targetId;
  if (targetId === null ? session.targetId !== null : target !== null && target !== targetId)
    throw invalidSecretError('it is for another connector');
  return session;
}

/**
 * Throws if another token redeemed the secret id for a connector with more access than the caller's token gives.
 * @throws ConnectorAuthError `secret_id_invalid`.
 */
export function requireOwnAccess(redeemed: Pick<StoredConnector, 'access'>, own: AccessLevel | null): void {
  if (redeemed.access === 'write' && own === 'read')
    throw invalidSecretError('a token with more access has already used it');
}

function endedMeanwhile(): ConnectorAuthError {
  return invalidSecretError('it expired or was cancelled during this request; start the consent again');
}

export function invalidSecretError(reason: string): ConnectorAuthError {
  return ConnectorAuthError.invalid('secret_id_invalid', [
    { path: 'server_side_oauth_secret_id', message: `This secret id cannot be used: ${reason}` },
  ]);
}
