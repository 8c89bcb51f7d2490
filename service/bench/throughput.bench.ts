/**
 * Measures how fast execute is compared with a bare pass-through (Express and undici) to the same vendor: requests
 * per second, latency, processor time per request and database transactions per request. All subjects take turns, so
 * that noise affects them equally, and each ratio is between two turns of one round.
 *
 * The vendor is a process that answers 20 notes from memory. The load, each subject and PostgreSQL are processes of
 * their own, which share the cores.
 *
 * With --before=folder, it also measures execute of another checkout in that folder, whose packages are installed.
 *
 * Usage: npx -y pnpm@12 bench throughput, or node --conditions=source service/bench/throughput.bench.ts
 * [--quick] [--only=subject,…] [--rounds=5] [--seconds=3] [--connections=1,16,64] [--before=folder]
 */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import type { DatabaseLocation } from '../src/database/database.ts';
import { startPostgres } from '../test/postgres.ts';
import { application, environmentOf, inherited } from '../test/service-process.ts';
import { startCachedVendor } from './cached-vendor.ts';
import type { Load, Loaded } from './throughput/load.ts';
import { startServer } from './throughput/server.ts';

const { values: given } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    connections: { type: 'string', default: '1,16,64' },
    before: { type: 'string' },
  },
});
const rounds = Number(given.rounds ?? (given.quick ? 2 : 5));
const seconds = Number(given.seconds ?? (given.quick ? 1 : 3));
const connectionCounts = given.connections.split(',').map(Number);
/** Enough for V8 to optimize what each request runs in each process, however loaded the machine is. */
const warmUpRequests = given.quick ? 1_500 : 4_000;
/** PostgreSQL counts the transactions of an idle connection up to ten seconds later. */
const countingMs = 11_000;
const root = fileURLToPath(new URL('../..', import.meta.url));
const customer = 'bench';
const operation = JSON.stringify({ entity: 'notes', action: 'list', params: { page_size: 20 } });
const json = { 'content-type': 'application/json' };

/** Throughput at 64 connections, as a part of the pass-through's. */
const minRatios: Readonly<Record<string, number>> = {
  'execute, PostgreSQL': 0.45,
  'execute, PGlite': 0.3,
  'open source mode': 0.8,
};

type Request = Omit<Load, 'connections' | 'seconds'>;

interface Subject {
  readonly name: string;
  readonly request: Request;
  /** Returns the processor time of the subject's own processes, in seconds. Null for the vendor. */
  readonly cpuSeconds: (() => Promise<number>) | null;
  /** Returns the resident memory of the service's process, in MB. */
  readonly memoryMb?: () => Promise<number>;
  /** Whether the subject uses the PostgreSQL server. */
  readonly usesPostgres?: boolean;
}

interface Turn {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly cpuMs: number;
}

const vendor = await startCachedVendor('granola', {});
const { api_key: apiKey = '' } = vendor.credentials;
const postgres = await startPostgres();
const folder = await mkdtemp(join(tmpdir(), 'connector-auth-bench-'));
const loadProcess = fork(fileURLToPath(new URL('throughput/load.ts', import.meta.url)));
const loadFailed = once(loadProcess, 'exit').then(() => Promise.reject(new Error('A load failed')));
loadFailed.catch(() => {});
const stops: (() => unknown)[] = [];
try {
  const subjects = await startSubjects();
  for (const { request } of subjects) {
    for (let sent = 0; sent < warmUpRequests;) sent += (await load(request, 16, 1)).times.length;
  }
  const before = given.quick ? NaN : await countTransactions();
  const turns = new Map<string, Turn[]>();
  for (let round = 0; round < rounds; round++) {
    for (const connections of connectionCounts) {
      for (const subject of round % 2 === 0 ? subjects : subjects.toReversed()) {
        const key = `${subject.name} ${connections}`;
        turns.set(key, [...(turns.get(key) ?? []), await takeTurn(subject, connections)]);
      }
    }
  }
  const turnsOf = (name: string, connections: number): Turn[] => turns.get(`${name} ${connections}`) ?? [];
  console.log(
    `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}, ${rounds} rounds of ${seconds} s`,
  );
  for (const connections of connectionCounts) {
    const baseline = turnsOf('pass-through', connections);
    const vendorP50 = medianOf(turnsOf('vendor alone', connections), turn => turn.p50);
    console.log(`${connections} ${connections === 1 ? 'connection' : 'connections'}:`);
    console.table(
      Object.fromEntries(
        subjects.map(({ name }) => {
          const own = turnsOf(name, connections);
          const ratios = own.map(({ perSecond }, round) => perSecond / (baseline[round]?.perSecond ?? NaN));
          const ratio = round(median(ratios), 3);
          const bar = connections === 64 ? minRatios[name] : undefined;
          return [
            name,
            {
              'requests/s': Math.round(medianOf(own, turn => turn.perSecond)),
              '× pass-through': ratio,
              ...(connections === 64
                ? { bar: bar === undefined ? '' : `${bar} ${ratio >= bar ? 'yes' : 'no'}` }
                : {}),
              'p50 ms': round(
                medianOf(own, turn => turn.p50),
                2,
              ),
              'p99 ms': round(
                medianOf(own, turn => turn.p99),
                2,
              ),
              'adds at p50, ms': round(medianOf(own, turn => turn.p50) - vendorP50, 2),
              'CPU ms/request': round(
                medianOf(own, turn => turn.cpuMs),
                3,
              ),
            },
          ];
        }),
      ),
    );
  }
  console.log('Resident memory after the run, in MB:');
  for (const { name, memoryMb } of subjects) if (memoryMb) console.log(`${name}: ${await memoryMb()}`);
  if (!given.quick) {
    const counted = (await countTransactions()) - before;
    const requests = subjects
      .filter(({ usesPostgres }) => usesPostgres === true)
      .flatMap(({ name }) => connectionCounts.flatMap(connections => turnsOf(name, connections)))
      .reduce((sum, turn) => sum + turn.requests, 0);
    console.log(`${round(counted / requests, 2)} database transactions per execute on PostgreSQL`);
  }
} finally {
  loadProcess.disconnect();
  await Promise.all(stops.map(stop => stop()));
  vendor.child.kill();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

async function startSubjects(): Promise<Subject[]> {
  const isWanted = (name: string): boolean =>
    given.only === '' || name === 'pass-through' || given.only.split(',').some(word => name.includes(word));
  const vendorRequest: Request = {
    url: `${vendor.url}/public-api.granola.ai/v1/notes?page_size=20`,
    method: 'GET',
    headers: { authorization: `Bearer ${apiKey}` },
    body: null,
  };
  const passThrough = await startServer({ role: 'pass-through', vendorUrl: vendorRequest.url, apiKey });
  stops.push(passThrough.stop);
  const get = (url: string): Request => ({ url, method: 'GET', headers: {}, body: null });
  const subjects: Subject[] = [
    { name: 'pass-through', request: get(passThrough.url), cpuSeconds: passThrough.cpuSeconds },
  ];
  if (isWanted('vendor alone')) {
    subjects.push({ name: 'vendor alone', request: vendorRequest, cpuSeconds: null });
  }
  if (isWanted('floor')) {
    const floor = await startServer({ role: 'floor', vendorUrl: vendorRequest.url, apiKey });
    stops.push(floor.stop);
    subjects.push({ name: 'floor', request: get(floor.url), cpuSeconds: floor.cpuSeconds });
  }
  if (isWanted('open source mode')) {
    const open = await startServer({ role: 'open source mode', sandboxUrl: vendor.url, apiKey });
    stops.push(open.stop);
    subjects.push({ name: 'open source mode', request: get(open.url), cpuSeconds: open.cpuSeconds });
  }
  if (isWanted('execute, PGlite')) {
    const service = await startService({ dataDir: join(folder, 'data') });
    subjects.push({ name: 'execute, PGlite', ...service });
  }
  if (given.before !== undefined) {
    const checkout = given.before;
    const client = new Client({ connectionString: `${postgres.url}/postgres` });
    await client.connect();
    await client.query('create database before');
    await client.end();
    for (const [engine, location] of [
      ['PGlite', { dataDir: join(folder, 'data-before') }],
      ['PostgreSQL', { databaseUrl: `${postgres.url}/before` }],
    ] as const) {
      const earlier = await startService(location, { checkout });
      subjects.push({ name: `execute, ${engine}, before`, ...earlier });
    }
  }
  if (!isWanted('execute, PostgreSQL') && !isWanted('helper + execute')) return subjects;
  const service = await startService({ databaseUrl: `${postgres.url}/postgres` });
  subjects.push({ name: 'execute, PostgreSQL', ...service, usesPostgres: true });
  if (isWanted('helper + execute')) {
    const { origin, pathname } = new URL(service.request.url);
    const helper = await startServer({ role: 'helper', serviceUrl: origin, customer });
    stops.push(helper.stop);
    subjects.push({
      name: 'helper + execute',
      request: {
        ...service.request,
        url: helper.url + pathname.replace('/api/v1/integrations', ''),
        headers: { ...json, origin: 'http://localhost:1' },
      },
      cpuSeconds: async () => (await helper.cpuSeconds()) + (await service.cpuSeconds()),
      usesPostgres: true,
    });
  }
  return subjects;
}

/** Starts the service as operators run it, and connects the vendor. Its log is read and discarded. */
async function startService(location: DatabaseLocation, { checkout = root } = {}) {
  const entry = join(checkout, 'service/src/main.ts');
  const child = spawn(
    process.execPath,
    ['--conditions=source', '--disable-warning=ExperimentalWarning', entry],
    {
      env: {
        ...inherited,
        ...environmentOf(location),
        ...application,
        PORT: '0',
        SANDBOX_URL: vendor.url,
        VENDOR_RATE_LIMITS: 'off',
        CONCURRENT_REQUESTS_PER_CUSTOMER: '100',
        CONCURRENT_EXECUTES_PER_CUSTOMER: '100',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = once(child, 'close');
  stops.push(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const url = await new Promise<string>((resolve, reject) => {
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
      resolve(entry.url ?? '');
    });
  });
  const post = async (path: string, token: string | null, body: object): Promise<Record<string, string>> => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { ...json, ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
    // The members that are read are strings.
    return (await response.json()) as Record<string, string>;
  };
  const { access_token = '' } = await post('/api/v1/account/applications/token', null, {
    client_id: application.BOOTSTRAP_CLIENT_ID,
    client_secret: application.BOOTSTRAP_CLIENT_SECRET,
  });
  const { id } = await post('/api/v1/integrations/connectors', access_token, {
    customer_name: customer,
    connector_type: 'granola',
    name: 'Bench',
    credentials: vendor.credentials,
  });
  const { token = '' } = await post('/api/v1/account/applications/scoped-token', access_token, {
    customer_name: customer,
  });
  const request: Request = {
    url: `${url}/api/v1/integrations/connectors/${id}/execute`,
    method: 'POST',
    headers: { ...json, authorization: `Bearer ${token}` },
    body: operation,
  };
  const metric = async (name: string): Promise<number> => {
    const text = await (await fetch(`${url}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  };
  return {
    request,
    cpuSeconds: () => metric('process_cpu_seconds_total'),
    memoryMb: async () => Math.round((await metric('process_resident_memory_bytes')) / 2 ** 20),
  };
}

async function takeTurn({ request, cpuSeconds }: Subject, connections: number): Promise<Turn> {
  const before = (await cpuSeconds?.()) ?? NaN;
  const { times, elapsedMs } = await load(request, connections, seconds);
  const used = ((await cpuSeconds?.()) ?? NaN) - before;
  const sorted = times.toSorted((one, other) => one - other);
  const quantile = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? NaN;
  return {
    requests: times.length,
    perSecond: (times.length * 1000) / elapsedMs,
    p50: quantile(0.5),
    p99: quantile(0.99),
    cpuMs: (used * 1000) / times.length,
  };
}

async function load(request: Request, connections: number, forSeconds: number): Promise<Loaded> {
  const answer = once(loadProcess, 'message');
  loadProcess.send({ ...request, connections, seconds: forSeconds } satisfies Load);
  // The process answers with the times of its requests.
  const [loaded] = (await Promise.race([answer, loadFailed])) as [Loaded];
  return loaded;
}

async function countTransactions(): Promise<number> {
  await delay(countingMs);
  const client = new Client({ connectionString: `${postgres.url}/postgres` });
  await client.connect();
  const { rows } = await client.query<{ count: number }>(
    'select (xact_commit + xact_rollback)::float8 as count from pg_stat_database where datname = current_database()',
  );
  await client.end();
  return rows[0]?.count ?? NaN;
}

function medianOf(turns: readonly Turn[], pick: (turn: Turn) => number): number {
  return median(turns.map(pick));
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
