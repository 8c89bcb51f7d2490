import { ConnectorAuthError } from '@connector-auth/api';

const retryAfterSeconds = 5;

/** How many requests of one key may be under way, and how many more may wait until one of them is done. */
export interface Room {
  readonly atOnce: number;
  readonly waiting: number;
}

interface Line {
  inside: number;
  /** In the order they came. */
  readonly waiting: Set<() => void>;
}

/** Gives each key's requests so many places, in this process: who finds none free waits in line, who finds the line full is refused. */
export class Places {
  readonly #room: Room;
  readonly #refusal: string;
  readonly #lines = new Map<string, Line>();

  /** @param refusal what to tell who is refused, without its full stop. */
  constructor(room: Room, refusal: string) {
    this.#room = room;
    this.#refusal = refusal;
  }

  /**
   * Takes a place, until what it gives is called.
   * @param signal aborted when nobody wants the place any more.
   * @throws ConnectorAuthError `rate_limited` when too many wait already; `aborted`.
   */
  async take(key: string, signal: AbortSignal): Promise<() => void> {
    const line = this.#lines.get(key) ?? { inside: 0, waiting: new Set() };
    if (line.inside < this.#room.atOnce) {
      line.inside++;
      this.#lines.set(key, line);
    } else if (line.waiting.size < this.#room.waiting) {
      await turnIn(line, signal);
    } else {
      throw new ConnectorAuthError(
        'rate_limited',
        `${this.#refusal}, or try again in ${retryAfterSeconds} s`,
        {
          retryAfterSeconds,
        },
      );
    }
    return () => this.#leave(key, line);
  }

  /** Takes a place for as long as the work goes on. */
  async hold<Result>(key: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    const leave = await this.take(key, signal);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Who waits takes over the place of who leaves. */
  #leave(key: string, line: Line): void {
    const [next] = line.waiting;
    if (next !== undefined) return next();
    line.inside--;
    if (line.inside === 0) this.#lines.delete(key);
  }
}

/** Resolves when the turn has come; who gives up waiting is in nobody's way. */
function turnIn(line: Line, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      line.waiting.delete(enter);
      signal.removeEventListener('abort', giveUp);
    };
    const enter = (): void => {
      end();
      resolve();
    };
    const giveUp = (): void => {
      end();
      reject(new ConnectorAuthError('aborted', 'The caller left before its turn came'));
    };
    line.waiting.add(enter);
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) giveUp();
  });
}
