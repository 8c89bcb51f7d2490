import { readFileSync } from 'node:fs';
import { request } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { fullTest } from '../../../scripts/full-test.ts';
import { describeShape } from '../../test/shape.ts';
import { startSandbox, type RunningSandbox } from '../start.ts';

type Json = Record<string, unknown>;
type Row = Json & { id: string; primaryUserId: string; workspaceId: string };
interface VendorResponse {
  status: number;
  headers: Record<string, unknown>;
  body: Json;
}

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.control.reset());

const basic = (account: string): string =>
  `Basic ${Buffer.from(`gong_sandbox_${account}:gong_sandbox_${account}_secret`).toString('base64')}`;

const call = async (
  path: string,
  {
    authorization = basic('demo'),
    post,
    from = sandbox,
  }: { authorization?: string; post?: Json; from?: RunningSandbox } = {},
): Promise<VendorResponse> => {
  const { statusCode, headers, body } = await request(
    `${from.url}/${path.replace(/^\/v2/, 'api.gong.io/v2')}`,
    {
      method: post ? 'POST' : 'GET',
      headers: { authorization, ...(post && { 'content-type': 'application/json' }) },
      body: post ? JSON.stringify(post) : null,
    },
  );
  return { status: statusCode, headers, body: (await body.json()) as Json };
};

const listAll = async (
  path: string,
  collection: string,
  options: { authorization?: string; post?: Json } = {},
): Promise<{ pages: Json[]; records: Row[] }> => {
  const pages: Json[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const post = options.post && { ...options.post, ...(cursor ? { cursor } : {}) };
    const separator = path.includes('?') ? '&' : '?';
    const at = !post && cursor ? `${path}${separator}cursor=${cursor}` : path;
    const { status, body } = await call(at, { ...options, ...(post && { post }) });
    expect(status).toBe(200);
    pages.push(body);
    ({ cursor } = body['records'] as { cursor?: string });
  }
  return { pages, records: pages.flatMap(page => page[collection] as Row[]) };
};

const sample = (name: string): Json =>
  JSON.parse(readFileSync(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8')) as Json;
const SELECT_ALL = {
  context: 'Extended',
  exposedFields: {
    parties: true,
    media: true,
    content: {
      topics: true,
      trackers: true,
      brief: true,
      outline: true,
      highlights: true,
      keyPoints: true,
      callOutcome: true,
    },
    interaction: { speakers: true, video: true, personInteractionStats: true, questions: true },
    collaboration: { publicComments: true },
  },
};
/** A list endpoint, and the documented shapes that its samples omit. */
interface Listing {
  name: string;
  path: string;
  collection: string;
  post?: Json;
  additions?: string[];
}

describe('Gong wire format', () => {
  test.each([
    { name: 'users', path: '/v2/users', collection: 'users' },
    {
      name: 'calls',
      path: '/v2/calls',
      collection: 'calls',
      // Nullable fields whose value is null in every sample.
      additions: [
        '$.calls[].customData: string',
        '$.calls[].purpose: string',
        '$.calls[].clientUniqueId: string',
      ],
    },
    {
      name: 'call_transcripts',
      path: '/v2/calls/transcript',
      collection: 'callTranscripts',
      // Limited to a few pages, because a year of transcripts contains millions of values.
      post: { filter: { fromDateTime: '2026-09-15T00:00:00Z' } },
    },
  ] satisfies Listing[])(
    'matches the keys and types of the samples on every page of $name',
    async ({ name, path, collection, post, additions = [] }: Listing) => {
      const { pages } = await listAll(path, collection, post ? { post } : {});
      const known = describeShape(sample(`${name}_1`), sample(`${name}_2`));
      const seen = describeShape(...pages);
      const nullableInSchema = [
        'trustedEmailAddress',
        'phoneNumber',
        'extension',
        'meetingConsentPageUrl',
        'emailAliases[]',
        'personalMeetingUrls[]',
      ];
      const extra = seen.filter(line => !known.includes(line) && !additions.includes(line));
      expect(
        extra.filter(line => !nullableInSchema.some(field => line === `$.users[].${field}: string`)),
      ).toEqual([]);
      expect(known.filter(line => !seen.includes(line))).toEqual([]);
    },
  );

  test('extensive calls contain exactly the requested blocks', async () => {
    const { body } = await call('/v2/calls/extensive', { post: { contentSelector: SELECT_ALL } });
    const seen = describeShape(body);
    const missing = describeShape(sample('calls_extensive_1')).filter(line => !seen.includes(line));
    // Only missing lines count, because the sandbox also returns outline sections and comments, which the
    // sample omits.
    expect(missing).toEqual([]);
    const bare = await call('/v2/calls/extensive', { post: {} });
    expect(new Set((bare.body['calls'] as Json[]).flatMap(Object.keys))).toEqual(new Set(['metaData']));
    const some = await call('/v2/calls/extensive', {
      post: {
        contentSelector: { exposedFields: { content: { brief: true }, interaction: { questions: true } } },
      },
    });
    const [first] = some.body['calls'] as [Json];
    expect(Object.keys(first)).toEqual(['metaData', 'content', 'interaction']);
    expect(Object.keys(first['content'] as Json)).toEqual(['brief']);
    expect(Object.keys(first['interaction'] as Json)).toEqual(['questions']);
  });

  test('workspaces match the keys and types of the recorded sample', async () => {
    const { body } = await call('/v2/workspaces');
    const seen = describeShape(body);
    expect(describeShape(sample('workspaces_1')).filter(line => !seen.includes(line))).toEqual([]);
  });

  test('ids are decimal strings between 2^53 and 2^63', async () => {
    const { records } = await listAll('/v2/calls', 'calls');
    for (const { id, primaryUserId } of records) {
      for (const text of [id, primaryUserId]) {
        expect(text).toMatch(/^\d{19}$/);
        expect(BigInt(text)).toBeLessThan(2n ** 63n);
      }
    }
  });

  test.each([
    [
      'error_400',
      '/v2/calls?fromDateTime=2026-02-02T00:00:00Z&toDateTime=2026-02-01T00:00:00Z',
      basic('demo'),
    ],
    ['error_401', '/v2/users', basic('revoked')],
    ['error_403_ip', '/v2/users', basic('untrusted')],
    ['error_404_empty', '/v2/calls', basic('empty')],
    ['error_404_unknown_id', '/v2/calls/7000000000000000000', basic('demo')],
  ])('returns the recorded %s exactly', async (name, path, authorization) => {
    const { status, body } = await call(path, { authorization });
    const expected = sample(name) as { status: number; body: Json };
    expect({ status, body }).toEqual({
      status: expected.status,
      body: { ...expected.body, requestId: expect.stringMatching(/^[a-z0-9]{19}$/) },
    });
  });

  test('returns per-second 429, daily 429 and 500 responses that match the recorded samples', async () => {
    for (const [name, fault] of [
      ['error_429', { status: 429, retryAfter: 1 }],
      ['error_429_daily', { status: 429, retryAfter: 14_400 }],
      ['error_500', { status: 500 }],
    ] as const) {
      sandbox.control.faults.add({ vendor: 'gong', count: 1, ...fault });
      const expected = sample(name) as {
        status: number;
        headers: { 'Retry-After'?: string };
        body: { errors: string[] };
      };
      const { status, headers, body } = await call('/v2/users');
      expect([status, headers['retry-after'], body['errors']]).toEqual([
        expected.status,
        expected.headers['Retry-After'],
        expected.body.errors,
      ]);
    }
  });
});

describe('Gong paging and filters', () => {
  test.each([
    ['/v2/users', 'users', 230, 'id'],
    ['/v2/calls', 'calls', 1500, 'id'],
  ])(
    'lists all records from %s in pages of 100, without gaps or duplicates',
    async (path, collection, count, key) => {
      const { pages, records } = await listAll(path, collection);
      expect(records).toHaveLength(count);
      expect(new Set(records.map(record => record[key])).size).toBe(count);
      expect(pages.map(page => (page['records'] as Json)['currentPageNumber'])).toEqual([...pages.keys()]);
      expect(pages.slice(0, -1).every(page => (page[collection] as Json[]).length === 100)).toBe(true);
      expect(pages.at(-1)!['records']).not.toHaveProperty('cursor');
    },
  );

  fullTest('pages through extensive calls and transcripts with a cursor in the body', async () => {
    const filter = { fromDateTime: '2026-07-01T00:00:00Z' };
    const extensive = await listAll('/v2/calls/extensive', 'calls', { post: { filter } });
    const listed = await listAll('/v2/calls?fromDateTime=2026-07-01T00:00:00Z', 'calls');
    expect(extensive.records.map(record => record['metaData'])).toEqual(listed.records);
    expect(extensive.pages.length).toBeGreaterThan(2);
    const transcripts = await listAll('/v2/calls/transcript', 'callTranscripts', { post: { filter } });
    const spoken = listed.records.filter(record => Number(record['duration']) >= 30);
    expect(transcripts.records.map(record => record['callId'])).toEqual(spoken.map(record => record['id']));
  });

  test('accepts a cursor only with the filter and company that it was issued for', async () => {
    const { body } = await call('/v2/calls');
    const { cursor } = body['records'] as { cursor: string };
    expect((await call(`/v2/calls?cursor=${cursor}`)).status).toBe(200);
    expect((await call(`/v2/calls?cursor=${cursor}`, { authorization: basic('second') })).status).toBe(400);
    expect((await call(`/v2/calls?fromDateTime=2026-01-01T00:00:00Z&cursor=${cursor}`)).status).toBe(400);
    expect((await call('/v2/calls?cursor=made-up')).body['errors']).toEqual([
      'The cursor is not valid for this request',
    ]);
  });

  test('filters calls by a date range that excludes its end', async () => {
    const all = await listAll('/v2/calls', 'calls');
    const middle = encodeURIComponent(String(all.records[700]!['scheduled']));
    const earlier = await listAll(`/v2/calls?toDateTime=${middle}`, 'calls');
    const later = await listAll(`/v2/calls?fromDateTime=${middle}`, 'calls');
    expect([...later.records, ...earlier.records]).toEqual(all.records);
  });

  test('filters calls by id, user and workspace', async () => {
    const { records } = await listAll('/v2/calls', 'calls');
    const [first, second] = [records[3]!, records[200]!];
    const byId = await call('/v2/calls/extensive', {
      post: { filter: { callIds: [first['id'], second['id']] } },
    });
    expect((byId.body['calls'] as Json[]).map(each => each['metaData'])).toEqual([first, second]);
    expect((await call(`/v2/calls/${first.id}`)).body['call']).toEqual(first);
    expect((await call(`/v2/users/${first.primaryUserId}`)).body['user']).toMatchObject({
      id: first['primaryUserId'],
    });
    const byWorkspace = await listAll(`/v2/calls?workspaceId=${first.workspaceId}`, 'calls');
    expect(byWorkspace.records).toEqual(records.filter(each => each['workspaceId'] === first['workspaceId']));
    const none = await call('/v2/calls/transcript', {
      post: { filter: { callIds: ['7000000000000000000'] } },
    });
    expect([none.status, none.body['errors']]).toEqual([
      404,
      ['No transcripts found corresponding to the provided filters'],
    ]);
  });

  test.each([
    ['/v2/calls?fromDateTime=yesterday', undefined],
    ['/v2/calls/abc', undefined],
    ['/v2/calls/extensive', { filter: { callIds: [7_000_000_000_000_000] } }],
    ['/v2/calls/extensive', { filter: [] }],
    ['/v2/calls/extensive', { contentSelector: { context: 'Everything' } }],
  ])('returns 400 for the invalid request %s %j', async (path, post) => {
    expect((await call(path, post ? { post } : {})).status).toBe(400);
  });

  test("returns 400 in Gong's envelope for a body that is not JSON", async () => {
    const { statusCode, body } = await request(`${sandbox.url}/api.gong.io/v2/calls/extensive`, {
      method: 'POST',
      headers: { authorization: basic('demo'), 'content-type': 'application/json' },
      body: '{',
    });
    expect([statusCode, await body.json()]).toEqual([
      400,
      { requestId: expect.any(String), errors: ['The body is not valid JSON'] },
    ]);
  });
});

describe('Gong data', () => {
  fullTest('transcripts contain ordered sentences by speakers who are parties to the call', async () => {
    const { body } = await call('/v2/calls/transcript', { post: {} });
    const transcripts = body['callTranscripts'] as {
      callId: string;
      transcript: { speakerId: string; sentences: { start: number; end: number }[] }[];
    }[];
    const callIds = transcripts.slice(0, 20).map(each => each.callId);
    const extensive = await call('/v2/calls/extensive', {
      post: { filter: { callIds }, contentSelector: { exposedFields: { parties: true } } },
    });
    const parties = new Map(
      (
        extensive.body['calls'] as { metaData: { id: string }; parties: { speakerId: string | null }[] }[]
      ).map(each => [each.metaData.id, each.parties.map(party => party.speakerId)]),
    );
    for (const { callId, transcript } of transcripts.slice(0, 20)) {
      const speakers = parties.get(callId);
      expect(transcript.every(turn => speakers?.includes(turn.speakerId))).toBe(true);
      const starts = transcript.flatMap(turn => turn.sentences.map(sentence => sentence.start));
      expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    }
    expect((await call('/v2/calls/transcript', { post: {} })).body['callTranscripts']).toEqual(transcripts);
  });

  test('calls include private calls, titles in other scripts and all date-time formats', async () => {
    const { records } = await listAll('/v2/calls', 'calls');
    expect(records.filter(each => each['isPrivate']).length).toBeGreaterThan(30);
    expect(records.some(each => /\p{Script=Han}/u.test(String(each['title'])))).toBe(true);
    for (const form of [/\dZ$/, /-08:00$/, /\+05:30$/, /\.000/]) {
      expect(records.some(each => form.test(String(each['started'])))).toBe(true);
    }
  });

  test('lists an added call first, and generates different data for another company', async () => {
    const own = await startSandbox();
    const added = own.control.vendor('gong').act('add-call') as Json;
    expect(((await call('/v2/calls', { from: own })).body['calls'] as Json[])[0]).toEqual(added);
    const other = await listAll('/v2/calls', 'calls', { authorization: basic('second') });
    expect(other.records).toHaveLength(64);
    await own.close();
  });
});

test("enforces Gong's rate limit of 3 requests per second", async () => {
  // The vendor's clock stands still, so that the limit does not depend on how fast the requests are sent.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const own = await startSandbox({ rateLimits: true });
  const responses: VendorResponse[] = [];
  while (responses.at(-1)?.status !== 429) responses.push(await call('/v2/workspaces', { from: own }));
  expect(responses).toHaveLength(3 + 1);
  expect(responses.at(-1)).toMatchObject({
    headers: { 'retry-after': '1' },
    body: { errors: ['API rate limit exceeded'] },
  });
  own.control.clock.advance(1000);
  expect((await call('/v2/workspaces', { from: own })).status).toBe(200);
  await own.close();
});
