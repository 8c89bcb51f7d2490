import { randomUUID } from 'node:crypto';
import {
  ConnectorAuthError,
  customerName,
  directionless,
  directionRule,
  type Customer,
  type PageMeta,
} from '@connector-auth/api';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { decodeCursor, toPage } from '../../platform/database/paging.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { holdOffIncidents } from './incidents.ts';

/**
 * Returns the id of the customer with this name, creating it if needed.
 * @param displayName stored with the customer, unless it is undefined.
 * @throws ConnectorAuthError `malformed_request` if a new name can change the direction of the text around it.
 */
export async function ensureCustomer(
  db: Kysely<Tables>,
  organizationId: string,
  name: string,
  displayName?: string,
): Promise<string> {
  const present = await db
    .selectFrom('customers')
    .select(['id', 'display_name'])
    .where('organization_id', '=', organizationId)
    .where('name', '=', name)
    .executeTakeFirst();
  if (present !== undefined && (displayName === undefined || displayName === present.display_name))
    return present.id;
  if (present === undefined && !directionless.test(name)) {
    throw ConnectorAuthError.invalid('malformed_request', [
      { path: 'customer_name', message: directionRule },
    ]);
  }
  const names = displayName === undefined ? { name } : { name, display_name: displayName };
  const { id } = await db
    .insertInto('customers')
    .values({ organization_id: organizationId, id: randomUUID(), ...names })
    // Without a display name, this update changes nothing, but makes the statement return the id if another request
    // inserted the row first.
    .onConflict(conflict => conflict.columns(['organization_id', 'name']).doUpdateSet(names))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Identifies a customer. */
export interface CustomerRef {
  readonly organizationId: string;
  readonly id: string;
  readonly name: string;
}

/** Finds a customer in any organization. Only operators can address customers in this way. */
export async function findAnyCustomer(db: Kysely<Tables>, id: string): Promise<CustomerRef | null> {
  const row = await db
    .selectFrom('customers')
    .select(['organization_id as organizationId', 'id', 'name'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** Returns the id of the customer with this name. */
export async function findCustomer(
  db: Kysely<Tables>,
  organizationId: string,
  name: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('customers')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function customerExists(
  db: Kysely<Tables>,
  organizationId: string,
  id: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('customers')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Prevents a customer from being deleted, and other transactions from locking the customer, until the
 * transaction ends. Returns false if the customer does not exist.
 */
export async function lockCustomer(
  transaction: Kysely<Tables>,
  organizationId: string,
  id: string,
): Promise<boolean> {
  const row = await transaction
    .selectFrom('customers')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

const position = z.tuple([customerName]);

/** Returns a page of customers, sorted by name. */
export async function listCustomers(
  db: Kysely<Tables>,
  organizationId: string,
  page: { readonly limit: number; readonly cursor: string | undefined },
): Promise<{ data: Customer[]; meta: PageMeta }> {
  const after = decodeCursor(page.cursor, position);
  const found = await db
    .selectFrom('customers')
    .select(['id', 'name', 'created_at'])
    .where('organization_id', '=', organizationId)
    .$if(after !== undefined, query => query.where('name', '>', after?.[0] ?? ''))
    .orderBy('name')
    .limit(page.limit + 1)
    .execute();
  const { rows, meta } = toPage(found, page.limit, last => [last.name]);
  return {
    data: rows.map(({ id, name, created_at }) => ({ id, name, created_at: created_at.toISOString() })),
    meta,
  };
}

/**
 * Prevents others from connecting anything for a customer that is about to be deleted, until the transaction ends. Returns
 * the id, or null if the customer does not exist.
 */
export async function lockCustomerToDelete(
  transaction: Kysely<Tables>,
  organizationId: string,
  name: string,
): Promise<string | null> {
  // Declaring an incident locks the same connectors, in another order.
  await holdOffIncidents(transaction);
  const id = await findCustomer(transaction, organizationId, name);
  return id !== null && (await lockCustomer(transaction, organizationId, id)) ? id : null;
}

/** Deletes a customer and, through foreign keys, its connectors and sessions. */
export async function deleteCustomer(
  db: Kysely<Tables>,
  { organizationId, id }: Pick<CustomerRef, 'organizationId' | 'id'>,
): Promise<void> {
  await db
    .deleteFrom('customers')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}
