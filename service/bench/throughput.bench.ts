/**
 * Measures how fast execute is compared with a bare pass-through (Express and undici) to the same vendor: requests
 * per second, latency, processor time per request, memory, and database transactions per request. All subjects take
 * turns, so that noise affects them equally, and each ratio is between two turns of one round.
 *
 * The vendor is a process that answers 20 notes from memory. The load, each subject and PostgreSQL are processes of
 * their own, which share the cores.
 *
 * Usage: npx -y pnpm@12 bench throughput [--quick] [--only=subject,…] [--rounds=5] [--seconds=3]
 * [--connections=1,16,64] [--before=folder]
 */
import { availableParallelism, cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { DatabaseLocation } from '../src/platform/database/database.ts';
import { startCachedVendor, type CachedVendor } from './cached-vendor.ts';
import {
  addSamples,
  checkouts,
  createDatabase,
  engines,
  inTurns,
  median,
  options,
  quantile,
  query,
  rounded,
  run,
  startService,
} from './harness.ts';
import { startLoad, type Load } from './load.ts';
import { startServer } from './throughput/server.ts';

const rounds = Number(options.rounds ?? (options.quick ? 2 : 5));
const seconds = Number(options.seconds ?? (options.quick ? 1 : 3));
/** After fewer, V8 still compiles: after 20,000 requests, that was a tenth of an execute's processor time. */
const warmUpRequests = options.quick ? 1_500 : 30_000;
/** PostgreSQL counts the transactions of an idle connection up to ten seconds later. */
const countingMs = 11_000;
const idleMs = 30_000;
const customer = 'bench';
const operation = JSON.stringify({ entity: 'notes', action: 'list', params: { page_size: 20 } });
const json = { 'content-type': 'application/json' };
const names = { pglite: 'execute, PGlite', postgres: 'execute, PostgreSQL' };

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
  /** The database of this checkout's service, if it is on the PostgreSQL server. */
  readonly databaseUrl?: string;
}

interface Turn {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly cpuMs: number;
}

await run(async () => {
  const load = startLoad();
  const subjects = await startSubjects();
  const memory = await measureMemory(subjects);
  for (const { request } of subjects) {
    for (let sent = 0; sent < warmUpRequests;)
      sent += (await load({ ...request, connections: 16, seconds: 1 })).times.length;
  }
  const databaseUrl = subjects.find(subject => subject.databaseUrl !== undefined)?.databaseUrl;
  const before = await countTransactions(databaseUrl);
  let requests = 0;
  console.log(
    `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}, ${rounds} rounds of ${seconds} s`,
  );
  for (const connections of options.connections.split(',').map(Number)) {
    const turns = await inTurns(subjects, rounds, async (subject): Promise<Turn> => {
      const { request, cpuSeconds, databaseUrl } = subject;
      const cpuBefore = (await cpuSeconds?.()) ?? NaN;
      const { times, elapsedMs, statuses } = await load({ ...request, connections, seconds });
      const used = ((await cpuSeconds?.()) ?? NaN) - cpuBefore;
      if (statuses[200] !== times.length) throw new Error(`${subject.name}: ${JSON.stringify(statuses)}`);
      if (databaseUrl !== undefined) requests += times.length;
      return {
        requests: times.length,
        perSecond: (times.length * 1000) / elapsedMs,
        p50: quantile(times, 0.5),
        p99: quantile(times, 0.99),
        cpuMs: (used * 1000) / times.length,
      };
    });
    report(connections, subjects, turns);
  }
  // An idle process returns what it needed for the load.
  if (!options.quick) await delay(idleMs);
  const memoryAfter = await measureMemory(subjects);
  for (const [name, mb] of Object.entries(memory))
    console.log(`${name}: ${mb} MB when ready, ${memoryAfter[name]} MB after the run, when idle`);
  if (before === null) return;
  const counted = ((await countTransactions(databaseUrl)) ?? NaN) - before;
  console.log(`${rounded(counted / requests)} database transactions per execute on PostgreSQL`);
});

function report(connections: number, subjects: readonly Subject[], turns: Map<Subject, Turn[]>): void {
  const medianOf = (subject: Subject, pick: (turn: Turn) => number): number =>
    median((turns.get(subject) ?? []).map(pick));
  const [passThrough] = subjects;
  const baseline = (passThrough && turns.get(passThrough)) ?? [];
  const floor = [...turns].find(([{ name }]) => name === 'floor')?.[1] ?? [];
  const vendorAlone = subjects.find(({ name }) => name === 'vendor alone');
  const vendorP50 = vendorAlone ? medianOf(vendorAlone, turn => turn.p50) : NaN;
  const rows = subjects.map(subject => {
    const { name } = subject;
    const ratios = (turns.get(subject) ?? []).map(
      ({ perSecond }, round) => perSecond / (baseline[round]?.perSecond ?? NaN),
    );
    const ratio = rounded(median(ratios), 3);
    const goal = minRatios[name];
    const p50 = medianOf(subject, turn => turn.p50);
    return {
      subject: name,
      'requests/s': Math.round(medianOf(subject, turn => turn.perSecond)),
      '× pass-through': ratio,
      ...(connections === 64 && {
        goal: goal === undefined ? '' : `${goal} ${ratio >= goal ? 'met' : 'missed'}`,
      }),
      'p50 ms': rounded(p50),
      'p99 ms': rounded(medianOf(subject, turn => turn.p99)),
      'adds at p50, ms': rounded(p50 - vendorP50),
      'CPU ms/request': rounded(
        medianOf(subject, turn => turn.cpuMs),
        3,
      ),
      'CPU × floor': rounded(
        median((turns.get(subject) ?? []).map(({ cpuMs }, round) => cpuMs / (floor[round]?.cpuMs ?? NaN))),
      ),
    };
  });
  const samples = (what: string, pick: (turn: Turn) => number): void =>
    addSamples(
      `${what}, ${connections} connections`,
      Object.fromEntries(subjects.map(subject => [subject.name, (turns.get(subject) ?? []).map(pick)])),
    );
  samples('requests per second', turn => turn.perSecond);
  samples('p99 in ms', turn => turn.p99);
  samples('processor time per request in ms', turn => turn.cpuMs);
  console.log(`Connections: ${connections}`);
  console.table(rows);
}

async function startSubjects(): Promise<Subject[]> {
  const vendor = await startCachedVendor('granola');
  const { api_key: apiKey = '' } = vendor.credentials;
  const isWanted = (name: string): boolean =>
    options.only === '' || options.only.split(',').some(word => name.includes(word));
  const vendorRequest: Request = {
    url: `${vendor.url}/public-api.granola.ai/v1/notes?page_size=20`,
    method: 'GET',
    headers: { authorization: `Bearer ${apiKey}` },
    body: null,
  };
  const get = (url: string): Request => ({ url, method: 'GET', headers: {}, body: null });
  const subjects: Subject[] = [];
  for (const role of ['pass-through', 'floor', 'open source mode'] as const) {
    if (role !== 'pass-through' && !isWanted(role)) continue;
    const { url, cpuSeconds } = await startServer(
      role === 'open source mode'
        ? { role, sandboxUrl: vendor.url, apiKey }
        : { role, vendorUrl: vendorRequest.url, apiKey },
    );
    subjects.push({ name: role, request: get(url), cpuSeconds });
  }
  if (isWanted('vendor alone'))
    subjects.push({ name: 'vendor alone', request: vendorRequest, cpuSeconds: null });
  for (const { suffix, folder } of checkouts) {
    for (const engine of engines) {
      const name = names[engine] + suffix;
      if (!isWanted(name) && !(engine === 'postgres' && suffix === '' && isWanted('helper'))) continue;
      const location = await createDatabase(engine);
      const service = await startSubject(name, location, vendor, folder);
      if (suffix !== '' || engine === 'pglite') subjects.push(service);
      else {
        // 'postgres' has a database URL.
        const { databaseUrl } = location as Extract<DatabaseLocation, { databaseUrl: string }>;
        subjects.push({ ...service, databaseUrl });
        if (isWanted('helper + execute')) subjects.push({ ...(await startHelper(service)), databaseUrl });
      }
    }
  }
  return subjects;
}

/** Starts the service, and connects the vendor. */
async function startSubject(
  name: string,
  location: DatabaseLocation,
  vendor: CachedVendor,
  folder: string,
): Promise<Subject & Required<Pick<Subject, 'cpuSeconds'>>> {
  const { url, token, post, scopedTokenOf, cpuSeconds, memoryMb } = await startService(location, {
    folder,
    environment: {
      SANDBOX_URL: vendor.url,
      VENDOR_RATE_LIMITS: 'off',
      CONCURRENT_REQUESTS_PER_CUSTOMER: '100',
      CONCURRENT_EXECUTES_PER_CUSTOMER: '100',
    },
  });
  const { id } = await post('/api/v1/integrations/connectors', token, {
    customer_name: customer,
    connector_type: 'granola',
    name: 'Bench',
    credentials: vendor.credentials,
  });
  const request: Request = {
    url: `${url}/api/v1/integrations/connectors/${id}/execute`,
    method: 'POST',
    headers: { ...json, authorization: `Bearer ${await scopedTokenOf(customer)}` },
    body: operation,
  };
  return { name, request, cpuSeconds, memoryMb };
}

/** Starts the helper of an integrator in front of the service. */
async function startHelper({ request, cpuSeconds }: Subject): Promise<Subject> {
  const { origin, pathname } = new URL(request.url);
  const helper = await startServer({ role: 'helper', serviceUrl: origin, customer });
  return {
    name: 'helper + execute',
    request: {
      ...request,
      url: helper.url + pathname.replace('/api/v1/integrations', ''),
      headers: { ...json, origin: 'http://localhost:1' },
    },
    cpuSeconds: async () => (await helper.cpuSeconds()) + ((await cpuSeconds?.()) ?? NaN),
  };
}

async function measureMemory(subjects: readonly Subject[]): Promise<Record<string, number>> {
  const figures: Record<string, number> = {};
  for (const { name, memoryMb } of subjects) if (memoryMb) figures[name] = await memoryMb();
  return figures;
}

/** Counts the transactions in a database. Null in a quick run, which does not wait for them. */
async function countTransactions(databaseUrl: string | undefined): Promise<number | null> {
  if (databaseUrl === undefined || options.quick) return null;
  await delay(countingMs);
  const [row] = await query(
    databaseUrl,
    'select (xact_commit + xact_rollback)::float8 as count from pg_stat_database where datname = current_database()',
  );
  return Number(row?.['count']);
}
