import type { Connector, Language } from '@connector-auth/api';
import { topics } from '../../platform/notifications/topics.ts';
import { makeDue } from '../../shared/repositories/sync-state.ts';
import { requireConnector, type AuditedCaller } from '../../shared/tenancy/connectors.ts';
import { toRecord } from './connector-response.ts';
import type { ConnectorsContext } from './context.ts';

/**
 * Schedules a connector's sync to start immediately, and returns without waiting for it to finish.
 * @throws ConnectorAuthError `action_not_allowed` if the token does not allow `search`;
 * `connector_not_found`; `connector_disabled`; `connector_frozen`.
 */
export async function syncNow(
  context: ConnectorsContext,
  { caller, audit }: AuditedCaller,
  id: string,
  language: Language,
): Promise<Connector> {
  caller.rights.requireAction('search');
  const { db, notifications } = context;
  const { stored, kind } = await requireConnector(context, { caller, audit }, id, 'use');
  await makeDue(db, stored);
  await notifications.notify(topics.syncDue);
  return toRecord(context, kind, stored, language);
}
