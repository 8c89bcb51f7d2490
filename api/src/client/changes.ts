import type { Change, ListChangesResponse } from '../contract/changes.ts';
import type { CallOptions } from './caller.ts';
import type { EndpointInput } from './messages.ts';

export type ListChangesQuery = EndpointInput<'listChanges'>['query'];

/** A change, and where to resume after it. */
export type FollowedChange<Records extends object = Readonly<Record<string, unknown>>> = Change<Records> & {
  /** Store it after the change, and pass it as `cursor` to resume. Some changes before it can be repeated. */
  readonly cursor: string;
};

export interface FollowOptions extends CallOptions {
  /** How long each request waits for changes, in seconds. With 0, the iteration ends when none are left. Default: 25. */
  readonly waitSeconds?: number | undefined;
  /**
   * Called with a new cursor after all changes before it, also if there were none. Store this cursor if nothing may change for days,
   * because cursors expire.
   */
  readonly onCursor?: ((cursor: string) => Promise<void> | void) | undefined;
}

const defaultWaitSeconds = 25;

/**
 * Follows changes, page by page.
 * @param fetchPage sends one request.
 */
export async function* followChanges<Records extends object>(
  fetchPage: (query: ListChangesQuery, options: CallOptions) => Promise<ListChangesResponse>,
  query: Omit<ListChangesQuery, 'wait_seconds'>,
  { waitSeconds = defaultWaitSeconds, onCursor, ...options }: FollowOptions = {},
): AsyncGenerator<FollowedChange<Records>, void> {
  let { cursor } = query;
  for (;;) {
    const page = await fetchPage({ ...query, cursor, wait_seconds: waitSeconds }, options);
    const { changes } = page;
    for (const [index, change] of changes.entries()) {
      const followed = { ...change, cursor: index === changes.length - 1 ? page.cursor : cursor };
      // The contract declares the records as unknown; the caller states what they are.
      yield followed as FollowedChange<Records>;
    }
    if (page.cursor !== cursor) await onCursor?.(page.cursor);
    ({ cursor } = page);
    if (waitSeconds === 0 && !page.has_more) return;
  }
}
