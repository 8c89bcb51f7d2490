import { agentLifetimeDays, type Agent, type PageMeta } from '@connector-auth/api';
import { sql, type Kysely } from 'kysely';
import { z } from 'zod';
import { decodeCursor, defaultPageSize, storableTime, toPage } from '../../platform/database/paging.ts';
import type { RowOf, Tables } from '../../platform/database/tables.ts';
import type { Tenant } from '../../shared/auth/caller.ts';
import { isAgentLive } from '../../shared/repositories/agents.ts';

/** An agent that is to be ended, with its customer. */
export type FoundAgent = Pick<
  RowOf<typeof selectAgents>,
  'organizationId' | 'id' | 'customerId' | 'customerName' | 'userId' | 'clientId' | 'resource' | 'isRevoked'
>;

function selectAgents(db: Kysely<Tables>) {
  return db
    .selectFrom('agents')
    .innerJoin('customers', join =>
      join
        .onRef('customers.organization_id', '=', 'agents.organization_id')
        .onRef('customers.id', '=', 'agents.customer_id'),
    )
    .select([
      'agents.organization_id as organizationId',
      'agents.id',
      'agents.customer_id as customerId',
      'customers.name as customerName',
      'agents.user_id as userId',
      'agents.user_name as userName',
      'agents.client_id as clientId',
      'agents.client_name as clientName',
      'agents.client_host as clientHost',
      'agents.scopes',
      'agents.allowed_sources as allowedSources',
      'agents.authorized_at as authorizedAt',
      'agents.last_used_at as lastUsedAt',
      'agents.expires_at as expiresAt',
      'agents.resource',
      sql<boolean>`agents.revoked_at is not null`.as('isRevoked'),
    ]);
}

function ofTenant(db: Kysely<Tables>, { organizationId, customerId }: Tenant) {
  return selectAgents(db)
    .where('agents.organization_id', '=', organizationId)
    .$if(customerId !== null, query => query.where('agents.customer_id', '=', customerId));
}

const position = z.tuple([storableTime, z.uuid()]);

/** Returns a page of the agents that can still act, newest first. */
export async function listAgents(
  db: Kysely<Tables>,
  tenant: Tenant,
  customerName: string | undefined,
  {
    limit = defaultPageSize,
    cursor,
  }: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
): Promise<{ data: Agent[]; meta: PageMeta }> {
  const after = decodeCursor(cursor, position);
  let query = ofTenant(db, tenant)
    .where(isAgentLive)
    .orderBy('agents.authorized_at', 'desc')
    .orderBy('agents.id', 'desc')
    .limit(limit + 1);
  if (customerName !== undefined) query = query.where('customers.name', '=', customerName);
  if (after !== undefined) {
    query = query.where(
      sql<boolean>`(agents.authorized_at, agents.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`,
    );
  }
  const { rows, meta } = toPage(await query.execute(), limit, ({ authorizedAt, id }) => [
    authorizedAt.toISOString(),
    id,
  ]);
  return { data: rows.map(toAgent), meta };
}

function toAgent(row: RowOf<typeof selectAgents>): Agent {
  return {
    id: row.id,
    client: { id: row.clientId, name: row.clientName, host: row.clientHost },
    customer_name: row.customerName,
    user: { id: row.userId, name: row.userName },
    scopes: [...row.scopes],
    allowed_sources: row.allowedSources === null ? null : [...row.allowedSources],
    authorized_at: row.authorizedAt.toISOString(),
    last_used_at: row.lastUsedAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
  };
}

/** Finds an agent, whether or not it can still act. */
export async function findAgent(db: Kysely<Tables>, tenant: Tenant, id: string): Promise<FoundAgent | null> {
  return (await ofTenant(db, tenant).where('agents.id', '=', id).executeTakeFirst()) ?? null;
}

/** Finds an agent of any organization. Only operators can address agents in this way. */
export async function findAnyAgent(db: Kysely<Tables>, id: string): Promise<FoundAgent | null> {
  return (await selectAgents(db).where('agents.id', '=', id).executeTakeFirst()) ?? null;
}

/** How long agents are kept after their end, in days. */
const retentionDays = 30;
const batchSize = 1_000;

/** Deletes the agents that ended 30 days ago, with their tokens. */
export async function deleteEndedAgents(db: Kysely<Tables>): Promise<void> {
  for (const [column, days] of [
    ['revoked_at', retentionDays],
    ['expires_at', retentionDays],
    ['last_used_at', agentLifetimeDays.unused + retentionDays],
  ] as const) {
    await deleteBefore(db, 'agents', column, days);
  }
}

/** Deletes the sign-ins that have expired. */
export async function deleteExpiredSignIns(db: Kysely<Tables>): Promise<void> {
  await deleteBefore(db, 'agent_sign_ins', 'expires_at', 0);
}

/** Deletes the rows whose time is that many days ago, in batches that hold their locks briefly. */
async function deleteBefore(
  db: Kysely<Tables>,
  table: 'agents' | 'agent_sign_ins',
  column: string,
  days: number,
): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`delete from ${sql.table(table)}
      where (organization_id, id) in (
        select organization_id, id from ${sql.table(table)}
        where ${sql.ref(column)} < now() - make_interval(days => ${sql.lit(days)})
        limit ${sql.lit(batchSize)}
      )`.execute(db);
    if (numAffectedRows < batchSize) return;
  }
}
