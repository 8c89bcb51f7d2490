import { expect, test } from 'vitest';
import type { z } from 'zod';
import { readCall } from '../src/gong/call-record.ts';
import { readTranscript } from '../src/gong/call-transcripts.ts';
import { readExtensiveCall } from '../src/gong/calls-extensive.ts';
import { readUser } from '../src/gong/users.ts';
import { googleAds } from '../src/google-ads/index.ts';
import { readNote } from '../src/granola/wire.ts';
import type { Kind } from '../src/kind/index.ts';
import { kinds } from '../src/kinds.ts';
import { tiktokMarketing } from '../src/tiktok-marketing/index.ts';
import { recordMapping } from '../src/tiktok-marketing/record.ts';
import { rowMapping } from '../src/tiktok-marketing/report-row.ts';

/** A kind's list, the mapper for its records, and the smallest record that the vendor sends. */
type Listed = [kind: string, entity: string, map: (wire: unknown) => unknown, least: object];

const tiktok = Object.entries(tiktokMarketing.entities).map(([name, { actions, search }]): Listed => {
  // Records are objects.
  const record = actions.list.record as z.ZodObject;
  const [ownId = ''] = search.primaryKey;
  const isReport = name.endsWith('_reports_daily');
  return ['tiktok-marketing', name, (isReport ? rowMapping : recordMapping)(record), { [ownId]: '1' }];
});

const listed: Listed[] = [
  ['granola', 'notes', body => readNote({ status: 200, headers: {}, body }), { id: 'not_1' }],
  ['gong', 'users', readUser, { id: '1' }],
  ['gong', 'calls', readCall, { id: '1' }],
  ['gong', 'calls_extensive', readExtensiveCall, { metaData: { id: '1' } }],
  ['gong', 'call_transcripts', readTranscript, { callId: '1' }],
  ...tiktok,
];

const recordOf = (key: string, entity: string) => {
  const kind: Kind | undefined = kinds.find(one => one.key === key);
  const record = kind?.entities[entity]?.actions.list?.record;
  if (record === undefined) throw new Error(`${key} lists no ${entity}`);
  return record;
};

test('covers every list except those of Google Ads, whose objects are passed through', () => {
  const lists = kinds.flatMap(({ key, entities }: Kind) =>
    Object.entries(entities).flatMap(([name, { actions }]) => (actions.list ? [`${key} ${name}`] : [])),
  );
  const others = lists.filter(name => !name.startsWith(googleAds.key));
  expect(listed.map(([key, name]) => `${key} ${name}`).toSorted()).toEqual(others.toSorted());
});

test.each(listed)(
  'maps a %s record with only its id to every declared field: %s',
  (key, entity, map, least) => {
    expect(recordOf(key, entity).safeParse(map(least)).error).toBeUndefined();
  },
);

const identified = listed.filter(
  ([key, entity]) => !recordOf(key, entity).safeParse(nulls(key, entity)).success,
);

test.each(identified)(
  'reports a %s record without its id as a vendor failure: %s',
  (_key, _entity, map, least) => {
    const [ownId = ''] = Object.keys(least);
    for (const wire of [{}, { [ownId]: null }, { error: 'maintenance' }]) {
      expect(() => map(wire)).toThrow(
        expect.objectContaining({
          code: 'vendor_failed',
          message: expect.stringContaining(`a record has no ${ownId}`) as string,
        }),
      );
    }
  },
);

/** Returns a record in which every declared field is null. */
function nulls(key: string, entity: string) {
  const record = recordOf(key, entity);
  const shape = 'shape' in record ? (record.shape as object) : {};
  return Object.fromEntries(Object.keys(shape).map(name => [name, null]));
}
