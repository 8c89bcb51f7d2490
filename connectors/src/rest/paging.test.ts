import { array, assert, asyncProperty, integer, nat, string, uniqueArray } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { connectorClass } from '../kind/connector.ts';
import { connect, grantsInMemory, unlimited, type Transport, type VendorRequest } from '../kind/index.ts';
import { defineKind } from '../kind/kind.ts';
import {
  bearer,
  byCursor,
  byLink,
  byOffset,
  byPage,
  checkBy,
  failures,
  graphql,
  list,
  search,
  syncAll,
  type Paging,
  type Resource,
} from './index.ts';

const api = { name: 'Things', url: 'https://things.example' };
const thing = z.object({ id: z.string() });
const asGraphql = graphql(api, 'query ($after: String) { things { nodes { id } } }');

/** A page of a vendor: its records, where it starts, and where the next one starts; null if it is the last. */
interface VendorPage {
  readonly ids: readonly string[];
  readonly next: number | null;
}

/** A way in which a vendor pages: what the kind declares, and how the vendor reads a request and writes a page. */
interface Style {
  readonly paging: Paging;
  readonly request?: Resource['request'];
  /** Returns where the requested page starts. */
  readonly read: (request: VendorRequest, size: number, ids: readonly string[]) => unknown;
  readonly write: (
    page: VendorPage,
    size: number,
    count: number,
  ) => { body?: object; headers?: Record<string, string> };
}

const link = (next: number): string => `https://things.example/things?filter=a,b&page=${next}`;
const styles: Readonly<Record<string, Style>> = {
  'a cursor in the body': {
    paging: byCursor({ param: 'cursor', next: 'meta.next' }),
    read: ({ query }) => query?.['cursor'],
    write: ({ next }) => ({ body: { meta: { next } } }),
  },
  'a cursor in a header': {
    paging: byCursor({ param: 'cursor', next: { header: 'X-Next' } }),
    read: ({ query }) => query?.['cursor'],
    write: ({ next }) => ({ headers: { ...(next !== null && { 'x-next': String(next) }) } }),
  },
  'a stale cursor on the last page': {
    paging: byCursor({ param: 'token', next: 'next', more: 'more' }),
    read: ({ query }) => query?.['token'],
    write: ({ next }) => ({ body: { next: next ?? 1, more: next !== null } }),
  },
  'the last record': {
    paging: byCursor({ param: 'after', next: { lastRecord: 'id' }, more: 'more' }),
    read: ({ query }, _size, ids) =>
      query?.['after'] === undefined ? 0 : ids.indexOf(String(query['after'])) + 1,
    write: ({ next }) => ({ body: { more: next !== null } }),
  },
  'a Link header': {
    paging: byLink({ params: ['page'] }),
    read: ({ query }) => query?.['page'],
    write: ({ next }) => ({
      headers: {
        link: `<https://things.example>; rel="first"${next === null ? '' : `, <${link(next)}>; rel="last next"`}`,
      },
    }),
  },
  'an address in the body': {
    paging: byLink({ params: ['page'], next: 'links.next' }),
    read: ({ query }) => query?.['page'],
    write: ({ next }) => ({ body: { links: { next: next === null ? null : link(next) } } }),
  },
  'page numbers': {
    paging: byPage({ param: 'page' }),
    read: ({ query }, size) => (Number(query?.['page'] ?? 1) - 1) * size,
    write: () => ({}),
  },
  'page numbers and their total': {
    paging: byPage({ param: 'page', total: 'pages', first: 0 }),
    read: ({ query }, size) => Number(query?.['page'] ?? 0) * size,
    write: (_page, size, count) => ({ body: { pages: Math.ceil(count / size) } }),
  },
  'page numbers and whether there are more': {
    paging: byPage({ param: 'page', more: 'more' }),
    read: ({ query }, size) => (Number(query?.['page'] ?? 1) - 1) * size,
    write: ({ next }) => ({ body: { more: next !== null } }),
  },
  offsets: {
    paging: byOffset({ param: 'offset' }),
    read: ({ query }) => query?.['offset'],
    write: () => ({}),
  },
  'offsets and the total': {
    paging: byOffset({ param: 'offset', total: 'total' }),
    read: ({ query }) => query?.['offset'],
    write: (_page, _size, count) => ({ body: { total: count } }),
  },
  'a cursor in the body of a GraphQL request': {
    paging: byCursor({ param: 'variables.after', next: 'end', more: 'more' }),
    request: asGraphql,
    read: ({ body }) => (body as { variables: { after?: string } }).variables.after,
    write: ({ next }) => ({ body: { end: next, more: next !== null } }),
  },
};

function kindOf({ paging, request }: Pick<Style, 'paging' | 'request'>) {
  const things = {
    api,
    noun: 'thing',
    path: '/things',
    record: thing,
    at: 'things',
    paging,
    ...(request && { request }),
  };
  return defineKind({
    key: 'things',
    name: api.name,
    definitionId: '00000000-0000-4000-8000-000000000001',
    description: 'Things',
    supportLevel: 'community',
    icon: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"/>',
    environmentPrefix: 'OAUTH_THINGS',
    hosts: ['things.example'],
    authMethods: [bearer({ description: 'A token', helpUrl: 'https://things.example' })],
    rateLimits: [],
    fullSyncCallsPerHour: 0,
    entities: {
      things: {
        description: 'Things',
        actions: { list: list(things) },
        search: search(things, { sync: syncAll(things) }),
      },
    },
    check: checkBy(api, { entity: 'things', path: '/me' }),
    readFailure: failures(),
  });
}

/** Reads all things as a caller, and as a sync that is interrupted after some of its pages. */
async function readAll(style: Style, transport: Transport, interruptions: readonly number[] = []) {
  const kind = kindOf(style);
  const credentials = { access_token: 'token' };
  const { things } = new (connectorClass(kind))({ credentials, transport, limiter: unlimited });
  const listed = async () => {
    const ids: string[] = [];
    for await (const { id } of things.listAll()) ids.push(id);
    return ids;
  };
  const grants = grantsInMemory({ method: 'access_token', credentials, state: {}, settings: {} });
  const vendor = await connect({ kind, grants, transport, limiter: unlimited }).vendorFor({
    repeatable: true,
  });
  const { sync } = kind.entities.things.search;
  const synced = async () => {
    const ids: unknown[] = [];
    let position: unknown = null;
    for (const count of [...interruptions, Infinity]) {
      let read = 0;
      for await (const page of sync.run(vendor, { since: null, position })) {
        ids.push(...page.records.map(({ id }) => id));
        // Positions are stored as JSON.
        position = JSON.parse(JSON.stringify(page.position));
        if (position === null) return ids;
        if (++read >= count) break;
      }
    }
    return ids;
  };
  return { listed, synced };
}

const ids = uniqueArray(string({ minLength: 1 }), { maxLength: 30 });

describe.each(Object.entries(styles))('a list with %s', (_name, style) => {
  test('has each record once, however it is interrupted', async () => {
    await assert(
      asyncProperty(
        ids,
        integer({ min: 1, max: 7 }),
        array(integer({ min: 1, max: 4 }), { maxLength: 3 }),
        async (ids, size, interruptions) => {
          const transport: Transport = request => {
            const start = Number(style.read(request, size, ids) ?? 0);
            const end = start + size;
            const page = { ids: ids.slice(start, end), next: end < ids.length ? end : null };
            const { body, headers = {} } = style.write(page, size, ids.length);
            const things = page.ids.map(id => ({ id }));
            return Promise.resolve({ status: 200, headers, body: { things, ...body } });
          };
          const { listed, synced } = await readAll(style, transport, interruptions);
          expect(await listed()).toEqual(ids);
          expect(await synced()).toEqual(ids);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('fails if the vendor always sends the same page', async () => {
    let requests = 0;
    const transport: Transport = () => {
      requests += 1;
      if (requests > 20) throw new Error('The list does not end');
      const { body, headers = {} } = style.write({ ids: ['a'], next: 1 }, 1, 100);
      return Promise.resolve({ status: 200, headers, body: { things: [{ id: 'a' }], ...body } });
    };
    const { listed, synced } = await readAll(style, transport);
    const repeated = { code: 'vendor_failed', message: expect.stringContaining('repeats a page') as unknown };
    await expect(listed()).rejects.toMatchObject(repeated);
    requests = 0;
    await expect(synced()).rejects.toMatchObject(repeated);
  });
});

test('a sync ends if cursors lead in a circle of any length, also if it is interrupted after each page', async () => {
  await assert(
    asyncProperty(nat(20), integer({ min: 1, max: 20 }), async (before, length) => {
      let requests = 0;
      const transport: Transport = ({ query }) => {
        requests += 1;
        if (requests > 4 * (before + length) + 2) throw new Error('The sync does not end');
        const at = Number(query?.['cursor'] ?? 0);
        const next = at + 1 < before + length ? at + 1 : before;
        return Promise.resolve({
          status: 200,
          headers: {},
          body: { things: [{ id: String(at) }], next: `${next}` },
        });
      };
      const style = {
        ...styles['a cursor in the body'],
        paging: byCursor({ param: 'cursor', next: 'next' }),
      };
      const { synced } = await readAll(style as Style, transport, Array<number>(200).fill(1));
      await expect(synced()).rejects.toMatchObject({
        message: expect.stringContaining('repeats a page') as unknown,
      });
    }),
    { numRuns: 40 },
  );
});

test.each([
  ['no list', byCursor({ param: 'cursor', next: 'next' }), {}],
  ['a cursor that is an object', byCursor({ param: 'cursor', next: 'next' }), { things: [], next: {} }],
  [
    'more records but no cursor',
    byCursor({ param: 'cursor', next: 'next', more: 'more' }),
    { things: [], more: true },
  ],
  ['nothing about more records', byCursor({ param: 'cursor', next: 'next', more: 'more' }), { things: [] }],
  ['no total', byOffset({ param: 'offset', total: 'total' }), { things: [] }],
  [
    'an address without the page',
    byLink({ params: ['page'], next: 'next' }),
    { things: [], next: '/things?x=1' },
  ],
  ['more records on an empty page', byPage({ param: 'page', more: 'more' }), { things: [], more: true }],
])('a page with %s is an error and not the last one', async (_what, paging, body) => {
  const transport: Transport = () => Promise.resolve({ status: 200, headers: {}, body });
  const { listed } = await readAll({ paging, read: () => 0, write: () => ({}) }, transport);
  await expect(listed()).rejects.toMatchObject({ code: 'vendor_failed', vendor: { status: 200 } });
});
