import { ConnectorAuthError } from '@connector-auth/api';
import type { Kind } from '@connector-auth/connectors/kind';
import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import type { Tenant } from '../auth/caller.ts';
import { findOrganization } from '../repositories/organizations.ts';

/**
 * Throws if the operator has not enabled a kind for the caller's organization. Call this before something new is
 * connected: connectors that exist continue to work.
 * @throws ConnectorAuthError `source_not_allowed`.
 */
export async function requireEnabledKind(
  db: Kysely<Tables>,
  { organizationId }: Tenant,
  { key, name }: Pick<Kind, 'key' | 'name'>,
): Promise<void> {
  const { enabled_kinds: enabled } = await findOrganization(db, organizationId);
  if (enabled?.includes(key) ?? true) return;
  throw new ConnectorAuthError(
    'source_not_allowed',
    `An operator has not enabled ${name} for this organization`,
  );
}
