import { choosingLifetimeSeconds, oauthLifetimeSeconds } from '@connector-auth/api';
import { sql, type Kysely } from 'kysely';
import type { RowOf, Tables } from '../../platform/database/tables.ts';
import type { Tenant } from '../auth/caller.ts';
import type { UnusedGrant } from '../repositories/grant-revocations.ts';
import { isEnabled, shownName } from '../repositories/organizations.ts';
import type { SessionRef } from './secrets.ts';

/**
 * Exceeds the maximum duration of a code exchange. After this time, the process that started the exchange is
 * considered dead.
 */
const maxExchangeSeconds = 60;
/** How long a session is stored after it expires, so that a repeated secret id returns the same connector. */
const retentionSeconds = 24 * 60 * 60;

/**
 * The status of a session.
 *
 * | status | ended by |
 * |---|---|
 * | `pending` | the callback, cancellation, expiry |
 * | `exchanging` | the vendor's response, cancellation, expiry |
 * | `completed` | cancellation or expiry, unless a connector was created with it |
 * | `denied`, `failed`, `expired` | nothing |
 */
export type SessionStatus = 'pending' | 'exchanging' | 'completed' | 'denied' | 'failed' | 'expired';

/** A stored session, with its status according to the database's clock. */
export type StoredSession = RowOf<typeof sessions>;

/** Why a session ended without a grant. */
export interface SessionFailure {
  readonly code: string;
  readonly message: string;
  /** Why the vendor denied access, in its own words. Absent if it gave no reason. */
  readonly reason?: string | null;
}

/** The outcome of a cancelled session. */
export const cancelled = { code: 'cancelled', message: 'The consent was cancelled' } as const;

const isOverdue = sql<boolean>`oauth_sessions.claimed_at <= now() - make_interval(secs => ${maxExchangeSeconds})`;

const status = sql<SessionStatus>`case
  when oauth_sessions.status = 'pending' and oauth_sessions.expires_at <= now() then 'expired'
  when oauth_sessions.status = 'exchanging' and ${isOverdue} then 'failed'
  when oauth_sessions.status = 'completed' and oauth_sessions.used_by is null
    and oauth_sessions.secret_expires_at <= now() then 'expired'
  else oauth_sessions.status end`;

function sessions(db: Kysely<Tables>) {
  return (
    db
      .selectFrom('oauth_sessions')
      .innerJoin('organizations', 'organizations.id', 'oauth_sessions.organization_id')
      .innerJoin('customers', join =>
        join
          .onRef('customers.organization_id', '=', 'oauth_sessions.organization_id')
          .onRef('customers.id', '=', 'oauth_sessions.customer_id'),
      )
      // The sessions of a disabled organization do not exist for anyone.
      .where(isEnabled)
      .select([
        'oauth_sessions.organization_id as organizationId',
        'oauth_sessions.id',
        'oauth_sessions.customer_id as customerId',
        'customers.name as customerName',
        // The customer's name as people see it, or null.
        'customers.display_name as customerDisplayName',
        // Key of the connector kind.
        'oauth_sessions.kind',
        'oauth_sessions.client_id as clientId',
        'oauth_sessions.redirect_url as redirectUrl',
        'oauth_sessions.origin',
        'oauth_sessions.challenge',
        // The connector to re-authenticate, or null to create one.
        'oauth_sessions.target_id as targetId',
        // The connect link whose page started the session, or null.
        'oauth_sessions.link_id as linkId',
        'oauth_sessions.secrets as sealedSecrets',
        'oauth_sessions.credentials as sealedGrant',
        // The connector that was created or re-authenticated with the session.
        'oauth_sessions.used_by as usedBy',
        'oauth_sessions.error_code as errorCode',
        'oauth_sessions.error_message as errorMessage',
        // Why the vendor denied access, in its own words.
        'oauth_sessions.error_reason as errorReason',
      ])
      .select([
        // The organization's name as users see it.
        shownName.as('organizationName'),
        // The version of the organization's logo, or null if it has none.
        'organizations.logo_version as logoVersion',
        status.as('status'),
        // When the consent expires or, once it is completed, when its secret id expires.
        sql<Date>`coalesce(oauth_sessions.secret_expires_at, oauth_sessions.expires_at)`.as('expiresAt'),
      ])
  );
}

/**
 * Finds a session for the service's pages. These pages require no token because a session id cannot be
 * guessed.
 */
export async function findSession(db: Kysely<Tables>, id: string): Promise<StoredSession | null> {
  const row = await sessions(db).where('oauth_sessions.id', '=', id).executeTakeFirst();
  return row ?? null;
}

/** Finds a session of the tenant. Only a connect link finds the sessions that its page has started. */
export async function findTenantSession(
  db: Kysely<Tables>,
  { organizationId, customerId, linkId = null }: Tenant,
  id: string,
): Promise<StoredSession | null> {
  const row = await sessions(db)
    .where('oauth_sessions.organization_id', '=', organizationId)
    .$if(customerId !== null, query => query.where('oauth_sessions.customer_id', '=', customerId))
    .where('oauth_sessions.id', '=', id)
    .where('oauth_sessions.link_id', 'is not distinct from', linkId)
    .executeTakeFirst();
  return row ?? null;
}

export async function findSessionByState(
  db: Kysely<Tables>,
  stateHash: Uint8Array,
): Promise<StoredSession | null> {
  const row = await sessions(db).where('oauth_sessions.state_hash', '=', stateHash).executeTakeFirst();
  return row ?? null;
}

export async function findSessionBySecret(
  db: Kysely<Tables>,
  organizationId: string,
  secretHash: Uint8Array,
): Promise<StoredSession | null> {
  const row = await sessions(db)
    .where('oauth_sessions.organization_id', '=', organizationId)
    .where('oauth_sessions.secret_hash', '=', secretHash)
    .executeTakeFirst();
  return row ?? null;
}

/** Stores a new session that expires after `oauthLifetimeSeconds`. */
export async function insertSession(
  db: Kysely<Tables>,
  session: Pick<
    StoredSession,
    | 'organizationId'
    | 'id'
    | 'customerId'
    | 'kind'
    | 'clientId'
    | 'redirectUrl'
    | 'origin'
    | 'challenge'
    | 'targetId'
    | 'linkId'
    | 'sealedSecrets'
  > & { readonly stateHash: Uint8Array; readonly secretHash: Uint8Array },
): Promise<{ readonly expiresAt: Date }> {
  const row = await db
    .insertInto('oauth_sessions')
    .values({
      organization_id: session.organizationId,
      id: session.id,
      customer_id: session.customerId,
      kind: session.kind,
      client_id: session.clientId,
      redirect_url: session.redirectUrl,
      origin: session.origin,
      challenge: session.challenge,
      target_id: session.targetId,
      link_id: session.linkId,
      state_hash: session.stateHash,
      secret_hash: session.secretHash,
      secrets: session.sealedSecrets,
      expires_at: sql<Date>`now() + make_interval(secs => ${oauthLifetimeSeconds})`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow();
  return { expiresAt: row.expires_at };
}

/**
 * Changes a pending session to `exchanging`. Returns false if the session was not pending, so that a code is
 * exchanged only once.
 */
export async function startExchange(db: Kysely<Tables>, row: SessionRef): Promise<boolean> {
  const { numUpdatedRows } = await updateOf(db, row)
    .where('status', '=', 'pending')
    .where('expires_at', '>', sql<Date>`now()`)
    .set({ status: 'exchanging', claimed_at: sql<Date>`now()` })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Stores the grant in a session whose code is being exchanged. With a challenge, its secret id is valid for longer,
 * because the user chooses accounts. Returns false if the session was cancelled. Idempotent.
 */
export async function completeSession(
  db: Kysely<Tables>,
  row: SessionRef,
  sealedGrant: Uint8Array,
): Promise<boolean> {
  const { numUpdatedRows } = await updateOf(db, row)
    .where('status', 'in', ['exchanging', 'completed'])
    .where('used_by', 'is', null)
    .set({
      status: 'completed',
      credentials: sealedGrant,
      secret_expires_at: sql<Date>`now() + make_interval(secs =>
        case when challenge is null then ${sql.lit(oauthLifetimeSeconds)} else ${sql.lit(choosingLifetimeSeconds)} end)`,
    })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Ends a session. Its grant, if it has one, expires, so that it is revoked like other unused ones. Returns false if the session does
 * not have one of the given statuses.
 */
export async function endSession(
  db: Kysely<Tables>,
  row: SessionRef,
  from: readonly ('pending' | 'exchanging' | 'completed')[],
  end: SessionFailure & { readonly status: 'denied' | 'failed' },
): Promise<boolean> {
  const { numUpdatedRows } = await updateOf(db, row)
    .where('status', 'in', from)
    .where('used_by', 'is', null)
    .set({
      status: end.status,
      error_code: end.code,
      error_message: end.message,
      error_reason: end.reason ?? null,
      secret_expires_at: sql<Date | null>`case when credentials is null then null else now() end`,
    })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Counts a request that lists the accounts of a completed session's grant. Returns the number of these requests, or null
 * if the maximum was reached before.
 */
export async function countAccountListing(
  db: Kysely<Tables>,
  row: SessionRef,
  maxListings: number,
): Promise<number | null> {
  const counted = await updateOf(db, row)
    .where('account_listings', '<', maxListings)
    .set({ account_listings: sql<number>`account_listings + 1` })
    .returning('account_listings')
    .executeTakeFirst();
  return counted?.account_listings ?? null;
}

/** Replaces the grant of a completed session after a refresh, unless the session was redeemed. */
export async function replaceSessionGrant(
  db: Kysely<Tables>,
  row: SessionRef,
  sealedGrant: Uint8Array,
): Promise<void> {
  await updateOf(db, row)
    .where('status', '=', 'completed')
    .where('used_by', 'is', null)
    .set({ credentials: sealedGrant })
    .execute();
}

/**
 * Redeems a completed session in the transaction that stores the connector. Returns false if the session was
 * already redeemed, was cancelled or has lost its grant.
 */
export async function redeemSession(
  transaction: Kysely<Tables>,
  row: SessionRef,
  connectorId: string,
): Promise<boolean> {
  const { numUpdatedRows } = await updateOf(transaction, row)
    .where('status', '=', 'completed')
    .where('used_by', 'is', null)
    // Otherwise, the secret id has expired in the meantime, and the grant is being revoked.
    .where('credentials', 'is not', null)
    .set({ used_by: connectorId, credentials: null })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Takes the grants of expired secret ids out of their sessions, and deletes sessions that expired more than 24 hours ago.
 * Returns the grants.
 */
export async function deleteExpiredSessions(transaction: Kysely<Tables>): Promise<readonly UnusedGrant[]> {
  const expired = await grantsOfSessions(transaction)
    .where('secret_expires_at', '<=', sql<Date>`now()`)
    .skipLocked()
    .execute();
  await transaction
    .updateTable('oauth_sessions')
    .where('id', '=', sql<string>`any(${expired.map(({ id }) => id)}::uuid[])`)
    .set({ credentials: null })
    .execute();
  await transaction
    .deleteFrom('oauth_sessions')
    .where('expires_at', '<', sql<Date>`now() - make_interval(secs => ${retentionSeconds})`)
    .execute();
  return expired;
}

/** Returns the grants of a tenant's sessions, and prevents changes to them until the transaction ends. */
export async function lockSessionGrants(
  transaction: Kysely<Tables>,
  { organizationId, customerId }: Tenant,
  limit?: number,
): Promise<readonly UnusedGrant[]> {
  return grantsOfSessions(transaction)
    .where('oauth_sessions.organization_id', '=', organizationId)
    .$if(customerId !== null, query => query.where('oauth_sessions.customer_id', '=', customerId ?? ''))
    .orderBy('oauth_sessions.id')
    .$if(limit !== undefined, query => query.limit(limit ?? 0))
    .execute();
}

function grantsOfSessions(transaction: Kysely<Tables>) {
  return transaction
    .selectFrom('oauth_sessions')
    .innerJoin('customers', join =>
      join
        .onRef('customers.organization_id', '=', 'oauth_sessions.organization_id')
        .onRef('customers.id', '=', 'oauth_sessions.customer_id'),
    )
    .select([
      'oauth_sessions.organization_id as organizationId',
      'oauth_sessions.id',
      'oauth_sessions.customer_id as customerId',
      'customers.name as customerName',
      'oauth_sessions.kind',
    ])
    .select(sql<Uint8Array>`oauth_sessions.credentials`.as('sealedGrant'))
    .where('oauth_sessions.credentials', 'is not', null)
    .forUpdate('oauth_sessions');
}

/** Returns whether a consent to an OAuth app, in any tenant, was started and can still lead to a connector. */
export async function hasOpenSession(
  db: Kysely<Tables>,
  { kind, clientId }: Pick<StoredSession, 'kind' | 'clientId'>,
): Promise<boolean> {
  // A grant that is verified for a new connector can outlive its secret id by less than this.
  const verificationSeconds = 120;
  const maxSeconds = maxExchangeSeconds + choosingLifetimeSeconds + verificationSeconds;
  const open = await db
    .selectFrom('oauth_sessions')
    .select('id')
    // Lets the query use the index by expiry.
    .where('expires_at', '>', sql<Date>`now() - make_interval(secs => ${maxSeconds})`)
    .where('kind', '=', kind)
    .where('client_id', '=', clientId)
    .where('used_by', 'is', null)
    .where(
      sql<boolean>`(${status} in ('pending', 'exchanging', 'completed')
        or (oauth_sessions.status = 'completed' and oauth_sessions.credentials is not null))`,
    )
    .limit(1)
    .executeTakeFirst();
  return open !== undefined;
}

function updateOf(db: Kysely<Tables>, row: SessionRef) {
  return db
    .updateTable('oauth_sessions')
    .where('organization_id', '=', row.organizationId)
    .where('id', '=', row.id);
}
