import { Duplex } from 'node:stream';
import { callbackify } from 'node:util';

export interface SessionLimits {
  statementTimeoutMs: number;
  idleTransactionTimeoutMs: number;
}

interface Backend {
  /** Executes one batch of frontend messages and returns the backend's responses. */
  execute(batch: Uint8Array): Promise<Uint8Array>;
  /** Executes the last batch of the session, unless its worker has exited. */
  discard(batch: Uint8Array): Promise<void>;
}

/**
 * A stream that replaces pg's socket. Writes become PGlite batches, and PGlite's responses become reads.
 *
 * pg corks its writes, so each write is one batch that ends in `Sync` or a simple query. When the session
 * ends, its open transaction, settings and advisory locks are discarded before the first batch of the next
 * session.
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

  /** Called by pg to connect. Does nothing but report success, because there is no server. */
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
    // Fails only if the database has stopped, which has also ended the session.
    callbackify(() => this.#backend.discard(discardSession))(() => callback(error));
  }

  async #send(batch: Buffer): Promise<void> {
    // A Terminate message would shut down PGlite. Ending the stream ends the session instead.
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

/**
 * Returns whether a transaction is open. Every reply ends with ReadyForQuery, whose last byte is the
 * transaction state: I (idle), T (in a transaction) or E (in a failed transaction).
 */
function isInTransaction(reply: Uint8Array): boolean {
  return reply.at(-1) !== 'I'.charCodeAt(0);
}

/** Resets the session. Sends two messages, because `discard all` cannot run inside a transaction. */
const discardSession = Buffer.concat([simpleQuery('rollback'), simpleQuery('discard all')]);

function simpleQuery(text: string): Buffer {
  const body = Buffer.from(`${text}\0`);
  const head = Buffer.alloc(5);
  head.write('Q');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
