/**
 * The worker thread that holds PGlite: PostgreSQL's wire protocol in, PostgreSQL's wire protocol out, one batch at a time.
 * PGlite blocks its thread while a statement runs; here it blocks nobody else.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';

/** Frontend messages up to a `Sync` or a simple query; or the wish to shut down. */
export type ToWorker = Uint8Array | 'close';
/** The backend's answer to one batch; or news of the worker itself. */
export type FromWorker = Uint8Array | 'ready' | 'closed';

if (parentPort === null) throw new Error('This file runs as a worker thread only');
const port = parentPort;
const post = (message: FromWorker, transfer?: ArrayBuffer[]): void => port.postMessage(message, transfer);

// Whoever starts the worker passes the folder.
const { folder } = workerData as { folder: string };
const database = await PGlite.create(folder, { extensions: { btree_gin, pg_trgm } });

port.on('message', (message: ToWorker) => {
  void (message === 'close' ? close() : answer(message));
});
post('ready');

async function answer(batch: Uint8Array): Promise<void> {
  const reply = await database.execProtocolRaw(batch);
  // A copy of its own: the reply may be a view of WebAssembly memory, which cannot be given away.
  const owned = reply.slice();
  post(owned, [owned.buffer]);
}

async function close(): Promise<void> {
  await database.close();
  post('closed');
  port.close();
}
