import { sql, type RawBuilder } from 'kysely';
import { describe, expect, test } from 'vitest';
import { connectors, useConsentHarness } from '../../../test/consent-harness.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { goodCredentials } from '../../../test/synced-records.ts';
import { until } from '../../../test/until.ts';

/** Columns of `synced_entities`. */
interface Row {
  readonly records?: number;
  readonly last_error?: string;
  readonly last_error_code?: string;
  readonly last_synced_at?: RawBuilder<Date>;
  readonly due_at?: RawBuilder<Date>;
  readonly resume_at?: RawBuilder<Date>;
  readonly lease_until?: RawBuilder<Date> | null;
}

const inSeconds = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`;
const synced: Row = { last_synced_at: sql<Date>`now()`, due_at: inSeconds(3600), records: 100 };
const running: Row = { resume_at: inSeconds(0), lease_until: inSeconds(60), due_at: inSeconds(3000) };

onPostgresOrEachEngineInFull('the sync of a connector', database => {
  const harness = useConsentHarness(database);

  const create = async (): Promise<string> => {
    const credentials = goodCredentials(harness.service.sandbox, 'gong');
    return (await harness.create(undefined, { credentials })).body.id;
  };
  const read = async (id: string) =>
    // Unlike the response with one connector, the list does not read records, whose tables only a worker creates.
    (await harness.service.ask('GET', connectors, { token: harness.token })).body.data.find(
      (connector: { id: string }) => connector.id === id,
    ).sync;
  /** Sets the columns of all entities, and then those of some. */
  const set = async (all: Row, some: Readonly<Record<string, Row>> = {}): Promise<void> => {
    const update = database().kysely.updateTable('synced_entities');
    if (Object.keys(all).length > 0) await update.set(all).execute();
    for (const [entity, row] of Object.entries(some)) {
      await update.set(row).where('entity', '=', entity).execute();
    }
  };
  const secondsUntil = (time: string): number => Math.round((Date.parse(time) - Date.now()) / 1000);

  test('names each type of data as the source declares it, and in that order', async () => {
    const { entities } = await read(await create());
    const definition = '32382e40-3b49-4b99-9c5c-4076501914e7';
    const path = `/api/v1/integrations/definitions/sources/${definition}`;
    const { body } = await harness.service.ask('GET', path, { token: harness.token });
    const titles = Object.fromEntries(
      body.entities.map(({ name, title }: { name: string; title: string }) => [name, title]),
    );
    expect(Object.keys(entities).length).toBeGreaterThan(1);
    expect(Object.keys(entities)).toEqual(Object.keys(titles).filter(name => name in entities));
    for (const [name, { title }] of Object.entries<{ title: string }>(entities)) {
      expect(title).toBe(titles[name]);
      expect(title).toMatch(/^[A-Z][^_]*$/);
    }
  });

  describe('has a progress', () => {
    test('of 0 before the first run', async () => {
      const sync = await read(await create());
      expect([sync.progress, sync.next_sync_at]).toEqual([0, null]);
    });

    test('of the entities that are finished during the first run', async () => {
      const id = await create();
      const names = Object.keys((await read(id)).entities);
      const [first = '', second = ''] = names;
      await set({}, { [first]: synced, [second]: { ...running, records: 500 } });
      expect((await read(id)).progress).toBeCloseTo(1 / names.length);
    });

    test('of null once every entity was synced, however many are synced again or fail', async () => {
      const id = await create();
      const [first = ''] = Object.keys((await read(id)).entities);
      await set(synced);
      const { progress, next_sync_at } = await read(id);
      expect([progress, secondsUntil(next_sync_at)]).toEqual([null, expect.closeTo(3600, -2)]);
      await set(synced, { [first]: running });
      expect((await read(id)).progress).toBeNull();
      await set(synced, { [first]: { resume_at: inSeconds(300), last_error: 'No' } });
      expect((await read(id)).progress).toBeNull();
    });

    test('that only grows while a sync runs', async () => {
      const id = await create();
      const worker = await harness.service.startSync({ sliceMs: 0, pollMs: 10 });
      const seen: number[] = [];
      await until(async () => {
        const { progress, status } = await read(id);
        if (progress !== null) seen.push(progress);
        expect([progress, status]).toEqual([null, 'ready']);
      });
      await worker.close();
      expect(seen).toEqual(seen.toSorted((one, other) => one - other));
    });
  });

  test('shows why an entity failed and when it is tried again', async () => {
    const id = await create();
    const [failed = '', limited = '', ...others] = Object.keys((await read(id)).entities);
    await set(synced, {
      [failed]: { resume_at: inSeconds(300), last_error: 'No', last_error_code: 'vendor_failed' },
      // The code of an earlier error.
      [limited]: { resume_at: inSeconds(30), last_error_code: 'vendor_failed' },
    });
    const { entities } = await read(id);
    expect(entities[failed]).toMatchObject({ state: 'failed', last_error_code: 'vendor_failed' });
    expect(secondsUntil(entities[failed].retry_at)).toBeGreaterThan(240);
    expect(entities[limited]).toMatchObject({ state: 'waiting', last_error_code: null });
    expect(secondsUntil(entities[limited].retry_at)).toBeLessThanOrEqual(30);
    for (const name of others) expect(entities[name].retry_at).toBeNull();
  });

  test('has no progress and no next time while the connector is not active', async () => {
    const id = await create();
    const [failed = ''] = Object.keys((await read(id)).entities);
    await set(running, { [failed]: { lease_until: null, last_error: 'No' } });
    await database().kysely.updateTable('connectors').set({ status: 'needs_reauth' }).execute();
    const { progress, next_sync_at, entities } = await read(id);
    expect([progress, next_sync_at, entities[failed].retry_at]).toEqual([null, null, null]);
  });
});
