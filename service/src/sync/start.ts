import type { Connector } from '@connector-auth/api';
import type { Kind } from '@connector-auth/connectors/kind';
import type { Kysely } from 'kysely';
import { requireAction, type Caller } from '../auth/caller.ts';
import type { Tables } from '../database/tables.ts';
import type { Kinds } from '../definitions/registry.ts';
import type { Signals } from '../notifications/notifications.ts';
import type { Row } from '../repositories/connectors.ts';
import { addEntities, makeDue } from '../repositories/sync-state.ts';
import { requireConnector, toRecord } from '../tenancy/connectors.ts';

/** Signalled when something is due that was not: whoever has a free turn looks. */
const topic = 'sync';

/** Makes every searchable entity of a new connector due, in the transaction that stores the connector. */
export async function beginSync(db: Kysely<Tables>, kind: Kind, connector: Row): Promise<void> {
  await addEntities(db, connector, searchableEntities(kind));
}

/**
 * Synchronises a connector now instead of at its next time. Answers at once; the record shows how far it is.
 * @throws ConnectorAuthError `action_not_allowed` when the token may not search; `connector_not_found`.
 */
export async function syncNow(
  { db, kinds, signals }: { db: Kysely<Tables>; kinds: Kinds; signals: Signals },
  caller: Caller,
  id: string,
): Promise<Connector> {
  requireAction(caller, 'search');
  const { stored, kind } = await requireConnector(db, kinds, caller, id);
  await makeDue(db, stored);
  await announceDue(signals);
  return toRecord(db, kind, stored);
}

/** Tells every process that something is due. Lost, it only makes them find out some seconds later. */
export function announceDue(signals: Signals): Promise<void> {
  return signals.send(topic);
}

/** Listens for what {@link announceDue} tells. */
export function listenForDue(signals: Signals): ReturnType<Signals['listen']> {
  return signals.listen(topic);
}

/** Names of a kind's entities that are synchronised. */
export function searchableEntities({ entities }: Pick<Kind, 'entities'>): string[] {
  return Object.entries(entities).flatMap(([name, { search }]) => (search ? [name] : []));
}
