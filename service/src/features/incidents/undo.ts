import { ConnectorAuthError } from '@connector-auth/api';
import type { Incident } from '@connector-auth/api/admin';
import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import { topics } from '../../platform/notifications/topics.ts';
import type { AdminCaller } from '../../shared/auth/admin-caller.ts';
import { stopRevocations } from '../../shared/repositories/grant-revocations.ts';
import {
  endIncident,
  findIncident,
  lockIncidents,
  unfreezeConnectors,
} from '../../shared/repositories/incidents.ts';
import type { IncidentsContext } from './context.ts';

/**
 * Ends an incident: stops the pending revocations and unfreezes the connectors, except those in another open
 * incident. Connectors whose grant was revoked, or may have been, become `needs_reauth`. Revoked tokens, expired
 * client secrets and a disabled application stay as they are. Has no effect if the incident was undone before.
 * @throws ConnectorAuthError `incident_not_found`.
 */
export async function undoIncident(
  { db, notifications, log }: IncidentsContext,
  caller: AdminCaller,
  id: string,
): Promise<Incident> {
  const isEnded = await db.transaction().execute(async transaction => {
    await lockIncidents(transaction);
    if (!(await endIncident(transaction, id))) return false;
    // Before the connectors, so that it waits for the claims of running attempts.
    await stopRevocations(transaction, id);
    await unfreezeConnectors(transaction, id);
    return true;
  });
  if (isEnded) {
    await notifications.notify(topics.syncDue);
    log.warn('incident_undone', { incident_id: id, admin_key_id: caller.keyId });
  }
  return requireIncident(db, id);
}

/** @throws ConnectorAuthError `incident_not_found`. */
export async function requireIncident(db: Kysely<Tables>, id: string): Promise<Incident> {
  const incident = await findIncident(db, id);
  if (incident !== null) return incident;
  throw new ConnectorAuthError('incident_not_found', 'No incident has this id');
}
