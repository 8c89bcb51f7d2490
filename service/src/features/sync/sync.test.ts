import { setTimeout as delay } from 'node:timers/promises';
import { ConnectorAuthError } from '@connector-auth/api';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { onEachEngine, testOnServerOrInFull } from '../../../test/engines.ts';
import { goodKey } from '../../../test/example-requests.ts';
import { addScript, scriptedKind, type Script, type Scripts } from '../../../test/scripted-kind.ts';
import { firstKind } from '../../../test/second-kind.ts';
import { storedRecords, untilReady } from '../../../test/synced-records.ts';
import { startTestService, type TestService } from '../../../test/test-service.ts';
import { until } from '../../../test/until.ts';
import type { Job } from '../../platform/jobs/periodic-job.ts';
import type { EntityLease } from './sync-queue.ts';
import type { TimeSliceEnd } from './time-slice.ts';
import type { SyncTuning } from './worker.ts';

const path = '/api/v1/integrations/connectors';
const scripts: Scripts = new Map();
/** Whether the vendor reports which account the credentials belong to. */
let isAccountReported = true;
/** Verifies credentials with a vendor in the sandbox. The API key identifies the account. */
const kind = {
  ...scriptedKind(scripts),
  check: {
    entity: 'notes',
    action: 'list',
    run: async (vendor: Parameters<typeof firstKind.check.run>[0]) => {
      await firstKind.check.run(vendor);
      return { account: isAccountReported ? String(vendor.grant.credentials['api_key']) : null };
    },
  },
};

/** Never starts again, so that no connector follows a script of another engine's tests. */
let names = 0;

onEachEngine('sync', (database, engine) => {
  // These tests add cases to those that run on each engine, and no statement that depends on it.
  const testOnServer = testOnServerOrInFull(engine);
  let service: TestService;
  let token: string;
  let worker: Job | null = null;
  beforeAll(async () => {
    service = await startTestService(database(), { kinds: [kind, firstKind] });
    token = await service.tokenOf(await service.addApplication('own', ['Own']));
  });
  afterEach(async () => {
    await stop();
    await database().kysely.deleteFrom('customers').execute();
    service.sandbox.control.reset();
  });
  afterAll(() => service.close());

  const start = async (changes: Partial<SyncTuning> = {}): Promise<void> => {
    worker = await service.startSync({ sliceMs: 10_000, ...changes });
  };
  const stop = async (): Promise<void> => {
    await worker?.close();
    worker = null;
  };
  const script = (entity: string, parts: Partial<Script>, name = `script ${names}`): Script =>
    addScript(scripts, name, entity, parts);
  /** Creates a connector with the scripts that were added since the last connector was created. */
  const create = async (customer_name = 'acme', as = token): Promise<string> => {
    const body = {
      customer_name,
      connector_type: kind.key,
      name: 'Things',
      credentials: { api_key: goodKey },
      replication_config: { script: `script ${names++}` },
    };
    const { status, body: created, text } = await service.ask('POST', path, { token: as, body });
    if (status !== 201) throw new Error(text);
    return created.id;
  };
  const show = async (id: string) => (await service.ask('GET', `${path}/${id}`, { token })).body;
  const syncNow = (id: string) => service.ask('POST', `${path}/${id}/sync`, { token });
  const entityOf = async (id: string, entity: string) => (await show(id)).sync.entities[entity];
  const idsOf = async (id: string, entity: string) => {
    // Stored records have the fields of the kind's entities.
    const records = (await storedRecords(database().kysely, kind, entity, id)) as { id: string }[];
    return records.map(record => Number(record.id)).toSorted((one, other) => one - other);
  };

  /**
   * Returns the time between an entity's last time slice and its next run. Reads it from the database,
   * because no API returns it and the database's clock cannot be advanced.
   */
  const minutesToNextRun = async (id: string) => {
    const { due_at, slice_started_at } = await database()
      .kysely.selectFrom('synced_entities')
      .select(['due_at', 'slice_started_at'])
      .where('connector_id', '=', id)
      .where('entity', '=', 'things')
      .executeTakeFirstOrThrow();
    return (due_at.getTime() - (slice_started_at?.getTime() ?? 0)) / 60_000;
  };

  /** Creates a gate that blocks runs until it is opened. `reached` resolves when the first run arrives. */
  function gate() {
    const opened = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const pass = (): Promise<void> => {
      reached.resolve();
      return opened.promise;
    };
    return { pass, open: () => opened.resolve(), reached: reached.promise };
  }

  testOnServer(
    'reports in a metric how long the first customer in the queue has waited for a time slice',
    async () => {
      const { pass, open, reached } = gate();
      script('things', { pages: [[1]], before: pass });
      await create('first');
      await start({ concurrency: 1, pollMs: 20 });
      await reached;
      await create('second');
      await sql`update sync_queue set due_at = now() - interval '1 hour'
      where customer_id in (select id from customers where name = 'second')`.execute(database().kysely);
      const lag = async (): Promise<number> => {
        const { text } = await service.ask('GET', '/metrics');
        return Number(/^connector_auth_sync_lag_seconds (\S+)$/m.exec(text)?.[1]);
      };
      await until(async () => expect(await lag()).toBeGreaterThanOrEqual(3_600));
      expect(await lag()).toBeLessThan(7_200);
      open();
      await until(async () => expect(await lag()).toBe(0));
    },
  );

  test('starts syncing when a connector is created, and reports the progress', async () => {
    const { pass, open, reached } = gate();
    script('things', { pages: [[1, 2], [3]], before: page => (page === 1 ? pass() : undefined) });
    script('changes', { pages: [[7]] });
    const id = await create();
    const waiting = {
      state: 'waiting',
      records: 0,
      last_synced_at: null,
      last_error: null,
      last_error_code: null,
      retry_at: null,
      dates: null,
      latest: [],
    };
    expect((await show(id)).sync).toEqual({
      status: 'building',
      entities: { things: { title: 'Things', ...waiting }, changes: { title: 'Changes', ...waiting } },
      progress: 0,
      next_sync_at: null,
    });
    await start();
    await reached;
    await until(async () => expect(await idsOf(id, 'things')).toEqual([1, 2]));
    const { sync } = await show(id);
    expect(sync.status).toBe('preview');
    expect(sync.entities.things).toMatchObject({ state: 'running', records: 2, last_synced_at: null });
    open();
    await untilReady(service, token, id);
    expect(await idsOf(id, 'things')).toEqual([1, 2, 3]);
    expect(await entityOf(id, 'things')).toMatchObject({ state: 'done', records: 3, last_error: null });
    expect(Date.parse((await entityOf(id, 'things')).last_synced_at)).toBeGreaterThan(Date.now() - 60_000);
  });

  testOnServer(
    'counts the records that search finds, at every moment of every history of two runs',
    { timeout: 600_000 },
    async () => {
      const pages = fc.array(fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 6 }), {
        maxLength: 4,
      });
      const runs = fc.record({ things: pages, changes: pages });
      /** Compares all counts in one statement. Returns whether no run is under way or due. */
      const compare = async (id: string): Promise<boolean> => {
        const stored = (entity: string) =>
          sql`(select count(*) from ${sql.id(`records_scripted_${entity}`)} where "$connector" = connector_id)`;
        const { rows } = await sql<{ records: number; stored: number; failed: boolean; done: boolean }>`
        select records, last_error is not null as failed, resume_at is null and due_at > now() as done,
          case entity when 'things' then ${stored('things')} else ${stored('changes')} end as stored
        from synced_entities where connector_id = ${id}`.execute(database().kysely);
        for (const { records, stored } of rows) expect(records).toBe(stored);
        // Otherwise a failed run would be retried after half a minute.
        if (rows.some(({ failed }) => failed)) await syncNow(id);
        return rows.every(({ done }) => done);
      };
      const history = fc.record({ first: runs, second: runs, failing: fc.nat({ max: 3 }) });
      await start({ sliceMs: 0, pollMs: 5 });
      const check = fc.asyncProperty(history, async ({ first, second, failing }) => {
        let isFailing = true;
        const before = (page: number) => {
          if (!isFailing || page !== failing) return;
          isFailing = false;
          throw new ConnectorAuthError('vendor_failed', 'No');
        };
        const things = script('things', { pages: first.things, before });
        const changes = script('changes', { pages: first.changes });
        const id = await create();
        while (!(await compare(id)));
        isFailing = true;
        things.pages = second.things;
        changes.pages = second.changes;
        await syncNow(id);
        while (!(await compare(id)));
        const { things: found, changes: kept } = (await show(id)).sync.entities;
        expect(found.records).toBe(new Set(second.things.flat()).size);
        expect(kept.records).toBe(new Set([...first.changes, ...second.changes].flat()).size);
      });
      const numRuns = process.env['TEST_FULL'] ? 40 : 4;
      await fc.assert(check, { numRuns, seed: 20261125 });
    },
  );

  test('starts syncing when notified of a new connector, without waiting for the next poll', async () => {
    await start({ pollMs: 600_000 });
    script('things', { pages: [[1]] });
    const id = await create();
    await untilReady(service, token, id);
    expect(await idsOf(id, 'things')).toEqual([1]);
  });

  test('deletes records that a full run no longer finds, after its last page', async () => {
    const things = script('things', { pages: [[1, 2, 3], [4]] });
    const id = await create();
    await start();
    await untilReady(service, token, id);
    const { pass, open, reached } = gate();
    things.pages = [[3], [5]];
    things.before = page => (page === 1 ? pass() : undefined);
    expect((await syncNow(id)).status).toBe(200);
    await reached;
    expect(await idsOf(id, 'things')).toEqual([1, 2, 3, 4]);
    open();
    await until(async () => expect(await idsOf(id, 'things')).toEqual([3, 5]));
    await until(async () =>
      expect(await entityOf(id, 'things')).toMatchObject({ state: 'done', records: 2 }),
    );
  });

  testOnServer(
    'syncs incrementally from the end of the last run, and fully when a full run is due',
    async () => {
      const changes = script('changes', { pages: [[1, 2]] });
      const id = await create();
      await start();
      await untilReady(service, token, id);
      changes.pages = [[2, 3]];
      await syncNow(id);
      await until(async () =>
        expect(await entityOf(id, 'changes')).toMatchObject({ state: 'done', records: 3 }),
      );
      expect(changes.runs.map(({ since }) => since)).toEqual([null, 'after run 1']);
      expect(await idsOf(id, 'changes')).toEqual([1, 2, 3]);
      await stop();
      await start({ fullSyncHours: 0 });
      await syncNow(id);
      await until(async () => expect(await idsOf(id, 'changes')).toEqual([2, 3]));
      expect(changes.runs.map(({ since }) => since)).toEqual([null, 'after run 1', null]);
    },
  );

  testOnServer(
    'finds a deletion in the next sync if a full one takes few requests for the interval, and says when it synced',
    async () => {
      const vendor = service.sandbox.control.vendor('granola');
      const credentials = { api_key: goodKey };
      const body = { customer_name: 'acme', connector_type: firstKind.key, name: 'Notes', credentials };
      const { id } = (await service.ask('POST', path, { token, body })).body;
      const search = async (title: string) => {
        const params = { query: { filter: { eq: { title } } }, fields: ['id', 'title'] };
        const asked = { entity: 'notes', action: 'search', params };
        return (await service.ask('POST', `${path}/${id}/execute`, { token, body: asked })).body.result;
      };
      const add = (title: string) => vendor.act('add-note', { title }) as { id: string };
      const [first, second] = [add('First'), add('Second')];
      expect((await search('First')).meta.sync).toEqual({ status: 'building', last_synced_at: null });
      await start({ intervalMinutes: 60 });
      await untilReady(service, token, id);
      const { data, meta } = await search('First');
      expect(data).toMatchObject([{ id: first.id }]);
      expect(meta.sync).toEqual({
        status: 'ready',
        last_synced_at: (await entityOf(id, 'notes')).last_synced_at,
      });
      vendor.act('delete-note', { id: first.id });
      await syncNow(id);
      await until(async () => expect((await search('First')).data).toEqual([]));
      const syncedAt = async () => Date.parse((await search('First')).meta.sync.last_synced_at);
      await until(async () => expect(await syncedAt()).toBeGreaterThan(Date.parse(meta.sync.last_synced_at)));
      // The account has more notes than five minutes are worth.
      await stop();
      await start({ intervalMinutes: 5 });
      vendor.act('delete-note', { id: second.id });
      add('Third');
      await syncNow(id);
      await until(async () => expect((await search('Third')).data).toHaveLength(1));
      await until(async () => expect((await entityOf(id, 'notes')).state).toBe('done'));
      expect((await search('Second')).data).toHaveLength(1);
      await stop();
      await start({ intervalMinutes: 60 });
      await syncNow(id);
      await until(async () => expect((await search('Second')).data).toEqual([]));
    },
  );

  testOnServer(
    'starts another run if a sync is requested during a run, and finds the changes made in the meantime',
    async () => {
      const { pass, open, reached } = gate();
      const things = script('things', {
        pages: [[1], [2]],
        before: page => (page === 1 ? pass() : undefined),
      });
      const id = await create();
      await start();
      await reached;
      expect((await syncNow(id)).body.sync.entities.things.state).toBe('running');
      things.pages = [[9]];
      open();
      await until(async () => expect(await idsOf(id, 'things')).toEqual([9]));
      expect(things.runs).toHaveLength(2);
    },
  );

  testOnServer(
    "syncs again after the organization's sync interval, or after the operator's if none is set",
    async () => {
      await start({ intervalMinutes: 45 });
      const id = await create();
      await untilReady(service, token, id);
      expect(await minutesToNextRun(id)).toBeCloseTo(45, 0);
      const setInterval = async (sync_interval_minutes: number | null) => {
        const body = { sync_interval_minutes };
        expect(await service.ask('PATCH', '/api/v1/organization', { token, body })).toMatchObject({
          status: 200,
        });
      };
      // A shorter interval also applies to the current wait. A longer interval applies only to the next wait.
      await setInterval(7);
      expect(await minutesToNextRun(id)).toBeCloseTo(7, 0);
      await setInterval(50);
      expect(await minutesToNextRun(id)).toBeCloseTo(7, 0);
      await syncNow(id);
      await until(async () => expect(await minutesToNextRun(id)).toBeCloseTo(50, 0));
      await setInterval(null);
      await syncNow(id);
      await until(async () => expect(await minutesToNextRun(id)).toBeCloseTo(45, 0));
    },
  );

  describe('a run that fails', () => {
    test('reports why a run failed, resumes it after its last page, and restarts it after three failures', async () => {
      let failures = 4;
      const things = script('things', {
        pages: [[1], [2], [3]],
        before: page => {
          if (page !== 2 || failures-- <= 0) return;
          throw new ConnectorAuthError('vendor_failed', 'The vendor failed: no tape left');
        },
      });
      const id = await create();
      await start();
      for (const failed of [1, 2, 3, 4]) {
        await until(async () => {
          expect(things.runs).toHaveLength(failed);
          expect(await entityOf(id, 'things')).toMatchObject({
            state: 'failed',
            records: 2,
            last_error: 'The vendor failed: no tape left',
            last_error_code: 'vendor_failed',
          });
        });
        await syncNow(id);
      }
      await untilReady(service, token, id);
      const next = things.runs.map(({ position }) => (position as { next: number } | null)?.next ?? 0);
      expect(next.slice(0, 5)).toEqual([0, 2, 2, 0, 2]);
      expect(await entityOf(id, 'things')).toMatchObject({ records: 3, last_error: null });
      const logged = service
        .logged()
        .split('\n')
        .filter(line => line.includes(id) && /connector_(?:broken|recovered)/.test(line));
      expect(logged).toEqual([
        expect.stringContaining('"entity":"things","problem":"vendor_failed","event":"connector_broken"'),
        expect.stringContaining('"entity":"things","event":"connector_recovered"'),
      ]);
      const { text } = await service.ask('GET', '/metrics');
      const runs = (outcome: string) =>
        new RegExp(`^connector_auth_sync_runs_total{kind="\\w+",outcome="${outcome}"} [1-9]`, 'm');
      expect(text).toMatch(runs('vendor_failed'));
      expect(text).toMatch(runs('ok'));
    });

    testOnServer('does not report the details of an internal error that failed a run', async () => {
      script('things', {
        pages: [[1]],
        before: () => {
          throw new Error('a secret detail');
        },
      });
      const id = await create();
      await start();
      await until(async () => expect((await entityOf(id, 'things')).state).toBe('failed'));
      expect(JSON.stringify(await show(id))).not.toContain('secret detail');
      expect(service.logged()).toContain('a secret detail');
    });
  });

  testOnServer(
    'keeps syncing other entities while one is rate-limited by the vendor, even if a sync is requested',
    async () => {
      const ends: [string, TimeSliceEnd][] = [];
      const limited = script('things', {
        pages: [[1]],
        before: () => {
          if (limited.runs.length > 1) return;
          throw new ConnectorAuthError('vendor_rate_limited', 'Slower', { retryAfterSeconds: 900 });
        },
      });
      const id = await create();
      await start({ onSliceEnd: ({ entity }, end) => ends.push([entity, end]) });
      await until(() => expect(ends).toContainEqual(['things', 'limited']));
      expect(await entityOf(id, 'things')).toMatchObject({ state: 'waiting', last_error: null });
      expect(service.logged()).toContain('"seconds":900');
      const before = ends.length;
      await syncNow(id);
      await until(() => expect(ends.slice(before)).toContainEqual(['changes', 'finished']));
      expect(limited.runs).toHaveLength(1);
    },
  );

  testOnServer("resumes a run when the vendor's rate limit allows it", async () => {
    const ends: TimeSliceEnd[] = [];
    const limited = script('things', {
      pages: [[1], [2]],
      before: page => {
        if (page === 0 || limited.runs.length > 1) return;
        throw new ConnectorAuthError('vendor_rate_limited', 'Slower', { retryAfterSeconds: 1 });
      },
    });
    const id = await create();
    await start({ pollMs: 50, onSliceEnd: (_lease, end) => ends.push(end) });
    await untilReady(service, token, id);
    expect(ends).toContain('limited');
    expect(await idsOf(id, 'things')).toEqual([1, 2]);
    expect(limited.runs.map(({ position }) => position)).toEqual([null, { next: 1 }]);
  });

  testOnServer('skips a connector that needs reauthentication until it has new credentials', async () => {
    const vendor = service.sandbox.control.vendor('granola');
    const things = script('things', { pages: [[1]] });
    const id = await create();
    const other = await create('other');
    vendor.act('revoke-key', { key: goodKey });
    await service.ask('POST', `${path}/${id}/check`, { token });
    expect((await show(id)).status).toBe('needs_reauth');
    const ends: EntityLease[] = [];
    await start({ onSliceEnd: lease => ends.push(lease), pollMs: 20 });
    await untilReady(service, token, other);
    expect(things.runs).toEqual([]);
    expect(ends.filter(({ connectorId }) => connectorId === id)).toEqual([]);
    vendor.act('restore-key', { key: goodKey });
    const body = { credentials: { api_key: goodKey } };
    expect((await service.ask('PATCH', `${path}/${id}`, { token, body })).status).toBe(200);
    await untilReady(service, token, id);
  });

  testOnServer(
    'fails a run if the vendor rejects the credentials, and resumes with new credentials',
    async () => {
      const vendor = service.sandbox.control.vendor('granola');
      // Has 37 notes on two pages.
      const key = 'grn_sandbox_second';
      const { body } = await service.ask('POST', path, {
        token,
        body: {
          customer_name: 'acme',
          connector_type: firstKind.key,
          name: 'Notes',
          credentials: { api_key: key },
        },
      });
      const first = service.holdVendorRequest('/notes');
      await start();
      const readFirst = await first;
      const second = service.holdVendorRequest('/notes');
      readFirst();
      const readSecond = await second;
      await until(async () => expect((await entityOf(body.id, 'notes')).records).toBe(30));
      vendor.act('revoke-key', { key });
      readSecond();
      await until(async () => {
        const { status, sync } = await show(body.id);
        expect(status).toBe('needs_reauth');
        expect(sync.status).toBe('preview');
        expect(sync.entities.notes.state).toBe('failed');
        expect(sync.entities.notes.last_error).toContain('no longer accepts the credentials');
      });
      vendor.act('restore-key', { key });
      const patch = { credentials: { api_key: key } };
      expect((await service.ask('PATCH', `${path}/${body.id}`, { token, body: patch })).status).toBe(200);
      const { sync } = await untilReady(service, token, body.id);
      expect(sync.entities.notes).toMatchObject({ state: 'done', records: 37, last_error: null });
    },
  );

  describe('a connector whose new credentials may be for another account', () => {
    const otherKey = goodKey.replace('demo', 'second');
    const connectAgain = async (id: string, change: object = {}) => {
      const body = { credentials: { api_key: otherKey }, ...change };
      expect((await service.ask('PATCH', `${path}/${id}`, { token, body })).status).toBe(200);
    };
    const search = async (id: string, entity: string) => {
      const body = { entity, action: 'search', params: { query: {} } };
      return (await service.ask('POST', `${path}/${id}/execute`, { token, body })).body;
    };
    afterEach(() => {
      isAccountReported = true;
    });

    test.each([
      ['the vendor reports another account', true],
      ['the account is unknown and the caller replaces it', false],
    ])('search no longer finds the records of the old account if %s', async (_title, isReported) => {
      isAccountReported = isReported;
      const things = script('things', { pages: [[1, 2, 3]] });
      const id = await create();
      await start();
      await untilReady(service, token, id);
      expect((await search(id, 'things')).result.data).toHaveLength(3);
      await stop();
      await connectAgain(id, { replace_account: true });
      expect(await entityOf(id, 'things')).toMatchObject({ records: 0, last_synced_at: null });
      expect((await search(id, 'things')).result).toMatchObject({
        data: [],
        meta: { sync: { status: 'building' } },
      });
      const { pass, open, reached } = gate();
      things.pages = [[8]];
      things.before = pass;
      await start();
      await reached;
      expect(await idsOf(id, 'things')).toEqual([]);
      open();
      await untilReady(service, token, id);
      expect(await idsOf(id, 'things')).toEqual([8]);
    });

    testOnServer(
      'starts a full run if the account is unknown, and deletes records that the new credentials do not find',
      async () => {
        isAccountReported = false;
        const changes = script('changes', { pages: [[1, 2]] });
        const id = await create();
        await start();
        await untilReady(service, token, id);
        changes.pages = [[2, 9]];
        await connectAgain(id);
        await until(async () => expect(await idsOf(id, 'changes')).toEqual([2, 9]));
        expect(changes.runs.map(({ since }) => since)).toEqual([null, null]);
      },
    );
  });

  describe('a connector whose settings are changed', () => {
    const changeSettings = async (id: string, settings: Readonly<Record<string, unknown>>) => {
      const body = { replication_config: settings };
      const response = await service.ask('PATCH', `${path}/${id}`, { token, body });
      expect(response.status, response.text).toBe(200);
    };

    testOnServer(
      'runs a full sync with the new settings, and deletes the records that they no longer include',
      async () => {
        script('changes', { pages: [[1, 2]] });
        const id = await create();
        const wider = `${crypto.randomUUID()} wider`;
        const { runs } = script('changes', { pages: [[2, 3]] }, wider);
        await start();
        await untilReady(service, token, id);
        await changeSettings(id, { script: wider });
        await until(async () => expect(await idsOf(id, 'changes')).toEqual([2, 3]));
        expect(runs.map(({ since }) => since)).toEqual([null]);
      },
    );

    test('ends a run that has begun with the previous settings', async () => {
      const { pass, open, reached } = gate();
      script('things', { pages: [[1], [2]], before: page => (page === 1 ? pass() : undefined) });
      const id = await create();
      const other = `${crypto.randomUUID()} other`;
      script('things', { pages: [[8]] }, other);
      await start();
      await reached;
      await changeSettings(id, { script: other });
      open();
      await untilReady(service, token, id);
      expect(await idsOf(id, 'things')).toEqual([8]);
    });

    testOnServer.each([
      ['are the same', {}],
      ['do not determine what is synced', { note: 'x' }],
    ])('continues incrementally if the new settings %s', async (_title, changes) => {
      const { runs } = script('changes', { pages: [[1]] });
      const id = await create();
      await start();
      await untilReady(service, token, id);
      const { replication_config: settings } = await show(id);
      await changeSettings(id, { ...settings, ...changes });
      await syncNow(id);
      await until(() => expect(runs.map(({ since }) => since)).toEqual([null, 'after run 1']));
    });
  });

  describe('a connector that is deleted during a run', () => {
    const expectNothingLeft = async (id: string): Promise<void> => {
      expect(await idsOf(id, 'things')).toEqual([]);
      for (const table of ['synced_entities', 'deleted_connectors'] as const) {
        const { rows } = await sql<{
          count: number;
        }>`select count(*) as count from ${sql.table(table)}`.execute(database().kysely);
        expect(rows[0]?.count).toBe(0);
      }
    };

    test('leaves no records if the connector is deleted between two pages', async () => {
      const { pass, open, reached } = gate();
      const ends: TimeSliceEnd[] = [];
      script('things', {
        pages: [[1, 2], [3], [4]],
        before: page => (page === 2 ? pass() : undefined),
      });
      const id = await create();
      await start({ pollMs: 50, onSliceEnd: (_lease, end) => ends.push(end) });
      await reached;
      await until(async () => expect(await idsOf(id, 'things')).toEqual([1, 2, 3]));
      expect((await service.ask('DELETE', `${path}/${id}`, { token })).status).toBe(204);
      open();
      await until(() => expect(ends).toContain('lost'));
      await syncNow(id);
      await until(() => expectNothingLeft(id));
    });

    // PGlite writes a page or deletes a connector, one after the other.
    testOnServer('leaves no records if the connector is deleted while a page is being written', async () => {
      const large = Array.from({ length: 2_000 }, (_, index) => index);
      await start({ concurrency: 6, pollMs: 50 });
      const ids: string[] = [];
      for (let round = 0; round < 6; round += 1) {
        const written = gate();
        script('things', {
          pages: [[-1], large, large],
          before: page => {
            if (page === 1) void written.pass();
          },
        });
        const id = await create(`customer ${round}`);
        ids.push(id);
        await written.reached;
        // Each round deletes the connector at a different moment while the large page is being written.
        await delay(round * 15);
        expect((await service.ask('DELETE', `${path}/${id}`, { token })).status).toBe(204);
      }
      await until(async () => {
        for (const id of ids) await expectNothingLeft(id);
      });
    });

    testOnServer('leaves no records if the customer is deleted during a run', async () => {
      script('things', { pages: [[1]] });
      const id = await create('leaving');
      await start({ pollMs: 50 });
      await untilReady(service, token, id);
      expect((await service.ask('DELETE', '/api/v1/customers/leaving', { token })).status).toBe(204);
      await until(() => expectNothingLeft(id));
    });
  });

  // The transaction has PGlite's only connection.
  if (engine === 'postgres')
    test('reads two pages ahead of the one that it stores, and leaves them out after a shutdown', async () => {
      const locked = gate();
      const reads: number[] = [];
      const before = async (page: number): Promise<void> => {
        reads.push(page);
        if (page === 0) await locked.reached;
      };
      script('things', { pages: [[1], [2], [3], [4], [5]], before });
      const id = await create();
      await start();
      const locking = database()
        .kysely.transaction()
        .execute(async transaction => {
          await sql`select from connectors where id = ${id} for update`.execute(transaction);
          await locked.pass();
        });
      await until(() => expect(reads).toEqual([0, 1, 2]));
      const stopping = stop();
      locked.open();
      await Promise.all([locking, stopping]);
      expect(reads).toEqual([0, 1, 2]);
      expect(await idsOf(id, 'things')).toEqual([1]);
    });

  test('resumes a run from the last saved page after a shutdown', async () => {
    const { pass, reached } = gate();
    const things = script('things', {
      pages: [[1], [2], [3]],
      before: page => (page === 2 && things.runs.length === 1 ? pass() : undefined),
    });
    const id = await create();
    await start();
    await reached;
    await until(async () => expect(await idsOf(id, 'things')).toEqual([1, 2]));
    // The run hangs, as it would if the vendor did not respond. Shutdown does not wait for it.
    await stop();
    expect(await entityOf(id, 'things')).toMatchObject({ state: 'running', records: 2 });
    await start();
    await untilReady(service, token, id);
    expect(things.runs.map(({ position }) => position)).toEqual([null, { next: 2 }]);
    expect(await idsOf(id, 'things')).toEqual([1, 2, 3]);
  });

  describe('fair scheduling', () => {
    /** A run that never ends. */
    const endless = { pages: Array.from({ length: 100_000 }, (_, page) => [page]), before: () => delay(5) };

    // What waits is chosen by the same statements on each engine, see `sync-queue.test.ts`.
    testOnServer('a small customer waits for at most one time slice of each other customer', async () => {
      const large: Script[] = [];
      for (let count = 0; count < 12; count += 1) {
        large.push(script('things', endless));
        await create('large');
      }
      const slices = (): number => large.reduce((sum, { runs }) => sum + runs.length, 0);
      await start({ concurrency: 2, sliceMs: 60 });
      await until(() => expect(slices()).toBeGreaterThan(4));
      const preceding: number[] = [];
      const before = (): void => void preceding.push(slices());
      for (const entity of ['things', 'changes']) script(entity, { pages: [[1]], before });
      await create('small');
      const created = slices();
      await until(() => expect(preceding).toHaveLength(2));
      // The small customer has two entities. One or two slices of the large customer precede each of them.
      expect(Math.max(...preceding) - created).toBeLessThan(8);
    });

    testOnServer(
      'reserves a time slice for other organizations and other kinds, so that no slow vendor has all',
      async () => {
        const other = await service.tokenOf(await service.addApplication('other', ['Other']));
        const { pass, open } = gate();
        const waiting: string[] = [];
        const ids: string[] = [];
        const addSlowScript = (): void => {
          const name = `script ${names}`;
          const before = (): Promise<void> => {
            waiting.push(name);
            return pass();
          };
          for (const entity of ['things', 'changes']) script(entity, { pages: [[1]], before });
        };
        for (let count = 0; count < 6; count += 1) {
          addSlowScript();
          ids.push(await create(`customer ${count}`));
        }
        await start({ concurrency: 4 });
        await until(() => expect(waiting).toHaveLength(3));
        // Three different customers.
        expect(new Set(waiting).size).toBe(3);
        const createNotes = async (as: string): Promise<string> => {
          const credentials = { api_key: goodKey };
          const body = { customer_name: 'notes', connector_type: firstKind.key, name: 'Notes', credentials };
          return (await service.ask('POST', path, { token: as, body })).body.id;
        };
        const ofSameOrganization = await createNotes(token);
        addSlowScript();
        const ofSameKind = await create('elsewhere', other);
        const different = await createNotes(other);
        await untilReady(service, other, different);
        expect(waiting).toHaveLength(3);
        expect((await show(ofSameOrganization)).sync.status).toBe('building');
        open();
        for (const id of [...ids, ofSameOrganization]) await untilReady(service, token, id);
        await untilReady(service, other, ofSameKind);
      },
    );

    test('syncs several types of data of a connector at once', async () => {
      const [things, changes] = [gate(), gate()];
      script('things', { pages: [[1]], before: things.pass });
      script('changes', { pages: [[2]], before: changes.pass });
      const id = await create();
      await start();
      await Promise.all([things.reached, changes.reached]);
      expect(await entityOf(id, 'things')).toMatchObject({ state: 'running' });
      expect(await entityOf(id, 'changes')).toMatchObject({ state: 'running' });
      things.open();
      changes.open();
      await untilReady(service, token, id);
    });
  });
});
