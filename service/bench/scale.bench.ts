/**
 * Measures an installation with ten thousand connectors:
 *
 * - `queue`: what reading the queue of syncs costs while everything is due.
 * - `requests`: the time of execute, search and lists compared with an installation of twelve connectors.
 * - `quota`: what a daily quota that 10,000 customers share adds to a call.
 * - `requirements`: the processor time, memory and connections of a process, and the disk that the database needs per million records.
 * - `deletion`: how long others wait while an organization with a million records is deleted.
 * - `changes`: how many changes of narrow records one process delivers per second.
 * - `interval`: whether two processes keep the sync interval of an hour with a vendor that takes a second, and how evenly they
 *   serve organizations.
 *
 * Usage: npx -y pnpm@12 bench scale [--quick] [--seconds=600] [--rounds=3] [--only=PART]
 */
import { setTimeout as delay } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import { listSyncJobs } from '../src/features/sync/jobs.ts';
import { findHeads, reconcileQueue, takeFirst } from '../src/features/sync/sync-queue.ts';
import type { Tables } from '../src/platform/database/tables.ts';
import { createKindRegistry } from '../src/shared/definitions/registry.ts';
import { searchableEntities } from '../src/shared/definitions/searchable-entities.ts';
import { goodKey } from '../test/example-requests.ts';
import { kindWith } from '../test/record-fixtures.ts';
import { environmentOf } from '../test/service-process.ts';
import {
  checkouts,
  median,
  options,
  quantile,
  reportGoal,
  rounded,
  run,
  startService,
  timeOf,
} from './harness.ts';
import { measureChanges } from './scale/changes.ts';
import { measureDeletion } from './scale/deletion.ts';
import { fill, openNew, printStatements, resetStatements, sealGrants } from './scale/installation.ts';
import { measureQuota } from './scale/quota.ts';
import { measureRequests } from './scale/requests.ts';
import { measureRequirements } from './scale/requirements.ts';
import { slowKind } from './scale/slow-kind.ts';

const counts = options.quick
  ? { organizations: 4, customers: 25, connectors: 4 }
  : { organizations: 10, customers: 100, connectors: 10 };
const seconds = Number(options.seconds ?? (options.quick ? 10 : 600));
const isWanted = (part: string): boolean => options.only === '' || options.only === part;

await run(async () => {
  if (isWanted('queue')) await measureQueue();
  if (isWanted('requests')) await measureRequests(counts);
  if (isWanted('quota')) await measureQuota();
  if (isWanted('requirements')) await measureRequirements();
  if (isWanted('deletion')) await measureDeletion();
  if (isWanted('changes')) await measureChanges();
  if (isWanted('interval')) await measureInterval();
});

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
  await fill(db, keys, entities, counts);
  const leaseOptions = { kinds, columnsVersion: 0, leaseSeconds: 60, intervalMinutes: 60, fullSyncHours: 24 };
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
  await fill(db, [slowKind.key], entities, counts);
  await sql`update synced_entities set due_at = now() + interval '1 hour' * random()`.execute(db);
  await sealGrants(db, slowKind, goodKey);
  const { folder } = checkouts[0] ?? {};
  if (folder === undefined) throw new Error('No checkout');
  const environment = { SYNC_CONCURRENCY: '8', ...environmentOf(location) };
  const start = () =>
    startService(location, { folder, environment, entry: 'service/bench/scale/process.ts' });
  const services = [await start(), await start()];
  const syncedBefore = await countSynced(db);
  await resetStatements(location.databaseUrl);
  const startedAt = Date.now();
  const walBefore = await walPosition(db);
  const lags: number[] = [];
  while (Date.now() < startedAt + seconds * 1000) {
    await delay(5_000);
    lags.push(await lagOf(db));
  }
  const cpu = await Promise.all(services.map(service => service.cpuSeconds()));
  const memory = await Promise.all(services.map(service => service.memoryMb()));
  const walBytes = (await walPosition(db)) - walBefore;
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
      'memory of each process, MB': memory.join(', '),
      'WAL bytes per type synced': Math.round(walBytes / synced),
    },
  });
  await printStatements(location.databaseUrl, 'of two processes that sync');
  const { fewest, most } = await measureFairness(db);
  reportGoal(
    'syncs of the organizations with the most and the fewest while all have customers that wait',
    '≤ 1.5 ×',
    `${most} and ${fewest}`,
    most <= 1.5 * fewest,
  );
  reportGoal('types late by 30 s, of an interval of an hour', '0', String(late), late === 0 && synced > 0);
}

async function countSynced(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from synced_entities where last_synced_at is not null`.execute(db);
  return rows[0]?.count ?? 0;
}

async function walPosition(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ position: number }>`
    select (pg_current_wal_lsn() - '0/0')::float8 as position`.execute(db);
  return rows[0]?.position ?? NaN;
}

/** Makes due what ten customers of each organization sync, so that each gets several turns, and counts the syncs of each organization. */
async function measureFairness(db: Kysely<Tables>): Promise<{ fewest: number; most: number }> {
  await sql`
    with chosen as (
      select id, row_number() over (partition by organization_id order by id) <= 10 as is_due from customers
    )
    update synced_entities set last_synced_at = null, due_at = now() + interval '1 hour' * (not is_due)::int
    from connectors join chosen on chosen.id = customer_id
    where connectors.organization_id = synced_entities.organization_id and connectors.id = connector_id`.execute(
    db,
  );
  await delay(Math.min(seconds, 60) * 1000);
  const { rows } = await sql<{ fewest: number; most: number }>`
    select min(count)::int as fewest, max(count)::int as most from (
      select count(last_synced_at) as count from synced_entities group by organization_id) as counts`.execute(
    db,
  );
  return rows[0] ?? { fewest: NaN, most: NaN };
}

async function lagOf(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ lag: number }>`
    select coalesce(extract(epoch from now() - min(due_at)), 0)::float8 as lag
    from sync_queue where due_at <= now()`.execute(db);
  return rows[0]?.lag ?? 0;
}
