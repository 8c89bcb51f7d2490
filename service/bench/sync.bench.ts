/**
 * Measures the time and memory of a first full sync and of another one of unchanged records, compared with the fastest
 * ways to give the same result by hand: one statement for each page, and a copy that is merged at the end.
 *
 * Usage: npx -y pnpm@12 bench sync [--quick] [--engines=postgres,pglite] [--rounds=3] [--sizes=ADS] [--before=folder]
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { stringifyJson, systemClock } from '@connector-auth/api';
import { findKind } from '@connector-auth/connectors';
import {
  connect,
  createTransport,
  grantsInMemory,
  parseGrant,
  unlimited,
  type Grant,
  type Kind,
} from '@connector-auth/connectors/kind';
import { sql } from 'kysely';
import { Client } from 'pg';
import type * as app from '../src/app.ts';
import { parseKeyRing, type KeyRing } from '../src/platform/crypto/key-ring.ts';
import { createSealer } from '../src/platform/crypto/seal.ts';
import { openDatabase, type Database } from '../src/platform/database/database.ts';
import { silentLog } from '../src/platform/log/log.ts';
import { sealGrant } from '../src/shared/credentials/sealed-grant.ts';
import { searchableEntities } from '../src/shared/definitions/searchable-entities.ts';
import { createMetrics } from '../src/shared/http/metrics.ts';
import { ensureRecordTables } from '../src/shared/records/ensure.ts';
import { RecordTables, type RecordTable } from '../src/shared/records/record-table.ts';
import { insertConnector } from '../src/shared/repositories/connectors.ts';
import { ensureCustomer } from '../src/shared/repositories/customers.ts';
import { addEntities, makeDue } from '../src/shared/repositories/sync-state.ts';
import { startCachedVendor, type CachedVendor } from './cached-vendor.ts';
import {
  addSamples,
  atEnd,
  checkouts,
  createDatabase,
  engines,
  inTurns,
  median,
  options,
  reportGoal,
  rounded,
  run,
  timeOf,
  type Engine,
} from './harness.ts';
import { byCopy, byUnnest, type Work } from './sync/by-hand.ts';

const entity = 'ads_reports_daily';
const rounds = Number(options.rounds ?? (options.quick ? 1 : 3));
const settings = { advertiser_ids: ['7502933100842217473'], start_date: '2026-07-01' };

/** The connector kind with only `entity`, so that nothing else is synced. */
const kind = reportsOnly();
const tables = new RecordTables([kind]);

await run(async () => {
  const vendor = await startCachedVendor(kind.key, {
    largeAdvertiserAds: Number(options.sizes ?? (options.quick ? 200 : 2_000)),
  });
  const grant = parseGrant(kind, vendor.credentials, settings);
  const { records, ...requests } = await walkAll(vendor, grant);
  console.log(`${records} ${entity}`);
  for (const engine of engines) await measureEngine(engine, { vendor, grant, records, ...requests });
});

function reportsOnly(): Kind {
  const whole = findKind('tiktok-marketing');
  const reports = whole?.entities[entity];
  if (!whole || !reports) throw new Error(`Unknown entity: ${entity}`);
  return { ...whole, entities: { [entity]: reports } };
}

/** The vendor account to sync, and the requests of a full run with the number of their records. */
interface Source extends Pick<Work, 'urls' | 'headers'> {
  readonly vendor: CachedVendor;
  readonly grant: Grant;
  readonly records: number;
}

/** Fetches every page, so that the vendor caches them. */
async function walkAll({ url }: CachedVendor, grant: Grant): Promise<Omit<Source, 'vendor' | 'grant'>> {
  const urls: string[] = [];
  let headers = {};
  const send = createTransport({ sandboxUrl: url });
  const transport: typeof send = (request, call) => {
    const sent = new URL(request.url);
    for (const [name, value] of Object.entries(request.query ?? {}))
      sent.searchParams.append(name, String(value));
    urls.push(`${url}/${sent.host}${sent.pathname}${sent.search}`);
    headers = { ...request.headers };
    return send(request, call);
  };
  const connection = connect({ kind, grants: grantsInMemory(grant), transport, limiter: unlimited });
  const vendor = await connection.vendorFor({ repeatable: true, deadlineMs: Infinity });
  let count = 0;
  const walk = kind.entities[entity]?.search?.sync.run(vendor, { since: null, position: null }) ?? [];
  for await (const { records } of walk) count += records.length;
  return { urls, headers, records: count };
}

async function measureEngine(engine: Engine, source: Source): Promise<void> {
  const location = await createDatabase(engine);
  const database = await openDatabase(location, { log: silentLog });
  const [table] = tables.all;
  if (table === undefined) throw new Error('Table not found');
  await ensureRecordTables(database.kysely, tables);
  const byHand = (write: (work: Work) => Promise<void>) => async (): Promise<Measured> => {
    const { id, organizationId } = await addConnector(
      database,
      createSealer(keyRing('encryption', 2)),
      source.grant,
    );
    const work = { database, table, connector: { organizationId, id }, ...source };
    return measureTwice(database, source, isFirst => write({ ...work, isFirst }));
  };
  const ways: Record<string, () => Promise<Measured>> = { 'by hand, unnest': byHand(byUnnest) };
  if ('databaseUrl' in location) {
    const client = new Client({ connectionString: location.databaseUrl });
    await client.connect();
    atEnd(() => client.end());
    ways['by hand, copy and merge'] = byHand(work => byCopy(work, client));
  }
  const hands = Object.keys(ways);
  for (const { suffix, folder } of checkouts)
    ways[`synced${suffix}`] = () => syncTwice(database, source, folder);
  const measured = await inTurns(Object.keys(ways), rounds, async way => {
    await clear(database, table);
    const result = await ways[way]?.();
    await requireAll(database, table, source.records);
    return result ?? { first: NaN, again: NaN, walBytes: NaN };
  });
  await clear(database, table);
  const heap = watchHeap();
  await ways['synced']?.();
  const heapMb = heap.stop();
  await clear(database, table);
  await database.close();
  const timesOf = (way: string, part: 'first' | 'again') =>
    measured.get(way)?.map(result => result[part]) ?? [];
  const ratiosOf = (part: 'first' | 'again'): number[] =>
    timesOf('synced', part).map(
      (time, round) => time / Math.min(...hands.map(way => timesOf(way, part)[round] ?? NaN)),
    );
  console.table(
    Object.fromEntries(
      [...measured].map(([way, results]) => [
        `${engine}: ${way}`,
        {
          'records/s': Math.round((source.records * 1000) / median(results.map(({ first }) => first))),
          'records/s again': Math.round((source.records * 1000) / median(results.map(({ again }) => again))),
          'bytes of WAL per record again': Math.round(median(results.map(({ walBytes }) => walBytes))),
        },
      ]),
    ),
  );
  for (const part of ['first', 'again'] as const) {
    const values = ratiosOf(part);
    addSamples(
      `${engine}: time of ${part === 'first' ? 'a first import' : 'a sync of unchanged data'}, in ms`,
      Object.fromEntries([...measured].map(([way, results]) => [way, results.map(result => result[part])])),
    );
    console.log(
      `${engine}, ${part}: times of the fastest by hand: ${values.map(value => rounded(value)).join(', ')}`,
    );
    reportGoal(
      `${engine}, ${part}: time by the fastest by hand`,
      '≤ 1.15',
      String(rounded(median(values))),
      median(values) <= 1.15,
    );
  }
  console.log(
    `${heapMb.join(', ')} MB of heap growth since the start, sampled every second in a separate round`,
  );
  const walBytes = median(measured.get('synced')?.map(result => result.walBytes) ?? []);
  reportGoal(
    `${engine}: bytes of WAL per record again`,
    '≤ 100',
    String(Math.round(walBytes)),
    walBytes <= 100,
  );
}

/** The times of a first sync and of another full one after it, in milliseconds, and the WAL of the latter per record. */
interface Measured {
  readonly first: number;
  readonly again: number;
  readonly walBytes: number;
}

async function measureTwice(
  database: Database,
  { records }: Source,
  sync: (isFirst: boolean) => Promise<void>,
): Promise<Measured> {
  const first = await timeOf(() => sync(true));
  const before = await walPosition(database);
  const again = await timeOf(() => sync(false));
  return { first, again, walBytes: ((await walPosition(database)) - before) / records };
}

/** @param folder the checkout whose service syncs. */
async function syncTwice(database: Database, source: Source, folder: string): Promise<Measured> {
  const { vendor, grant } = source;
  // An earlier version has the same function.
  const { createApp } = (await import(join(folder, 'service/src/app.ts'))) as typeof app;
  const encryptionKeys = keyRing('encryption', 2);
  const service = await createApp(
    {
      urls: { public: 'https://service.example', private: null },
      database,
      databaseUrl: null,
      encryptionKeys,
      signingKeys: keyRing('signing', 1),
      kinds: [kind],
      transport: createTransport({ sandboxUrl: vendor.url }),
      limiter: unlimited,
      clock: systemClock,
      log: silentLog,
      metrics: createMetrics(),
    },
    {
      adminToken: null,
      auditRetentionDays: 400,
      changesRetentionDays: 7,
      bootstrap: null,
      console: { access: 'off', url: null },
      outbound: { allowedNetworks: [], allowedHosts: null, proxyUrl: null },
      databaseUrl: null,
      publicUrl: null,
      connectorsPerCustomer: 1,
      maxConcurrentExecutes: 50,
      rejectedCredentialsPerHour: 1,
      requestLimits: { perAddress: 1, perCustomer: 1, perApplication: 1 },
      metrics: { token: null, listener: null, isServedWithApi: false },
      isLocal: false,
      oauthApps: new Map(),
      sandboxUrl: vendor.url,
      searchCostLimit: null,
      syncIntervalMinutes: 60,
      syncConcurrency: 4,
      fullSyncHours: 24,
      trustedProxies: 0,
      vendorResponseMiB: 256,
    },
  );
  let finished = Promise.withResolvers<void>();
  const syncing = await service.startSync({
    fullSyncHours: 0,
    onSliceEnd: (_lease, end) => {
      if (end === 'finished') finished.resolve();
      else if (end !== 'over') finished.reject(new Error(`A time slice ended unexpectedly: ${end}`));
    },
  });
  const connector = await addConnector(database, createSealer(encryptionKeys), grant);
  const measured = await measureTwice(database, source, async isFirst => {
    finished = Promise.withResolvers<void>();
    if (!isFirst) await makeDue(database.kysely, connector);
    await service.requestSync();
    await finished.promise;
  });
  await syncing.close();
  await service.close();
  return measured;
}

async function walPosition({ kysely }: Database): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`select pg_current_wal_lsn() - '0/0' as bytes`.execute(kysely);
  return Number(rows[0]?.bytes);
}

async function addConnector({ kysely }: Database, sealer: ReturnType<typeof createSealer>, grant: Grant) {
  const organizationId = randomUUID();
  await kysely.insertInto('organizations').values({ id: organizationId, name: organizationId }).execute();
  const customerId = await ensureCustomer(kysely, organizationId, 'acme');
  const row = { organizationId, id: randomUUID(), customerId, kind: kind.key };
  const sealedGrant = sealGrant(sealer, row, 1, grant);
  await insertConnector(kysely, {
    ...row,
    name: 'Reports',
    authMethod: grant.method,
    sealedGrant,
    account: null,
  });
  await addEntities(kysely, row, searchableEntities(kind));
  return row;
}

/** Requires that all records and their keys in the log of changes are stored, and that the run has ended. */
async function requireAll({ kysely }: Database, table: RecordTable, expected: number): Promise<void> {
  const { rows } = await sql<{ stored: number; logged: number; counted: number; seen: number }>`
    select (select count(*) from ${sql.id(table.name)}) as stored,
      (select sum(key_count) from record_changes) as logged,
      (select records from synced_entities where last_synced_at is not null) as counted,
      (select count(*) from seen_records) as seen`.execute(kysely);
  const [found] = rows;
  if (
    found?.stored !== expected ||
    found.logged !== expected ||
    found.counted !== expected ||
    found.seen !== 0
  )
    throw new Error(`Expected ${expected} records, got ${stringifyJson(found)}`);
}

async function clear({ kysely }: Database, table: RecordTable): Promise<void> {
  await sql`truncate ${sql.id(table.name)}, record_changes`.execute(kysely);
  await kysely.deleteFrom('organizations').execute();
}

/** Collects garbage and samples the heap in use once per second. The samples are relative to the start. */
function watchHeap(): { stop(): number[] } {
  const used = (): number => {
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const first = used();
  const samples: number[] = [];
  const timer = setInterval(() => samples.push(Math.round((used() - first) / 1e6)), 1_000);
  return {
    stop: () => {
      clearInterval(timer);
      return samples;
    },
  };
}

function keyRing(id: string, byte: number): KeyRing {
  const ring = parseKeyRing(`${id}:${Buffer.alloc(32, byte).toString('base64')}`);
  if ('error' in ring) throw new Error(ring.error);
  return ring;
}
