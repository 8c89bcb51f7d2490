import { sql, type Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';

/** What names a use of an `Idempotency-Key`. */
export interface KeyedRequest {
  readonly organizationId: string;
  readonly customerName: string;
  readonly route: string;
  readonly key: string;
}

/** What is known of the first request with a key. */
export interface KeyState {
  readonly bodyHash: Uint8Array;
  /** Lossless JSON; null while the first request runs. */
  readonly answer: string | null;
}

const columns = (request: KeyedRequest) => ({
  organization_id: request.organizationId,
  customer_name: request.customerName,
  route: request.route,
  key: request.key,
});

/**
 * Takes a key for an attempt, if it is free: never used, used longer ago than it is kept, or held by an attempt whose lease ran
 * out (its process died) for the same body. The database's clock decides.
 */
export async function acquireKey(
  db: Kysely<Tables>,
  request: KeyedRequest,
  claim: {
    readonly bodyHash: Uint8Array;
    readonly attempt: string;
    readonly leaseSeconds: number;
    readonly keptSeconds: number;
  },
): Promise<boolean> {
  const taken = {
    body_hash: claim.bodyHash,
    attempt: claim.attempt,
    lease_until: sql<Date>`now() + make_interval(secs => ${claim.leaseSeconds})`,
    expires_at: sql<Date>`now() + make_interval(secs => ${claim.keptSeconds})`,
    answer: null,
  };
  const row = await db
    .insertInto('idempotency_keys')
    .values({ ...columns(request), ...taken })
    .onConflict(conflict =>
      conflict
        .columns(['organization_id', 'customer_name', 'route', 'key'])
        .doUpdateSet(taken)
        .where(
          sql<boolean>`idempotency_keys.expires_at < now() or (idempotency_keys.answer is null
            and idempotency_keys.lease_until < now() and idempotency_keys.body_hash = ${claim.bodyHash})`,
        ),
    )
    .returning('attempt')
    .executeTakeFirst();
  return row !== undefined;
}

/** What is known of a key that was taken; null when it is free by now. */
export async function readKey(db: Kysely<Tables>, request: KeyedRequest): Promise<KeyState | null> {
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['body_hash', 'answer'])
    .where('organization_id', '=', request.organizationId)
    .where('customer_name', '=', request.customerName)
    .where('route', '=', request.route)
    .where('key', '=', request.key)
    .executeTakeFirst();
  return row === undefined ? null : { bodyHash: row.body_hash, answer: row.answer };
}

/** Keeps the answer of an attempt; false when the attempt no longer holds the key. */
export async function saveResponse(
  db: Kysely<Tables>,
  request: KeyedRequest,
  attempt: string,
  answer: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('idempotency_keys')
    .set({ answer })
    .where('organization_id', '=', request.organizationId)
    .where('customer_name', '=', request.customerName)
    .where('route', '=', request.route)
    .where('key', '=', request.key)
    .where('attempt', '=', attempt)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Frees the key of an attempt that failed, so that the request may come again. */
export async function releaseKey(db: Kysely<Tables>, request: KeyedRequest, attempt: string): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('organization_id', '=', request.organizationId)
    .where('customer_name', '=', request.customerName)
    .where('route', '=', request.route)
    .where('key', '=', request.key)
    .where('attempt', '=', attempt)
    .where('answer', 'is', null)
    .execute();
}

/** Forgets every kept answer that concerns a customer. */
export async function deleteResponsesOfCustomer(
  db: Kysely<Tables>,
  organizationId: string,
  customerName: string,
): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('organization_id', '=', organizationId)
    .where('customer_name', '=', customerName)
    .execute();
}

/** Forgets every answer that was kept long enough. */
export async function deleteExpiredResponses(db: Kysely<Tables>): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute();
}
