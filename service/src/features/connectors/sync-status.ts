import type { ConnectorStatus, EntitySync, Language, SyncState } from '@connector-auth/api';
import { connectionState } from '@connector-auth/api/connection-state';
import { titleOf, type Kind } from '@connector-auth/connectors/kind';
import type { ConnectorSync, EntityState, Progress } from '../../shared/repositories/sync-state.ts';

/** Returns the status of a connector whose kind is not loaded. What operators have decided still applies. */
export function unavailable(status: ConnectorStatus): ConnectorStatus {
  return status === 'disabled' || status === 'frozen' ? status : 'unavailable';
}

/** Describes a connector's sync. Only active connectors are synced. */
export function syncStateOf(kind: Kind, { status, entities }: ConnectorSync, language: Language): SyncState {
  const order = Object.keys(kind.entities);
  const ordered = entities.toSorted((one, other) => order.indexOf(one.entity) - order.indexOf(other.entity));
  const rows = Object.fromEntries(
    ordered.map(progress => [
      progress.entity,
      { title: titleOf(kind, progress.entity, language), ...toEntitySync(progress, status) },
    ]),
  );
  const { data, progress } = connectionState({ status, sync: { entities: rows } });
  return {
    status: data,
    entities: rows,
    progress,
    next_sync_at: status === 'active' ? nextRunAt(ordered) : null,
  };
}

export function toEntitySync(
  { state, records, lastSyncedAt, lastErrorCode, resumeAt }: Progress,
  status: ConnectorSync['status'],
): EntitySync {
  const isDelayed = status === 'active' && (state.name === 'limited' || state.name === 'failed');
  return {
    state: wireState(state, lastSyncedAt !== null),
    records,
    last_synced_at: lastSyncedAt?.toISOString() ?? null,
    last_error: 'lastError' in state ? state.lastError : null,
    last_error_code: lastErrorCode,
    retry_at: isDelayed ? (resumeAt?.toISOString() ?? null) : null,
  };
}

/** Converts an entity state to its public name. Time slices are internal and not shown to users. */
function wireState(state: EntityState, isSynced: boolean): EntitySync['state'] {
  switch (state.name) {
    case 'running':
    case 'paused':
      return 'running';
    case 'limited':
      return 'waiting';
    case 'failed':
      return 'failed';
    case 'idle':
      return state.isDue || !isSynced ? 'waiting' : 'done';
  }
}

/** Returns when the first of the entities that are not due begins its next run. */
function nextRunAt(entities: readonly Progress[]): string | null {
  const waiting = entities.filter(({ state }) => state.name !== 'idle' || !state.isDue);
  const [first] = waiting.map(progress => progress.nextRunAt.getTime()).toSorted((one, other) => one - other);
  return first === undefined ? null : new Date(first).toISOString();
}
