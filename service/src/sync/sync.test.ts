import { setTimeout as delay } from 'node:timers/promises';
import { ConnectorAuthError } from '@connector-auth/api';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { onEachEngine } from '../../test/engines.ts';
import { goodKey } from '../../test/example-requests.ts';
import { addScript, scriptedKind, type Script, type Scripts } from '../../test/scripted-kind.ts';
import { firstKind } from '../../test/second-kind.ts';
import { storedRecords, untilReady } from '../../test/synced-records.ts';
import { startTestService, type TestService } from '../../test/test-service.ts';
import { until } from '../../test/until.ts';
import type { EntityLease } from './entity-lease.ts';
import type { TimeSliceEnd } from './time-slice.ts';
import type { SyncTuning, SyncWorker } from './worker.ts';

const path = '/api/v1/integrations/connectors';
const scripts: Scripts = new Map();
/** Whether the vendor tells whose account it is. */
let isAccountTold = true;
/** Its check asks a vendor of the sandbox; whose account it is, the key tells. */
const kind = {
  ...scriptedKind(scripts),
  check: {
    entity: 'notes',
    action: 'list',
    run: async (vendor: Parameters<typeof firstKind.check.run>[0]) => {
      await firstKind.check.run(vendor);
      return { account: isAccountTold ? String(vendor.grant.credentials['api_key']) : null };
    },
  },
};

onEachEngine('synchronising', database => {
  let service: TestService;
  let token: string;
  let syncing: SyncWorker | null = null;
  let names = 0;
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
    syncing = await service.startSync({ sliceMs: 10_000, ...changes });
  };
  const stop = async (): Promise<void> => {
    await syncing?.close();
    syncing = null;
  };
  const script = (entity: string, parts: Partial<Script>, name = `script ${names}`): Script =>
    addScript(scripts, name, entity, parts);
  /** A connector of the scripts that were added since the last one. */
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

  /** Keeps walks back until it is opened; tells when one came to it. */
  function gate() {
    const opened = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const pass = (): Promise<void> => {
      reached.resolve();
      return opened.promise;
    };
    return { pass, open: () => opened.resolve(), reached: reached.promise };
  }

  test('begins when a connector is created, and shows how far it is', async () => {
    const { pass, open, reached } = gate();
    script('things', { pages: [[1, 2], [3]], before: page => (page === 1 ? pass() : undefined) });
    script('changes', { pages: [[7]] });
    const id = await create();
    expect((await show(id)).sync).toEqual({
      status: 'building',
      entities: {
        things: { state: 'waiting', records: 0, last_synced_at: null, last_error: null },
        changes: { state: 'waiting', records: 0, last_synced_at: null, last_error: null },
      },
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

  test('begins within moments of a connector’s creation, not at the next look', async () => {
    await start({ pollMs: 600_000 });
    script('things', { pages: [[1]] });
    const id = await create();
    await untilReady(service, token, id);
  });

  test('removes what a whole walk no longer finds, once it has seen everything', async () => {
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

  test('walks for changes alone from where the last walk ended, and the whole now and then', async () => {
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
    await database()
      .kysely.updateTable('synced_entities')
      .set({ full_walk_at: sql<Date>`now() - interval '25 hours'` })
      .execute();
    await syncNow(id);
    await until(async () => expect(await idsOf(id, 'changes')).toEqual([2, 3]));
    expect(changes.runs.map(({ since }) => since)).toEqual([null, 'after run 1', null]);
  });

  test('walks again when asked to during a walk, and the asked one sees what changed meanwhile', async () => {
    const { pass, open, reached } = gate();
    const things = script('things', { pages: [[1], [2]], before: page => (page === 1 ? pass() : undefined) });
    const id = await create();
    await start();
    await reached;
    expect((await syncNow(id)).body.sync.entities.things.state).toBe('running');
    things.pages = [[9]];
    open();
    await until(async () => expect(await idsOf(id, 'things')).toEqual([9]));
    expect(things.runs).toHaveLength(2);
  });

  test('comes again after the organization’s interval, or the operator’s', async () => {
    await start({ intervalMinutes: 45 });
    const id = await create();
    await untilReady(service, token, id);
    const minutesToNext = async () => {
      const { due_at, served_at } = await database()
        .kysely.selectFrom('synced_entities')
        .select(['due_at', 'served_at'])
        .where('connector_id', '=', id)
        .where('entity', '=', 'things')
        .executeTakeFirstOrThrow();
      return ((served_at?.getTime() ?? 0) - due_at.getTime()) / -60_000;
    };
    expect(await minutesToNext()).toBeCloseTo(45, 0);
    const setInterval = async (sync_interval_minutes: number | null) => {
      const body = { sync_interval_minutes };
      expect(await service.ask('PATCH', '/api/v1/organization', { token, body })).toMatchObject({
        status: 200,
      });
    };
    // What is waiting already waits no longer than that.
    await setInterval(7);
    expect(await minutesToNext()).toBeCloseTo(7, 0);
    await setInterval(50);
    expect(await minutesToNext()).toBeCloseTo(7, 0);
    await syncNow(id);
    await until(async () => expect(await minutesToNext()).toBeCloseTo(50, 0));
    await setInterval(null);
    await syncNow(id);
    await until(async () => expect(await minutesToNext()).toBeCloseTo(45, 0));
  });

  describe('a walk that fails', () => {
    test('says why, goes on where it stopped, and begins anew when that fails again and again', async () => {
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
          });
        });
        await syncNow(id);
      }
      await untilReady(service, token, id);
      const next = things.runs.map(({ position }) => (position as { next: number } | null)?.next ?? 0);
      expect(next.slice(0, 5)).toEqual([0, 2, 2, 0, 2]);
      expect(await entityOf(id, 'things')).toMatchObject({ records: 3, last_error: null });
    });

    test('tells nothing of a failure of the service’s own but that there was one', async () => {
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

  test('leaves the turn to others when the vendor asks to wait, and goes on afterwards', async () => {
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
    const { seconds } = await database()
      .kysely.selectFrom('synced_entities')
      .select(sql<number>`extract(epoch from resume_at - now())::float8`.as('seconds'))
      .where('resume_at', 'is not', null)
      .executeTakeFirstOrThrow();
    expect(seconds).toBeGreaterThan(880);
    // Nobody is to be asked again before that, whoever wants it.
    const before = ends.length;
    await syncNow(id);
    await until(() => expect(ends.slice(before)).toContainEqual(['changes', 'finished']));
    expect(limited.runs).toHaveLength(1);
    await database()
      .kysely.updateTable('synced_entities')
      .set({ resume_at: sql<Date>`now()` })
      .where('resume_at', 'is not', null)
      .execute();
    await until(async () => expect(await idsOf(id, 'things')).toEqual([1]));
  });

  test('stops for a connector whose credentials are refused, and goes on when it is connected again', async () => {
    const vendor = service.sandbox.control.vendor('granola');
    const things = script('things', { pages: [[1]] });
    const id = await create();
    await database()
      .kysely.updateTable('connectors')
      .set({ status: 'needs_reauth' })
      .where('id', '=', id)
      .execute();
    const ends: EntityLease[] = [];
    const other = await create('other');
    await start({ onSliceEnd: lease => ends.push(lease), pollMs: 20 });
    await untilReady(service, token, other);
    expect(things.runs).toEqual([]);
    expect(ends.filter(({ connectorId }) => connectorId === id)).toEqual([]);
    vendor.act('restore-key', { key: goodKey });
    const body = { credentials: { api_key: goodKey } };
    expect((await service.ask('PATCH', `${path}/${id}`, { token, body })).status).toBe(200);
    await untilReady(service, token, id);
  });

  test('notes that the vendor refuses the credentials in the midst of a walk, and goes on with new ones', async () => {
    const vendor = service.sandbox.control.vendor('granola');
    const key = 'grn_sandbox_large';
    const { body } = await service.ask('POST', path, {
      token,
      body: {
        customer_name: 'acme',
        connector_type: firstKind.key,
        name: 'Notes',
        credentials: { api_key: key },
      },
    });
    await start();
    await until(async () => expect((await entityOf(body.id, 'notes')).records).toBeGreaterThan(0));
    vendor.act('revoke-key', { key });
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
    expect(sync.entities.notes).toMatchObject({ state: 'done', records: 5_000, last_error: null });
  });

  describe('an account that may be another', () => {
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
      isAccountTold = true;
    });

    test.each([
      ['is told to be another', true],
      ['is not told, and to be replaced', false],
    ])('has its records forgotten at once when it %s', async (_title, isTold) => {
      isAccountTold = isTold;
      const things = script('things', { pages: [[1, 2, 3]] });
      const id = await create();
      await start();
      await untilReady(service, token, id);
      expect((await search(id, 'things')).result.data).toHaveLength(3);
      await stop();
      await connectAgain(id, { replace_account: true });
      expect(await entityOf(id, 'things')).toMatchObject({ records: 0, last_synced_at: null });
      expect((await search(id, 'things')).result).toMatchObject({ data: [], meta: { sync: 'building' } });
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

    test('is walked from nothing when it is not told: what the new credentials do not see goes', async () => {
      isAccountTold = false;
      const changes = script('changes', { pages: [[1, 2]] });
      const id = await create();
      await start();
      await untilReady(service, token, id);
      changes.pages = [[2, 9]];
      await connectAgain(id);
      await until(async () => expect(await idsOf(id, 'changes')).toEqual([2, 9]));
      expect(changes.runs.map(({ since }) => since)).toEqual([null, null]);
    });
  });

  describe('a connector that is deleted during its walk', () => {
    const nothingIsLeft = async (id: string): Promise<void> => {
      expect(await idsOf(id, 'things')).toEqual([]);
      for (const table of ['synced_entities', 'deleted_connectors'] as const) {
        const { rows } = await sql<{
          count: number;
        }>`select count(*) as count from ${sql.table(table)}`.execute(database().kysely);
        expect(rows[0]?.count).toBe(0);
      }
    };

    test('leaves nothing behind when it goes between two pages', async () => {
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
      await until(() => nothingIsLeft(id));
    });

    test('leaves nothing behind when it goes while a page is written', async () => {
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
        // Somewhere within the writing of the large page, another moment in each round.
        await delay(round * 15);
        expect((await service.ask('DELETE', `${path}/${id}`, { token })).status).toBe(204);
      }
      await until(async () => {
        for (const id of ids) await nothingIsLeft(id);
      });
    });

    test('takes everything along when its customer is deleted', async () => {
      script('things', { pages: [[1]] });
      const id = await create('leaving');
      await start({ pollMs: 50 });
      await untilReady(service, token, id);
      expect((await service.ask('DELETE', '/api/v1/customers/leaving', { token })).status).toBe(204);
      await until(() => nothingIsLeft(id));
    });
  });

  test('goes on after a stop from the page that it had finished', async () => {
    const { pass, reached } = gate();
    const things = script('things', {
      pages: [[1], [2], [3]],
      before: page => (page === 2 && things.runs.length === 1 ? pass() : undefined),
    });
    const id = await create();
    await start();
    await reached;
    await until(async () => expect(await idsOf(id, 'things')).toEqual([1, 2]));
    // The walk hangs, as at a vendor that does not answer; stopping does not wait for it.
    await stop();
    expect(await entityOf(id, 'things')).toMatchObject({ state: 'running', records: 2 });
    await start();
    await untilReady(service, token, id);
    expect(things.runs.map(({ position }) => position)).toEqual([null, { next: 2 }]);
    expect(await idsOf(id, 'things')).toEqual([1, 2, 3]);
  });

  describe('many connectors', () => {
    /** Walks that never come to an end by themselves. */
    const endless = { pages: Array.from({ length: 100_000 }, (_, page) => [page]), before: () => delay(5) };

    test('of one customer do not keep another waiting for longer than a turn of each', async () => {
      const ends: EntityLease[] = [];
      for (let count = 0; count < 12; count += 1) {
        script('things', endless);
        await create('large');
      }
      await start({ concurrency: 2, sliceMs: 60, onSliceEnd: lease => ends.push(lease) });
      await until(() => expect(ends.length).toBeGreaterThan(4));
      script('things', { pages: [[1]] });
      const before = ends.length;
      const id = await create('small');
      const own = () => ends.slice(before).filter(({ connectorId }) => connectorId === id);
      // A turn is told of a moment after its walk is noted as finished.
      await until(() => expect(own()).toHaveLength(2));
      const last = ends.findLastIndex(({ connectorId }) => connectorId === id);
      // Two entities, and before each of them a turn or two of the large one.
      expect(last - before).toBeLessThan(8);
    });

    test('of one organization leave a turn to the others, and none has two at once', async () => {
      const other = await service.tokenOf(await service.addApplication('other', ['Other']));
      const { pass, open } = gate();
      const waiting: string[] = [];
      const ids: string[] = [];
      for (let count = 0; count < 6; count += 1) {
        const name = `script ${names}`;
        for (const entity of ['things', 'changes']) {
          const before = (): Promise<void> => {
            waiting.push(name);
            return pass();
          };
          script(entity, { pages: [[1]], before });
        }
        ids.push(await create(`customer ${count}`));
      }
      await start({ concurrency: 4 });
      await until(() => expect(waiting).toHaveLength(3));
      const id = await create('elsewhere', other);
      await untilReady(service, other, id);
      expect(waiting).toHaveLength(3);
      expect(new Set(waiting).size).toBe(3);
      open();
      for (const id of ids) await untilReady(service, token, id);
    });
  });
});
