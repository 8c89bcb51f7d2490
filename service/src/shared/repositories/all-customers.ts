/* Lists the customers of all organizations, for operators. Migration 0017 has the indexes. */
import type { PageMeta } from '@connector-auth/api';
import { sql, type Kysely } from 'kysely';
import { toPage } from '../../platform/database/paging.ts';
import {
  byName,
  byTime,
  nameContains,
  sortedPage,
  type SortedQuery,
} from '../../platform/database/sorted-page.ts';
import type { RowOf, Tables } from '../../platform/database/tables.ts';

export type ListedCustomer = RowOf<typeof selectCustomers>;

/** Returns a page of customers, sorted by name unless the query says otherwise. */
export async function listAllCustomers(
  db: Kysely<Tables>,
  organizationId: string | undefined,
  query: SortedQuery<'name' | 'created_at'>,
): Promise<{ rows: readonly ListedCustomer[]; meta: PageMeta }> {
  const page = sortedPage(query, {
    id: 'customers.id',
    keys: { name: byName('customers.name'), created_at: byTime('customers.created_at') },
  });
  let customers = selectCustomers(db).select(page.position).where(page.isAfter);
  if (organizationId !== undefined) customers = customers.where('organizations.id', '=', organizationId);
  if (query.search !== undefined) customers = customers.where(nameContains('customers.name', query.search));
  const found = await customers
    .orderBy(page.order)
    .limit(page.limit + 1)
    .execute();
  return toPage(found, page.limit, ({ position }) => position);
}

/** Returns the customer with this id, or null. */
export async function findListedCustomer(db: Kysely<Tables>, id: string): Promise<ListedCustomer | null> {
  const row = await selectCustomers(db).where('customers.id', '=', id).executeTakeFirst();
  return row ?? null;
}

function selectCustomers(db: Kysely<Tables>) {
  return db
    .selectFrom('customers')
    .innerJoin('organizations', 'organizations.id', 'customers.organization_id')
    .select([
      'customers.id',
      'customers.name',
      'organizations.id as organizationId',
      'organizations.name as organizationName',
      'customers.created_at as createdAt',
      // The number of the customer's connectors.
      sql<number>`(select count(*) from connectors
        where connectors.organization_id = customers.organization_id and connectors.customer_id = customers.id
          and delete_at is null)`.as('connectors'),
    ]);
}
