/* Lists the connectors of all organizations, for operators. Migration 0017 has the indexes. */
import type { ConnectorStatus, PageMeta } from '@connector-auth/api';
import type { ActiveState } from '@connector-auth/api/admin';
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
import { derivedStatus, hasKindFor, isPresent, isUsable } from './connectors.ts';
import { activeState } from './sync-state.ts';

/** A connector as operators see it, without its grant. */
export type ListedConnector = RowOf<typeof listedConnectors>;

export interface ConnectorFilter {
  readonly organizationId: string | undefined;
  readonly customerId: string | undefined;
  readonly customerName: string | undefined;
  readonly kind: string | undefined;
  readonly status: ConnectorStatus | ActiveState | undefined;
  /** The keys of the kinds that are loaded. */
  readonly loaded: readonly string[];
}

function listedConnectors(db: Kysely<Tables>) {
  return db
    .selectFrom('connectors')
    .innerJoin('customers', join =>
      join
        .onRef('customers.organization_id', '=', 'connectors.organization_id')
        .onRef('customers.id', '=', 'connectors.customer_id'),
    )
    .innerJoin('organizations', 'organizations.id', 'connectors.organization_id')
    .select([
      'connectors.id',
      'connectors.organization_id as organizationId',
      'organizations.name as organizationName',
      'connectors.customer_id as customerId',
      'customers.name as customerName',
      'connectors.kind',
      'connectors.name',
      'connectors.auth_method as authMethod',
      'connectors.disabled_at as disabledAt',
      'connectors.incident_id as incidentId',
      'connectors.created_at as createdAt',
      'connectors.updated_at as updatedAt',
    ])
    .select(derivedStatus.as('status'))
    .where(isPresent);
}

export async function findListedConnector(db: Kysely<Tables>, id: string): Promise<ListedConnector | null> {
  const row = await listedConnectors(db).where('connectors.id', '=', id).executeTakeFirst();
  return row ?? null;
}

const isActive = sql<boolean>`connectors.status = 'active' and ${isUsable}`;

/**
 * The conditions of each derived status. Literals, not parameters, let PostgreSQL use the index on connectors that
 * are not active.
 */
const hasStatus: Readonly<Partial<Record<ConnectorStatus | ActiveState, ReturnType<typeof sql<boolean>>>>> = {
  active: isActive,
  needs_reauth: sql<boolean>`connectors.status = 'needs_reauth' and ${isUsable}`,
  disabled: sql<boolean>`connectors.disabled_at is not null and connectors.incident_id is null`,
  frozen: sql<boolean>`connectors.incident_id is not null`,
  unavailable: isUsable,
};

/** Returns a page of connectors, newest first unless the query says otherwise. */
export async function listAllConnectors(
  db: Kysely<Tables>,
  { organizationId, customerId, customerName, kind, status, loaded }: ConnectorFilter,
  query: SortedQuery<'name' | 'created_at' | 'updated_at'>,
): Promise<{ rows: readonly ListedConnector[]; meta: PageMeta }> {
  const page = sortedPage(
    { ...query, sort: query.sort ?? '-created_at' },
    {
      id: 'connectors.id',
      keys: {
        name: byName('connectors.name'),
        created_at: byTime('connectors.created_at'),
        updated_at: byTime('connectors.updated_at'),
      },
    },
  );
  let connectors = listedConnectors(db).select(page.position).where(page.isAfter);
  if (organizationId !== undefined) connectors = connectors.where('organizations.id', '=', organizationId);
  if (customerId !== undefined) connectors = connectors.where('customers.id', '=', customerId);
  if (customerName !== undefined) connectors = connectors.where('customers.name', '=', customerName);
  if (kind !== undefined) connectors = connectors.where('connectors.kind', '=', kind);
  if (status !== undefined) {
    connectors = connectors
      .where(hasStatus[status] ?? sql<boolean>`${isActive} and ${activeState} = ${status}`)
      .where(hasKindFor(status, loaded));
  }
  if (query.search !== undefined)
    connectors = connectors.where(nameContains('connectors.name', query.search));
  const found = await connectors
    .orderBy(page.order)
    .limit(page.limit + 1)
    .execute();
  return toPage(found, page.limit, ({ position }) => position);
}
