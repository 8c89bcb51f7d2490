import { events, type EventName } from '@connector-auth/api';

/** An event as it is stored. */
export interface StoredEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
}

/** Returns the body that webhooks receive, which is the same in each attempt. */
export function eventBody(event: StoredEvent) {
  const { type, data, createdAt } = event;
  return {
    type,
    timestamp: createdAt.toISOString(),
    data: hasCursor(type) ? { ...data, cursor: cursorOf(event) } : data,
  };
}

function hasCursor(type: string): boolean {
  // A newer process may have stored a type that this version does not know.
  return Object.hasOwn(events, type) && 'cursor' in events[type as EventName].data.shape;
}

/** Returns where to read the changes that an event reports. Null, because this version has no change feed. */
function cursorOf(_event: StoredEvent): string | null {
  return null;
}
