import { Duplex } from 'node:stream';
import { callbackify } from 'node:util';

/** Time limits of a session; without them it may take as long as it likes. */
export interface SessionLimits {
  statementTimeoutMs: number;
  idleTransactionTimeoutMs: number;
}

/** Who does the session's work. */
interface Backend {
  /** Answers one batch of frontend messages. */
  execute(batch: Uint8Array): Promise<Uint8Array>;
  /** Runs the session's last batch, if there still is a session. */
  discard(batch: Uint8Array): Promise<void>;
}

/**
 * What pg takes for a socket: writes become batches for PGlite, its answers become reads.
 *
 * pg corks its writes, so that one write is one batch ending in `Sync` or a simple query. When the session ends, whatever it
 * left open (a transaction, settings, advisory locks) is discarded before anyone else's batch.
 */
export class PgliteSession extends Duplex {
  readonly #limits: SessionLimits | null;
  readonly #backend: Backend;
  #idleTransaction: NodeJS.Timeout | undefined;

  constructor(limits: SessionLimits | null, backend: Backend) {
    super();
    this.#limits = limits;
    this.#backend = backend;
  }

  /** Called by pg in place of a socket's; there is nobody to dial. */
  connect(): this {
    process.nextTick(() => this.emit('connect'));
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    callbackify(() => this.#send(chunk))(callback);
  }

  override _writev(chunks: readonly { chunk: Buffer }[], callback: (error?: Error | null) => void): void {
    callbackify(() => this.#send(Buffer.concat(chunks.map(({ chunk }) => chunk))))(callback);
  }

  override _final(callback: (error?: Error | null) => void): void {
    this.push(null);
    callback();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    clearTimeout(this.#idleTransaction);
    // It only fails when the database stopped, and the session with it.
    callbackify(() => this.#backend.discard(discardSession))(() => callback(error));
  }

  async #send(batch: Buffer): Promise<void> {
    // Terminate would shut PGlite down; ending the stream ends the session.
    if (batch[0] === terminate) return;
    clearTimeout(this.#idleTransaction);
    const reply = await this.#backend.execute(batch);
    if (this.#limits && isInTransaction(reply)) {
      this.#idleTransaction = setTimeout(
        () => this.destroy(new Error('Connection terminated: the transaction was idle for too long')),
        this.#limits.idleTransactionTimeoutMs,
      );
    }
    this.push(reply);
  }
}

/** The frontend's `Terminate` message. */
const terminate = 'X'.charCodeAt(0);

/** Every answer ends in ReadyForQuery, whose last byte tells the transaction's state: I(dle), T(ransaction), E(rror in one). */
function isInTransaction(reply: Uint8Array): boolean {
  return reply.at(-1) !== 'I'.charCodeAt(0);
}

/** Two messages, for `discard all` must not run inside a transaction. */
const discardSession = Buffer.concat([simpleQuery('rollback'), simpleQuery('discard all')]);

function simpleQuery(text: string): Buffer {
  const body = Buffer.from(`${text}\0`);
  const head = Buffer.alloc(5);
  head.write('Q');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
