import { agentLifetimeDays, uuid } from '@connector-auth/api';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
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

/** Returns whether any organization lets agents sign in. */
export async function isAgentSignInEnabled(db: Kysely<Tables>): Promise<boolean> {
  const found = await db
    .selectFrom('organizations')
    .select('id')
    .where('agent_sign_in', '=', true)
    .where(isEnabled)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Returns an address of the MCP server: that of an organization, or the one that names none. */
export function mcpAddress(publicUrl: string, organizationId: string | null): string {
  return organizationId === null ? `${publicUrl}/mcp` : `${publicUrl}/mcp/${organizationId}`;
}

/**
 * Returns the organization whose login is used at an address of the MCP server, which is compared for equality. Null if this is
 * no such address, or agents cannot sign in there, as in a service whose URL has a path.
 */
export async function findSignInOrganization(
  db: Kysely<Tables>,
  publicUrl: string,
  address: string,
): Promise<string | null> {
  const { data } = uuid.safeParse(address.slice(mcpAddress(publicUrl, '').length));
  const named = data?.toLowerCase() ?? null;
  if (address !== mcpAddress(publicUrl, named) || new URL(publicUrl).pathname !== '/') return null;
  const row = await db
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', sql<string>`coalesce(${named}, (select mcp_organization_id from installation))`)
    .where('agent_sign_in', '=', true)
    .where(isEnabled)
    .executeTakeFirst();
  return row?.id ?? null;
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
  for (const named of [null, organizationId]) {
    const address = mcpAddress(publicUrl, named);
    if ((await findSignInOrganization(db, publicUrl, address)) === organizationId) return address;
  }
  return null;
}
