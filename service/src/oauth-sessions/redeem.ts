import { ConnectorAuthError } from '@connector-auth/api';
import type { Grant, Kind } from '@connector-auth/connectors/kind';
import type { Kysely } from 'kysely';
import { withLease, type LeaseStore } from '../credentials/lease.ts';
import type { Sealer } from '../crypto/seal.ts';
import type { Tables } from '../database/tables.ts';
import { hashOf, openSessionGrant, sealSessionGrant } from './secrets.ts';
import { findSessionBySecret, replaceSessionGrant, useSession, type StoredSession } from './store.ts';

/** For whom and what a secret id is presented. */
export interface Presentation {
  readonly organizationId: string;
  /** Null when the customer does not exist (yet). */
  readonly customerId: string | null;
  readonly kind: Kind;
  readonly secretId: string;
  /** The connector to re-authenticate; null for a new one. */
  readonly targetId: string | null;
}

/** Where secret ids are stored, and leased while they are redeemed. */
export interface SecretStore extends LeaseStore {
  readonly sealer: Sealer;
}

/** What a secret id is good for. */
export interface Redeemable {
  readonly grant: Grant;
  /** Keeps the grant when it is renewed before a connector has it. */
  readonly keep: (renewed: Grant) => Promise<void>;
  /**
   * Uses the secret id up, in the transaction that stores the connector.
   * @throws ConnectorAuthError `secret_id_invalid` when it was given up meanwhile.
   */
  readonly use: (transaction: Kysely<Tables>, connectorId: string) => Promise<void>;
}

/** Longer than a vendor's check of new credentials may take. */
const leaseSeconds = 90;

/**
 * Turns a secret id into a connector once: `make` is called by the first who presents it; whoever presents it again, at the same time
 * or later, gets the same connector's id.
 * @param make stores a connector, calling `use` in its transaction, and gives its id.
 * @throws ConnectorAuthError `secret_id_invalid`: unknown, expired, another customer's or another kind's; and what `make` throws.
 */
export async function redeemSecret(
  store: SecretStore,
  presentation: Presentation,
  make: (redeemable: Redeemable) => Promise<string>,
): Promise<string> {
  const first = await requireSession(store.db, presentation);
  if (first.usedBy !== null) return first.usedBy;
  const waiting = {
    isDone: async () => (await requireSession(store.db, presentation)).usedBy !== null,
    maxWaitMs: leaseSeconds * 1000,
  };
  const made = await withLease(store, `secret:${first.id}`, leaseSeconds, waiting, async () => {
    const session = await requireSession(store.db, presentation);
    if (session.usedBy !== null) return session.usedBy;
    return make(redeemableOf(store, session));
  });
  if (made !== null) return made;
  const { usedBy } = await requireSession(store.db, presentation);
  if (usedBy === null) throw invalidSecretError('it was given up');
  return usedBy;
}

function redeemableOf(
  { db, sealer }: { readonly db: Kysely<Tables>; readonly sealer: Sealer },
  session: StoredSession,
): Redeemable {
  if (session.sealedGrant === null) throw invalidSecretError('it was given up');
  return {
    grant: openSessionGrant(sealer, session, session.sealedGrant),
    keep: renewed => replaceSessionGrant(db, session, sealSessionGrant(sealer, session, renewed)),
    use: async (transaction, connectorId) => {
      if (!(await useSession(transaction, session, connectorId))) throw invalidSecretError('it was given up');
    },
  };
}

async function requireSession(db: Kysely<Tables>, presentation: Presentation): Promise<StoredSession> {
  const { organizationId, customerId, kind, secretId, targetId } = presentation;
  const session = await findSessionBySecret(db, organizationId, hashOf(secretId));
  // One refusal for all that is none of the caller's business.
  if (session?.status !== 'completed' || session.customerId !== customerId) {
    throw invalidSecretError(
      'it is unknown, was given up, or is older than 10 minutes; ask for consent again',
    );
  }
  if (session.kind !== kind.key) throw invalidSecretError(`it was not made for ${kind.name}`);
  // A connector that was made with it is named again, whatever it was made for.
  const target = session.usedBy ?? session.targetId;
  if (targetId === null ? session.targetId !== null : target !== null && target !== targetId)
    throw invalidSecretError('it was made for another connector');
  return session;
}

/** The refusal of a secret id, and why. */
export function invalidSecretError(reason: string): ConnectorAuthError {
  return new ConnectorAuthError('secret_id_invalid', `The secret id cannot be used: ${reason}`, {
    errors: [{ path: 'server_side_oauth_secret_id', message: `This cannot be used: ${reason}` }],
  });
}
