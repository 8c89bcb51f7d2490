/** A list that cannot be filtered, with the latest changes first, while its records change. */
import { array, assert, asyncProperty, constantFrom, integer, nat, record } from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { connectThings } from '../../test/scripted.ts';
import { byCursor, byPage, syncByTime, type Paging, type Resource } from './index.ts';

const pagings: Readonly<Record<string, Paging>> = {
  pages: byPage({ param: 'page' }),
  cursors: byCursor({ param: 'after', next: { lastRecord: 'changed_at' }, more: 'more' }),
};

interface Thing {
  readonly id: string;
  readonly version: number;
  readonly changed_at: string;
}

const change = record({ before: nat(3), id: nat(12) });

test('incremental runs of a list with the latest changes first find what a full run finds, while records change', async () => {
  await assert(
    asyncProperty(
      constantFrom(...Object.keys(pagings)),
      integer({ min: 1, max: 5 }),
      array(array(change, { maxLength: 8 }), { minLength: 1, maxLength: 5 }),
      array(nat(5), { maxLength: 3 }),
      async (paging, size, runs, interruptions) => {
        let now = Date.parse('2026-03-01T00:00:00Z');
        let things: readonly Thing[] = [];
        let pending: readonly { readonly before: number; readonly id: number }[] = [];
        let requests = 0;
        const write = (id: number): void => {
          now += 1000;
          const version = (things.find(each => each.id === `t${id}`)?.version ?? 0) + 1;
          const changed = { id: `t${id}`, version, changed_at: new Date(now).toISOString() };
          things = [changed, ...things.filter(each => each.id !== changed.id)];
        };
        for (const id of [1, 2, 3, 4, 5, 6, 7, 8]) write(id);
        const vendor = await connectThings(({ query = {} }) => {
          requests += 1;
          for (const { id } of pending.filter(({ before }) => before === requests)) write(id);
          const { page, after } = query;
          const from = after === undefined ? (Number(page ?? 1) - 1) * size : 0;
          const older = things.filter(each => after === undefined || each.changed_at < String(after));
          const body = { things: older.slice(from, from + size), more: older.length > from + size };
          return Promise.resolve({ status: 200, headers: {}, body });
        }).vendorFor({ repeatable: true });
        const resource: Resource = {
          api: { name: 'Things', url: 'https://things.example' },
          noun: 'thing',
          path: '/things',
          at: 'things',
          record: z.object({
            id: z.string(),
            version: z.int().nullable(),
            changed_at: z.iso.datetime().nullable(),
          }),
          ...(pagings[paging] && { paging: pagings[paging] }),
        };
        const sync = syncByTime(resource, { field: 'changed_at', param: null, overlapMs: 0 });
        const mirror = new Map<unknown, unknown>();
        let since: string | null = null;
        const run = async (): Promise<void> => {
          let position: unknown = null;
          let next: string | null = since;
          for (const count of [...interruptions, Infinity]) {
            let read = 0;
            for await (const page of sync.run({ ...vendor, now: () => now }, { since, position })) {
              for (const each of page.records) mirror.set(each['id'], each);
              position = JSON.parse(JSON.stringify(page.position));
              if (page.since !== undefined) next = page.since;
              if (position === null || ++read > count) break;
            }
            if (position === null) break;
          }
          since = next;
        };
        for (pending of runs) {
          requests = 0;
          // As many changes as a page has records let the next page look like it. The service repeats such a run.
          await run().catch((error: unknown) => {
            expect(error).toMatchObject({
              code: 'vendor_failed',
              message: expect.stringContaining('repeats a page') as unknown,
            });
            return run();
          });
        }
        pending = [];
        // What changed during the last run.
        requests = 0;
        await run();
        expect([...mirror.values()].toSorted(byId)).toEqual([...things].toSorted(byId));
        // Nothing has changed since, so the run ends after the pages with the latest change.
        requests = 0;
        await run();
        expect(requests).toBeLessThanOrEqual(2);
      },
    ),
    { numRuns: 200 },
  );
});

function byId(one: unknown, other: unknown): number {
  return (one as Thing).id < (other as Thing).id ? -1 : 1;
}
