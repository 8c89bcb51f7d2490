/**
 * Measures an installation with ten thousand connectors: what reading the queue of syncs costs while everything is due, and
 * whether two processes keep the sync interval of an hour with a vendor that takes a second.
 *
 * Usage: npx -y pnpm@12 bench scale [--quick] [--seconds=600] [--only=queue|interval]
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseGrant } from '@connector-auth/connectors/kind';
import { sql, type Kysely } from 'kysely';
import { listSyncJobs } from '../src/features/sync/jobs.ts';
import { findHeads, reconcileQueue, takeFirst } from '../src/features/sync/sync-queue.ts';
import { parseKeyRing } from '../src/platform/crypto/key-ring.ts';
import { createSealer } from '../src/platform/crypto/seal.ts';
import { openDatabase, type Database } from '../src/platform/database/database.ts';
import type { Tables } from '../src/platform/database/tables.ts';
import { silentLog } from '../src/platform/log/log.ts';
import { sealGrant } from '../src/shared/credentials/sealed-grant.ts';
import { createKindRegistry } from '../src/shared/definitions/registry.ts';
import { searchableEntities } from '../src/shared/definitions/searchable-entities.ts';
import { kindWith } from '../test/record-fixtures.ts';
import { environmentOf } from '../test/service-process.ts';
import {
  atEnd,
  checkouts,
  createDatabase,
  median,
  options,
  quantile,
  reportGoal,
  rounded,
  run,
  startService,
  timeOf,
} from './harness.ts';
import { slowKind } from './scale/slow-kind.ts';

const counts = options.quick
  ? { organizations: 4, customers: 25, connectors: 4 }
  : { organizations: 10, customers: 100, connectors: 10 };
const seconds = Number(options.seconds ?? (options.quick ? 10 : 600));
const isWanted = (part: string): boolean => options.only === '' || options.only === part;

await run(async () => {
  if (isWanted('queue')) await measureQueue();
  if (isWanted('interval')) await measureInterval();
});

async function openNew(): Promise<{ location: { databaseUrl: string }; database: Database }> {
  const location = await createDatabase('postgres');
  if (!('databaseUrl' in location)) throw new Error('PostgreSQL has a URL');
  const database = await openDatabase(location, { log: silentLog });
  atEnd(() => database.close());
  return { location, database };
}

/** Adds connectors, of the kinds in turn. */
async function fill(
  db: Kysely<Tables>,
  kinds: readonly string[],
  entities: readonly string[],
): Promise<void> {
  const { organizations, customers, connectors } = counts;
  await sql`insert into organizations (id, name)
    select md5('o' || o)::uuid, 'Organization ' || o from generate_series(1, ${organizations}::int) o`.execute(
    db,
  );
  await sql`insert into customers (organization_id, id, name)
    select md5('o' || o)::uuid, md5('o' || o || 'c' || c)::uuid, 'Customer ' || c
    from generate_series(1, ${organizations}::int) o, generate_series(1, ${customers}::int) c`.execute(db);
  await sql`insert into connectors (organization_id, id, customer_id, kind, name, auth_method, credentials)
    select md5('o' || o)::uuid, md5('o' || o || 'c' || c || 'n' || n)::uuid, md5('o' || o || 'c' || c)::uuid,
      (${kinds}::text[])[n % ${kinds.length}::int + 1], 'Connector ' || n, 'api_key', ''
    from generate_series(1, ${organizations}::int) o, generate_series(1, ${customers}::int) c,
      generate_series(1, ${connectors}::int) n`.execute(db);
  await sql`insert into synced_entities (organization_id, connector_id, entity, due_at)
    select organization_id, id, entity, now() - interval '1 hour' * random()
    from connectors cross join unnest(${entities}::text[]) as entity`.execute(db);
  await sql`analyze`.execute(db);
}

/** Times what workers ask of the queue, with 200,000 entities due. Half of the connectors need reconnecting. */
async function measureQueue(): Promise<void> {
  const { database } = await openNew();
  const db = database.kysely;
  const entities = Array.from({ length: 20 }, (_, index) => `entity_${index}`);
  const [search] = Object.values(slowKind.entities).map(entity => entity.search);
  if (!search) throw new Error('The kind has no types of data');
  const keys = Array.from({ length: 12 }, (_, index) => `kind_${index}`);
  const kinds = createKindRegistry(
    keys.map(key => kindWith(key, Object.fromEntries(entities.map(name => [name, search])))),
  );
  await fill(db, keys, entities);
  const leaseOptions = { kinds, leaseSeconds: 60, intervalMinutes: 60, fullSyncHours: 24 };
  let position: Awaited<ReturnType<typeof reconcileQueue>> | undefined;
  const measure = async (state: string) => {
    const polls: number[] = [];
    const lookups: number[] = [];
    const lastLookups: number[] = [];
    const takes: number[] = [];
    const reconciliations: number[] = [];
    const lists: number[] = [];
    for (let round = 0; round < (options.quick ? 20 : 200); round++) {
      polls.push(await timeOf(() => findHeads(db, kinds)));
      let [head] = await findHeads(db, kinds);
      lookups.push(await timeOf(async () => ([head] = await findHeads(db, kinds))));
      if (head === undefined) throw new Error('Nothing is due');
      const atLimit = { organizations: [], kinds: [head.kind] };
      lastLookups.push(await timeOf(() => findHeads(db, kinds, atLimit)));
      const first = head;
      takes.push(
        await timeOf(() =>
          db.transaction().execute(transaction => takeFirst(transaction, first, null, leaseOptions)),
        ),
      );
      reconciliations.push(
        await timeOf(async () => (position = await reconcileQueue(db, kinds, 200, position))),
      );
    }
    for (let round = 0; round < 20; round++) {
      const filter = { organizationId: undefined, kind: undefined, state: undefined };
      lists.push(await timeOf(() => listSyncJobs(db, filter, { limit: 50, cursor: undefined })));
    }
    const figures = { polls, lookups, lastLookups, takes, reconciliations, lists };
    console.table({
      [state]: Object.fromEntries(
        Object.entries(figures).map(([name, times]) => [
          `${name}, ms`,
          `${rounded(median(times))}, p95 ${rounded(quantile(times, 0.95))}`,
        ]),
      ),
    });
    return figures;
  };
  const figures = await measure('all due');
  reportGoal('poll', '≤ 5 ms', `${rounded(median(figures.polls))} ms`, median(figures.polls) <= 5);
  reportGoal('look-up', '≤ 1 ms', `${rounded(median(figures.lookups))} ms`, median(figures.lookups) <= 1);
  const ms = await timeOf(() =>
    sql`update connectors set status = 'needs_reauth' where id::text < '8'`.execute(db),
  );
  console.log(`${rounded(ms)} ms to mark half of the connectors as broken`);
  await measure('half broken');
}

/** Lets two processes sync for some minutes what is due in them, evenly spread over an hour. */
async function measureInterval(): Promise<void> {
  const { location, database } = await openNew();
  const db = database.kysely;
  const entities = searchableEntities(slowKind);
  await fill(db, [slowKind.key], entities);
  await sql`update synced_entities set due_at = now() + interval '1 hour' * random()`.execute(db);
  await sealGrants(db);
  const { folder } = checkouts[0] ?? {};
  if (folder === undefined) throw new Error('No checkout');
  const environment = { SYNC_CONCURRENCY: '8', ...environmentOf(location) };
  const start = () =>
    startService(location, { folder, environment, entry: 'service/bench/scale/process.ts' });
  const services = [await start(), await start()];
  const syncedBefore = await countSynced(db);
  const startedAt = Date.now();
  const lags: number[] = [];
  while (Date.now() < startedAt + seconds * 1000) {
    await delay(5_000);
    lags.push(await lagOf(db));
  }
  const cpu = await Promise.all(services.map(service => service.cpuSeconds()));
  const synced = (await countSynced(db)) - syncedBefore;
  const { rows } = await sql<{ late: number }>`
    select count(*)::int as late from synced_entities
    where coalesce(resume_at, due_at) < now() - interval '30 s'`.execute(db);
  const late = rows[0]?.late ?? NaN;
  console.table({
    interval: {
      connectors: counts.organizations * counts.customers * counts.connectors,
      'types synced per minute': Math.round((synced * 60) / seconds),
      'lag, s': `${rounded(median(lags))}, highest ${rounded(Math.max(...lags))}`,
      'late by 30 s': late,
      'CPU seconds of each process': cpu.map(value => rounded(value)).join(', '),
    },
  });
  reportGoal('types late by 30 s, of an interval of an hour', '0', String(late), late === 0 && synced > 0);
}

async function countSynced(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from synced_entities where last_synced_at is not null`.execute(db);
  return rows[0]?.count ?? 0;
}

async function lagOf(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ lag: number }>`
    select coalesce(extract(epoch from now() - min(due_at)), 0)::float8 as lag
    from sync_queue where due_at <= now()`.execute(db);
  return rows[0]?.lag ?? 0;
}

/** Gives each connector the grant that the service expects, sealed for its row. */
async function sealGrants(db: Kysely<Tables>): Promise<void> {
  const keys = parseKeyRing(environmentOf({ databaseUrl: '' })['ENCRYPTION_KEYS'] ?? '');
  if ('error' in keys) throw new Error(keys.error);
  const sealer = createSealer(keys);
  const grant = parseGrant(slowKind, { api_key: 'grn_key' }, {});
  const rows = await db
    .selectFrom('connectors')
    .select(['organization_id', 'id', 'customer_id', 'kind'])
    .execute();
  const sealed = rows.map(({ organization_id: organizationId, id, customer_id: customerId, kind }) => ({
    id,
    grant: Buffer.from(sealGrant(sealer, { organizationId, id, customerId, kind }, 1, grant)).toString('hex'),
  }));
  await sql`update connectors set credentials = decode(sealed.grant, 'hex'), auth_method = ${grant.method}
    from unnest(${sealed.map(({ id }) => id)}::uuid[], ${sealed.map(row => row.grant)}::text[]) as sealed(id, "grant")
    where connectors.id = sealed.id`.execute(db);
}
