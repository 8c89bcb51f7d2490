import type { Connector } from '@connector-auth/api';
import { ago } from '../format.ts';

/** What a card says about its source. */
export type Freshness =
  /** Nothing can be shown yet. `progress` is a share, or null if unknown. */
  | { readonly is: 'importing'; readonly text: string; readonly progress: number | null }
  | { readonly is: 'fresh'; readonly text: string }
  /** Something is shown, but it is out of date or incomplete, and this says why and what to do. */
  | { readonly is: 'stale'; readonly text: string; readonly hasToReconnect: boolean };

/** Describes how current one type of data of a connector is. */
export function freshnessOf(connector: Connector, entity: string, nowMs: number): Freshness {
  const { name, status, sync } = connector;
  const state = sync.entities[entity];
  const synced = state?.last_synced_at ?? null;
  const last = synced === null ? '' : ` Last updated ${ago(synced, nowMs)}.`;
  if (status === 'needs_reauth') {
    const text = `Your ${name} sign-in expired.${last} Reconnect to get new data.`;
    return { is: 'stale', text, hasToReconnect: true };
  }
  if (status !== 'active') {
    const text = `${name} is paused.${last} Contact Fieldbook support to resume it.`;
    return { is: 'stale', text, hasToReconnect: false };
  }
  if (state?.state === 'failed') {
    const reason = state.last_error === null ? '' : ` ${state.last_error}`;
    const text = `${name} couldn’t be updated.${last} We’ll try again soon.${reason}`;
    return { is: 'stale', text, hasToReconnect: false };
  }
  if (synced === null) {
    return { is: 'importing', text: `Importing from ${name}…`, progress: sync.progress ?? null };
  }
  return { is: 'fresh', text: `${name}, updated ${ago(synced, nowMs)}` };
}

/** Returns when shown data has to be read again: the time of the last sync, or the records imported so far. */
export function versionOf(connector: Connector, entity: string): string {
  const state = connector.sync.entities[entity];
  return state?.last_synced_at ?? String(state?.records ?? 0);
}
