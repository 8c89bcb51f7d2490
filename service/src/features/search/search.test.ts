import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onEachEngine, testOnServerOrInFull } from '../../../test/engines.ts';
import { goodKey } from '../../../test/example-requests.ts';
import { kindWith } from '../../../test/record-fixtures.ts';
import { everything } from '../../../test/search/arbitrary.ts';
import { storeRecords } from '../../../test/synced-records.ts';
import {
  keyRing,
  startTestService,
  type TestResponse,
  type TestService,
} from '../../../test/test-service.ts';
import { SignedCursors } from '../../platform/crypto/signed-cursors.ts';
import type { Database } from '../../platform/database/database.ts';
import { createLog } from '../../platform/log/log.ts';
import { ensureRecordTables } from '../../shared/records/ensure.ts';
import { RecordTables, type RecordTable } from '../../shared/records/record-table.ts';
import type { ConnectorRef } from '../../shared/repositories/connectors.ts';
import type { Position } from './order.ts';

const connectors = '/api/v1/integrations/connectors';
const longPath = 'customer.call_reporting_setting.call_conversion_reporting_is_enabled_here';
const kind = kindWith('searchable', {
  things: { ...everything, fields: { ...everything.fields, [longPath]: 'boolean' } },
  bare: { ...everything, text: [], indexed: [] },
});

const tables = new RecordTables([kind]);
const table = tables.find('searchable', 'things') as RecordTable;

/** A service with one connector whose records can be searched. */
interface Searchable {
  service: TestService;
  connector: ConnectorRef;
  /** Creates another connector of the same customer. */
  create: () => Promise<string>;
  search: (params?: unknown, id?: string, entity?: string) => Promise<TestResponse>;
  store: (records: Record<string, unknown>[], id?: string) => Promise<unknown>;
}

async function startSearchable(database: Database): Promise<Searchable> {
  await ensureRecordTables(database.kysely, tables);
  const service = await startTestService(database, { kinds: [kind] });
  const application = await service.addApplication('own', ['Own']);
  const token = await service.tokenOf(application);
  const create = async (): Promise<string> => {
    const body = {
      customer_name: 'acme',
      connector_type: 'searchable',
      name: 'Things',
      credentials: { api_key: goodKey },
    };
    return (await service.ask('POST', connectors, { token, body })).body.id;
  };
  const connector = { organizationId: application.organizationIds[0] ?? '', id: await create() };
  return {
    service,
    connector,
    create,
    search: (params, id = connector.id, entity = 'things') =>
      service.ask('POST', `${connectors}/${id}/execute`, {
        token,
        body: { entity, action: 'search', params },
      }),
    store: (records, id = connector.id) =>
      storeRecords(database.kysely, table, { ...connector, id }, records),
  };
}

onEachEngine('search over HTTP', (database, engine) => {
  // A rejected search does not reach the database.
  const testOnServer = testOnServerOrInFull(engine);
  let service: TestService;
  let connector: ConnectorRef;
  let create: Searchable['create'];
  let search: Searchable['search'];
  let store: Searchable['store'];

  beforeAll(async () => {
    ({ service, connector, create, search, store } = await startSearchable(database()));
  });
  afterAll(() => service.close());

  test('returns records and response metadata', async () => {
    await store([{ id: 1, 'segments.day': '2026-01-01', clicks: 3, owner: { email: 'a@b.example' } }]);
    const response = await search({ query: { filter: { eq: { 'owner.email': 'a@b.example' } } } });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      result: {
        data: [
          {
            id: 1,
            'segments.day': '2026-01-01',
            'campaign.name': null,
            note: null,
            note_id: null,
            made_at: null,
            seen_at: null,
            clicks: 3,
            ratio: null,
            spend: null,
            cost: null,
            isOn: null,
            labels: null,
            owner: { email: 'a@b.example' },
            [longPath]: null,
          },
        ],
        meta: {
          has_more: false,
          cursor: null,
          took_ms: expect.any(Number),
          sync: { status: 'preview', last_synced_at: null },
        },
      },
      connector_metadata: null,
    });
  });

  test('preserves all digits of long integers in filters, cursors and records', async () => {
    const ids = [9007199254740992n, 9007199254740993n, 9223372036854775806n, 9223372036854775807n];
    const id = await create();
    await store(
      ids.map(long => ({ id: long, clicks: -long, spend: '20.000', labels: [long] })),
      id,
    );
    const exact = await search({ query: { filter: { eq: { id: ids[1] } } } }, id);
    expect(exact.text).toContain('"id":9007199254740993,');
    expect(exact.text).toContain('"spend":"20.000"');
    expect(exact.text).toContain('"labels":[9007199254740993]');
    expect(exact.body.result.data).toHaveLength(1);
    const contains = { query: { filter: { contains: { labels: ids[3] } } } };
    expect((await search(contains, id)).body.result.data).toMatchObject([{ id: ids[3] }]);
    const query = { sort: [{ clicks: 'asc' }] };
    const seen: unknown[] = [];
    for (let cursor: string | undefined; ;) {
      const { result } = (await search({ query, limit: 1, fields: ['id'], cursor }, id)).body;
      seen.push(...result.data);
      cursor = result.meta.cursor ?? undefined;
      if (!result.meta.has_more) break;
    }
    expect(seen).toEqual(ids.toReversed().map(long => ({ id: long })));
  });

  test('finds a long id by its digits as text, which clients without 64-bit integers can send', async () => {
    const ids = [9007199254740992n, 9007199254740993n, 9007199254740994n];
    const id = await create();
    await store(
      ids.map(long => ({ id: long, note_id: `${long}` })),
      id,
    );
    const idsFor = async (filter: object) =>
      (await search({ query: { filter }, fields: ['id'] }, id)).body.result.data.map(
        (record: { id: bigint }) => record.id,
      );
    const [first, second, third] = ids;
    expect(await idsFor({ eq: { id: '9007199254740993' } })).toEqual([second]);
    expect(await idsFor({ neq: { id: '9007199254740993' } })).toEqual([first, third]);
    expect(await idsFor({ in: { id: ['9007199254740993', first] } })).toEqual([first, second]);
    expect(await idsFor({ gte: { id: '9007199254740993' } })).toEqual([second, third]);
    expect(await idsFor({ lt: { id: '9007199254740993' } })).toEqual([first]);
    expect(await idsFor({ eq: { note_id: second } })).toEqual([second]);
    expect(await idsFor({ in: { note_id: [first, '9007199254740994'] } })).toEqual([first, third]);
  });

  test('finds records with and without a value by null', async () => {
    const id = await create();
    await store([{ id: 1, note: 'x', owner: { name: null } }, { id: 2 }], id);
    const idsFor = async (filter: object) =>
      (await search({ query: { filter }, fields: ['id'] }, id)).body.result.data;
    expect(await idsFor({ eq: { note: null } })).toEqual([{ id: 2 }]);
    expect(await idsFor({ neq: { note: null } })).toEqual([{ id: 1 }]);
    expect(await idsFor({ not: { eq: { owner: null } } })).toEqual([{ id: 1 }]);
    expect(await idsFor({ eq: { 'owner.name': null } })).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test('compares times with a whole day in UTC if the value is only a date', async () => {
    const id = await create();
    const times = [
      '2025-12-31T23:59:59Z',
      '2026-01-01T00:00:00Z',
      '2026-01-01T23:59:59.999Z',
      '2026-01-02T01:00:00+02:00',
      '2026-01-01T17:00:00-08:00',
      '2026-01-02 00:00:00',
    ];
    await store(
      times.map((made_at, index) => ({ id: index, made_at })),
      id,
    );
    const idsFor = async (filter: object) =>
      (await search({ query: { filter }, fields: ['id'] }, id)).body.result.data.map(
        (record: { id: number }) => record.id,
      );
    const made_at = '2026-01-01';
    expect(await idsFor({ eq: { made_at } })).toEqual([1, 2, 3]);
    expect(await idsFor({ neq: { made_at } })).toEqual([0, 4, 5]);
    expect(await idsFor({ in: { made_at: [made_at, times[0]] } })).toEqual([0, 1, 2, 3]);
    expect(await idsFor({ gt: { made_at } })).toEqual([4, 5]);
    expect(await idsFor({ gte: { made_at } })).toEqual([1, 2, 3, 4, 5]);
    expect(await idsFor({ lt: { made_at } })).toEqual([0]);
    expect(await idsFor({ lte: { made_at } })).toEqual([0, 1, 2, 3]);
    expect(await idsFor({ eq: { made_at: times[1] } })).toEqual([1]);
  });

  test('returns the requested fields under their paths', async () => {
    const id = await create();
    await store([{ id: 1, [longPath]: true, owner: { name: { first: 'Ada' }, 'a.b': 2 } }], id);
    const fields = [
      'id',
      longPath,
      'owner.name.first',
      ['owner', 'name'],
      ['owner', 'a.b'],
      'owner.none',
      ['segments.day'],
      ['campaign', 'name'],
      'id',
    ];
    const response = await search({ query: { sort: [{ clicks: 'desc' }] }, fields }, id);
    expect(response.body.result.data).toEqual([
      {
        id: 1,
        [longPath]: true,
        'owner.name.first': 'Ada',
        'owner.name': { first: 'Ada' },
        'owner.a.b': 2,
        'owner.none': null,
        'segments.day': null,
        'campaign.name': null,
      },
    ]);
  });

  test('returns a field whose name has quotes, backslashes and line breaks', async () => {
    const id = await create();
    const name = 'it\'s "a\\b"\n\u2028%';
    await store([{ id: 1, owner: { [name]: [1, { [name]: 9007199254740993n }] } }], id);
    const response = await search({ query: {}, fields: [['owner', name]] }, id);
    expect(response.body.result.data).toEqual([{ [`owner.${name}`]: [1, { [name]: 9007199254740993n }] }]);
  });

  test('returns at most a thousand records by default', async () => {
    const id = await create();
    await store(
      Array.from({ length: 1001 }, (_, index) => ({ id: index })),
      id,
    );
    expect((await search({ query: {} }, id)).body.result.data).toHaveLength(1000);
    expect((await search({ query: { filter: {} }, limit: 10_000 }, id)).body.result.data).toHaveLength(1001);
  });

  test('resumes after the cursor even if records are added before and after it', async () => {
    const id = await create();
    await store([{ id: 10 }, { id: 20 }, { id: 30 }], id);
    const first = (await search({ query: {}, limit: 2 }, id)).body.result;
    await store([{ id: 5 }, { id: 15 }, { id: 25 }, { id: 35 }], id);
    // A cursor is not bound to the limit, the fields or the order of members.
    const rest = await search({ cursor: first.meta.cursor, limit: 9, fields: ['id'], query: {} }, id);
    expect(rest.body.result.data).toEqual([{ id: 25 }, { id: 30 }, { id: 35 }]);
  });

  describe('cursors', () => {
    const query = { filter: { gt: { id: 0 }, like: { note: '%' } }, sort: [{ spend: 'desc' }] };
    let cursor: string;
    let id: string;
    beforeAll(async () => {
      id = await create();
      await store(
        [1, 2, 3].map(number => ({ id: number, note: 'x', spend: null })),
        id,
      );
      cursor = (await search({ query, limit: 1 }, id)).body.result.meta.cursor;
    });
    const rejection = async (params: object, of = id) => {
      const response = await search({ query, cursor, ...params }, of);
      expect(response.status).toBe(422);
      expect(response.body).toMatchObject({ code: 'invalid_params', errors: [{ path: 'params.cursor' }] });
      return response.body.errors[0].message;
    };

    test('accepts a cursor if the members of the query are in another order', async () => {
      const same = { sort: query.sort, filter: { like: { note: '%' }, gt: { id: 0 } } };
      expect((await search({ query: same, cursor }, id)).status).toBe(200);
    });

    test.each<[string, unknown]>([
      ['a hyphen', '-spend'],
      ['a list', ['-spend']],
      ['a field and an order', [{ field: 'spend', order: 'desc' }]],
    ])('accepts a cursor if the same order is written as %s', async (_title, sort) => {
      const page = await search({ query: { ...query, sort }, cursor, fields: ['id'], limit: 1 }, id);
      expect(page.body.result).toMatchObject({ data: [{ id: 2 }], meta: { has_more: true } });
      const next = { query, cursor: page.body.result.meta.cursor, fields: ['id'] };
      expect((await search(next, id)).body.result.data).toEqual([{ id: 3 }]);
    });

    testOnServer.each([
      ['another filter', { query: { ...query, filter: { gt: { id: 1 } } } }],
      ['another order', { query: { ...query, sort: [{ spend: 'asc' }] } }],
      ['no order', { query: { filter: query.filter } }],
    ])('rejects a cursor sent with %s', async (_title, params) => {
      expect(await rejection(params)).toMatch(/belongs to another search/);
    });

    testOnServer('rejects a cursor from another connector', async () => {
      expect(await rejection({}, connector.id)).toMatch(/belongs to another search/);
    });

    testOnServer('rejects a modified cursor', async () => {
      const half = cursor.indexOf('.');
      const forged = Buffer.from('["x",[1,2,3]]').toString('base64url');
      for (const damaged of [
        '',
        'x',
        '.',
        cursor.slice(1),
        cursor.slice(0, -1),
        `${cursor}.x`,
        cursor.slice(0, half),
        `${forged}${cursor.slice(half)}`,
        `${cursor.startsWith('A') ? 'B' : 'A'}${cursor.slice(1)}`,
      ]) {
        expect(await rejection({ cursor: damaged })).toMatch(/Invalid cursor/);
      }
    });

    testOnServer(
      'accepts a cursor signed with an older key, and rejects one signed with an unknown key',
      () => {
        const [old, recent] = [keyRing('old', 1), keyRing('new', 2)];
        const given = new SignedCursors<Position>(old, 'search cursor').write([1], {});
        expect(new SignedCursors<Position>([...recent, ...old], 'search cursor').read(given, {})).toEqual({
          position: [1],
        });
        expect(new SignedCursors<Position>(recent, 'search cursor').read(given, {})).toEqual({
          error: 'invalid',
        });
      },
    );
  });

  const nested = (depth: number): object => (depth === 1 ? { eq: { id: 1 } } : { and: [nested(depth - 1)] });
  const keyword = (words: number) => ({ keyword: { note: Array(words).fill('a').join(' ') } });
  const leaves = (count: number) => ({ or: Array.from({ length: count }, (_, id) => ({ eq: { id } })) });

  test.each([
    ['of the maximum depth', nested(32)],
    ['with the maximum of comparisons', leaves(1000)],
    ['with a list of the maximum length', { in: { id: Array.from({ length: 10_000 }, (_, id) => id) } }],
    ['with a path of the maximum length', { eq: { [`owner${'.a'.repeat(63)}`]: 1 } }],
    ['with the maximum of keywords', { or: [keyword(500), keyword(499), { eq: { id: 1 } }] }],
    ['with a quote in a value', { eq: { note: `'; drop table connectors; --` } }],
  ])('accepts a filter %s', async (_title, filter) => {
    expect((await search({ query: { filter } })).status).toBe(200);
  });

  const invalidFilters: [string, unknown, string][] = [
    ['a list instead of an object', [], ''],
    ['a string', 'id = 1', ''],
    ['an unknown operator', { equals: { id: 1 } }, '.equals'],
    ['an operator named like a member of Object', { constructor: { id: 1 } }, '.constructor'],
    ['an operator without a field', { eq: {} }, '.eq'],
    ['an operator with a bare value', { eq: 5 }, '.eq'],
    ['an unknown field', { eq: { nothing: 1 } }, '.eq.nothing'],
    ['a path of too many names', { eq: { [`owner${'.a'.repeat(64)}`]: 1 } }, `.eq.owner${'.a'.repeat(64)}`],
    ['U+0000 in a path', { eq: { 'owner.\0': 1 } }, '.eq.owner.\0'],
    ['an unpaired surrogate in a path', { eq: { 'owner.\ud800': 1 } }, '.eq.owner.\ud800'],
    ['U+0000 in a path within any', { any: { labels: { eq: { '\0': 1 } } } }, '.any.labels.eq.\0'],
    ['a field named like a member of Object', { eq: { toString: 1 } }, '.eq.toString'],
    ['an internal column', { eq: { $connector: 'x' } }, '.eq.$connector'],
    ['a path into a field that is not an object', { eq: { 'note.x': 1 } }, '.eq.note.x'],
    ['a path with an empty name', { eq: { 'owner.': 1 } }, '.eq.owner.'],
    ['null for an order', { gt: { id: null } }, '.gt.id'],
    ['null for text to find', { contains: { labels: null } }, '.contains.labels'],
    ['text for an integer', { eq: { clicks: '1' } }, '.eq.clicks'],
    ['text that is not an integer for an id', { eq: { id: '1.0' } }, '.eq.id'],
    ['text of more than 64 bits for an id', { in: { id: ['1', '9223372036854775808'] } }, '.in.id.1'],
    ['an integer to order an id that is text', { gt: { note_id: 1 } }, '.gt.note_id'],
    ['a fraction for an integer', { gt: { id: 1.5 } }, '.gt.id'],
    ['an integer of more than 64 bits', { eq: { id: 9223372036854775808n } }, '.eq.id'],
    ['text for a number', { lt: { ratio: '1' } }, '.lt.ratio'],
    ['text that is not a number for a decimal', { lt: { spend: 'much' } }, '.lt.spend'],
    ['NaN for a decimal', { lt: { spend: 'NaN' } }, '.lt.spend'],
    ['a number for text', { eq: { note: 1 } }, '.eq.note'],
    ['a number for a boolean', { eq: { isOn: 1 } }, '.eq.isOn'],
    ['an object for an array', { eq: { labels: {} } }, '.eq.labels'],
    ['an array for an object', { eq: { owner: [] } }, '.eq.owner'],
    ['gt on a boolean', { gt: { isOn: false } }, '.gt.isOn'],
    ['gt on an object', { gt: { owner: {} } }, '.gt.owner'],
    ['gt with true', { gt: { 'owner.age': true } }, '.gt.owner.age'],
    ['an empty list', { in: { id: [] } }, '.in.id'],
    ['a value instead of a list', { in: { id: 1 } }, '.in.id'],
    ['a wrong value in a list', { in: { clicks: [1, '2', 3] } }, '.in.clicks.1'],
    ['null in a list', { in: { note: ['a', null] } }, '.in.note.1'],
    ['a list that is too long', { in: { id: Array.from({ length: 10_001 }, () => 1) } }, '.in.id'],
    ['like on a number', { like: { id: '1%' } }, '.like.id'],
    ['like with a number', { like: { note: 1 } }, '.like.note'],
    ['a pattern that is too long', { like: { note: '%'.repeat(1001) } }, '.like.note'],
    ['fuzzy without a word', { fuzzy: { note: '  \n ' } }, '.fuzzy.note'],
    ['keyword without a word', { keyword: { note: '' } }, '.keyword.note'],
    ['text that PostgreSQL cannot store', { eq: { note: 'a\0b' } }, '.eq.note'],
    ['such text in a pattern', { like: { note: '\0' } }, '.like.note'],
    ['such text deep inside', { eq: { owner: { a: ['\0'] } } }, '.eq.owner'],
    ['contains on text', { contains: { note: 'a' } }, '.contains.note'],
    ['any on text', { any: { note: { eq: { '*': 'a' } } } }, '.any.note'],
    ['an empty node', { not: {} }, '.not'],
    ['an empty and', { and: [] }, '.and'],
    ['an or that is not a list', { or: { eq: { id: 1 } } }, '.or'],
    [
      'a deeply nested error',
      { and: [{ eq: { id: 1 } }, { or: [{ not: { gt: { clicks: 'x' } } }] }] },
      '.and.1.or.0.not.gt.clicks',
    ],
    ['an error in any', { any: { labels: { gt: { name: [] } } } }, '.any.labels.gt.name'],
    ['too deep a filter', nested(33), '.and.0'.repeat(32)],
    ['much too deep a filter', nested(50), '.and.0'.repeat(32)],
    ['too many leaves', leaves(1001), '.or.1000.eq.id'],
    ['too many words', { or: [keyword(500), keyword(500), keyword(1)] }, '.or.2.keyword.note'],
  ];
  testOnServer.each(invalidFilters)(
    'rejects a filter with %s and reports its path',
    async (_title, filter, path) => {
      const response = await search({ query: { filter } });
      expect(response.status).toBe(422);
      expect(response.body.code).toBe('invalid_params');
      expect(response.body.errors.map(({ path }: { path: string }) => path)).toEqual([
        `params.query.filter${path}`,
      ]);
    },
  );

  const sortPaths = (...indexes: number[]) => indexes.map(index => `params.query.sort.${index}`);
  testOnServer.each<[string, unknown, string[]]>([
    ['no params', undefined, ['params.query']],
    ['no query', { limit: 1 }, ['params.query']],
    ['a query that is a list', { query: [] }, ['params.query']],
    ['unknown params', { query: { where: 1 }, page: 2 }, ['params.page', 'params.query.where']],
    ['limit 0', { query: {}, limit: 0 }, ['params.limit']],
    ['limit 10,001', { query: {}, limit: 10_001 }, ['params.limit']],
    ['limit 1.5', { query: {}, limit: 1.5 }, ['params.limit']],
    ['limit "5"', { query: {}, limit: '5' }, ['params.limit']],
    ['a cursor that is a number', { query: {}, cursor: 5 }, ['params.cursor']],
    ['no fields', { query: {}, fields: [] }, ['params.fields']],
    ['fields as text', { query: {}, fields: 'id' }, ['params.fields']],
    [
      'unknown and malformed fields',
      { query: {}, fields: ['id', 'campaign', ['x'], 5, [], ''] },
      ['params.fields.1', 'params.fields.2', 'params.fields.3', 'params.fields.4', 'params.fields.5'],
    ],
    ['sort as a number', { query: { sort: 5 } }, ['params.query.sort']],
    ['sort by an unknown field as text', { query: { sort: ['-x', 'id', ''] } }, sortPaths(0, 2)],
    ['sort by a field that is a number', { query: { sort: [{ field: 5 }] } }, ['params.query.sort.0']],
    ['an order without a field', { query: { sort: [{ order: 'asc' }] } }, ['params.query.sort.0']],
    [
      'an unknown order of a field',
      { query: { sort: { field: 'id', order: 'up' } } },
      ['params.query.sort.order'],
    ],
    ['too many sort fields', { query: { sort: Array(33).fill('id') } }, ['params.query.sort']],
    ['sort by nothing', { query: { sort: [{}] } }, ['params.query.sort.0']],
    ['two fields in one', { query: { sort: [{ id: 'asc', note: 'asc' }] } }, ['params.query.sort.0']],
    [
      'U+0000 in a field',
      { query: {}, fields: ['owner.\0', ['owner', '\0']] },
      ['params.fields.0', 'params.fields.1'],
    ],
    ['U+0000 in an order', { query: { sort: [{ 'owner.\0': 'asc' }] } }, ['params.query.sort.0.owner.\0']],
    ['a field that is too long', { query: {}, fields: [['owner', 'x'.repeat(1000)]] }, ['params.fields.0']],
    [
      'more parameters than a statement can have',
      {
        query: {
          filter: {
            or: Array.from({ length: 1000 }, () => ({ gt: { [`owner${'.a'.repeat(63)}`]: 1 } })),
          },
        },
      },
      ['params'],
    ],
    ['sort by an unknown field', { query: { sort: [{ x: 'asc' }] } }, ['params.query.sort.0.x']],
    ['sort by an array', { query: { sort: [{ labels: 'asc' }] } }, ['params.query.sort.0.labels']],
    ['an unknown direction', { query: { sort: [{ id: 'up' }] } }, ['params.query.sort.0.id']],
    [
      'several errors at once',
      { query: { filter: { eq: { x: 1 } }, sort: [{ id: 1 }] }, limit: -1 },
      ['params.limit', 'params.query.filter.eq.x', 'params.query.sort.0.id'],
    ],
  ])('rejects a search with %s and reports the paths', async (_title, params, paths) => {
    const response = await search(params);
    expect(response.status).toBe(422);
    expect(response.body.code).toBe('invalid_params');
    expect(response.body.errors.map(({ path }: { path: string }) => path).toSorted()).toEqual(paths);
  });

  testOnServer.each([
    ['a filter', { query: { filter: { eq: { x: 1 } } } }, 'params.query.filter.eq.x'],
    ['a sort', { query: { sort: ['x'] } }, 'params.query.sort.0'],
    ['fields', { query: {}, fields: ['x'] }, 'params.fields.0'],
  ])('lists the searchable fields if %s names an unknown one', async (_title, params, path) => {
    const names = [...table.fields.keys()].join(', ');
    expect((await search(params)).body.errors).toEqual([
      { path, message: `Unknown field. Searchable fields: ${names}` },
    ]);
  });

  testOnServer.each<[string, unknown]>([
    ['one path of half a megabyte', { any: { [`owner.${'x'.repeat(500_000)}`]: { and: [{ zz: 1 }] } } }],
    ['one path of 200,000 names', { eq: { [`owner${'.a'.repeat(200_000)}`]: 1 } }],
    ['90,000 invalid nodes', { and: Array(90_000).fill(0) }],
    ['10,000 unknown operators', Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`o${n}`, 1]))],
    [
      '90,000 nodes below long paths',
      Array.from({ length: 20 }).reduce<unknown>(inner => ({ any: { ['x'.repeat(900)]: inner } }), {
        and: Array(90_000).fill(0),
      }),
    ],
  ])('rejects a filter of %s with a short response', async (_title, node) => {
    const response = await search({ query: { filter: { any: { labels: node } } } });
    expect(response.status).toBe(422);
    expect(response.body.errors.length).toBeLessThanOrEqual(51);
    expect(response.text.length).toBeLessThan(60_000);
  });

  test('rejects a search for an entity that is not searchable', async () => {
    const response = await search({ query: {} }, connector.id, 'nothing');
    expect(response.body.code).toBe('unknown_entity');
    expect((await search({ query: {} }, connector.id, 'bare')).status).toBe(200);
  });
});

const databaseLog: string[] = [];

onEachEngine(
  'a search that takes too long',
  database => {
    test("cancels a search that takes too long without restarting the database, and pauses the customer's searches", async () => {
      const { service, create, search, store } = await startSearchable(database());
      const id = await create();
      const note = 'ab'.repeat(20_000);
      await store(
        Array.from({ length: 240 }, (_, index) => ({ id: index, note: `${note}${index}` })),
        id,
      );
      // Slow comparisons rather than many: while PGlite plans the statement, it does not check the deadline.
      const bomb = {
        or: Array.from({ length: 60 }, (_, n) => ({
          like: { note: `%a%b%a%b%_${'a_%'.repeat(200)}c${n}` },
        })),
      };
      databaseLog.length = 0;
      const response = await search({ query: { filter: bomb } }, id);
      expect(response.status).toBe(422);
      expect(response.body).toMatchObject({
        code: 'query_too_slow',
        detail: expect.stringMatching(
          /Filter by an indexed field to narrow it: id, segments\.day, campaign\.name/,
        ),
      });
      expect(databaseLog.join('')).not.toContain('database_statement_stopped');
      const tiny = { query: {}, limit: 1, fields: ['id'] };
      const paused = await search(tiny, id);
      expect(paused.status).toBe(429);
      expect(paused.body.code).toBe('rate_limited');
      expect(paused.headers['retry-after']).toBe('15');
      service.advance(15_000);
      expect((await search(tiny, id)).body.result.data).toEqual([{ id: 0 }]);
      await service.close();
    });
  },
  {
    searchTimeoutMs: 1_500,
    log: createLog({ level: 'debug', destination: { write: line => void databaseLog.push(line) } }),
  },
);
