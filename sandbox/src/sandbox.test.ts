import { json, Router } from 'express';
import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nameOperation } from './request-log/record-request.ts';
import type { Vendor } from './simulator/vendor.ts';
import { startSandbox, type RunningSandbox } from './start.ts';

const ECHO: Vendor = {
  key: 'echo',
  name: 'Echo',
  hosts: ['api.echo.example', /^[a-z]+\.echo\.example$/],
  settings: { greeting: 'hello' },
  dialect: {
    rateLimited: after => ({ status: 200, body: { code: 40100, wait: after ?? null } }),
    failure: status => ({ status, body: { oops: status } }),
  },
  simulate: ({ settings }) => {
    const router = Router();
    let notes = 0;
    router.use(json());
    router.get('/v1/notes', (_request, response) => {
      response.json({ greeting: settings.text('greeting'), notes, text: 'a long enough body' });
    });
    router.get('/v1/notes/:id', (incoming, response) => void response.json({ id: incoming.params.id }));
    router.post('/token', (_request, response) => {
      nameOperation(response, 'refresh token');
      response.json({});
    });
    router.get('/broken', () => {
      throw new Error('a simulator bug');
    });
    return {
      router,
      credentials: () => [
        { title: 'Demo', description: '<b>', works: true, values: { api_key: 'echo_demo' } },
      ],
      actions: { 'add-note': () => (notes += 1) },
    };
  },
};

let sandbox: RunningSandbox;
beforeEach(async () => {
  sandbox = await startSandbox({ vendors: [ECHO] });
});
afterEach(() => sandbox.close());

const get = async (
  path: string,
): Promise<{ status: number; headers: Record<string, unknown>; text: string }> => {
  const { statusCode, headers, body } = await request(sandbox.url + path);
  return { status: statusCode, headers, text: await body.text() };
};
const NOTES = '/api.echo.example/v1/notes';

describe('hosts', () => {
  test('routes requests by the host in the first path segment, which matches exactly or by pattern', async () => {
    expect((await get(NOTES)).status).toBe(200);
    expect((await get('/other.echo.example/v1/notes')).status).toBe(200);
  });

  test('returns 404 for a host that no simulator serves', async () => {
    const { status, text } = await get('/api.unknown.example/v1/notes');
    expect(status).toBe(404);
    expect(text).toContain('api.unknown.example');
  });

  test('marks responses for unknown paths and simulator bugs, to distinguish them from vendor errors', async () => {
    expect((await get('/api.echo.example/v9')).text).toContain(
      'the Echo simulator does not implement GET /v9',
    );
    const broken = await get('/api.echo.example/broken');
    expect([broken.status, broken.text]).toEqual([500, expect.stringContaining('the Echo simulator failed')]);
  });
});

describe('fault injection', () => {
  test("injected 429 and 5xx errors use the vendor's format", async () => {
    sandbox.control.faults.add({ vendor: 'echo', status: 429, retryAfter: 7, count: 1 });
    sandbox.control.faults.add({ status: 503, retryAfter: 3, count: 1 });
    expect(await get(NOTES)).toMatchObject({ status: 200, text: '{"code":40100,"wait":7}' });
    expect(await get(NOTES)).toMatchObject({
      status: 503,
      text: '{"oops":503}',
      headers: { 'retry-after': '3' },
    });
    expect((await get(NOTES)).text).toContain('hello');
  });

  test('a fault affects `count` requests with a matching path, after the first `skip` requests', async () => {
    sandbox.control.faults.add({ path: '/v1/notes/*', skip: 1, count: 2, status: 500 });
    const statuses = [];
    for (const id of ['a', 'b', 'c', 'd']) statuses.push((await get(`${NOTES}/${id}`)).status);
    expect(statuses).toEqual([200, 500, 500, 200]);
    expect(sandbox.control.faults.list()).toEqual([]);
  });

  test("the html fault returns a gateway's HTML page with any status", async () => {
    sandbox.control.faults.add({ html: true, count: 1 });
    sandbox.control.faults.add({ html: true, status: 200, count: 1 });
    for (const status of [502, 200]) {
      const response = await get(NOTES);
      expect(response.status).toBe(status);
      expect(response.headers['content-type']).toContain('text/html');
    }
  });

  test('the invalidJson fault returns invalid JSON with the original status', async () => {
    sandbox.control.faults.add({ invalidJson: true });
    const { status, text } = await get(NOTES);
    expect(status).toBe(200);
    expect(() => void JSON.parse(text)).toThrow(SyntaxError);
  });

  test('the truncate and closeConnection faults close the connection', async () => {
    sandbox.control.faults.add({ truncate: true, count: 1 });
    await expect(get(NOTES)).rejects.toThrow(/closed|terminated|aborted/);
    sandbox.control.faults.add({ closeConnection: true, count: 1 });
    await expect(get(NOTES)).rejects.toThrow(/closed/);
    expect(sandbox.control.requests.list().map(entry => entry.status)).toEqual([null, null]);
  });

  test('the hang fault never responds, but the sandbox can still be closed', async () => {
    sandbox.control.faults.add({ hang: true });
    const arrived = sandbox.control.requests.nextArrival({ vendor: 'echo' });
    const waiting = get(NOTES);
    const closed = sandbox.control.requests.next({ vendor: 'echo' });
    const rejected = expect(waiting).rejects.toThrow(/closed/);
    expect(await arrived).toMatchObject({ path: '/v1/notes', status: null });
    await sandbox.close();
    await rejected;
    expect(await closed).toMatchObject({ status: null });
    sandbox = await startSandbox({ vendors: [ECHO] });
  });

  test('the latencyMs fault delays the response', async () => {
    sandbox.control.faults.add({ latencyMs: 30 });
    const before = performance.now();
    expect((await get(NOTES)).status).toBe(200);
    expect(performance.now() - before).toBeGreaterThanOrEqual(29);
  });

  test.each([
    [{}, /needs latencyMs/],
    [{ status: 200 }, /400 to 599/],
    [{ status: 500, hang: true }, /only one effect/],
    [{ status: 500, vendor: 'unknown' }, /unknown vendor "unknown"/],
    [{ status: '500' }, /must be a number/],
    [{ latencyMs: -1 }, /integer of at least 0/],
    [{ speed: 1 }, /unknown fault field "speed"/],
    [{ hang: true, retryAfter: 1 }, /requires status 429/],
  ])('rejects the invalid fault %j', async (fault, message) => {
    const { statusCode, body } = await request(`${sandbox.url}/_sandbox/faults`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(fault),
    });
    expect(statusCode).toBe(400);
    expect(await body.json()).toEqual({ error: expect.stringMatching(message) });
    expect(sandbox.control.faults.list()).toEqual([]);
  });

  test('adds, lists and removes faults over HTTP', async () => {
    const { statusCode, body } = await request(`${sandbox.url}/_sandbox/faults`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ vendor: 'echo', status: 500 }),
    });
    expect([statusCode, await body.json()]).toEqual([
      201,
      { id: 'fault-1', vendor: 'echo', status: 500, hits: 0 },
    ]);
    expect((await get(NOTES)).status).toBe(500);
    await request(`${sandbox.url}/_sandbox/faults`, { method: 'DELETE' });
    expect((await get(NOTES)).status).toBe(200);
  });
});

describe('request log', () => {
  test('lists requests with a credential fingerprint, without secrets', async () => {
    const url = `${sandbox.url}/api.echo.example/token?refresh_token=hush&page=2`;
    await (await request(url, { method: 'POST', headers: { authorization: 'Bearer hush' } })).body.dump();
    const { text } = await get('/_sandbox/requests?vendor=echo');
    expect(text).not.toContain('hush');
    expect(JSON.parse(text)).toMatchObject({
      requests: [
        {
          method: 'POST',
          path: '/token',
          query: { refresh_token: '…', page: '2' },
          operation: 'refresh token',
          status: 200,
          credential: expect.stringMatching(/^[0-9a-f]{12}$/),
        },
      ],
      totals: { echo: { total: 1, operations: { 'refresh token': 1 } } },
    });
  });

  test('counts requests by route until the log is cleared', async () => {
    for (const path of [`${NOTES}/a`, `${NOTES}/b`, NOTES]) await get(path);
    expect(sandbox.control.requests.totals()['echo']).toEqual({
      total: 3,
      operations: { 'GET /v1/notes/:id': 2, 'GET /v1/notes': 1 },
    });
    expect(sandbox.control.requests.count({ operation: 'GET /v1/notes/:id' })).toBe(2);
    await request(`${sandbox.url}/_sandbox/requests`, { method: 'DELETE' });
    expect(sandbox.control.requests.totals()).toEqual({});
  });

  test("does not log requests for the sandbox's own pages", async () => {
    await get('/');
    await get('/_sandbox/credentials');
    expect(sandbox.control.requests.list()).toEqual([]);
  });

  test('stops waiting for a request when the signal aborts', async () => {
    const waiting = sandbox.control.requests.next({ vendor: 'echo', path: '/never' }, AbortSignal.abort());
    await expect(waiting).rejects.toThrow('aborted before a matching request');
    const completed = sandbox.control.requests.next({ operation: 'GET /v1/notes/:id' });
    await get(NOTES);
    await get(`${NOTES}/a`);
    expect(await completed).toMatchObject({ path: '/v1/notes/a', status: 200 });
  });
});

describe('settings and actions', () => {
  const send = async (method: 'PATCH' | 'POST', path: string, input: unknown): Promise<unknown> => {
    const { body } = await request(`${sandbox.url}/_sandbox/${path}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(input),
    });
    return body.json();
  };

  test('changes a setting at run time, but rejects a value of another type', async () => {
    expect(await send('PATCH', 'vendors/echo/settings', { greeting: 'salut' })).toEqual({
      greeting: 'salut',
    });
    expect((await get(NOTES)).text).toContain('salut');
    expect(await send('PATCH', 'vendors/echo/settings', { greeting: 5 })).toEqual({
      error: 'setting "greeting" must be a string',
    });
    expect(await send('PATCH', 'vendors/echo/settings', { colour: 'red' })).toEqual({
      error: 'unknown setting "colour"; known settings: greeting',
    });
    await request(`${sandbox.url}/_sandbox/reset`, { method: 'POST' });
    expect((await get(NOTES)).text).toContain('hello');
  });

  test('runs an action that changes the simulated data', async () => {
    expect(await send('POST', 'vendors/echo/actions/add-note', {})).toEqual({ result: 1 });
    expect((await get(NOTES)).text).toContain('"notes":1');
    expect(await send('POST', 'vendors/echo/actions/dance', {})).toEqual({
      error: 'unknown action "dance"; known actions: add-note',
    });
  });

  test('lists escaped credentials on the landing page, without external resources', async () => {
    const { text, headers } = await get('/');
    expect(text).toContain('echo_demo');
    expect(text).toContain('&#60;b&#62;');
    expect(text).not.toMatch(/<script|<link(?! rel="icon" href="data:,")|src=|url\(/);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  });
});
