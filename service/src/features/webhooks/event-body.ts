import { events, type EventName } from '@connector-auth/api';
import type { StoredFeedPosition } from '../../platform/database/tables.ts';
import { expiryOf, type ChangeCursors, type FeedPosition } from '../../shared/records/change-cursors.ts';
import type { FeedState } from '../../shared/repositories/record-changes.ts';

/** An event as it is stored. */
export interface StoredEvent {
  readonly organizationId: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly readFrom: StoredFeedPosition | null;
  readonly createdAt: Date;
}

/**
 * Returns the body that webhooks receive, which is the same in each attempt until its cursor expires.
 * @param feed can be null if the event has no position.
 */
export function eventBody(event: StoredEvent, cursors: ChangeCursors, feed: FeedState | null) {
  const { type, data, createdAt } = event;
  return {
    type,
    timestamp: createdAt.toISOString(),
    data: hasCursor(type) ? { ...data, cursor: cursorOf(event, cursors, feed) } : data,
  };
}

/** Returns null if the changes can no longer be read. */
function cursorOf(
  { organizationId, readFrom }: StoredEvent,
  cursors: ChangeCursors,
  feed: FeedState | null,
): string | null {
  if (readFrom === null || feed === null) return null;
  const position = toPosition(readFrom);
  return expiryOf(position, feed) === null ? cursors.write(organizationId, position) : null;
}

/** Returns whether readers still have to wait for the changes that an event reports. */
export function isAheadOfFeed({ readFrom }: StoredEvent, feed: FeedState): boolean {
  return readFrom !== null && readFrom.epoch === feed.epoch && BigInt(readFrom.last_xid) >= feed.horizon;
}

function toPosition({ epoch, xid, sequence, time_ms: timeMs }: StoredFeedPosition): FeedPosition {
  return { epoch, xid: BigInt(xid), sequence, keys: 0, timeMs };
}

function hasCursor(type: string): boolean {
  // A newer process may have stored a type that this version does not know.
  return Object.hasOwn(events, type) && 'cursor' in events[type as EventName].data.shape;
}
