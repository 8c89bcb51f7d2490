import { randomUUID } from 'node:crypto';
import type { Sync } from '@connector-auth/connectors/kind';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { addConnector, createOlderTable, kindWith } from '../../../test/record-fixtures.ts';
import { silentLog } from '../../platform/log/log.ts';
import { createKindRegistry } from '../../shared/definitions/registry.ts';
import { ensureRecordTables } from '../../shared/records/ensure.ts';
import { RecordTables } from '../../shared/records/record-table.ts';
import { addEntities, resetSync, restartSync } from '../../shared/repositories/sync-state.ts';
import { takeFirst } from './sync-queue.ts';
import { runTimeSlice, type TimeSliceContext } from './time-slice.ts';

/** What happens to the vendor's records, to a sync run, or to the process that runs it. */
type Event =
  | { readonly name: 'change'; readonly id: number; readonly value: string | null }
  /** A process stores one page, and finishes the run after the last one. */
  | { readonly name: 'slice'; readonly ends: 'normally' | 'with a crash' | 'with a failure' }
  /** The same, by a process of the previous version. */
  | { readonly name: 'older slice'; readonly failsAfter: boolean }
  | { readonly name: 'restart' }
  | { readonly name: 'replace account' };

const ids = fc.integer({ min: 0, max: 7 });
const events: readonly fc.WeightedArbitrary<Event>[] = [
  {
    weight: 4,
    arbitrary: fc.record({ name: fc.constant('change'), id: ids, value: fc.constantFrom('a', 'b', null) }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      name: fc.constant('slice'),
      ends: fc.constantFrom('normally', 'normally', 'normally', 'with a crash', 'with a failure'),
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom({ name: 'restart' }, { name: 'replace account' }) },
];
const olderEvents: fc.WeightedArbitrary<Event> = {
  weight: 5,
  arbitrary: fc.record({ name: fc.constant('older slice'), failsAfter: fc.boolean() }),
};

/** The kind whose table this version has created, and the one whose table an earlier version has created. */
const layouts = ['vanishing', 'vanishing_before'] as const;
interface History {
  readonly layout: (typeof layouts)[number];
  readonly events: readonly Event[];
}
const historyOf = (layout: History['layout'], ...possible: typeof events): fc.Arbitrary<History> =>
  fc.record({
    layout: fc.constant(layout),
    events: fc.array(fc.oneof(...possible), { minLength: 20, maxLength: 60 }),
  });
/** Processes of the earlier version do not know the tables that this version creates. */
const histories = fc.oneof(
  historyOf('vanishing', ...events),
  historyOf('vanishing_before', ...events, olderEvents),
);

const pageSize = 1;

onPostgresOrEachEngineInFull('records that vanish at the vendor', database => {
  let records = new Map<number, string>();
  let ends: (Event & { name: 'slice' })['ends'] = 'normally';
  let connector = { organizationId: '', id: '' };
  let layout: History['layout'] = 'vanishing';
  const db = () => database().kysely;

  /** What the vendor had during the whole current run, and at any time during it. */
  let always = new Map<number, string>();
  let ever = new Set<string>();
  const beginObserving = (): void => {
    always = new Map(records);
    ever = new Set([...records].map(([id, value]) => `${id} ${value}`));
  };

  const pageAfter = (after: number) => {
    const left = [...records].filter(([id]) => id > after).toSorted(([one], [other]) => one - other);
    const page = left.slice(0, pageSize).map(([id, value]) => ({ id, name: value }));
    return { records: page, position: left.length > pageSize ? { after: page.at(-1)?.id ?? 0 } : null };
  };
  const endLease = () =>
    sql`update synced_entities set lease_id = null, lease_holder = null, lease_until = null
    where connector_id = ${connector.id}`.execute(db());

  const run: Sync['run'] = async function* (_vendor, { position }) {
    let after = (position as { after: number } | null)?.after ?? -1;
    if (position === null) beginObserving();
    for (;;) {
      const page = pageAfter(after);
      if (ends === 'with a failure') throw new Error('The vendor failed');
      // Without its lease, a process stores nothing more.
      if (ends === 'with a crash') await endLease();
      yield { ...page, ...(page.position === null && { since: null }) };
      if (page.position === null) return;
      after = page.position.after;
    }
  };
  const things = {
    fields: { id: 'integer', name: 'string' },
    primaryKey: ['id'],
    indexed: [],
    text: [],
    sync: { incremental: false, run },
  } as const;
  const declared = layouts.map(key => kindWith(key, { things }));
  const kinds = createKindRegistry(declared);
  const tables = new RecordTables(declared);
  const table = () => sql.id(tables.find(layout, 'things')?.name ?? '');
  beforeAll(async () => {
    for (const table of tables.all) {
      if (table.name.includes('before')) await createOlderTable(db(), table);
    }
    await ensureRecordTables(db(), tables);
    const { rows } = await sql<{ keys: string[] }>`
      select array_agg(indexdef order by indexname) as keys from pg_indexes
      where indexname like 'records\_vanishing%'`.execute(db());
    expect(rows[0]?.keys).toEqual([
      expect.stringContaining('("$connector", id)'),
      expect.stringContaining('("$organization", "$connector", id)'),
    ]);
  });

  const stored = async () => {
    const { rows } = await sql<{ id: number; name: string }>`
      select id, name from ${table()} where "$connector" = ${connector.id} order by id`.execute(db());
    return new Map(rows.map(({ id, name }) => [id, name]));
  };
  const state = async () => {
    const row = await db()
      .selectFrom('synced_entities')
      .selectAll()
      .where('connector_id', '=', connector.id)
      .executeTakeFirstOrThrow();
    return { ...row, isIdle: row.resume_at === null };
  };
  const makeDue = () =>
    sql`update synced_entities
    set due_at = now() - interval '1 s', resume_at = resume_at - interval '1 h'
    where connector_id = ${connector.id}`.execute(db());

  const runSlice = async (): Promise<string> => {
    await makeDue();
    const lease = await db()
      .transaction()
      .execute(transaction =>
        takeFirst(transaction, { kind: layout, organizationId: connector.organizationId }, null, {
          kinds,
          columnsVersion: 0,
          leaseSeconds: 60,
          intervalMinutes: 60,
          fullSyncHours: 24,
        }),
      );
    if (typeof lease === 'string') throw new Error(`Nothing is due: ${lease}`);
    const memory = { takeOver: () => () => {}, release: () => {} };
    const context = {
      database: database(),
      tables,
      kinds,
      credentials: { connect: () => ({ vendorFor: async () => ({ send: () => {} }) }) },
      responses: { open: () => memory },
      audit: { record: () => {} },
      runs: { inc: () => {} },
      log: silentLog,
      sliceMs: 0,
      leaseSeconds: 60,
    };
    // The slice uses nothing else of the service.
    return await runTimeSlice(context as unknown as TimeSliceContext, lease, new AbortController().signal);
  };

  /** The statements of the version before migration 0033. Returns whether the run has ended. */
  const runOlderSlice = async (failsAfter: boolean): Promise<boolean> => {
    await makeDue();
    const before = await state();
    const begins = before.isIdle;
    const generation = before.generation + (begins ? 1 : 0);
    const position = begins ? null : before.position;
    if (position === null) beginObserving();
    const change = (set: ReturnType<typeof sql>) =>
      sql`update synced_entities set ${set} where connector_id = ${connector.id}`.execute(db());
    await change(sql`lease_id = ${randomUUID()}, lease_until = now() + interval '60 s'`);
    if (begins) {
      await change(sql`resume_at = now(), run_since = null, run_calls = 0, position = null, generation = ${generation},
        due_at = now(), full_run_at = now()`);
    }
    const remove = async (): Promise<void> => {
      const { numAffectedRows = 0n } = await sql`delete from ${table()}
        where "$connector" = ${connector.id} and "$generation" < ${generation}`.execute(db());
      await change(sql`records = greatest(records - ${Number(numAffectedRows)}, 0)`);
    };
    if (before.last_synced_at === null && position === null) await remove();
    const page = pageAfter(position === null ? -1 : Number(JSON.parse(position).after));
    const { rows } = await sql<{ is_new: boolean }>`
      insert into ${table()} ("$connector", "$generation", id, name)
      select ${connector.id}::uuid, ${generation}::bigint, page.*
      from unnest(${page.records.map(({ id }) => id)}::bigint[], ${page.records.map(({ name }) => name)}::text[]) as page
      on conflict ("$connector", id) do update set "$generation" = excluded."$generation", name = excluded.name
      returning xmax = 0 as is_new`.execute(db());
    const added = rows.filter(({ is_new }) => is_new).length;
    const next = page.position === null ? null : JSON.stringify(page.position);
    await change(sql`position = ${next}, records = records + ${added}, failures = 0, last_error = null`);
    const isFinished = page.position === null && !failsAfter;
    if (isFinished) await remove();
    await change(
      isFinished
        ? sql`lease_id = null, lease_until = null, resume_at = null, position = null, last_synced_at = now()`
        : failsAfter
          ? sql`lease_id = null, lease_until = null, resume_at = now(), position = null, run_calls = 0`
          : sql`lease_id = null, lease_until = null, resume_at = now()`,
    );
    return isFinished;
  };

  /** Applies an event. Returns whether it may delete records, and whether it deleted all vanished ones. */
  const apply = async (event: Event): Promise<{ isEnd: boolean; isExact: boolean }> => {
    const nothing = { isEnd: false, isExact: false };
    switch (event.name) {
      case 'change':
        if (records.get(event.id) === event.value) return nothing;
        always.delete(event.id);
        if (event.value === null) records.delete(event.id);
        else {
          records.set(event.id, event.value);
          ever.add(`${event.id} ${event.value}`);
        }
        return nothing;
      case 'slice': {
        ({ ends } = event);
        const isFinished = (await runSlice()) === 'finished';
        if (ends === 'with a crash') await endLease();
        ends = 'normally';
        return { isEnd: isFinished, isExact: isFinished };
      }
      case 'older slice':
        return { isEnd: await runOlderSlice(event.failsAfter), isExact: false };
      case 'restart':
        await restartSync(db(), connector);
        return nothing;
      case 'replace account':
        await resetSync(db(), connector);
        records = new Map([...records.keys()].map(id => [id + 4, 'c']));
        always = new Map();
        return nothing;
    }
  };

  const check = async (history: History): Promise<void> => {
    ({ layout } = history);
    connector = await addConnector(db(), layout);
    await addEntities(db(), connector, ['things']);
    records = new Map([1, 2, 3, 4, 5].map(id => [id, 'a']));
    beginObserving();
    for (const event of history.events) {
      const { records: counted, last_synced_at, position } = await state();
      const before = await stored();
      const { isEnd, isExact } = await apply(event);
      const after = await stored();
      const deleted = [...before.keys()].filter(id => !after.has(id));
      // An older process begins the first run without the records that are stored, even those of an ended attempt.
      const isReplaced =
        counted === 0 || (event.name === 'older slice' && last_synced_at === null && position === null);
      if (!isEnd && !isReplaced) expect(deleted, 'deleted before the end of the run').toEqual([]);
      if (isEnd) {
        const missing = [...always].filter(([id, value]) => after.get(id) !== value);
        expect(missing, 'not stored after the run').toEqual([]);
      }
      if (isExact) {
        const vanished = [...after].filter(([id, value]) => !ever.has(`${id} ${value}`));
        expect(vanished, 'still stored after the run').toEqual([]);
      }
      if (event.name !== 'replace account' && (await state()).records > 0) {
        expect((await state()).records).toBe(after.size);
      }
    }
    // The next full run of this version makes everything right.
    await restartSync(db(), connector);
    while ((await runSlice()) !== 'finished');
    expect(await stored()).toEqual(new Map([...records].toSorted(([one], [other]) => one - other)));
    expect((await state()).records).toBe(records.size);
    const { rows } = await sql`select from seen_records where connector_id = ${connector.id}`.execute(db());
    expect(rows).toEqual([]);
  };

  const numRuns = process.env['TEST_FULL'] ? 400 : 8;
  test(
    'are deleted at the end of a full run, and no others, in any history of changes, crashes and older processes',
    { timeout: 900_000 },
    () => fc.assert(fc.asyncProperty(histories, check), { numRuns }),
  );
});
