import { readFileSync } from 'node:fs';
import { request } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { fullTest } from '../../../scripts/full-test.ts';
import { describeShape } from '../../test/shape.ts';
import { startSandbox, type RunningSandbox } from '../start.ts';

interface VendorResponse {
  status: number;
  headers: Record<string, unknown>;
  // The tests assert the shape.
  body: { notes: WireNote[]; transcript: unknown[]; hasMore: boolean; cursor?: string | null } & Record<
    string,
    unknown
  >;
}
type WireNote = {
  id: string;
  title: string | null;
  created_at: string;
  updated_at: string;
  owner: { email: string };
};

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.control.reset());

const get = async (
  path: string,
  key: string | null = 'grn_sandbox_demo',
  from = sandbox,
): Promise<VendorResponse> => {
  const { statusCode, headers, body } = await request(`${from.url}/public-api.granola.ai${path}`, {
    headers: key === null ? {} : { authorization: `Bearer ${key}` },
  });
  const text = await body.text();
  return { status: statusCode, headers, body: text === '' ? null : JSON.parse(text) };
};

const listAll = async (query: string, key?: string): Promise<WireNote[]> => {
  const notes: WireNote[] = [];
  for (let cursor: string | null | undefined = ''; cursor !== null;) {
    const { status, body }: VendorResponse = await get(
      `/v1/notes?${query}${cursor && `&cursor=${cursor}`}`,
      key,
    );
    expect(status).toBe(200);
    notes.push(...body.notes);
    cursor = body.hasMore ? body.cursor : null;
    expect(cursor).not.toBe(undefined);
  }
  return notes;
};
const sample = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8'));

describe('Granola wire format', () => {
  test('lists match the keys and types of the recorded samples', async () => {
    const shape = describeShape(await listPages());
    for (const line of describeShape(['list_page1', 'list_last_page'].map(sample)))
      expect(shape).toContain(line);
    expect(shape.filter(line => line.startsWith('$[].notes[].'))).toEqual(
      describeShape(['list_page1', 'list_last_page'].map(sample)).filter(line =>
        line.startsWith('$[].notes[].'),
      ),
    );
    expect((await get('/v1/notes', 'grn_sandbox_empty')).body).toEqual(sample('list_empty_no_cursor'));
  });

  const listPages = async (): Promise<unknown[]> => {
    const pages = [];
    for (let cursor: string | null | undefined = ''; cursor !== null;) {
      const { body }: VendorResponse = await get(`/v1/notes?page_size=30${cursor && `&cursor=${cursor}`}`);
      pages.push(body);
      cursor = body.cursor;
    }
    return pages;
  };

  test('notes with and without a transcript match the keys and types of the recorded samples', async () => {
    const bodies = [];
    for (const { id } of (await listAll('page_size=30')).slice(0, 150)) {
      for (const query of ['', '?include=transcript']) {
        const { status, body } = await get(`/v1/notes/${id}${query}`);
        if (status === 200) bodies.push(body);
      }
    }
    const known = describeShape(
      ...['get', 'get_sparse', 'get_with_transcript'].map(sample),
      ...['transcript_page1', 'transcript_page2'].map(sample),
      // Documented types that do not occur in any sample.
      {
        calendar_event: { event_title: null, organiser: null },
        folder_membership: [{ parent_folder_id: 'fol_' }],
      },
      { transcript: [{ speaker: { diarization_label: 'Speaker A' } }] },
    );
    const seen = describeShape(...bodies);
    expect(seen.filter(line => !known.includes(line))).toEqual([]);
    const ofGet = describeShape(...['get', 'get_sparse', 'get_with_transcript'].map(sample));
    expect(ofGet.filter(line => !seen.includes(line))).toEqual([]);
  });

  test.each([
    ['error_400_page_size', '/v1/notes?page_size=31', 'grn_sandbox_demo'],
    ['error_401', '/v1/notes', 'grn_sandbox_revoked'],
    ['error_404', '/v1/notes/not_AAAAAAAAAAAAAA', 'grn_sandbox_demo'],
  ])('returns the recorded %s exactly', async (name, path, key) => {
    const { status, body } = await get(path, key);
    expect({ status, headers: {}, body }).toEqual(sample(name));
  });
});

describe('Granola lists', () => {
  fullTest.each([
    ['grn_sandbox_demo', 420, 'null'],
    ['grn_sandbox_second', 37, 'a stale string'],
    ['grn_sandbox_large', 5000, 'absent'],
  ])('returns all notes for the key %s newest first, without gaps or duplicates', async (key, count) => {
    const notes = await listAll('page_size=30', key);
    expect(notes).toHaveLength(count);
    expect(new Set(notes.map(note => note.id)).size).toBe(count);
    const created = notes.map(note => note.created_at);
    expect(created).toEqual(created.toSorted().toReversed());
  });

  fullTest('the last page of a list can have any of the three observed forms', async () => {
    const lastOf = async (key: string): Promise<VendorResponse['body']> => {
      const before = (await listAll('page_size=30', key)).at(-2)!.created_at;
      return (await get(`/v1/notes?created_before=${before}`, key)).body;
    };
    expect(await lastOf('grn_sandbox_demo')).toMatchObject({ hasMore: false, cursor: null });
    expect(await lastOf('grn_sandbox_second')).toMatchObject({ hasMore: false, cursor: expect.any(String) });
    expect(await lastOf('grn_sandbox_large')).not.toHaveProperty('cursor');
  });

  test('lists return 10 notes per page by default, and the same notes for every page size', async () => {
    expect((await get('/v1/notes')).body.notes).toHaveLength(10);
    const ids = (notes: WireNote[]): string[] => notes.map(note => note.id);
    expect(ids(await listAll('page_size=7'))).toEqual(ids(await listAll('page_size=30')));
  });

  test('rejects an invalid cursor, and a cursor that was issued for other filters or another account', async () => {
    const { cursor } = (await get('/v1/notes?created_after=2026-01-01')).body;
    expect((await get(`/v1/notes?created_after=2026-01-01&page_size=3&cursor=${cursor}`)).status).toBe(200);
    for (const query of [
      `cursor=${cursor}`,
      `created_after=2026-01-02&cursor=${cursor}`,
      'cursor=abc',
      'cursor=',
    ]) {
      expect((await get(`/v1/notes?${query}`)).status).toBe(400);
    }
    expect(
      (await get(`/v1/notes?created_after=2026-01-01&cursor=${cursor}`, 'grn_sandbox_second')).status,
    ).toBe(400);
  });

  test('pages do not shift when a note is added between two requests', async () => {
    const own = await startSandbox();
    const first = await get('/v1/notes', 'grn_sandbox_demo', own);
    own.control.vendor('granola').act('add-note', { title: 'In between' });
    const second = await get(`/v1/notes?cursor=${first.body.cursor}`, 'grn_sandbox_demo', own);
    const untouched = (await get('/v1/notes?page_size=20')).body.notes;
    expect([...first.body.notes, ...second.body.notes]).toEqual(untouched);
    expect((await get('/v1/notes', 'grn_sandbox_demo', own)).body.notes[0]).toMatchObject({
      title: 'In between',
    });
    await own.close();
  });

  test('filters by date (`created_before` excludes that day) and by date-time (inclusive)', async () => {
    const all = await listAll('page_size=30');
    const { created_at: at } = all[50]!;
    const day = at.slice(0, 10);
    const created = async (query: string): Promise<string[]> =>
      (await listAll(`page_size=30&${query}`)).map(note => note.created_at);
    const those = (accept: (created: string) => boolean): string[] =>
      all.map(note => note.created_at).filter(accept);
    expect(await created(`created_before=${day}`)).toEqual(those(value => value.slice(0, 10) < day));
    expect(await created(`created_after=${day}`)).toEqual(those(value => value.slice(0, 10) >= day));
    expect(await created(`created_before=${at}`)).toEqual(those(value => value <= at));
    expect(await created(`created_after=${at}`)).toEqual(those(value => value >= at));
    expect(await created(`created_after=${day}&created_before=${day}`)).toEqual([]);
    const shifted = encodeURIComponent(`${day}T02:00:00+02:00`);
    expect(await created(`created_after=${shifted}`)).toEqual(await created(`created_after=${day}`));
  });

  test('filters by updated_after, and includes old notes that were edited later', async () => {
    const all = await listAll('page_size=30');
    const found = await listAll('page_size=30&updated_after=2026-10-01');
    expect(found.map(note => note.id)).toEqual(
      all.filter(note => note.updated_at >= '2026-10-01').map(note => note.id),
    );
    expect(found.some(note => note.created_at < '2026-10-01')).toBe(true);
  });

  test('filters by folder, and includes notes in child folders', async () => {
    const notes = (await listAll('page_size=30')).slice(0, 150);
    const bodies = await Promise.all(notes.map(async ({ id }) => (await get(`/v1/notes/${id}`)).body));
    const child = bodies
      .flatMap(
        note => note['folder_membership'] as { id: string; name: string; parent_folder_id: string | null }[],
      )
      .find(folder => folder.name === 'Pipeline')!;
    expect(child).toMatchObject({
      object: 'folder',
      parent_folder_id: expect.stringMatching(/^fol_\w{14}$/),
    });
    const [inChild, inParent] = [
      await listAll(`page_size=30&folder_id=${child.id}`),
      await listAll(`page_size=30&folder_id=${child.parent_folder_id}`),
    ];
    expect(inChild.length).toBeGreaterThan(3);
    expect(inParent.length).toBeGreaterThan(inChild.length);
    expect(inParent.map(note => note.id)).toEqual(expect.arrayContaining(inChild.map(note => note.id)));
  });

  test.each(['page_size=0', 'page_size=31', 'page_size=x', 'page_size=5&page_size=6', 'page_size=1.5'])(
    'rejects the list parameters %s',
    async query => expect((await get(`/v1/notes?${query}`)).status).toBe(400),
  );

  test.each([
    'created_before=yesterday',
    'created_after=2026-02-30',
    'updated_after=2026-01-01T10:00',
    'folder_id=x',
  ])('rejects the list parameters %s', async query => {
    expect((await get(`/v1/notes?${query}`)).body).toEqual({
      code: 'BAD_REQUEST',
      message: expect.any(String),
    });
  });
});

describe('Granola notes', () => {
  test('returns 413 for a long inline transcript, which the transcript endpoint returns in pages', async () => {
    let tooLong: string | undefined;
    for (const { id } of await listAll('page_size=30')) {
      const { status, body } = await get(`/v1/notes/${id}?include=transcript`);
      if (status === 200) continue;
      expect({ status, headers: {}, body }).toEqual(sample('error_413'));
      tooLong = id;
      break;
    }
    const segments: unknown[] = [];
    for (let cursor: string | null | undefined = ''; cursor !== null;) {
      const { body }: VendorResponse = await get(
        `/v1/notes/${tooLong}/transcript?page_size=100${cursor && `&cursor=${cursor}`}`,
      );
      segments.push(...body.transcript);
      cursor = body.hasMore ? body.cursor : null;
    }
    expect(segments.length).toBeGreaterThan(400);
    expect((await get(`/v1/notes/${tooLong}/transcript`)).body.transcript).toEqual(segments.slice(0, 50));
    expect((await get(`/v1/notes/${tooLong}/transcript?page_size=101`)).status).toBe(400);
    const starts = segments.map(segment => (segment as { start_time: string }).start_time);
    expect(starts).toEqual(starts.toSorted());
  });

  test('returns 400 for an unknown include value and for a malformed id', async () => {
    const [{ id }] = (await get('/v1/notes')).body.notes as [WireNote];
    expect((await get(`/v1/notes/${id}`)).body.transcript).toBe(null);
    expect((await get(`/v1/notes/${id}?include=everything`)).status).toBe(400);
    expect((await get('/v1/notes/not_short')).status).toBe(400);
  });

  test('hides notes until they are finished', async () => {
    const own = await startSandbox();
    const finished = own.control.vendor('granola').act('finish-notes') as WireNote[];
    expect(finished).toHaveLength(4);
    for (const { id } of finished) {
      expect((await get(`/v1/notes/${id}`)).body).toEqual({ code: 'NOT_FOUND', message: 'Note not found' });
      expect((await get(`/v1/notes/${id}`, 'grn_sandbox_demo', own)).status).toBe(200);
    }
    await own.close();
  });

  test('notes include null titles and titles in other scripts', async () => {
    const titles = (await listAll('page_size=30')).map(note => note.title);
    expect(titles.filter(title => title === null).length).toBeGreaterThan(5);
    for (const script of [
      /\p{Script=Han}/u,
      /\p{Script=Arabic}/u,
      /\p{Script=Hebrew}/u,
      /\p{Emoji_Presentation}/u,
      /é/,
    ]) {
      expect(titles.some(title => title !== null && script.test(title))).toBe(true);
    }
  });

  test('generates the same notes for the same seed, and different notes for another seed', async () => {
    const [same, other] = [await startSandbox(), await startSandbox({ seed: 'another' })];
    const first = (await get('/v1/notes')).body.notes;
    expect((await get('/v1/notes', 'grn_sandbox_demo', same)).body.notes).toEqual(first);
    expect((await get('/v1/notes', 'grn_sandbox_demo', other)).body.notes).not.toEqual(first);
    await Promise.all([same.close(), other.close()]);
  });
});

describe('Granola API keys', () => {
  test.each([null, 'grn_unknown_key', 'sk_live', '', 'grn_sandbox_revoked'])(
    'returns 401 for the API key %s',
    async key => {
      expect((await get('/v1/notes', key)).status).toBe(401);
      expect((await get('/v1/nothing', key)).status).toBe(401);
    },
  );

  test('returns 403 for an API key whose plan excludes API access', async () => {
    expect(await get('/v1/notes', 'grn_sandbox_noplan')).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
  });

  test('revokes and restores an API key', async () => {
    const granola = sandbox.control.vendor('granola');
    granola.act('revoke-key', { key: 'grn_sandbox_second' });
    expect((await get('/v1/notes', 'grn_sandbox_second')).status).toBe(401);
    granola.act('restore-key', { key: 'grn_sandbox_second' });
    expect((await get('/v1/notes', 'grn_sandbox_second')).status).toBe(200);
  });

  fullTest("returns only the owner's notes, including private notes, for a personal key", async () => {
    const mine = await listAll('page_size=30', 'grn_sandbox_personal');
    expect(mine.length).toBeGreaterThan(20);
    expect(mine.length).toBeLessThan(200);
    const everyones = new Set((await listAll('page_size=30')).map(note => note.id));
    expect(mine.every(note => everyones.has(note.id))).toBe(true);
    const details = await Promise.all(mine.map(note => get(`/v1/notes/${note.id}`, 'grn_sandbox_personal')));
    expect(details.some(({ body }) => body['private_notes_text'] !== null)).toBe(true);
    const asWorkspace = await Promise.all(mine.map(note => get(`/v1/notes/${note.id}`)));
    expect(asWorkspace.every(({ body }) => body['private_notes_text'] === null)).toBe(true);
  });
});

describe('Granola errors and changes', () => {
  test('returns 429 and 503 responses that match the recorded samples', async () => {
    const { faults } = sandbox.control;
    faults.add({ vendor: 'granola', status: 429, retryAfter: 2, count: 1 });
    faults.add({ vendor: 'granola', status: 503, count: 1 });
    const { status, headers, body } = await get('/v1/notes');
    expect({ status, headers: { 'Retry-After': headers['retry-after'] }, body }).toEqual(sample('error_429'));
    const down = await get('/v1/notes');
    expect({ status: down.status, headers: {}, body: down.body }).toEqual(sample('error_503_empty'));
  });

  test('enforces the rate limit of 25 requests in a burst, then 5 per second', async () => {
    // The vendor's clock stands still, so that the limit does not depend on how fast the requests are sent.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const own = await startSandbox({ rateLimits: true });
    const statuses = [];
    for (let call = 0; call < 25; call++)
      statuses.push((await get('/v1/notes?page_size=1', undefined, own)).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    const limited = await get('/v1/notes?page_size=1', undefined, own);
    expect(limited).toMatchObject({ status: 429, headers: { 'retry-after': '1' }, body: {} });
    own.control.clock.advance(1000);
    statuses.length = 0;
    for (let call = 0; call < 6; call++)
      statuses.push((await get('/v1/notes?page_size=1', undefined, own)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    await own.close();
  });

  test('lists an edited note first with updated_after, and omits a deleted note', async () => {
    const own = await startSandbox();
    const granola = own.control.vendor('granola');
    const { id } = (await get('/v1/notes?page_size=30', undefined, own)).body.notes[20]!;
    expect(granola.act('edit-note', { id, title: 'Changed' })).toMatchObject({ id, title: 'Changed' });
    const changed = await get('/v1/notes?updated_after=2026-11-20T12:00:30Z', undefined, own);
    expect(changed.body.notes).toMatchObject([{ id, title: 'Changed' }]);
    granola.act('delete-note', { id });
    expect((await get(`/v1/notes/${id}`, undefined, own)).status).toBe(404);
    expect(() => granola.act('delete-note', { id })).toThrow(/must be the id of a note/);
    await own.close();
  });
});
