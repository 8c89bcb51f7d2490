import { sql, type Kysely, type RawBuilder } from 'kysely';
import { hashOf } from '../../../platform/crypto/random-secret.ts';
import type { SealContext } from '../../../platform/crypto/seal.ts';
import { installationWide } from '../../../platform/crypto/sealed-columns.ts';
import type { Tables } from '../../../platform/database/tables.ts';
import type { AgentToken } from '../../../shared/auth/agent-token.ts';
import { isAgentLive } from '../../../shared/repositories/agents.ts';
import { tokenIssueTime } from '../../../shared/repositories/revocations.ts';

/** More clients can register only in place of unused ones. Clients with a metadata document need not. */
export const maxRegisteredClients = 10_000;
/** How long a client that registers has until a person has allowed it. */
const unusedClientHours = 24;
/** How long it has if there is no space for others. */
const minUnusedClientHours = 1;
/** Strangers can start sign-ins, each of which is stored until it ends. A new one replaces the oldest of the same MCP server. */
const maxWaitingSignIns = 10_000;
const cleanupBatch = 1_000;

/** Returns what identifies a record in the database. It cannot be used as a code or token. */
export function keyOf(model: string, id: string): string {
  return model === 'Client' ? id : hashOf(id).toString('base64url');
}

/** What the payload of a record is sealed for. */
export function recordContext(model: string, key: string): SealContext {
  return {
    organizationId: installationWide,
    table: 'authorization_records',
    column: 'payload',
    row: key,
    owner: { customerId: null, kind: model, version: null },
  };
}

/** Verifies an access token as `VerifyAgentToken` says, with one query. */
export async function verifyAccessToken(
  db: Kysely<Tables>,
  token: string,
  resource: string,
): Promise<AgentToken | null> {
  const row = await db
    .selectFrom('authorization_records as record')
    .innerJoin('agents', 'agents.id', 'record.agent_id')
    .innerJoin('customers', join =>
      join
        .onRef('customers.organization_id', '=', 'agents.organization_id')
        .onRef('customers.id', '=', 'agents.customer_id'),
    )
    .where('record.model', '=', 'AccessToken')
    .where('record.key', '=', keyOf('AccessToken', token))
    .where(sql<boolean>`record.expires_at > now()`)
    .where('agents.resource', '=', resource)
    .where(isAgentLive)
    .select([
      'agents.organization_id as organizationId',
      'agents.id as agentId',
      'agents.application_id as applicationId',
      'agents.client_id as clientId',
      'agents.client_name as clientName',
      'agents.client_host as clientHost',
      'agents.user_id as userId',
      'agents.user_name as userName',
      'record.scopes as tokenScopes',
      'agents.scopes as agentScopes',
      'agents.allowed_scopes as allowedScopes',
      'agents.allowed_sources as allowedSources',
      'agents.allowed_data as allowedData',
      'agents.authorized_at as authorizedAt',
      'agents.last_used_at as lastUsedAt',
      'customers.id as customerId',
      'customers.name as customerName',
    ])
    .select(tokenIssueTime().as('verifiedAtUs'))
    .executeTakeFirst();
  if (row === undefined) return null;
  const { tokenScopes, agentScopes, customerId, customerName, ...agent } = row;
  return {
    ...agent,
    customer: { id: customerId, name: customerName },
    scopes: agentScopes.filter(scope => tokenScopes?.includes(scope)),
  };
}

/**
 * Deletes records that have expired, and registered clients that no person has allowed. Safe to run in several processes
 * at once.
 */
export async function deleteOldRecords(db: Kysely<Tables>, closing: AbortSignal): Promise<void> {
  for (const isOld of [sql<boolean>`expires_at < now()`, isUnusedClient(unusedClientHours)]) {
    let deleted = cleanupBatch;
    while (deleted === cleanupBatch && !closing.aborted) {
      const { numAffectedRows } = await sql`
        delete from authorization_records where (model, key) in (
          select model, key from authorization_records where ${isOld}
          limit ${sql.lit(cleanupBatch)} for update skip locked
        )`.execute(db);
      deleted = Number(numAffectedRows ?? 0);
    }
  }
}

/** Deletes the oldest registered client that no person has allowed. Returns false if all of them are recent. */
export async function deleteUnusedClient(db: Kysely<Tables>): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from authorization_records where (model, key) in (
      select model, key from authorization_records where ${isUnusedClient(minUnusedClientHours)}
      order by created_at limit 1 for update skip locked
    )`.execute(db);
  return Number(numAffectedRows ?? 0) > 0;
}

/** Deletes the sign-ins to an MCP server that have waited longest, so that there is space for another. */
export async function deleteOldestSignIns(db: Kysely<Tables>, resource: string): Promise<void> {
  await sql`
    delete from authorization_records where (model, key) in (
      select model, key from authorization_records where model = 'Interaction' and resource = ${resource}
      order by created_at desc offset ${sql.lit(maxWaitingSignIns - 1)} for update skip locked
    )`.execute(db);
}

function isUnusedClient(hours: number): RawBuilder<boolean> {
  return sql`(
    model = 'Client' and created_at < now() - make_interval(hours => ${sql.lit(hours)})
    and not exists (select from agents where agents.client_id = key)
  )`;
}
