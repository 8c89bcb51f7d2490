import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import type { KeyTable } from './key-tables.ts';

/** Identifies an `Idempotency-Key`. Each caller and route has its own set of keys. */
export type KeyedRequest<Owner> = Owner & {
  readonly route: string;
  readonly key: string;
};

/** The state of the first request with a key. */
export interface KeyState {
  readonly bodyHash: Uint8Array;
  /** The response as lossless JSON, or null while the first request is running. */
  readonly response: string | null;
  /** Whether the lease of the attempt has expired. */
  readonly isAbandoned: boolean;
}

/**
 * Reserves a key for an attempt if the key is unused, has expired, or, for a repeatable request, is reserved for the
 * same body by an attempt whose lease has expired. Uses the database's clock.
 */
export async function acquireKey<Owner>(
  db: Kysely<Tables>,
  table: KeyTable<Owner>,
  request: KeyedRequest<Owner>,
  reservation: {
    readonly bodyHash: Uint8Array;
    readonly attempt: string;
    readonly leaseSeconds: number;
    readonly responseTtlSeconds: number;
    readonly isRepeatable: boolean;
  },
): Promise<boolean> {
  const { bodyHash, attempt, leaseSeconds, responseTtlSeconds, isRepeatable } = reservation;
  const id = idColumns(table, request);
  const idNames = sql.join(Object.keys(id).map(name => sql.ref(name)));
  const response = sql.ref(table.responseColumn);
  const { rows } = await sql`
    insert into ${sql.table(table.name)} as present
      (${idNames}, body_hash, attempt, lease_until, expires_at)
    values (${sql.join(Object.values(id))}, ${bodyHash}, ${attempt},
      now() + make_interval(secs => ${leaseSeconds}), now() + make_interval(secs => ${responseTtlSeconds}))
    on conflict (${idNames}) do update
      set body_hash = excluded.body_hash, attempt = excluded.attempt, lease_until = excluded.lease_until,
        expires_at = excluded.expires_at, ${response} = null
      where present.expires_at < now() or (${isRepeatable} and present.${response} is null
        and present.lease_until < now() and present.body_hash = excluded.body_hash)
    returning attempt`.execute(db);
  return rows.length > 0;
}

/** Returns the state of a key, or null if the key is not stored. */
export async function readKey<Owner>(
  db: Kysely<Tables>,
  table: KeyTable<Owner>,
  request: KeyedRequest<Owner>,
): Promise<KeyState | null> {
  const { rows } = await sql<{
    bodyHash: Uint8Array;
    attempt: string;
    stored: string | Uint8Array | null;
    isAbandoned: boolean;
  }>`
    select body_hash as "bodyHash", attempt, ${sql.ref(table.responseColumn)} as stored,
      lease_until < now() as "isAbandoned"
    from ${sql.table(table.name)} where ${isKeyOf(table, request)}`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  const { bodyHash, attempt, stored, isAbandoned } = row;
  const ref = { route: request.route, attempt };
  return { bodyHash, response: stored === null ? null : table.decode(stored, ref), isAbandoned };
}

/** Stores the response to an attempt. Returns false if another attempt has taken over the key. */
export async function saveResponse<Owner>(
  db: Kysely<Tables>,
  table: KeyTable<Owner>,
  request: KeyedRequest<Owner>,
  { attempt, response }: { readonly attempt: string; readonly response: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ${sql.table(table.name)}
    set ${sql.ref(table.responseColumn)} = ${table.encode(response, { route: request.route, attempt })}
    where ${isKeyOf(table, request)} and attempt = ${attempt}`.execute(db);
  return numAffectedRows !== undefined && numAffectedRows > 0n;
}

/** Releases the key of a failed attempt, so that the request can be retried with the same key. */
export async function releaseKey<Owner>(
  db: Kysely<Tables>,
  table: KeyTable<Owner>,
  request: KeyedRequest<Owner>,
  attempt: string,
): Promise<void> {
  await sql`
    delete from ${sql.table(table.name)}
    where ${isKeyOf(table, request)} and attempt = ${attempt} and ${sql.ref(table.responseColumn)} is null`.execute(
    db,
  );
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

export async function deleteExpiredResponses<Owner>(
  db: Kysely<Tables>,
  { name }: KeyTable<Owner>,
): Promise<void> {
  await sql`delete from ${sql.table(name)} where expires_at < now()`.execute(db);
}

function isKeyOf<Owner>(table: KeyTable<Owner>, request: KeyedRequest<Owner>): RawBuilder<boolean> {
  const conditions = Object.entries(idColumns(table, request)).map(
    ([name, value]) => sql`${sql.ref(name)} = ${value}`,
  );
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

function idColumns<Owner>(
  table: KeyTable<Owner>,
  request: KeyedRequest<Owner>,
): Readonly<Record<string, string>> {
  return { ...table.ownerColumns(request), route: request.route, key: request.key };
}
