import { startSandbox } from '@connector-auth/sandbox';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createTransport, unlimited } from '../kind/index.ts';
import { Gong } from './index.ts';

type Sandbox = Awaited<ReturnType<typeof startSandbox>>;
let sandbox: Sandbox;
let accessKeys: Record<string, string>[];
beforeAll(async () => {
  sandbox = await startSandbox();
  const { credentials = [] } = sandbox.control.vendors().find(({ key }) => key === 'gong') ?? {};
  accessKeys = credentials.filter(({ values }) => 'access_key' in values).map(({ values }) => values);
});
afterEach(() => sandbox.control.reset());
afterAll(() => sandbox.close());

function open(credentials: Record<string, unknown> = accessKeys[0] ?? {}) {
  return new Gong({
    // Some tests pass invalid credentials.
    credentials: credentials as never,
    transport: createTransport({ sandboxUrl: sandbox.url }),
    limiter: unlimited,
  });
}

const asked = () => sandbox.control.requests.list({ vendor: 'gong' });

describe('Gong access keys', () => {
  test('authenticates with an access key', async () => {
    expect(await open().check()).toMatchObject({ status: 'healthy' });
  });

  test('requires new credentials if Gong rejects the access key', async () => {
    const wrong = open({ access_key: 'GK_UNKNOWN', access_key_secret: 'nothing' });
    await expect(wrong.users.list()).rejects.toMatchObject({
      code: 'reauthentication_required',
      vendor: { status: 401 },
    });
    expect(await wrong.check()).toMatchObject({ status: 'unhealthy' });
  });
});

describe('Gong users and calls', () => {
  const filter = { fromDateTime: '2026-08-01T00:00:00Z' };
  test.each([
    ['users', {}],
    ['calls', {}],
    ['calls_extensive', { filter }],
    ['call_transcripts', { filter }],
  ] as const)('lists all %s exactly once', async (entity, params) => {
    const first = await open()[entity].list(params);
    expect(first.result).toHaveLength(100);
    expect(first.connector_metadata).toMatchObject({ has_more: true, current_page_number: 0 });
    const total = first.connector_metadata.total_records;

    const ids: unknown[] = [];
    const records: AsyncIterable<Record<string, unknown>> = open()[entity].listAll(params);
    for await (const one of records) {
      ids.push(one['id'] ?? one['callId'] ?? (one['metaData'] as { id: string }).id);
    }
    expect(ids).toHaveLength(total ?? 0);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContainEqual(expect.stringMatching(/^\d{19}$/));
  });

  test('gets a single user or call', async () => {
    const { users, calls } = open();
    const [user] = (await users.list()).result;
    const [call] = (await calls.list()).result;
    expect((await users.get({ id: user?.id ?? '' })).result).toEqual(user);
    expect((await calls.get({ id: call?.id ?? '' })).result).toEqual(call);
    await expect(calls.get({ id: '7000000000000000000' })).rejects.toMatchObject({
      code: 'record_not_found',
    });
  });

  test('filters calls by time range and returns an empty list for an empty range', async () => {
    const range = { fromDateTime: '2026-09-01T00:00:00Z', toDateTime: '2026-09-08T00:00:00+02:00' };
    const { result } = await open().calls.list(range);
    expect(result.length).toBeGreaterThan(0);
    expect(await open().calls.list({ fromDateTime: '2031-01-01T00:00:00Z' })).toEqual({
      result: [],
      connector_metadata: { cursor: null, has_more: false, total_records: 0, current_page_number: null },
    });
    const filter = { callIds: ['7000000000000000000'] };
    expect((await open().call_transcripts.list({ filter })).result).toEqual([]);
    expect((await open().calls_extensive.list({ filter })).result).toEqual([]);
  });

  test('returns the call blocks that the content selector selects', async () => {
    const [call] = (await open().calls.list()).result;
    const filter = { callIds: [call?.id ?? ''] };
    const bare = await open().calls_extensive.list({ filter });
    expect(bare.result).toEqual([
      {
        metaData: call,
        context: null,
        parties: null,
        content: null,
        interaction: null,
        collaboration: null,
        media: null,
      },
    ]);
    const full = await open().calls_extensive.list({
      filter,
      contentSelector: {
        context: 'Extended',
        exposedFields: {
          parties: true,
          content: { topics: true, brief: true },
          interaction: { questions: true },
        },
      },
    });
    expect(full.result[0]).toMatchObject({
      metaData: call,
      context: expect.any(Array) as unknown,
      parties: expect.any(Array) as unknown,
      content: { topics: expect.any(Array) as unknown, brief: expect.any(String) as unknown },
      media: null,
    });
    const transcripts = await open().call_transcripts.list({ filter });
    expect(transcripts.result.length).toBeLessThanOrEqual(1);
  });
});

describe('Gong rate limits', () => {
  test('delays calls to stay within the per-second limit', async () => {
    sandbox.control.faults.add({ vendor: 'gong', status: 429, retryAfter: 1, count: 1 });
    expect((await open().users.list()).result.length).toBeGreaterThan(0);
    expect(asked()).toHaveLength(2);
  });

  test('fails immediately when the daily limit is used up and reports how long to wait', async () => {
    sandbox.control.faults.add({ vendor: 'gong', status: 429, retryAfter: 14_400 });
    await expect(open().users.list()).rejects.toMatchObject({
      code: 'vendor_rate_limited',
      retryAfterSeconds: 14_400,
      vendor: { message: 'Daily API limit exceeded' },
    });
    expect(asked()).toHaveLength(1);
  });
});

describe('Gong parameters', () => {
  /** Runs an operation without type checks and returns the paths of its issues. */
  async function issuePathsOf(entity: string, action: string, params: unknown): Promise<string[]> {
    const untyped = open() as unknown as { execute(...args: unknown[]): Promise<unknown> };
    const error: unknown = await untyped.execute(entity, action, params).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: 'invalid_params', status: 422 });
    return (error as { errors: { path: string }[] }).errors.map(({ path }) => path).toSorted();
  }

  test.each([
    ['users', 'list', { cursor: '', limit: 5, includeAvatars: 'yes' }, ['cursor', 'includeAvatars', 'limit']],
    ['users', 'get', {}, ['id']],
    ['users', 'get', { id: 8123456789012345671n }, ['id']],
    ['calls', 'get', { id: '../users', color: 'red' }, ['color', 'id']],
    [
      'calls',
      'list',
      { fromDateTime: '2026-02-17', toDateTime: '2026-02-17T10:30:00', workspaceId: 'x' },
      ['fromDateTime', 'toDateTime', 'workspaceId'],
    ],
    [
      'calls',
      'list',
      { fromDateTime: '2026-02-17T00:00:00Z', toDateTime: '2026-02-16T00:00:00Z', color: 'red' },
      ['color', 'toDateTime'],
    ],
    [
      'calls_extensive',
      'list',
      {
        filter: { callIds: ['1', 2], fromDateTime: 'today' },
        contentSelector: { context: 'All', exposedFields: { media: 1, content: { poetry: true } } },
      },
      [
        'contentSelector.context',
        'contentSelector.exposedFields.content.poetry',
        'contentSelector.exposedFields.media',
        'filter.callIds.1',
        'filter.fromDateTime',
      ],
    ],
    [
      'call_transcripts',
      'list',
      { filter: { callIds: [] }, contentSelector: {} },
      ['contentSelector', 'filter.callIds'],
    ],
  ])(
    'rejects invalid parameters of %s.%s with a path for each issue: %o',
    async (entity, action, params, paths) => {
      expect(await issuePathsOf(entity, action, params)).toEqual(paths.map(path => `params.${path}`));
      expect(asked()).toEqual([]);
    },
  );

  test.each(['', '../users', '12a', '١٢', '1'.repeat(21), '1?x=y', '1\n'])(
    'reports the id %j as not found without a request',
    async id => {
      for (const entity of ['users', 'calls'] as const) {
        await expect(open()[entity].get({ id })).rejects.toMatchObject({
          code: 'record_not_found',
          status: 404,
          message: 'Gong has no record with this ID: An ID contains only digits',
          errors: [{ path: 'params.id' }],
        });
      }
      expect(asked()).toEqual([]);
    },
  );

  test.each([
    [{}, ['credentials.refresh_token']],
    [{ access_key: 'a:b' }, ['credentials.access_key', 'credentials.access_key_secret']],
    [{ refresh_token: 'r', client_id: 'c' }, ['credentials.client_secret']],
    [{ refresh_token: 'r', color: 'red' }, ['credentials.color']],
  ])('rejects invalid credentials with a path for each issue: %o', (credentials, paths) => {
    expect(() => open(credentials)).toThrow(
      expect.objectContaining({
        code: 'invalid_credentials',
        errors: paths.map(path => expect.objectContaining({ path }) as unknown),
      }),
    );
  });
});

describe('Gong types', () => {
  test('rejects unknown entities, actions and parameters at compile time', () => {
    // Compiled, not run.
    const _ = async (gong: InstanceType<typeof Gong>) => {
      const { result, connector_metadata } = await gong.execute('calls', 'list', {
        fromDateTime: '2026-02-17T00:00:00Z',
      });
      result[0]?.duration satisfies number | null | undefined;
      connector_metadata.cursor satisfies string | null;
      const extensive = await gong.calls_extensive.list({
        contentSelector: { exposedFields: { content: { topics: true } } },
      });
      extensive.result[0]?.metaData.id satisfies string | undefined;
      extensive.result[0]?.content?.topics?.[0]?.name satisfies string | null | undefined;
      // @ts-expect-error no such field
      void result[0]?.color;
      // @ts-expect-error transcripts have no get
      await gong.execute('call_transcripts', 'get', { id: '1' });
      // @ts-expect-error an id is required
      await gong.users.get({});
      // @ts-expect-error an id is a string
      await gong.users.get({ id: 1 });
      // @ts-expect-error no such block
      await gong.calls_extensive.list({ contentSelector: { exposedFields: { content: { poetry: true } } } });
    };
    expect(_).toBeTypeOf('function');
  });
});
