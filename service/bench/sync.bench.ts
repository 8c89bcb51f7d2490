/**
 * Measures the throughput and memory of a sync, compared with a bare multi-row upsert of the same rows into
 * the same table with the same indexes, and what a second full sync of the same rows writes.
 *
 * Usage: npx -y pnpm@12 bench sync [--quick] [--engines=postgres,pglite] [--rounds=3]
 */
import { randomUUID } from 'node:crypto';
import { parseJson, stringifyJson, systemClock } from '@connector-auth/api';
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
import { CompiledQuery, sql } from 'kysely';
import { createApp } from '../src/app.ts';
import { parseKeyRing, type KeyRing } from '../src/platform/crypto/key-ring.ts';
import { createSealer } from '../src/platform/crypto/seal.ts';
import { openDatabase, type Database } from '../src/platform/database/database.ts';
import { silentLog } from '../src/platform/log/log.ts';
import { sealGrant } from '../src/shared/credentials/sealed-grant.ts';
import { searchableEntities } from '../src/shared/definitions/searchable-entities.ts';
import { createMetrics } from '../src/shared/http/metrics.ts';
import { ensureRecordTables } from '../src/shared/records/ensure.ts';
import {
  quote,
  RecordTables,
  type FieldColumn,
  type RecordTable,
} from '../src/shared/records/record-table.ts';
import { preparePage } from '../src/shared/records/store.ts';
import { insertConnector } from '../src/shared/repositories/connectors.ts';
import { ensureCustomer } from '../src/shared/repositories/customers.ts';
import { addEntities, makeDue } from '../src/shared/repositories/sync-state.ts';
import { startCachedVendor, type CachedVendor } from './cached-vendor.ts';
import {
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

const entity = 'ads_reports_daily';
const rounds = Number(options.rounds ?? (options.quick ? 1 : 3));
const settings = { advertiser_ids: ['7502933100842217473'], start_date: '2026-07-01' };

/** The connector kind with only `entity`, so that nothing else is synced. */
const kind = reportsOnly();
const tables = new RecordTables([kind]);

/** The records of a page as JSON, because parsed objects would dominate the memory of the process. */
type Page = Buffer;

/** How a bare upsert receives a page. */
interface Statement {
  /**
   * Returns the SQL that follows `from`, with the columns of the page as `page` and parameters starting at
   * $2.
   */
  readonly from: (fields: readonly FieldColumn[]) => string;
  readonly parameters: (table: RecordTable, records: readonly Record<string, unknown>[]) => readonly string[];
}

/** The straightforward statement, which passes a page of rows as JSON. */
const jsonStatement: Statement = {
  from: fields =>
    `jsonb_to_recordset($2::jsonb) as page (${fields.map(({ column, sqlType }) => `${quote(column)} ${sqlType}`).join(', ')})`,
  parameters: (_table, records) => [stringifyJson(records)],
};

/** The fastest known statement, which passes one array per column. */
const columnStatement: Statement = {
  from: fields =>
    `unnest(${fields.map(({ sqlType }, index) => `$${index + 2}::${sqlType}[]`).join(', ')}) as page (${fields.map(({ column }) => quote(column)).join(', ')})`,
  parameters: (table, records) => preparePage(table, records).columns,
};

await run(async () => {
  const vendor = await startCachedVendor(kind.key, { largeAdvertiserAds: options.quick ? 200 : 2_000 });
  const grant = parseGrant(kind, vendor.credentials, settings);
  const pages = await walkAll(vendor, grant);
  console.log(`${countRecords(pages)} ${entity} in ${pages.length} pages`);
  for (const engine of engines) await measureEngine(engine, { vendor, grant, pages });
});

function reportsOnly(): Kind {
  const whole = findKind('tiktok-marketing');
  const reports = whole?.entities[entity];
  if (!whole || !reports) throw new Error(`Unknown entity: ${entity}`);
  return { ...whole, entities: { [entity]: reports } };
}

/** Fetches every page, so that the vendor caches them and the bare upsert has rows to write. */
async function walkAll({ url }: CachedVendor, grant: Grant): Promise<Page[]> {
  const transport = createTransport({ sandboxUrl: url });
  const connection = connect({ kind, grants: grantsInMemory(grant), transport, limiter: unlimited });
  const vendor = await connection.vendorFor({ repeatable: true, deadlineMs: Infinity });
  const pages: Page[] = [];
  const walk = kind.entities[entity]?.search?.sync.run(vendor, { since: null, position: null }) ?? [];
  for await (const { records } of walk)
    if (records.length > 0) pages.push(Buffer.from(stringifyJson(records)));
  return pages;
}

/** The vendor account to sync, and its pages. */
interface Source {
  readonly vendor: CachedVendor;
  readonly grant: Grant;
  readonly pages: readonly Page[];
}

async function measureEngine(engine: Engine, source: Source): Promise<void> {
  const { pages } = source;
  const database = await openDatabase(await createDatabase(engine), { log: silentLog });
  const [table] = tables.all;
  if (table === undefined) throw new Error('Table not found');
  await ensureRecordTables(database.kysely, tables);
  const again: Measured[] = [];
  const ways = {
    json: () => upsertBarely(database, table, pages, jsonStatement),
    columns: () => upsertBarely(database, table, pages, columnStatement),
    synced: async () => {
      const { first, second } = await syncTwice(database, source, table);
      again.push(second);
      return first.perSecond;
    },
  };
  const perSecond = await inTurns(Object.values(ways), engine === 'postgres' ? rounds : 1, async way => {
    await clear(database, table);
    return way();
  });
  const [json = [], columns = [], synced = []] = perSecond.values();
  // Compares the sync with the faster of the two upserts.
  const ratios = synced.map((rate, round) => rate / Math.max(json[round] ?? NaN, columns[round] ?? NaN));
  await clear(database, table);
  const heap = watchHeap();
  await syncTwice(database, source, table);
  const heapMb = heap.stop();
  await database.close();
  console.table({
    [engine]: {
      'records/s synced': Math.round(median(synced)),
      'by a bare JSON upsert': Math.round(median(json)),
      'by a bare column upsert': Math.round(median(columns)),
      ratio: rounded(median(ratios)),
      'records/s synced again': Math.round(median(again.map(({ perSecond }) => perSecond))),
      'bytes of WAL per record synced again': Math.round(median(again.map(({ walBytes }) => walBytes))),
    },
  });
  console.log(
    `${heapMb.join(', ')} MB of heap growth since the start, sampled every second in a separate round`,
  );
  if (engine !== 'postgres') return;
  reportGoal('records/s', '> 8000', String(Math.round(median(synced))), median(synced) > 8_000);
  reportGoal('× the bare upsert', '≥ 0.6', String(rounded(median(ratios))), median(ratios) >= 0.6);
  const walBytes = median(again.map(second => second.walBytes));
  reportGoal('bytes of WAL per record synced again', '≤ 100', String(Math.round(walBytes)), walBytes <= 100);
}

/**
 * Returns the records per second written by one upsert per page, each in its own transaction, including the
 * time to serialize its parameters.
 */
async function upsertBarely(
  { kysely }: Database,
  table: RecordTable,
  pages: readonly Page[],
  { from, parameters }: Statement,
): Promise<number> {
  const fields = [...table.fields.values()];
  const names = fields.map(({ column }) => quote(column)).join(', ');
  const key = ['$organization', '$connector', ...table.key.map(({ column }) => column)].map(quote).join(', ');
  const statement = `
    insert into ${quote(table.name)} ("$organization", "$connector", "$generation", ${names})
    select $1::uuid, $1::uuid, 1, ${names}
    from ${from(fields)}
    on conflict (${key}) do update set ${fields.map(({ column }) => `${quote(column)} = excluded.${quote(column)}`).join(', ')}`;
  const connector = randomUUID();
  let ms = 0;
  for (const page of pages) {
    // The pages from `walkAll` contain only records.
    const records = parseJson(page.toString()) as readonly Record<string, unknown>[];
    ms += await timeOf(() =>
      kysely.executeQuery(CompiledQuery.raw(statement, [connector, ...parameters(table, records)])),
    );
  }
  return (countRecords(pages) * 1000) / ms;
}

/** A sync of all pages. */
interface Measured {
  readonly perSecond: number;
  /** Bytes of write-ahead log per record. */
  readonly walBytes: number;
}

/** Measures a first sync, and a full sync of the same records after it. */
async function syncTwice(
  database: Database,
  { vendor, grant, pages }: Source,
  table: RecordTable,
): Promise<{ first: Measured; second: Measured }> {
  const encryptionKeys = keyRing('encryption', 2);
  const app = await createApp(
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
  const syncing = await app.startSync({
    fullSyncHours: 0,
    onSliceEnd: (_lease, end) => {
      if (end === 'finished') finished.resolve();
      else if (end !== 'over') finished.reject(new Error(`A time slice ended unexpectedly: ${end}`));
    },
  });
  const count = countRecords(pages);
  const measure = async (): Promise<Measured> => {
    const before = await walPosition(database);
    const ms = await timeOf(async () => {
      await app.requestSync();
      await finished.promise;
    });
    return { perSecond: (count * 1000) / ms, walBytes: ((await walPosition(database)) - before) / count };
  };
  const connector = await addConnector(database, createSealer(encryptionKeys), grant);
  const first = await measure();
  finished = Promise.withResolvers<void>();
  await makeDue(database.kysely, connector);
  const second = await measure();
  await syncing.close();
  await app.close();
  await requireAll(database, table, connector.id, pages);
  return { first, second };
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

async function requireAll(
  { kysely }: Database,
  table: RecordTable,
  id: string,
  pages: readonly Page[],
): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.id(table.name)} where "$connector" = ${id}`.execute(kysely);
  const expected = countRecords(pages);
  if (rows[0]?.count !== expected)
    throw new Error(`Expected ${expected} stored records, got ${rows[0]?.count}`);
}

async function clear({ kysely }: Database, table: RecordTable): Promise<void> {
  await sql`truncate ${sql.id(table.name)}`.execute(kysely);
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

function countRecords(pages: readonly Page[]): number {
  // Each page is a JSON array.
  return pages.reduce((sum, page) => sum + (parseJson(page.toString()) as unknown[]).length, 0);
}

function keyRing(id: string, byte: number): KeyRing {
  const ring = parseKeyRing(`${id}:${Buffer.alloc(32, byte).toString('base64')}`);
  if ('error' in ring) throw new Error(ring.error);
  return ring;
}
