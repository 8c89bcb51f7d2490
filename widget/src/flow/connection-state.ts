import type { Connector, EntitySync } from '@connector-auth/api';

/**
 * What users see of a connector: one state, derived from its status and its sync.
 *
 * - `expired`: the vendor no longer accepts the sign-in.
 * - `paused`: by an operator or an incident.
 * - `limited`: the vendor's rate limit delays the sync until `until`.
 * - `failing`: some or all types of data cannot be synced at present.
 * - `syncing`: `progress` is the share that is done, from 0 to 1; null if unknown.
 * - `current`: `since` is when the least recently synced type of data was synced; null if nothing is synced.
 */
export type ConnectionState =
  | { readonly name: 'expired' | 'paused' }
  | { readonly name: 'limited'; readonly until: string | null }
  | { readonly name: 'failing'; readonly isPartial: boolean }
  | { readonly name: 'syncing'; readonly progress: number | null }
  | { readonly name: 'current'; readonly since: string | null };

/** Returns the one state of a connector. Whatever the user can act on comes first. */
export function connectionState({ status, sync }: Pick<Connector, 'status' | 'sync'>): ConnectionState {
  if (status === 'needs_reauth') return { name: 'expired' };
  if (status !== 'active') return { name: 'paused' };
  const entities = Object.values(sync.entities);
  const failed = entities.filter(({ state }) => state === 'failed').length;
  if (failed) return { name: 'failing', isPartial: failed < entities.length };
  const limited = entities.filter(isLimited);
  if (limited.length)
    return { name: 'limited', until: earliest(limited.map(({ retry_at }) => retry_at ?? null)) };
  if (entities.some(({ state }) => state !== 'done')) {
    return { name: 'syncing', progress: sync.progress ?? null };
  }
  return { name: 'current', since: earliest(entities.map(({ last_synced_at }) => last_synced_at)) };
}

/** Returns whether the vendor's rate limit delays the sync of a type of data. */
export function isLimited({ state, retry_at }: EntitySync): boolean {
  return state === 'waiting' && !!retry_at;
}

/** ISO 8601 times in UTC sort as text. */
function earliest(times: readonly (string | null)[]): string | null {
  return times.filter(time => time !== null).sort()[0] ?? null;
}
