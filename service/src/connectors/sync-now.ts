import type { Connector } from '@connector-auth/api';
import type { Kysely } from 'kysely';
import { requireAction, type Caller } from '../auth/caller.ts';
import type { Tables } from '../database/tables.ts';
import type { KindRegistry } from '../definitions/registry.ts';
import type { Notifications } from '../notifications/notifications.ts';
import { notifySyncDue } from '../notifications/sync-due.ts';
import { makeDue } from '../repositories/sync-state.ts';
import { requireConnector } from '../tenancy/connectors.ts';
import { toRecord } from './connector-response.ts';

/**
 * Synchronises a connector now instead of at its next time. Answers at once; the record shows how far it is.
 * @throws ConnectorAuthError `action_not_allowed` when the token may not search; `connector_not_found`.
 */
export async function syncNow(
  { db, kinds, notifications }: { db: Kysely<Tables>; kinds: KindRegistry; notifications: Notifications },
  caller: Caller,
  id: string,
): Promise<Connector> {
  requireAction(caller, 'search');
  const { stored, kind } = await requireConnector(db, kinds, caller, id);
  await makeDue(db, stored);
  await notifySyncDue(notifications);
  return toRecord(db, kind, stored);
}
