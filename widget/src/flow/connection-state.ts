import type { Connector, EntitySync, SyncState } from '@connector-auth/api';

/**
 * What users see of a connector: one state, derived from its status and its sync.
 *
 * - `expired`: the vendor no longer accepts the sign-in.
 * - `paused`: by an operator or an incident.
 * - `failing`: some or all types of data cannot be synced at present. The service retries them.
 * - `syncing`: `progress` is the share that is done, from 0 to 1; null if unknown.
 * - `limited`: the vendor's rate limit delays everything that is still to be synced until `until`.
 * - `current`: `since` is when the least recently synced type of data was synced; null if nothing is synced.
 */
export type ConnectionState =
  | { readonly name: 'expired' | 'paused' }
  | { readonly name: 'failing'; readonly isPartial: boolean }
  | { readonly name: 'syncing'; readonly progress: number | null }
  | { readonly name: 'limited'; readonly until: string | null }
  | { readonly name: 'current'; readonly since: string | null };

/** What users see of one type of data. */
export type EntityState = 'failing' | 'syncing' | 'limited' | 'current';

/** Returns the one state of a connector. Whatever the user can act on comes first. */
export function connectionState({ status, sync }: Pick<Connector, 'status' | 'sync'>): ConnectionState {
  if (status === 'needs_reauth') return { name: 'expired' };
  if (status !== 'active') return { name: 'paused' };
  const entities = Object.values(sync.entities);
  const states = entities.map(entityState);
  if (states.includes('failing')) {
    return { name: 'failing', isPartial: states.some(state => state !== 'failing') };
  }
  if (states.includes('syncing')) return { name: 'syncing', progress: sync.progress ?? null };
  return states.includes('limited')
    ? { name: 'limited', until: earliest(entities.map(({ retry_at = null }) => retry_at)) }
    : { name: 'current', since: earliest(entities.map(({ last_synced_at }) => last_synced_at)) };
}

/** Returns the state of one type of data of an active connector. */
export function entityState({ state, last_error, retry_at }: EntitySync): EntityState {
  // The error remains while the sync is retried, until the retry has stored data.
  if (state === 'failed' || (state === 'running' && last_error)) return 'failing';
  if (state === 'waiting' && retry_at) return 'limited';
  return state === 'done' ? 'current' : 'syncing';
}

/** Returns the code of the error that all failing types of data share, or null if they differ. */
export function sharedErrorCode({ entities }: SyncState): string | null {
  const failing = Object.values(entities).filter(entity => entityState(entity) === 'failing');
  const codes = new Set(failing.map(({ last_error_code: code = null }) => code));
  const [code = null] = codes;
  return codes.size === 1 ? code : null;
}

/** ISO 8601 times in UTC sort as text. */
function earliest(times: readonly (string | null)[]): string | null {
  return times.filter(time => time !== null).sort()[0] ?? null;
}
