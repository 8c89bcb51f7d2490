/** The events about the customer that Fieldbook's backend has received since the page was opened. */

export interface ShownEvent {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: object;
  /** What the type of event means. */
  readonly summary: string;
}

/** The events of one type. */
export interface EventGroup {
  readonly count: number;
  readonly first: ShownEvent;
  readonly latest: ShownEvent;
}

/** Dispatches `change` with each new event. */
class EventLog extends EventTarget {
  readonly #groups = new Map<string, EventGroup>();
  readonly #ids = new Set<string>();

  /** The events by type, in the order in which the first ones happened. */
  get groups(): readonly EventGroup[] {
    return [...this.#groups.values()].toSorted((one, other) =>
      one.first.timestamp < other.first.timestamp ? -1 : 1,
    );
  }

  listen(): void {
    new EventSource('/api/events').addEventListener('message', ({ data }: MessageEvent<string>) => {
      // The backend writes this shape.
      this.add(JSON.parse(data) as ShownEvent);
    });
  }

  add(event: ShownEvent): void {
    // An event can arrive more than once.
    if (this.#ids.has(event.id)) return;
    this.#ids.add(event.id);
    const { count, first, latest } = this.#groups.get(event.type) ?? {
      count: 0,
      first: event,
      latest: event,
    };
    // Several are sent at once, so they can arrive in another order.
    this.#groups.set(event.type, {
      count: count + 1,
      first: event.timestamp < first.timestamp ? event : first,
      latest: event.timestamp < latest.timestamp ? latest : event,
    });
    this.dispatchEvent(new Event('change'));
  }
}

export const events = new EventLog();
