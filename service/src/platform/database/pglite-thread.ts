import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

/** Starts a thread that loads PGlite, and then waits for a {@link PgliteServer}. */
export function startPgliteThread(): Worker {
  return new Worker(new URL(`./pglite-worker${extname(import.meta.url)}`, import.meta.url), {
    name: 'pglite',
  });
}
