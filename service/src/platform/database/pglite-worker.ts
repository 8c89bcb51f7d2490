/**
 * The worker thread that runs PGlite. It exchanges messages in PostgreSQL's wire protocol, one batch at a
 * time. PGlite blocks its thread while a statement runs.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';

/** One batch of frontend messages that ends in a `Sync` or a simple query, or a request to shut down. */
export type ToWorker = Uint8Array | 'close';
/** The backend's reply to one batch, or the state of the worker. */
export type FromWorker = Uint8Array | 'ready' | 'closed';

if (parentPort === null) throw new Error('This file can only be run as a worker thread');
const port = parentPort;
const post = (message: FromWorker, transfer?: ArrayBuffer[]): void => port.postMessage(message, transfer);

respectUmask();

// Set by `PgliteServer`.
const { folder } = workerData as { folder: string };
const database = await PGlite.create(folder, {
  extensions: { btree_gin, pg_trgm },
  // PostgreSQL fills its buffers with zeros at every start, by default 128 MB. The system caches the files as well.
  startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'],
});

/** Applies the umask of the process to all file modes, because PGlite makes its files writable for everyone. */
function respectUmask(): void {
  const { chmodSync, fchmodSync } = fs;
  const masked = (mode: fs.Mode): fs.Mode => (typeof mode === 'number' ? mode & ~process.umask() : mode);
  fs.chmodSync = (path, mode) => chmodSync(path, masked(mode));
  fs.fchmodSync = (descriptor, mode) => fchmodSync(descriptor, masked(mode));
  // Changes what other modules of this thread import. The other threads have their own copy.
  syncBuiltinESMExports();
}

port.on('message', (message: ToWorker) => {
  void (message === 'close' ? close() : execute(message));
});
post('ready');

async function execute(batch: Uint8Array): Promise<void> {
  const parts: Uint8Array[] = [];
  // `execProtocolRaw` would also parse the reply, and keep what it parsed.
  await database.execProtocolRawStream(batch, {
    // Copied because it is a view of WebAssembly memory.
    onRawData: part => void parts.push(part.slice()),
  });
  const reply = joined(parts);
  post(reply, [reply.buffer]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let end = 0;
  for (const part of parts) {
    whole.set(part, end);
    end += part.length;
  }
  return whole;
}

async function close(): Promise<void> {
  await database.close();
  post('closed');
  port.close();
}
