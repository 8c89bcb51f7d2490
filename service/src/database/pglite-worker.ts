/**
 * The worker thread that runs PGlite. It exchanges messages in PostgreSQL's wire protocol, one batch at a
 * time. PGlite blocks its thread while a statement runs.
 */
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

// Set by `PgliteServer`.
const { folder } = workerData as { folder: string };
const database = await PGlite.create(folder, { extensions: { btree_gin, pg_trgm } });

port.on('message', (message: ToWorker) => {
  void (message === 'close' ? close() : execute(message));
});
post('ready');

async function execute(batch: Uint8Array): Promise<void> {
  const reply = await database.execProtocolRaw(batch);
  // The reply is copied because it may be a view of WebAssembly memory, which cannot be transferred.
  const owned = reply.slice();
  post(owned, [owned.buffer]);
}

async function close(): Promise<void> {
  await database.close();
  post('closed');
  port.close();
}
