import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createEchoingVendor } from '../../../test/echoing-vendor.ts';
import { onPostgresOrEachEngineInFull } from '../../../test/engines.ts';
import { goodKey } from '../../../test/example-requests.ts';
import { connectMcp, revisions, type McpClient } from '../../../test/mcp-client.ts';
import { firstKind } from '../../../test/second-kind.ts';
import { startTestService, type RequestOptions, type TestService } from '../../../test/test-service.ts';
import { firstTicketId, injection, ticketKind, type TicketDesk } from '../../../test/ticket-kind.ts';
import { until } from '../../../test/until.ts';

const connectors = '/api/v1/integrations/connectors';
const everyAction = { allowed_actions: ['list', 'get', 'search', 'create', 'update', 'check'] };
const maxListTokens = 2_000;
const maxDescribeTokens = 600;
const maxResultBytes = 25_000;

onPostgresOrEachEngineInFull('the MCP server', database => {
  const desk: TicketDesk = { made: 0, started: () => {}, gate: Promise.resolve() };
  let service: TestService;
  let application: string;
  let scoped: string;
  let agent: McpClient;
  let notesId: string;
  let ticketsId: string;

  const connect = async (connector_type: string, customer_name = 'acme'): Promise<string> => {
    const body = { customer_name, connector_type, name: 'Mine', credentials: { api_key: goodKey } };
    return (await service.ask('POST', connectors, { token: application, body })).body.id;
  };
  const mint = (more: object = {}, customer_name = 'acme') =>
    service.customerToken(application, { customer_name, ...more });
  /** Sends a request as a client of 2025 does, without the SDK. */
  const post = (body: unknown, asking: RequestOptions = {}) =>
    service.ask('POST', '/mcp', {
      token: scoped,
      ...(body === undefined ? {} : { body }),
      ...asking,
      headers: { accept: 'application/json, text/event-stream', ...asking.headers },
    });
  const callOf = (name: string, given: unknown) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: given },
  });

  beforeAll(async () => {
    const kinds = [firstKind, ticketKind(desk)];
    service = await startTestService(database(), { kinds });
    application = await service.tokenOf(await service.addApplication('own', ['Own']));
    notesId = await connect(firstKind.key);
    ticketsId = await connect('ticket-desk');
    scoped = await mint(everyAction);
    agent = await connectMcp(service, scoped);
    await service.startSync();
  });
  beforeEach(() => {
    desk.made = 0;
    service.sandbox.control.reset();
  });
  afterAll(async () => {
    await agent.client.close();
    await service.close();
  });

  describe.each(revisions)('for clients of %s', revision => {
    let client: McpClient;
    beforeAll(async () => {
      client = await connectMcp(service, scoped, revision);
    });
    afterAll(() => client.client.close());

    test('lists the connected accounts and the sources', async () => {
      const { connections, sources, next_cursor } = await client.call('list_sources');
      expect(connections).toHaveLength(2);
      expect(connections).toContainEqual({
        connector_id: notesId,
        source: firstKind.key,
        name: 'Mine',
        state: expect.any(String),
        access: 'write',
        sync: expect.any(String),
        last_synced_at: expect.toSatisfy(isTimeOrNull),
        records: expect.any(Number),
        settings: null,
      });
      expect(sources.map(({ source }: { source: string }) => source)).toEqual(['granola', 'ticket-desk']);
      expect(next_cursor).toBeNull();
    });

    test('describes a source, then an entity with the params of its actions', async () => {
      const { entities } = await client.call('describe', { source: 'granola' });
      expect(entities).toEqual([
        expect.objectContaining({ entity: 'notes', actions: ['list', 'get', 'search'] }),
      ]);
      const notes = await client.call('describe', { source: 'granola', entity: 'notes' });
      expect(notes.actions.list.params).toMatchObject({ type: 'object', properties: { page_size: {} } });
      expect(notes.actions.list.record).toMatchObject({ title: 'string or null' });
      expect(notes.search).toMatchObject({ fields: { title: 'string' } });
    });

    test(`describes notes in at most ${maxDescribeTokens} tokens, each record once and without regexes`, async () => {
      const text = JSON.stringify(await client.call('describe', { source: 'granola', entity: 'notes' }));
      expect(countTokens(text)).toBeLessThanOrEqual(maxDescribeTokens);
      expect(text).not.toContain('"pattern"');
      expect(text.match(/summary_markdown/g)).toHaveLength(1);
      expect(JSON.parse(text).actions.get).toMatchObject({
        record_extends: 'list',
        record: { web_url: expect.stringContaining('string or null') },
      });
    });

    test('reads, and continues with the cursor until the end', async () => {
      const target = { connector_id: notesId, entity: 'notes', action: 'list' };
      const ids = new Set<string>();
      let cursor: string | null = null;
      do {
        const given: object = cursor === null ? { params: { page_size: 30 } } : { cursor };
        const page = await client.call('read', { ...target, ...given, fields: ['id'] });
        for (const note of page.records) ids.add(note.id);
        cursor = page.next_cursor;
      } while (cursor !== null);
      const known = await service.ask('POST', `${connectors}/${notesId}/execute`, {
        token: scoped,
        body: { entity: 'notes', action: 'list', params: { page_size: 30 } },
      });
      expect(ids.size).toBeGreaterThan(known.body.result.length);
      const [first] = ids;
      const params = { note_id: first };
      const one = await client.call('read', { ...target, action: 'get', params });
      expect(one).toMatchObject({ records: [{ id: first }], next_cursor: null, cut: null });
    });

    test('searches synced records page by page', async () => {
      const search = { connector_id: notesId, entity: 'notes', limit: 2, sort: ['-id'], fields: ['id'] };
      await until(async () => expect((await client.call('search', search)).sync.status).toBe('ready'));
      const first = await client.call('search', search);
      const second = await client.call('search', { ...search, cursor: first.next_cursor });
      const found = [...first.records, ...second.records].map(({ id }: { id: string }) => id);
      expect(found).toHaveLength(4);
      expect(found).toEqual(found.toSorted().toReversed());
      const [id] = found;
      const one = await client.call('search', { ...search, filter: { eq: { id } } });
      expect(one).toMatchObject({ records: [{ id }], next_cursor: null });
      // Records are as old as the sync that brought them, which both tools say.
      const { connections } = await client.call('list_sources');
      const synced = connections.find((found: { connector_id: string }) => found.connector_id === notesId);
      expect(Date.parse(one.sync.last_synced_at)).toBeGreaterThan(0);
      expect(Date.parse(synced.last_synced_at)).toBeGreaterThanOrEqual(Date.parse(one.sync.last_synced_at));
    });

    test('changes data once per idempotency key', async () => {
      const change = {
        connector_id: ticketsId,
        entity: 'tickets',
        action: 'create',
        params: { outcome: 'made' },
      };
      const key = { idempotency_key: `key of ${revision}` };
      const first = await client.call('write', { ...change, ...key });
      expect(first).toEqual({
        result: { results: [{ id: String(firstTicketId), parent: null }] },
        cut: null,
      });
      expect(await client.call('write', { ...change, ...key })).toEqual(first);
      await client.call('write', change);
      expect(desk.made).toBe(2);
    });
  });

  test('responds to a ping, and names itself and its version', async () => {
    expect((await post({ jsonrpc: '2.0', id: 1, method: 'ping' })).text).toContain('"result":{}');
    const { client } = await connectMcp(service, scoped, '2025');
    expect(client.getServerVersion()).toMatchObject({
      name: 'connector-auth',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
    await client.close();
  });

  describe('the list of tools', () => {
    const namesFor = async (token: string): Promise<string[]> => {
      const { client } = await connectMcp(service, token);
      const { tools } = await client.listTools();
      await client.close();
      return tools.map(({ name }) => name);
    };

    test('contains only what the token allows, in the same order', async () => {
      const reading = ['list_sources', 'describe', 'search', 'read'];
      expect(await namesFor(await mint())).toEqual(reading);
      expect(await namesFor(scoped)).toEqual([...reading, 'write']);
      expect(await namesFor(application)).toEqual([...reading, 'write', 'connect']);
      expect(await namesFor(await mint({ allowed_actions: ['list'] }))).toEqual([
        'list_sources',
        'describe',
        'read',
      ]);
      expect(await namesFor(await mint({ allowed_actions: ['search'] }))).toEqual(reading.slice(0, 3));
      const linking = { allowed_actions: ['list'], allowed_management: ['link'] };
      expect(await namesFor(await mint(linking))).toEqual(['list_sources', 'describe', 'read', 'connect']);
      const [, , read] = (
        await (
          await connectMcp(service, await mint({ allowed_actions: ['get', 'update'] }))
        ).client.listTools()
      ).tools;
      expect(read?.inputSchema).toMatchObject({ properties: { action: { enum: ['get'] } } });
    });

    test(`takes at most ${maxListTokens} tokens`, async () => {
      const { client } = await connectMcp(service, application);
      const { tools } = await client.listTools();
      expect(countTokens(JSON.stringify({ tools }))).toBeLessThanOrEqual(maxListTokens);
      await client.close();
    });

    test('is in the guide at /docs/agents, which says how to get the first token', async () => {
      const { client } = await connectMcp(service, application);
      const { tools } = await client.listTools();
      await client.close();
      const { text } = await service.ask('GET', '/docs/agents');
      const [, section] = text.split('id="the-tools"');
      for (const { name } of tools) expect(section).toContain(`<th scope="row"><code>${name}</code></th>`);
      expect(text).toContain('https://service.example/mcp');
      expect(text).toContain('/docs/getting-started#3-get-an-application-token');
    });

    test('lets hosts approve reading without a question, and says that names and records are untrusted', async () => {
      const { tools } = await agent.client.listTools();
      for (const { name, annotations, description } of tools) {
        expect(annotations).toMatchObject({
          readOnlyHint: name !== 'write' && name !== 'connect',
          destructiveHint: name === 'write',
        });
        if (['list_sources', 'search', 'read', 'write'].includes(name))
          expect(description).toContain('untrusted data');
      }
    });
  });

  describe('with an application token', () => {
    test('requires the customer, whose data alone can be used', async () => {
      const client = await connectMcp(service, application);
      await connect('ticket-desk', 'beta');
      const read = { connector_id: ticketsId, entity: 'tickets', action: 'list', params: { count: 1 } };
      expect((await client.call('read', { ...read, customer_name: 'acme' })).records).toHaveLength(1);
      await expect(client.call('read', { ...read, customer_name: 'beta' })).rejects.toMatchObject({
        code: 'connector_not_found',
      });
      await expect(client.call('read', { ...read, customer_name: 'unknown' })).rejects.toMatchObject({
        code: 'customer_not_found',
      });
      for (const tool of ['list_sources', 'describe', 'search', 'read', 'write', 'connect']) {
        await expect(client.call(tool)).rejects.toMatchObject({
          code: 'malformed_request',
          errors: expect.arrayContaining([expect.objectContaining({ path: 'customer_name' })]),
        });
      }
      await client.client.close();
    });
  });

  describe('results', () => {
    const list = (params: object, more: object = {}) => ({
      connector_id: ticketsId,
      entity: 'tickets',
      action: 'list',
      params,
      ...more,
    });

    test('have at most 25 kB, say what was cut, and continue to the last record', async () => {
      const ids: string[] = [];
      let given: Readonly<Record<string, unknown>> = list({ count: 150 });
      for (;;) {
        const result = await agent.callRaw('read', given);
        expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(maxResultBytes);
        const { records, next_cursor, cut } = result.structuredContent as {
          records: { id: string }[];
          next_cursor: string | null;
          cut: string | null;
        };
        if (ids.length === 0) expect(cut).toMatch(/^Returned records 1 to \d+ of the 150 on this page\.$/);
        ids.push(...records.map(({ id }) => id));
        if (next_cursor === null) break;
        given = { ...given, cursor: next_cursor };
      }
      expect(ids).toEqual(Array.from({ length: 300 }, (_, index) => String(firstTicketId + BigInt(index))));
    });

    test('return a record that is too long in parts', async () => {
      let given: Readonly<Record<string, unknown>> = list({ count: 1, comments: 3000, page: 2 });
      const comments: unknown[] = [];
      for (;;) {
        const result = await agent.callRaw('read', given);
        expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(maxResultBytes);
        const page = result.structuredContent as {
          records: Readonly<Record<string, unknown>>[];
          next_cursor: string | null;
        };
        const [part = {}] = page.records;
        const name = Object.keys(part).find(member => member.startsWith('comments')) ?? '';
        comments.push(...(part[name] as unknown[]));
        if (page.next_cursor === null) break;
        given = { ...given, cursor: page.next_cursor };
      }
      expect(comments).toHaveLength(3000);
      expect(new Set(comments).size).toBe(3000);
    });

    test('keep long ids as strings, which are accepted in params', async () => {
      const { records } = await agent.call('read', list({ count: 1 }));
      expect(records[0].id).toBe(String(firstTicketId));
      const get = { connector_id: ticketsId, entity: 'tickets', action: 'get' };
      const params = { id: records[0].id };
      expect((await agent.call('read', { ...get, params })).records[0]).toMatchObject({ title: 'Ticket 0' });
      // A client that does not round integers can send them as numbers.
      const rawBody = JSON.stringify(callOf('read', { ...get, params: { id: '#' } })).replace(
        '"#"',
        String(firstTicketId + 7n),
      );
      expect((await post(undefined, { rawBody })).text).toContain('Ticket 7');
    });

    test("contain a vendor's instructions only as data", async () => {
      const result = await agent.callRaw('read', list({ count: 1 }));
      expect(result.structuredContent).toMatchObject({ records: [{ text: injection }] });
      const [block] = result.content;
      expect(result.content).toHaveLength(1);
      expect(JSON.parse(block?.type === 'text' ? block.text : '')).toEqual(result.structuredContent);
    });
  });

  describe('errors', () => {
    const read = { entity: 'notes', action: 'list' };
    test.each([
      ['describe', { source: 'nowhere' }, 'unknown_connector_type', 'list_sources'],
      ['describe', { source: 'granola', entity: 'folders' }, 'unknown_entity', 'describe'],
      ['read', { ...read, connector_id: 'nowhere' }, 'connector_not_found', 'list_sources'],
      ['read', { ...read, connector_id: crypto.randomUUID() }, 'connector_not_found', 'list_sources'],
      ['read', { ...read, entity: 'folders' }, 'unknown_entity', 'describe'],
      ['read', { ...read, params: { page_size: 31 } }, 'invalid_params', 'describe'],
      ['read', { ...read, cursor: 'x' }, 'invalid_params', 'describe'],
      ['read', { ...read, surprise: 1 }, 'malformed_request', 'arguments'],
      ['read', { ...read, action: 'create' }, 'malformed_request', 'arguments'],
      ['search', { entity: 'notes', filter: { eq: { nothing: 1 } } }, 'invalid_params', 'describe'],
      ['write', { ...read, action: 'create', params: {} }, 'unknown_action', 'describe'],
    ])('%s %j: returns a code and the next step', async (tool, given, code, step) => {
      const connector = tool === 'describe' ? {} : { connector_id: notesId };
      const error = await agent.call(tool, { ...connector, ...given }).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        code,
        next: expect.stringContaining(step),
        request_id: expect.any(String),
      });
      expect(service.sandbox.control.requests.count({ vendor: 'granola' })).toBe(0);
    });

    test('name the tools that exist', async () => {
      await expect(agent.callRaw('delete_everything')).rejects.toThrow(
        'Unknown tool “delete_everything”. Call one of these instead: list_sources, describe, search, read, write',
      );
    });

    test('say that the outcome of a change is unknown, and do not repeat it', async () => {
      const change = { connector_id: ticketsId, entity: 'tickets', action: 'create' };
      const lost = { ...change, params: { outcome: 'no_response' }, idempotency_key: 'lost' };
      for (const _attempt of [1, 2]) {
        await expect(agent.call('write', lost)).rejects.toMatchObject({
          code: 'outcome_unknown',
          next: expect.stringContaining('Use read'),
        });
      }
      expect(desk.made).toBe(1);
    });

    test('of the vendor are explained', async () => {
      service.sandbox.control.vendor('granola').act('revoke-key', { key: goodKey });
      await expect(agent.call('read', { ...read, connector_id: notesId })).rejects.toMatchObject({
        code: 'reauthentication_required',
        next: expect.stringContaining('reconnect'),
      });
      service.sandbox.control.vendor('granola').act('restore-key', { key: goodKey });
    });
  });

  describe('bad input', () => {
    const list = { connector_id: '', entity: 'tickets', action: 'list', params: { count: 1 } };

    test('accepts arguments, and objects in them, as JSON in a string', async () => {
      const given = { ...list, connector_id: ticketsId };
      expect((await post(callOf('read', JSON.stringify(given)))).text).toContain('Ticket 0');
      const { records } = await agent.call('read', { ...given, params: JSON.stringify(given.params) });
      expect(records).toHaveLength(1);
      expect(await post(callOf('read', '{'))).toMatchObject({
        status: 400,
        body: { code: 'malformed_request' },
      });
      expect((await post(callOf('read', '[1]'))).text).toMatch(/"error"|isError/);
    });

    const deep = '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000);
    test.each([
      ['an integer of a million digits', `{"count":${'9'.repeat(1_000_000)}}`, 'Integers can have at most'],
      ['10,000 levels', deep, 'nested at most 128 levels'],
      ['a member named __proto__', '{"__proto__":{"count":1}}', 'member named __proto__'],
      ['100,001 values', `{"ids":[${'1,'.repeat(100_000)}1]}`, 'at most 100000 values'],
      ['half an object', '{"count":', 'not valid JSON'],
    ])('limits JSON in a string as it limits a request body: %s', async (_title, json, message) => {
      const given = { ...list, connector_id: ticketsId, params: json };
      await expect(agent.call('read', given)).rejects.toMatchObject({
        code: 'malformed_request',
        errors: [
          { path: expect.stringMatching(/^params(\.count)?$/), message: expect.stringContaining(message) },
        ],
      });
      const whole = await post(callOf('read', json));
      expect(whole).toMatchObject({ status: 400, body: { code: 'malformed_request' } });
      expect(whole.text).toContain(message);
    });

    test.each([
      ['search', {}],
      ['read', { action: 'list' }],
    ])('limits the JSON in a cursor of %s', async (tool, action) => {
      for (const json of [
        `{"params":{"x":${'['.repeat(7_000)}${']'.repeat(7_000)}},"skip":0,"rest":[]}`,
        `{"params":{"count":${'9'.repeat(14_000)}},"skip":0,"rest":[]}`,
        '{"params":{"__proto__":{"count":1}},"skip":0,"rest":[]}',
      ]) {
        const cursor = Buffer.from(json).toString('base64url');
        const given = { connector_id: notesId, entity: 'notes', ...action, cursor };
        await expect(agent.call(tool, given)).rejects.toMatchObject({
          code: 'invalid_params',
          errors: [{ path: 'cursor', message: expect.stringContaining('Invalid cursor') }],
        });
      }
    });

    test('rejects 10 MB of arguments without reading them', async () => {
      const response = await post(callOf('read', { ...list, params: { text: 'x'.repeat(10_000_000) } }));
      expect(response).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
    });

    test.each([
      ['no body', undefined],
      ['a batch', [callOf('list_sources', {})]],
      ['a string', 'tools/list'],
    ])('rejects %s', async (_title, body) => {
      expect(await post(body)).toMatchObject({ status: 400, body: { code: 'malformed_request' } });
    });

    test.each([
      ['without params', undefined],
      ['with params of the wrong types', { protocolVersion: 7, clientInfo: 'x', capabilities: [] }],
    ])('rejects initialize %s with a message of our own', async (_title, params) => {
      expect(await post({ jsonrpc: '2.0', id: 1, method: 'initialize', params })).toMatchObject({
        status: 400,
        body: {
          code: 'malformed_request',
          detail:
            'initialize needs params with protocolVersion, capabilities, and clientInfo with a name and a version',
        },
      });
    });

    test('ignores a session id that it never issued, and issues none', async () => {
      const response = await post(callOf('list_sources', {}), { headers: { 'mcp-session-id': 'made-up' } });
      expect(response.status).toBe(200);
      expect(response.text).toContain(ticketsId);
      expect(response.headers['mcp-session-id']).toBeUndefined();
      for (const method of ['GET', 'DELETE']) {
        const rejected = await service.ask(method, '/mcp', { token: scoped });
        expect(rejected).toMatchObject({ status: 405, headers: { allow: 'POST' } });
      }
    });

    test('rejects pages of other origins, whatever name they have for this address', async () => {
      const headers = { host: 'evil.example', origin: 'http://evil.example' };
      const response = await post(callOf('list_sources', {}), { headers });
      expect(response).toMatchObject({ status: 403, body: { code: 'origin_not_allowed' } });
    });
  });

  test.each(revisions)(
    'aborts the request to the vendor when a client of %s leaves while it reads',
    async revision => {
      service.sandbox.control.faults.add({ vendor: 'granola', hang: true });
      const given = { connector_id: notesId, entity: 'notes', action: 'list' };
      const { signal, abort } = abortable();
      const left = (
        revision === '2025'
          ? post(callOf('read', given), { signal })
          : agent.client.callTool({ name: 'read', arguments: given }, { signal })
      ).catch(() => 'left');
      await service.untilVendorRequest();
      const cut = service.sandbox.control.requests.next({ vendor: 'granola' });
      abort();
      expect(await left).toBe('left');
      expect((await cut).status).toBeNull();
    },
  );

  test('completes a change when the client disconnects', async () => {
    const opened = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    Object.assign(desk, { gate: opened.promise, started: started.resolve });
    const change = {
      connector_id: ticketsId,
      entity: 'tickets',
      action: 'create',
      params: { outcome: 'slow' },
      idempotency_key: 'leaving',
    };
    const leaving = new AbortController();
    const left = post(callOf('write', change), { signal: leaving.signal }).catch(() => 'left');
    await started.promise;
    leaving.abort();
    await left;
    opened.resolve();
    expect((await agent.call('write', change)).result.results).toHaveLength(1);
    expect(desk.made).toBe(1);
  });

  test('records the use of a connector in the audit log, as an execute is recorded', async () => {
    await agent.call('read', {
      connector_id: ticketsId,
      entity: 'tickets',
      action: 'list',
      params: { count: 3 },
    });
    await until(async () => {
      const { body } = await service.ask('GET', `${connectors}/${ticketsId}/activity`, {
        token: application,
      });
      expect(body.data).toContainEqual(
        expect.objectContaining({ action: 'list', entity: 'tickets', records: 3, outcome: 'ok' }),
      );
    });
  });

  test('never sends or logs a credential, even if the vendor repeats it', async () => {
    const vendor = createEchoingVendor(service.sandbox.url);
    const { sandbox, signingKeys } = service;
    const echoing = await startTestService(database(), {
      kinds: [firstKind, ticketKind(desk)],
      transport: vendor.transport,
      sandbox,
      signingKeys,
    });
    const client = await connectMcp(echoing, scoped);
    const given = { connector_id: notesId, entity: 'notes', action: 'list' };
    for (const echo of ['success', 400, 401, 429, 500] as const) {
      vendor.echo = echo;
      await client.call('read', given).catch(() => {});
      await client.call('list_sources');
    }
    expect(vendor.repeated).toContain(goodKey);
    await client.client.close();
    for (const text of [await client.received(), echoing.logged()]) {
      expect(text).toContain('granola');
      expect(text).not.toContain(goodKey);
      expect(text).not.toContain(scoped);
    }
    await echoing.close();
    await vendor.close();
  });
});

function abortable(): { readonly signal: AbortSignal; readonly abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

function isTimeOrNull(value: unknown): boolean {
  return value === null || (typeof value === 'string' && Date.parse(value) > 0);
}
