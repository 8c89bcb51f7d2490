/** An event as it is stored. */
export interface StoredEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
}

/** Returns the body that webhooks receive, which is the same in each attempt. */
export function eventBody({ type, data, createdAt }: StoredEvent) {
  return { type, timestamp: createdAt.toISOString(), data };
}
