/*
 * What every surface shows of a connection, derived from the rows of its types of data by one function. Surfaces
 * translate the names. Imports types only, because browsers load this file.
 */
import type { Connector, EntitySync, SyncState } from './connectors.ts';

/** The colour of a state: green, blue, amber, red or grey. */
export type ConnectionTone = 'good' | 'info' | 'warn' | 'bad' | 'neutral';

/**
 * The states of a connection with their colours. A connection has the first state that applies, so what someone can
 * act on comes before the rest.
 *
 * - `expired`: the vendor no longer accepts the sign-in.
 * - `failing`, `partly_failing`: all or some types of data cannot be synced at present. The service retries them.
 * - `limited`: the vendor's rate limit delays everything that is still to be synced.
 * - `paused`: by an operator or an incident.
 * - `unavailable`: the service does not have the kind at present.
 * - `syncing`: at least one type of data is being synced or is next.
 * - `current`: everything is synced.
 * - `connected`: there is nothing to sync.
 */
export const connectionTones = {
  expired: 'warn',
  failing: 'bad',
  partly_failing: 'warn',
  limited: 'neutral',
  paused: 'neutral',
  unavailable: 'neutral',
  syncing: 'info',
  current: 'good',
  connected: 'good',
} as const satisfies Readonly<Record<string, ConnectionTone>>;
export type ConnectionStateName = keyof typeof connectionTones;

/** The word for each state in English, for surfaces that are not translated. */
export const connectionWords: Readonly<Record<ConnectionStateName, string>> = {
  expired: 'Needs reconnecting',
  failing: 'Sync failing',
  partly_failing: 'Partly failing',
  limited: 'Paused by the source',
  paused: 'Paused',
  unavailable: 'Not available',
  syncing: 'Syncing',
  current: 'Up to date',
  connected: 'Connected',
};

export interface ConnectionState {
  readonly name: ConnectionStateName;
  readonly tone: ConnectionTone;
  /**
   * How much of the data `search` finds, which is also the name of the sentence about it: `none` if data is only read on
   * demand, `building` while there is no record, `preview` while there are some of the records, and `ready` once every
   * type of data was synced.
   */
  readonly data: SyncState['status'];
  /** How many records `search` finds, in all types of data. */
  readonly records: number;
  /** How many types of data were synced at least once, and how many there are. */
  readonly finished: number;
  readonly total: number;
  /** The share of the types of data whose first sync is done; null if all are, or while nothing is synced. */
  readonly progress: number | null;
  /** Whether something is being synced, also if it is retried, or is next. */
  readonly isUnderWay: boolean;
  /** When anything was last synced, or null. */
  readonly since: string | null;
  /** When the first sync that is delayed continues, or null. */
  readonly until: string | null;
  /** The code of the error that all failing types of data share; null if there is none or they differ. */
  readonly errorCode: string | null;
}

/** What is shown of one type of data of a connection that is neither expired nor paused. */
export type EntityState = 'failing' | 'syncing' | 'limited' | 'current';

/** Derives everything that is shown of a connection from its status and the rows of its types of data. */
export function connectionState({
  status,
  sync,
}: {
  readonly status: Connector['status'];
  readonly sync: Pick<SyncState, 'entities'>;
}): ConnectionState {
  const entities = Object.values(sync.entities);
  const states = entities.map(entityState);
  const isActive = status === 'active';
  const total = entities.length;
  const synced = timesOf(entities, 'last_synced_at');
  const finished = synced.length;
  const records = entities.reduce((sum, entity) => sum + entity.records, 0);
  const failing = entities.filter(entity => entityState(entity) === 'failing');
  const isSyncing = states.includes('syncing');
  const [code = null, ...otherCodes] = new Set(failing.map(entity => entity.last_error_code));
  const name: ConnectionStateName =
    status === 'needs_reauth'
      ? 'expired'
      : status === 'unavailable'
        ? 'unavailable'
        : !isActive
          ? 'paused'
          : failing.length > 0
            ? failing.length < total
              ? 'partly_failing'
              : 'failing'
            : isSyncing
              ? 'syncing'
              : states.includes('limited')
                ? 'limited'
                : total > 0
                  ? 'current'
                  : 'connected';
  return {
    name,
    tone: connectionTones[name],
    data: total === 0 ? 'none' : finished === total ? 'ready' : records > 0 ? 'preview' : 'building',
    records,
    finished,
    total,
    progress: isActive && finished < total ? finished / total : null,
    isUnderWay: isActive && (isSyncing || entities.some(({ state }) => state === 'running')),
    since: synced.at(-1) ?? null,
    until: timesOf(entities, 'retry_at')[0] ?? null,
    errorCode: otherCodes.length > 0 ? null : code,
  };
}

/** Returns the state of one type of data of an active connector. */
export function entityState({ state, last_error, retry_at }: EntitySync): EntityState {
  // The error remains while the sync is retried, until the retry has stored data.
  if (state === 'failed' || (state === 'running' && last_error)) return 'failing';
  if (state === 'waiting' && retry_at) return 'limited';
  return state === 'done' ? 'current' : 'syncing';
}

/** Returns times in order. ISO 8601 times in UTC sort as text. */
function timesOf(entities: readonly EntitySync[], name: 'last_synced_at' | 'retry_at'): readonly string[] {
  return entities.flatMap(entity => entity[name] ?? []).sort();
}

/**
 * Derives the hue of a letter tile, which replaces a missing icon, in degrees. It depends on all characters of the name,
 * so that names with the same first letter differ.
 */
export function hueOf(name: string): number {
  let sum = 0;
  for (let at = 0; at < name.length; at++) sum = (sum * 31 + name.charCodeAt(at)) % 360;
  return sum;
}
