import type { ConnectorStatus, Language, SyncState } from '@connector-auth/api';
import { titleOf, type Kind } from '@connector-auth/connectors/kind';
import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import { readProgress, type EntityState, type Progress } from '../../shared/repositories/sync-state.ts';

type EntitySync = SyncState['entities'][string];

/** Returns the sync progress of connectors by their id. */
export async function readProgressOf(
  db: Kysely<Tables>,
  organizationId: string,
  connectorIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Progress[]>> {
  const rows = await readProgress(db, organizationId, connectorIds);
  return Map.groupBy(rows, ({ connectorId }) => connectorId);
}

/** The connector whose sync is shown. */
export interface SyncedConnector {
  readonly kind: Kind;
  readonly status: ConnectorStatus;
  /** The language of the entities' titles. */
  readonly language: Language;
}

/**
 * Derives a connector's sync state from its entities. Returns `none` if the kind has no searchable entities,
 * `building` before the first page is stored, `preview` while only some records are searchable, and `ready`
 * after every entity has completed a sync run. Only active connectors are synced.
 */
export function syncStateOf(
  { kind, status, language }: SyncedConnector,
  progress: readonly Progress[],
): SyncState {
  const order = Object.keys(kind.entities);
  const entities = progress.toSorted((one, other) => order.indexOf(one.entity) - order.indexOf(other.entity));
  const isActive = status === 'active';
  return {
    status: statusOf(entities),
    entities: Object.fromEntries(
      entities.map(progress => [
        progress.entity,
        {
          title: titleOf(kind, progress.entity, language),
          ...toEntitySync(progress),
          retry_at: isActive ? retryAt(progress) : null,
        },
      ]),
    ),
    progress: isActive ? shareOf(entities) : null,
    next_sync_at: isActive ? nextRunAt(entities) : null,
  };
}

function statusOf(entities: readonly Progress[]): SyncState['status'] {
  if (entities.length === 0) return 'none';
  if (entities.every(({ lastSyncedAt }) => lastSyncedAt !== null)) return 'ready';
  const hasRecords = entities.some(({ lastSyncedAt, records }) => lastSyncedAt !== null || records > 0);
  return hasRecords ? 'preview' : 'building';
}

export function toEntitySync({ state, records, lastSyncedAt, lastErrorCode }: Progress): EntitySync {
  return {
    state: wireState(state, lastSyncedAt !== null),
    records,
    last_synced_at: lastSyncedAt?.toISOString() ?? null,
    last_error: 'lastError' in state ? state.lastError : null,
    last_error_code: lastErrorCode,
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

function retryAt({ state, resumeAt }: Progress): string | null {
  const isDelayed = state.name === 'limited' || state.name === 'failed';
  return isDelayed ? (resumeAt?.toISOString() ?? null) : null;
}

/** Returns the mean share of all entities that is up to date, or null if no sync is under way. */
function shareOf(entities: readonly Progress[]): number | null {
  if (!entities.some(isUnderWay)) return null;
  const shares = entities.map(progress => progress.runShare ?? (isUnderWay(progress) ? 0 : 1));
  return shares.reduce((sum, share) => sum + share, 0) / entities.length;
}

/** Returns whether an entity is being synced or waits for it. One that failed does so only while it is retried. */
function isUnderWay({ state, lastSyncedAt }: Progress): boolean {
  return state.name !== 'failed' && wireState(state, lastSyncedAt !== null) !== 'done';
}

/** Returns when the first of the entities that are not due begins its next run. */
function nextRunAt(entities: readonly Progress[]): string | null {
  const waiting = entities.filter(({ state }) => state.name !== 'idle' || !state.isDue);
  const [first] = waiting.map(progress => progress.nextRunAt.getTime()).toSorted((one, other) => one - other);
  return first === undefined ? null : new Date(first).toISOString();
}
