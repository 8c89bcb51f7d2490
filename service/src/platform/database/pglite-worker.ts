/**
 * The worker thread that runs PGlite. It loads PGlite at once, and opens the folder that the first message names. Then it
 * exchanges messages in PostgreSQL's wire protocol, one batch at a time. PGlite blocks its thread while a statement runs.
 */
import fs from 'node:fs';
import { readFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { parentPort } from 'node:worker_threads';
import type { PGlite } from '@electric-sql/pglite';

/** The folder to open, one batch of frontend messages that ends in a `Sync` or a simple query, or a request to shut down. */
export type ToWorker = { readonly folder: string } | Uint8Array | 'close';
/** The backend's reply to one batch, or the state of the worker. */
export type FromWorker = Uint8Array | 'ready' | 'closed';

if (parentPort === null) throw new Error('This file can only be run as a worker thread');
const port = parentPort;
const post = (message: FromWorker, transfer?: ArrayBuffer[]): void => port.postMessage(message, transfer);

respectUmask();
const loading = load();
// If PGlite is not installed, the check of the configuration says so. Other errors are reported when a folder is opened.
loading.catch(() => {});
let database: PGlite;

async function load() {
  return await Promise.all([
    import('@electric-sql/pglite'),
    import('@electric-sql/pglite/contrib/btree_gin'),
    import('@electric-sql/pglite/contrib/pg_trgm'),
    readFile(new URL(import.meta.resolve('@electric-sql/pglite/pglite.wasm'))).then(WebAssembly.compile),
  ]);
}

async function open(folder: string): Promise<void> {
  const [{ PGlite }, { btree_gin }, { pg_trgm }, pgliteWasmModule] = await loading;
  database = await PGlite.create(folder, {
    extensions: { btree_gin, pg_trgm },
    pgliteWasmModule,
    // PostgreSQL fills its buffers with zeros at every start, by default 128 MB. The system caches the files as well.
    startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'],
  });
  post('ready');
}

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
  if (message === 'close') void close();
  else if ('folder' in message) void open(message.folder);
  else void execute(message);
});

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
