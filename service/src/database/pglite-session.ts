import { Duplex } from 'node:stream';
import { callbackify } from 'node:util';

export interface SessionLimits {
  statementTimeoutMs: number;
  idleTransactionTimeoutMs: number;
}

interface Backend {
  /** Executes one batch of frontend messages and returns the backend's messages. */
  execute(batch: Uint8Array): Promise<Uint8Array>;
  /** Executes the session's last batch, unless its worker has ended. */
  discard(batch: Uint8Array): Promise<void>;
}

/**
 * A stream that replaces pg's socket: writes become batches for PGlite, and its responses become reads.
 *
 * pg corks its writes, so that one write is one batch ending in `Sync` or a simple query. When the session ends, its
 * open transaction, settings and advisory locks are discarded before the next session's first batch.
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

  /** pg calls this to connect; there is no server to connect to. */
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
    // Fails only if the database stopped, which ended the session too.
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

/** Every reply ends with ReadyForQuery, whose last byte is the transaction state: I(dle), T(ransaction), E(rror in one). */
function isInTransaction(reply: Uint8Array): boolean {
  return reply.at(-1) !== 'I'.charCodeAt(0);
}

/** Two messages, because `discard all` must not run inside a transaction. */
const discardSession = Buffer.concat([simpleQuery('rollback'), simpleQuery('discard all')]);

function simpleQuery(text: string): Buffer {
  const body = Buffer.from(`${text}\0`);
  const head = Buffer.alloc(5);
  head.write('Q');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
