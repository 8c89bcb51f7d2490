import { agentLifetimeDays } from '@connector-auth/api';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import type { TokenFilter } from '../auth/denylist.ts';
import { isEnabled } from './organizations.ts';

/** Whether an agent of a statement's table `agents` may still act, as an SQL condition. */
export const isAgentLive = sql<boolean>`(
  agents.revoked_at is null
  and agents.expires_at > clock_timestamp()
  and agents.last_used_at > clock_timestamp() - make_interval(days => ${sql.lit(agentLifetimeDays.unused)})
  and exists (
    select from organizations
    where organizations.id = agents.organization_id and organizations.agent_sign_in and ${isEnabled}
  )
)`;

/**
 * Ends the agents of an application, organization or customer whose tokens are revoked, or of a person, and sign-ins that are
 * under way. Sign-ins first: one that ends meanwhile has then stored its agent.
 */
export async function revokeAgentsOf(
  db: Kysely<Tables>,
  { organizationId, applicationId, customerId, userId }: TokenFilter & { readonly userId?: string },
): Promise<void> {
  let agents = db.updateTable('agents').where('revoked_at', 'is', null);
  let signIns = db.deleteFrom('agent_sign_ins');
  if (organizationId !== undefined) {
    agents = agents.where('organization_id', '=', organizationId);
    signIns = signIns.where('organization_id', '=', organizationId);
  }
  if (applicationId !== undefined) {
    agents = agents.where('application_id', '=', applicationId);
    signIns = signIns.where('application_id', '=', applicationId);
  }
  if (customerId !== undefined) {
    agents = agents.where('customer_id', '=', customerId);
    signIns = signIns.where('customer_id', '=', customerId);
  }
  if (userId !== undefined) {
    agents = agents.where('user_id', '=', userId);
    signIns = signIns.where('user_id', '=', userId);
  }
  await signIns.execute();
  await agents.set({ revoked_at: sql<Date>`now()` }).execute();
}

/** Stores that an agent was used, once a minute. */
export async function markAgentUsed(
  db: Kysely<Tables>,
  { organizationId, agentId }: { readonly organizationId: string; readonly agentId: string },
): Promise<void> {
  await db
    .updateTable('agents')
    .set({ last_used_at: sql<Date>`now()` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', agentId)
    .where('last_used_at', '<', sql<Date>`now() - interval '1 minute'`)
    .execute();
}

/** Lets an organization have the address of the MCP server that names none, unless one has it already. */
export async function takeSharedMcpAddress(db: Kysely<Tables>, organizationId: string): Promise<void> {
  await db
    .updateTable('installation')
    .set({ mcp_organization_id: organizationId })
    .where('mcp_organization_id', 'is', null)
    .execute();
}

/** Returns the organization whose login is used at the address of the MCP server that names none. */
export async function findSharedMcpOrganization(db: Kysely<Tables>): Promise<string | null> {
  const row = await db.selectFrom('installation').select('mcp_organization_id as id').executeTakeFirst();
  return row?.id ?? null;
}

/** Returns whether the sign-in of agents is enabled for an organization. */
export async function hasAgentSignIn(db: Kysely<Tables>, organizationId: string): Promise<boolean> {
  const row = await db
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', organizationId)
    .where('agent_sign_in', '=', true)
    .where(isEnabled)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Returns the address of the MCP server that people of an organization add to their chat clients, or null if they cannot sign in
 * there. It is the one that names no organization, if that is this organization's.
 */
export async function findMcpUrl(
  db: Kysely<Tables>,
  publicUrl: string,
  organizationId: string,
): Promise<string | null> {
  if (!(await hasAgentSignIn(db, organizationId))) return null;
  const isShared = (await findSharedMcpOrganization(db)) === organizationId;
  return isShared ? `${publicUrl}/mcp` : `${publicUrl}/mcp/${organizationId}`;
}
