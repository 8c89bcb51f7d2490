import type { Connector } from '@connector-auth/api';
import { aboutConnector } from '../audit-log/entry.ts';
import { requireAction, type Caller } from '../auth/caller.ts';
import type { Call } from '../http/handler.ts';
import { notifySyncDue } from '../notifications/sync-due.ts';
import { makeDue } from '../repositories/sync-state.ts';
import { requireConnector } from '../tenancy/connectors.ts';
import { toRecord } from './connector-response.ts';
import type { ConnectorsContext } from './context.ts';

/**
 * Schedules a connector's sync to start immediately, and returns without waiting for it to finish.
 * @throws ConnectorAuthError `action_not_allowed` if the token does not allow `search`;
 * `connector_not_found`.
 */
export async function syncNow(
  { db, kinds, notifications }: ConnectorsContext,
  caller: Caller,
  id: string,
  audit: Call<'syncConnector'>['audit'],
): Promise<Connector> {
  requireAction(caller, 'search');
  const { stored, kind } = await requireConnector(db, kinds, caller, id);
  audit(aboutConnector(stored));
  await makeDue(db, stored);
  await notifySyncDue(notifications);
  return toRecord(db, kind, stored);
}
