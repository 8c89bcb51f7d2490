/**
 * Measures the memory of an idle service one minute after startup, on both engines: `node --conditions=source
 * service/bench/memory.bench.ts`.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { DatabaseLocation } from '../src/database/database.ts';
import { startPostgres } from '../test/postgres.ts';
import { application, environmentOf, startServiceProcess } from '../test/service-process.ts';

/** A row of the results table. */
export interface MemoryFigure {
  engine: 'postgres' | 'pglite';
  /** Time from the start of the process to its first response. */
  readyMs: number;
  /** The resident set size. */
  rssMb: number;
  limitMb: number;
}

/** Starts the service on each engine and measures its memory after `idleMs` without requests. */
export async function measureMemory(idleMs = 60_000): Promise<MemoryFigure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'connector-auth-bench-'));
  const postgres = await startPostgres();
  try {
    return await Promise.all([
      measure('postgres', { databaseUrl: `${postgres.url}/postgres` }, 160, idleMs),
      measure('pglite', { dataDir: join(folder, 'data') }, 650, idleMs),
    ]);
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(
  engine: MemoryFigure['engine'],
  location: DatabaseLocation,
  limitMb: number,
  idleMs: number,
): Promise<MemoryFigure> {
  const startedAt = performance.now();
  const service = startServiceProcess({ ...environmentOf(location), ...application });
  try {
    await fetch(`${await service.url}/readyz`);
    const readyMs = Math.round(performance.now() - startedAt);
    await delay(idleMs);
    return { engine, readyMs, rssMb: await residentMb(service.child.pid), limitMb };
  } finally {
    service.child.kill('SIGTERM');
    await service.ended;
  }
}

async function residentMb(pid: number | undefined): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Math.round(Number(stdout) / 1024);
}

if (import.meta.main) {
  const figures = await measureMemory();
  console.table(figures);
  process.exitCode = figures.every(({ rssMb, limitMb }) => rssMb <= limitMb) ? 0 : 1;
}
