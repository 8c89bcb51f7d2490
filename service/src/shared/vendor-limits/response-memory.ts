import { ConnectorAuthError, Turns, type Clock } from '@connector-auth/api';
import type { Priority, ResponseMemory, Transport } from '@connector-auth/connectors/kind';
import { FairQueue, type Requester } from '../../platform/concurrency/fair-queue.ts';

/** Smaller responses are not counted, so that they never wait. */
const uncountedBytes = 64 * 1024;
/** Larger responses are parsed one after another, with other work in between. */
const largeBytes = 1024 * 1024;
const maxWaitMs = 45_000;
const retryAfterSeconds = 5;
/** The maximum parts of the memory for one organization and one customer. */
const shares = { organization: 0.75, customer: 0.25 } as const;

/** Memory that is limited for all, for an organization or for a customer. */
interface Level {
  readonly maxBytes: number;
  used: number;
  /** The scopes that hold memory, oldest first. */
  readonly holders: Set<MemoryScope>;
}

interface WaitingReservation {
  readonly requester: Requester;
  readonly scope: MemoryScope;
  readonly bytes: number;
  readonly grant: () => void;
}

/**
 * Limits the memory of this process that vendor responses use, in bytes of the responses. Requests for more
 * memory wait in fair order, interactive ones first. The scope that has held memory for the longest time, in
 * the process and of each organization and customer, can exceed the limit with its responses, so that scopes
 * which hold memory never wait for each other.
 */
export class VendorResponses {
  readonly #clock: Clock;
  readonly #process: Level;
  readonly #levels = new Map<string, Level>();
  readonly #waiting = {
    interactive: new FairQueue<WaitingReservation>(),
    background: new FairQueue<WaitingReservation>(),
  };

  /** Parsing, mapping and collecting garbage each take one iteration of the event loop. */
  readonly #turns = new Turns(3);

  constructor(clock: Clock, maxBytes: number) {
    this.#clock = clock;
    this.#process = { maxBytes, used: 0, holders: new Set() };
  }

  /** Bytes of all responses that are in memory. */
  get usedBytes(): number {
    return this.#process.used;
  }

  /** Opens a scope for the responses of one operation. The caller must release it. */
  open({ organizationId, customerId }: Requester, priority: Priority = 'interactive'): MemoryScope {
    return new MemoryScope(this, { organizationId, customerId }, priority);
  }

  /** @internal */
  reserve(scope: MemoryScope, bytes: number, signal: AbortSignal | undefined): Promise<void> | undefined {
    const { interactive, background } = this.#waiting;
    const isFirst = interactive.size === 0 && (scope.priority === 'interactive' || background.size === 0);
    if (isFirst && this.#fullLevels(scope, bytes).length === 0) {
      this.#hold(scope, bytes);
      return undefined;
    }
    return this.#wait(scope, bytes, signal);
  }

  /** @internal */
  takeTurn(): Promise<void> {
    return this.#turns.take();
  }

  /** @internal */
  free(scope: MemoryScope, bytes: number): void {
    for (const [name, level] of this.#levelsOf(scope)) {
      level.used -= bytes;
      if (level.used === 0 && name !== null) this.#levels.delete(name);
    }
    this.#grantWaiting();
  }

  /** @internal */
  leave(scope: MemoryScope): void {
    for (const [, { holders }] of this.#levelsOf(scope)) holders.delete(scope);
  }

  async #wait(scope: MemoryScope, bytes: number, signal: AbortSignal | undefined): Promise<void> {
    const { requester, priority } = scope;
    const queue = this.#waiting[priority];
    const granted = Promise.withResolvers<'granted'>();
    const reservation = { requester, scope, bytes, grant: () => granted.resolve('granted') };
    queue.add(reservation);
    this.#grantWaiting();
    const done = new AbortController();
    const giveUp = signal ? AbortSignal.any([signal, done.signal]) : done.signal;
    const tooLong = this.#clock.sleep(maxWaitMs, giveUp).then(
      () => 'too long' as const,
      () => 'aborted' as const,
    );
    const outcome = await Promise.race([granted.promise, tooLong]);
    done.abort();
    if (outcome === 'granted') return;
    // It may have been granted in the meantime; its scope then releases it.
    queue.remove(reservation);
    this.#grantWaiting();
    if (outcome === 'aborted') throw new ConnectorAuthError('aborted', 'The caller cancelled the request');
    throw new ConnectorAuthError(
      'rate_limited',
      `Too many large vendor responses at once: request fewer records per page, or try again in ${retryAfterSeconds} s`,
      { retryAfterSeconds },
    );
  }

  #grantWaiting(): void {
    for (;;) {
      const accepts = this.#accepts();
      const next = this.#waiting.interactive.next(accepts) ?? this.#waiting.background.next(accepts);
      if (next === null) return;
      this.#hold(next.scope, next.bytes);
      next.grant();
    }
  }

  /**
   * Returns a function that accepts reservations for which there is memory. A level that is full for one
   * reservation is full for all later ones of scopes that hold nothing, so that small responses do not overtake
   * large ones forever.
   */
  #accepts(): (reservation: WaitingReservation) => boolean {
    const isFull = new Set<Level>();
    return ({ scope, bytes }) => {
      const levels = [...this.#levelsOf(scope)].map(([, level]) => level);
      if (!scope.isHolding && levels.some(level => isFull.has(level))) return false;
      const full = this.#fullLevels(scope, bytes);
      if (!scope.isHolding) for (const level of full) isFull.add(level);
      return full.length === 0;
    };
  }

  #fullLevels(scope: MemoryScope, bytes: number): Level[] {
    return [...this.#levelsOf(scope)].flatMap(([, level]) => {
      const [oldest] = level.holders;
      const isFree = level.used === 0 || level.used + bytes <= level.maxBytes || oldest === scope;
      return isFree ? [] : [level];
    });
  }

  #hold(scope: MemoryScope, bytes: number): void {
    for (const [name, level] of this.#levelsOf(scope)) {
      if (name !== null) this.#levels.set(name, level);
      level.used += bytes;
      level.holders.add(scope);
    }
    scope.held += bytes;
  }

  *#levelsOf({ requester }: MemoryScope): Generator<readonly [name: string | null, level: Level]> {
    const { organizationId, customerId } = requester;
    yield [null, this.#process];
    yield this.#level(organizationId, shares.organization);
    yield this.#level(`${organizationId} ${customerId}`, shares.customer);
  }

  #level(name: string, share: number): [string, Level] {
    const maxBytes = this.#process.maxBytes * share;
    return [name, this.#levels.get(name) ?? { maxBytes, used: 0, holders: new Set() }];
  }
}

/** The responses of one operation, such as an execute or the page of a sync run. */
export class MemoryScope implements ResponseMemory {
  readonly requester: Requester;
  readonly priority: Priority;
  /** @internal */
  held = 0;
  readonly #responses: VendorResponses;
  /** Frees what was taken over and is not free yet. */
  readonly #taken = new Set<() => void>();
  #uncounted = 0;
  #isReleased = false;

  constructor(responses: VendorResponses, requester: Requester, priority: Priority) {
    this.#responses = responses;
    this.requester = requester;
    this.priority = priority;
  }

  get isHolding(): boolean {
    return this.held > 0;
  }

  reserve(bytes: number, signal?: AbortSignal): Promise<void> | undefined {
    const total = this.#uncounted + bytes;
    if (total <= uncountedBytes && !this.isHolding) {
      this.#uncounted = total;
      return undefined;
    }
    this.#uncounted = 0;
    const wait = this.#responses.reserve(this, total, signal);
    return wait === undefined ? undefined : this.#holdUnlessReleased(wait);
  }

  async #holdUnlessReleased(wait: Promise<void>): Promise<void> {
    await wait;
    // The operation ended while it waited.
    if (this.#isReleased) this.release();
  }

  takeTurn(bytes: number, signal?: AbortSignal): Promise<void> | undefined {
    return bytes < largeBytes ? undefined : this.#takeLongTurn(bytes, signal);
  }

  async #takeLongTurn(bytes: number, signal: AbortSignal | undefined): Promise<void> {
    // The records and the serialized result need at least as much memory again.
    await this.reserve(bytes, signal);
    await this.#responses.takeTurn();
  }

  /** Frees all memory, also what was taken over. */
  release(): void {
    this.#isReleased = true;
    this.takeOver();
    for (const free of this.#taken) free();
  }

  /** Returns a function that frees what is held now. What the scope reserves later is not freed. */
  takeOver(): () => void {
    const bytes = this.held;
    this.held = 0;
    this.#uncounted = 0;
    if (bytes === 0) return () => {};
    this.#responses.leave(this);
    const free = (): void => {
      if (this.#taken.delete(free)) this.#responses.free(this, bytes);
    };
    this.#taken.add(free);
    return free;
  }
}

/** Returns a transport that counts each response until it is parsed, unless the call counts it. */
export function transportFor(
  transport: Transport,
  responses: VendorResponses,
  requester: Requester,
): Transport {
  const count: Transport = async (request, call) => {
    const memory = responses.open(requester);
    try {
      return await transport(request, { ...call, memory });
    } finally {
      memory.release();
    }
  };
  return (request, call) => (call.memory === undefined ? count : transport)(request, call);
}
