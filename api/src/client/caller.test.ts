import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { clientOf, empty, problem, serve } from '../../test/client-of.ts';
import { application } from '../../test/scripted-service.ts';
import { TestClock } from '../../test/test-clock.ts';
import { stringifyJson } from '../lossless-json.ts';
import { createClient } from './client.ts';

describe('client.send', () => {
  const path = '/api/v1/integrations/connectors?limit=1';

  test('returns the status, the headers and the unread body, even for error responses', async () => {
    const { client, service } = await clientOf([
      { status: 503, headers: { 'retry-after': '9' }, body: 'busy' },
    ]);
    const response = await client.send({ method: 'GET', path, headers: { 'accept-encoding': 'br' } });
    expect(response.status).toBe(503);
    expect(response.headers['retry-after']).toBe('9');
    expect(await text(response.body)).toBe('busy');
    expect(service.requests).toHaveLength(1);
    expect(service.requests[0]).toMatchObject({ method: 'GET', path, headers: { 'accept-encoding': 'br' } });
  });

  test('renews the token after a 401 and sends the same body again', async () => {
    const { client, service } = await clientOf([problem('token_expired'), empty]);
    const body = Buffer.from('{"entity":"notes"}');
    const response = await client.send({ method: 'POST', path, body });
    expect(await text(response.body)).toBe(stringifyJson(empty.json));
    expect(service.requests.map(seen => [seen.headers.authorization, seen.body])).toEqual([
      ['Bearer app-1', '{"entity":"notes"}'],
      ['Bearer app-2', '{"entity":"notes"}'],
    ]);
  });

  test('replaces the caller’s own Authorization header', async () => {
    const { client, service } = await clientOf([empty]);
    const response = await client.send({ method: 'GET', path, headers: { authorization: 'Bearer stolen' } });
    await response.body.resume().toArray();
    expect(service.requests[0]?.headers.authorization).toBe('Bearer app-1');
  });

  test('applies no time limit to the body', async () => {
    const clock = new TestClock();
    const service = await serve(({ response }) => {
      response.write('first,');
      return 'hang';
    });
    const client = createClient({ ...application, baseUrl: service.baseUrl, clock, timeoutMs: 5_000 });
    const response = await client.send({ method: 'GET', path });
    clock.advance(3_600_000);
    service.requests[0]?.response.end('second');
    expect(await text(response.body)).toBe('first,second');
  });

  test('aborts the body when the caller cancels', async () => {
    const service = await serve(({ response }) => {
      response.write('first,');
      return 'hang';
    });
    const client = createClient({ ...application, baseUrl: service.baseUrl });
    const caller = new AbortController();
    const response = await client.send({ method: 'GET', path }, { signal: caller.signal });
    const reading = text(response.body);
    caller.abort();
    await expect(reading).rejects.toMatchObject({ code: 'aborted' });
  });
});
