/** What the benchmarks share: their options, databases, service processes, turns, figures and goals. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import type { Environment } from '../src/platform/config/environment.ts';
import type { Database, DatabaseLocation } from '../src/platform/database/database.ts';
import { startPostgres, type PostgresServer } from '../test/postgres.ts';
import { application, environmentOf, inherited } from '../test/service-process.ts';

export type Engine = Database['engine'];

/** The options of all benchmarks. Each one uses those that its first comment names. */
export const { values: options } = parseArgs({
  allowPositionals: true,
  options: {
    /** Measures only as much as shows that the benchmark works. A missed goal is not an error then. */
    quick: { type: 'boolean', default: false },
    /** The folder of another checkout, whose packages are installed. Its service is measured in the same run. */
    before: { type: 'string' },
    engines: { type: 'string', default: 'postgres,pglite' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    connections: { type: 'string', default: '1,16,64' },
    sizes: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});

// The option is trusted to contain names of engines.
export const engines = options.engines.split(',') as Engine[];

/** This checkout, and the earlier one to measure with it. `suffix` distinguishes their figures. */
export const checkouts: readonly { readonly suffix: string; readonly folder: string }[] = [
  { suffix: '', folder: fileURLToPath(new URL('../..', import.meta.url)) },
  ...(options.before === undefined ? [] : [{ suffix: ', before', folder: resolve(options.before) }]),
];

const stops: (() => unknown)[] = [];
const goals: { goal: string; target: string; measured: string; isMet: boolean }[] = [];

/** Runs a benchmark, and stops what it started, the latest first. Exits with 1 if a goal is missed. */
export async function run(measure: () => Promise<void>): Promise<void> {
  try {
    await measure();
    if (goals.length > 0) console.table(goals);
    process.exitCode = options.quick || goals.every(({ isMet }) => isMet) ? 0 : 1;
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}

/** Stops something at the end of the run. */
export function atEnd(stop: () => unknown): void {
  stops.push(stop);
}

/**
 * Adds measured values to the page that `pnpm bench` writes.
 * @param what what was measured, with its unit.
 * @param values by subject, in the order in which they were measured.
 */
export function addSamples(what: string, values: Readonly<Record<string, readonly number[]>>): void {
  const file = process.env['BENCH_SAMPLES'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ what, values })}\n`);
}

export function reportGoal(goal: string, target: string, measured: string, isMet: boolean): void {
  goals.push({ goal, target, measured, isMet });
}

let postgres: PostgresServer | undefined;
let databases = 0;

/**
 * Creates an empty database, which is deleted at the end.
 * @param settings of the server, which starts with the first database.
 */
export async function createDatabase(
  engine: Engine,
  settings: Readonly<Record<string, string>> = {},
): Promise<DatabaseLocation> {
  if (engine === 'pglite') {
    const folder = await mkdtemp(join(tmpdir(), 'connector-auth-bench-'));
    atEnd(() => rm(folder, { recursive: true, force: true }));
    return { dataDir: join(folder, 'data') };
  }
  if (postgres === undefined) {
    const server = await startPostgres(settings);
    atEnd(() => server.stop());
    postgres = server;
  }
  const name = `bench_${(databases += 1)}`;
  await query(`${postgres.url}/postgres`, `create database ${name}`);
  return { databaseUrl: `${postgres.url}/${name}` };
}

/** Sends one statement on a connection of its own. */
export async function query(databaseUrl: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(statement);
  await client.end();
  return rows;
}

export type Service = Awaited<ReturnType<typeof startService>>;

/** Starts the service of a checkout as operators run it. Its log is read and discarded. */
export async function startService(
  location: DatabaseLocation,
  {
    folder,
    environment = {},
    entry = 'service/src/main.ts',
  }: { readonly folder: string; readonly environment?: Environment; readonly entry?: string },
) {
  const child = spawn(
    process.execPath,
    ['--conditions=source', '--disable-warning=ExperimentalWarning', join(folder, entry)],
    {
      env: {
        ...inherited,
        ...environmentOf(location),
        ...application,
        PORT: '0',
        DRAIN_SECONDS: '0',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = once(child, 'close');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  atEnd(stop);
  const url = await new Promise<string>((found, reject) => {
    child.once('exit', () => reject(new Error('The service exited before it was ready')));
    const lines = createInterface({ input: child.stdout });
    lines.on('line', line => {
      // The service writes only JSON lines to standard output.
      const entry = JSON.parse(line) as { event: string; url?: string };
      if (entry.event !== 'service_ready') return;
      lines.close();
      child.stdout
        .removeAllListeners('data')
        .on('data', () => {})
        .resume();
      found(entry.url ?? '');
    });
  });
  const post = async (path: string, token: string | null, body: object): Promise<Record<string, string>> => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
    // The members that are read are strings.
    return (await response.json()) as Record<string, string>;
  };
  const applications = '/api/v1/account/applications';
  const { access_token: token = '' } = await post(`${applications}/token`, null, {
    client_id: application.BOOTSTRAP_CLIENT_ID,
    client_secret: application.BOOTSTRAP_CLIENT_SECRET,
  });
  const metric = async (name: string): Promise<number> => {
    const text = await (await fetch(`${url}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  };
  return {
    url,
    /** The token of the application. */
    token,
    post,
    stop,
    scopedTokenOf: async (customer: string) =>
      (await post(`${applications}/scoped-token`, token, { customer_name: customer }))['token'] ?? '',
    cpuSeconds: () => metric('process_cpu_seconds_total'),
    memoryMb: async () => Math.round((await metric('process_resident_memory_bytes')) / 2 ** 20),
  };
}

/** Measures each subject once per round. Their order alternates, so that noise affects all of them equally. */
export async function inTurns<Subject, Result>(
  subjects: readonly Subject[],
  rounds: number,
  measure: (subject: Subject, round: number) => Promise<Result>,
): Promise<Map<Subject, Result[]>> {
  const results = new Map(subjects.map(subject => [subject, [] as Result[]]));
  for (let round = 0; round < rounds; round++) {
    for (const subject of round % 2 === 0 ? subjects : subjects.toReversed())
      results.get(subject)?.push(await measure(subject, round));
  }
  return results;
}

/** Repeats work until the signal aborts, with a short pause. */
export async function repeat(work: () => Promise<void>, over: AbortSignal) {
  const times: number[] = [];
  let failures = 0;
  while (!over.aborted) {
    try {
      times.push(await timeOf(work));
    } catch (error) {
      failures += 1;
      console.error(error);
    }
    await delay(20);
  }
  const longestMs = Math.round(times.reduce((one, other) => Math.max(one, other), 0));
  return {
    times,
    failures,
    longestMs,
    figures: () => ({
      count: times.length,
      failures,
      'p50 ms': rounded(median(times)),
      'p99 ms': rounded(quantile(times, 0.99)),
      'longest ms': longestMs,
    }),
  };
}

/** Returns how long the work takes, in milliseconds. */
export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Returns the smallest value that is greater than this share of the values. */
export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function rounded(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}
