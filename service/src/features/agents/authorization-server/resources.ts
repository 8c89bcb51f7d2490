import { uuid } from '@connector-auth/api';
import type { Kysely } from 'kysely';
import type { Tables } from '../../../platform/database/tables.ts';
import { findSharedMcpOrganization, hasAgentSignIn } from '../../../shared/repositories/agents.ts';
import { isEnabled } from '../../../shared/repositories/organizations.ts';

/** Where the server's metadata is, which must be at the root. */
export const metadataPath = '/.well-known/oauth-authorization-server';

/**
 * Returns the organization whose login is used at an MCP server's URL, which is compared for equality. Null if there is
 * no MCP server with this URL, or the organization has not enabled the sign-in of agents.
 */
export async function findResourceOrganization(
  db: Kysely<Tables>,
  publicUrl: string,
  resource: string,
): Promise<string | null> {
  const shared = `${publicUrl}/mcp`;
  const { data: named } = uuid.safeParse(resource.slice(shared.length + 1));
  const id =
    resource === shared
      ? await findSharedMcpOrganization(db)
      : named !== undefined && resource === `${shared}/${named.toLowerCase()}`
        ? named
        : null;
  return id !== null && (await hasAgentSignIn(db, id)) ? id : null;
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
