import { sql, type Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';

/** Identifies an `Idempotency-Key`. Each customer and route has its own set of keys. */
export interface KeyedRequest {
  readonly organizationId: string;
  readonly customerName: string;
  readonly route: string;
  readonly key: string;
}

/** The state of the first request with a key. */
export interface KeyState {
  readonly bodyHash: Uint8Array;
  /** The response as lossless JSON, or null while the first request is running. */
  readonly response: string | null;
}

const columns = (request: KeyedRequest) => ({
  organization_id: request.organizationId,
  customer_name: request.customerName,
  route: request.route,
  key: request.key,
});

/**
 * Reserves a key for an attempt if the key is unused, has expired, or is reserved for the same body by an
 * attempt whose lease has expired. Uses the database's clock.
 */
export async function acquireKey(
  db: Kysely<Tables>,
  request: KeyedRequest,
  reservation: {
    readonly bodyHash: Uint8Array;
    readonly attempt: string;
    readonly leaseSeconds: number;
    readonly responseTtlSeconds: number;
  },
): Promise<boolean> {
  const reserved = {
    body_hash: reservation.bodyHash,
    attempt: reservation.attempt,
    lease_until: sql<Date>`now() + make_interval(secs => ${reservation.leaseSeconds})`,
    expires_at: sql<Date>`now() + make_interval(secs => ${reservation.responseTtlSeconds})`,
    answer: null,
  };
  const row = await db
    .insertInto('idempotency_keys')
    .values({ ...columns(request), ...reserved })
    .onConflict(conflict =>
      conflict
        .columns(['organization_id', 'customer_name', 'route', 'key'])
        .doUpdateSet(reserved)
        .where(
          sql<boolean>`idempotency_keys.expires_at < now() or (idempotency_keys.answer is null
            and idempotency_keys.lease_until < now() and idempotency_keys.body_hash = ${reservation.bodyHash})`,
        ),
    )
    .returning('attempt')
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the state of a key, or null if the key is not stored. */
export async function readKey(db: Kysely<Tables>, request: KeyedRequest): Promise<KeyState | null> {
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['body_hash', 'answer'])
    .where('organization_id', '=', request.organizationId)
    .where('customer_name', '=', request.customerName)
    .where('route', '=', request.route)
    .where('key', '=', request.key)
    .executeTakeFirst();
  return row === undefined ? null : { bodyHash: row.body_hash, response: row.answer };
}

/** Stores the response to an attempt. Returns false if another attempt has taken over the key. */
export async function saveResponse(
  db: Kysely<Tables>,
  request: KeyedRequest,
  attempt: string,
  response: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('idempotency_keys')
    .set({ answer: response })
    .where('organization_id', '=', request.organizationId)
    .where('customer_name', '=', request.customerName)
    .where('route', '=', request.route)
    .where('key', '=', request.key)
    .where('attempt', '=', attempt)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Releases the key of a failed attempt, so that the request can be retried with the same key. */
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

export async function deleteExpiredResponses(db: Kysely<Tables>): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute();
}
