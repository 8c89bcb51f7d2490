import { readFileSync } from 'node:fs';
import { startSandbox } from '@connector-auth/sandbox';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { manualClock, scriptedTransport } from '../../test/scripted.ts';
import {
  connect,
  createTransport,
  grantsInMemory,
  parseGrant,
  unlimited,
  type VendorResponse,
} from '../kind/index.ts';
import { readFailure } from './failure.ts';
import { Granola, granola } from './index.ts';
import { note, privateNames, readNote, wholeNote } from './wire.ts';

const now = Date.parse('2026-11-20T12:00:00Z');

type Sandbox = Awaited<ReturnType<typeof startSandbox>>;
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterEach(() => {
  sandbox.control.faults.clear();
  sandbox.control.requests.clear();
});
afterAll(() => sandbox.close());

const apiKey = 'grn_sandbox_demo';
function open(credentials: Record<string, unknown> = { api_key: apiKey }) {
  return new Granola({
    // Some tests pass invalid credentials.
    credentials: credentials as never,
    transport: createTransport({ sandboxUrl: sandbox.url }),
    limiter: unlimited,
  });
}

/** Returns one of the vendor's samples as a response. */
function sample(name: string) {
  const body: unknown = JSON.parse(readFileSync(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8'));
  return { status: 200, headers: {}, body };
}

function errorSample(name: string) {
  const { status, headers, body } = sample(name).body as {
    status: number;
    headers: Record<string, string>;
    body: unknown;
  };
  const lowered = Object.fromEntries(
    Object.entries(headers).map(([key, value]) => [key.toLowerCase(), value]),
  );
  return { status, headers: lowered, body };
}

const stated = Object.keys(note.shape);

describe('Granola samples', () => {
  const readPage = async (response: Partial<VendorResponse>) => {
    const grants = grantsInMemory(parseGrant(granola, { api_key: apiKey }));
    const { transport } = scriptedTransport(response);
    const connection = connect({ kind: granola, grants, transport, limiter: unlimited });
    return granola.entities.notes.actions.list.run({}, await connection.vendorFor({ repeatable: true }));
  };

  test('maps a page to records with all declared fields and null details', async () => {
    const { result, connector_metadata } = await readPage(sample('list_page1'));
    expect(connector_metadata).toEqual({ cursor: expect.any(String) as string, has_more: true });
    for (const record of result) {
      expect(Object.keys(record).toSorted()).toEqual(stated.toSorted());
      expect(record).toMatchObject({ transcript: null, summary_text: null, attendees: null });
    }
  });

  test('ignores any cursor on the last page', async () => {
    const { connector_metadata } = await readPage(sample('list_last_page'));
    expect(connector_metadata).toEqual({ cursor: null, has_more: false });
    expect(await readPage(sample('list_empty_no_cursor'))).toEqual({
      result: [],
      connector_metadata: { cursor: null, has_more: false },
    });
  });

  test.each(['get', 'get_sparse', 'get_with_transcript'])(
    'maps every declared field of %s and no other',
    name => {
      const response = sample(name);
      const { folder_membership, ...mapped } = readNote(response);
      const { folder_membership: folders, ...sent } = response.body as Record<string, unknown>;
      expect(mapped).toEqual(sent);
      // Folders also have a `parent_folder_id`.
      const specified = (folders as Record<string, unknown>[]).map(({ id, object, name }) => ({
        id,
        object,
        name,
      }));
      expect(folder_membership).toEqual(specified);
      expect(wholeNote.safeParse(readNote(response)).error).toBeUndefined();
      const added = {
        ...response,
        body: { ...sent, new_field: 'x', attendees: [{ name: 'A', phone: '1' }] },
      };
      expect(Object.keys(readNote(added)).toSorted()).toEqual([...stated, ...privateNames].toSorted());
      expect(readNote(added).attendees).toEqual([{ name: 'A' }]);
    },
  );

  test.each([
    ['error_400_page_size', 'request'],
    ['error_401', 'credentials'],
    ['error_404', 'not_found'],
    ['error_413', 'request'],
    ['error_429', 'rate_limit'],
    ['error_503_empty', 'vendor'],
  ])('reads %s as %s', (name, kind) => {
    expect(readFailure(errorSample(name), now)).toMatchObject({ kind });
  });

  test('returns how long to wait after a rate-limit error', () => {
    expect(readFailure(errorSample('error_429'), now)).toMatchObject({ retryAfterSeconds: 2 });
  });
});

describe('Granola notes', () => {
  test('lists one page and iterates over all notes exactly once', async () => {
    const notes = open();
    const first = await notes.execute('notes', 'list', { page_size: 30 });
    expect(first.result).toHaveLength(30);
    expect(first.connector_metadata.has_more).toBe(true);

    const ids: string[] = [];
    for await (const { id } of notes.notes.listAll({ page_size: 30 })) ids.push(id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(300);
    expect(ids.slice(0, 30)).toEqual(first.result.map(({ id }) => id));
  });

  test('filters notes by day', async () => {
    const { result } = await open().notes.list({
      created_after: '2026-05-01',
      created_before: '2026-06-01',
      page_size: 30,
    });
    expect(result.length).toBeGreaterThan(0);
    for (const { created_at } of result) expect(created_at?.slice(0, 7)).toBe('2026-05');
  });

  test('gets a note, with its transcript only if requested', async () => {
    const { notes } = open();
    const [first] = (await notes.list({ page_size: 1 })).result;
    const note_id = first?.id ?? '';
    expect((await notes.get({ note_id })).result).toMatchObject({ id: note_id, transcript: null });
    expect((await notes.get({ note_id, include: 'transcript' })).result.transcript?.length).toBeGreaterThan(
      0,
    );
  });

  test('gets the specified fields of a note, and its private fields only if allowed', async () => {
    const note_id = (await open().notes.list({ page_size: 1 })).result[0]?.id ?? '';
    const { result } = await open().notes.get({ note_id });
    expect(Object.keys(result).toSorted()).toEqual(stated.toSorted());
    const allowed = new Granola({
      credentials: { api_key: apiKey },
      transport: createTransport({ sandboxUrl: sandbox.url }),
      limiter: unlimited,
      allowedData: ['private_fields'],
    });
    const whole = (await allowed.notes.get({ note_id })).result;
    expect(Object.keys(whole).toSorted()).toEqual([...stated, ...privateNames].toSorted());
    expect(whole.web_url).toMatch(/^https:/);
    expect(whole).toMatchObject(result);
    // Vendors' lists contain no private fields.
    const [listed = {}] = (await allowed.notes.list({ page_size: 1 })).result;
    expect(Object.keys(listed).toSorted()).toEqual(stated.toSorted());
  });

  test('reads a transcript that is too long for one response page by page', async () => {
    const { notes } = open();
    let starts: string[] = [];
    for await (const { id } of notes.listAll({ page_size: 30 })) {
      const { result } = await notes.get({ note_id: id, include: 'transcript' });
      starts = (result.transcript ?? []).map(({ start_time }) => start_time ?? '');
      const path = `/v1/notes/${id}/transcript`;
      if (sandbox.control.requests.count({ vendor: 'granola', path }) > 1) break;
    }
    // The vendor's limit for the transcript in the note itself.
    expect(starts.length).toBeGreaterThan(400);
    expect(starts).toEqual(starts.toSorted());
  });

  test('reports a missing note as not found', async () => {
    await expect(open().notes.get({ note_id: 'not_AAAAAAAAAAAAAA' })).rejects.toMatchObject({
      code: 'record_not_found',
      vendor: { status: 404, code: 'NOT_FOUND' },
    });
  });

  test.each([
    '',
    'x',
    '../folders',
    'not_AAAAAAAAAAAAA',
    'not_AAAAAAAAAAAAAA/transcript',
    'not_AAAAAAAAAAAAAA\n',
  ])('reports the id %j as not found without a request', async note_id => {
    await expect(open().notes.get({ note_id })).rejects.toMatchObject({
      code: 'record_not_found',
      status: 404,
      vendor: null,
      errors: [{ path: 'params.note_id' }],
    });
    expect(sandbox.control.requests.list({ vendor: 'granola' })).toEqual([]);
  });

  test('reports a rejected key', async () => {
    await expect(open({ api_key: 'grn_wrong_key' }).notes.list()).rejects.toMatchObject({
      code: 'reauthentication_required',
    });
    expect(await open({ api_key: 'grn_wrong_key' }).check()).toMatchObject({ status: 'unhealthy' });
    expect(await open().check()).toMatchObject({ status: 'healthy', error: null });
  });

  test('reports every invalid parameter without a request', async () => {
    // Bypasses the type checks.
    const untyped = open() as unknown as { execute: (...args: unknown[]) => Promise<unknown> };
    const issues = untyped.execute('notes', 'list', {
      page_size: 31,
      created_after: '1.2.2026',
      cursor: '',
      color: 'red',
    });
    await expect(issues).rejects.toMatchObject({
      code: 'invalid_params',
      errors: expect.arrayContaining(
        ['params.page_size', 'params.created_after', 'params.cursor', 'params.color'].map(
          path => expect.objectContaining({ path }) as unknown,
        ),
      ) as unknown,
    });
    await expect(
      untyped.execute('notes', 'get', { note_id: '../folders', include: 'summary' }),
    ).rejects.toMatchObject({
      code: 'invalid_params',
    });
    await expect(untyped.execute('notes', 'search', { query: {} })).rejects.toMatchObject({
      code: 'search_needs_hosted',
    });
    expect(sandbox.control.requests.list({ vendor: 'granola' })).toEqual([]);
  });
});

describe('a Granola sync run', () => {
  const vendor = (transport = createTransport({ sandboxUrl: sandbox.url })) =>
    connect({
      kind: granola,
      grants: grantsInMemory(parseGrant(granola, { api_key: apiKey })),
      transport,
      limiter: unlimited,
      // A day after the last change of a note in the sandbox.
      clock: manualClock(Date.parse('2026-11-21T12:00:00Z')),
    }).vendorFor({ repeatable: true });
  const { run } = granola.entities.notes.search.sync;

  test('yields every note once, with the searchable fields only', async () => {
    const ids: unknown[] = [];
    let since: string | null | undefined;
    for await (const page of run(await vendor(), { since: null, position: null })) {
      for (const record of page.records) {
        expect(Object.keys(record).toSorted()).toEqual(['created_at', 'id', 'object', 'owner', 'title']);
        ids.push(record['id']);
      }
      since = page.since;
    }
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(300);
    expect(since).toMatch(/^\d{4}-\d\d-\d\dT/);
  });

  test('resumes after any page without losing records', async () => {
    const whole: unknown[] = [];
    const pages = [];
    for await (const page of run(await vendor(), { since: null, position: null })) {
      pages.push(page);
      whole.push(...page.records.map(({ id }) => id));
    }
    const after = pages[3];
    const rest: unknown[] = [];
    for await (const page of run(await vendor(), { since: null, position: after?.position })) {
      rest.push(...page.records.map(({ id }) => id));
    }
    expect(rest).toEqual(whole.slice(4 * 30));
  });

  test('starts the next run at the newest past change, not at a future one', async () => {
    const changes = ['2031-01-01T00:00:00Z', '2026-11-02T10:05:00Z', '2026-11-01T10:00:00Z', 'zz'];
    const notes = changes.map((updated_at, index) => ({ id: `not_${index}`, updated_at }));
    const { transport } = scriptedTransport({ body: { notes, hasMore: false } });
    const pages = [];
    for await (const page of run(await vendor(transport), { since: null, position: null })) pages.push(page);
    expect(pages).toMatchObject([{ records: { length: 4 }, since: '2026-11-02T10:00:00.000Z' }]);
  });

  test('reads only what changed since the previous run', async () => {
    let since: string | null = null;
    for await (const page of run(await vendor(), { since: null, position: null })) since = page.since ?? null;
    let again = 0;
    for await (const page of run(await vendor(), { since, position: null })) again += page.records.length;
    expect(again).toBeGreaterThan(0);
    expect(again).toBeLessThan(30);
  });
});
