import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '@connector-auth/api/client';
import { afterEach, describe, expect, test } from 'vitest';
import { Granola } from '../granola/index.ts';

const id = '7d9f3a52-1c6e-4c0b-9a53-0a6f6b1d8d11';
const clean: (() => void)[] = [];
afterEach(() => {
  for (const end of clean.splice(0)) end();
});

/** Starts a service with one connector. Each list request is handled by the next of the `responders`. */
async function startService(responders: ((response: ServerResponse) => void)[]) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    asked.push(path);
    if (path.endsWith('/token')) {
      json(response, 200, { access_token: 't', token_type: 'bearer', expires_in: 900, organization_id: id });
    } else if (path.endsWith('/execute')) json(response, 200, { result: [], connector_metadata: null });
    else (responders.shift() ?? oneConnector)(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  clean.push(() => server.close().closeAllConnections());
  // A server that listens on a port has an address object.
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const granola = new Granola({
    hosted: { customerName: 'acme', clientId: 'c', clientSecret: 's', baseUrl },
  });
  const count = (ending: string) => asked.filter(path => path.endsWith(ending)).length;
  return { baseUrl, granola, lookups: () => count('/connectors'), tokens: () => count('/token') };
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function oneConnector(response: ServerResponse): void {
  const at = '2026-01-01T00:00:00.000Z';
  const connector = {
    id,
    name: 'Notes',
    customer_name: 'acme',
    connector_type: 'granola',
    definition_id: id,
    auth_method: 'api_key',
    status: 'active',
    sync: { status: 'none', entities: {} },
    created_at: at,
    updated_at: at,
  };
  json(response, 200, { data: [connector], meta: { cursor: null, has_more: false } });
}

test('looks up the connector once for concurrent calls', async () => {
  const { granola, lookups } = await startService([]);
  await Promise.all([granola.notes.list(), granola.notes.list()]);
  await granola.notes.list();
  expect(lookups()).toBe(1);
});

test('looks up the connector again after a failed lookup', async () => {
  const { granola, lookups } = await startService([response => json(response, 500, {})]);
  await expect(granola.notes.list()).rejects.toMatchObject({ status: 500 });
  await expect(granola.notes.list()).resolves.toEqual({ result: [], connector_metadata: null });
  expect(lookups()).toBe(2);
});

test('objects that share a client share its token', async () => {
  const { baseUrl, tokens } = await startService([]);
  const client = createClient({ baseUrl, clientId: 'c', clientSecret: 's' });
  for (const customerName of ['acme', 'globex']) {
    await new Granola({ hosted: { client, customerName } }).notes.list();
  }
  expect(tokens()).toBe(1);
});

describe('during the lookup of the connector', () => {
  const silent = (): void => {};

  test.each([
    ['whose signal ends it', () => ({ signal: AbortSignal.timeout(10) }), 'aborted'],
    ['that was cancelled before', () => ({ signal: AbortSignal.abort() }), 'aborted'],
    ['whose deadline comes', () => ({ deadlineMs: Date.now() + 10 }), 'timeout'],
  ])('a call %s stops waiting', async (_which, options, code) => {
    const { granola } = await startService([silent]);
    await expect(granola.notes.list({}, options())).rejects.toMatchObject({ code });
  });

  test("stops waiting when a check's signal aborts", async () => {
    const { granola } = await startService([silent]);
    await expect(granola.check({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
  });

  test('cancelling one call does not cancel other queued calls', async () => {
    const held = Promise.withResolvers<ServerResponse>();
    const { granola, lookups } = await startService([held.resolve]);
    const caller = new AbortController();
    const [left, stayed] = [granola.notes.list({}, { signal: caller.signal }), granola.notes.list()];
    const response = await held.promise;
    caller.abort();
    await expect(left).rejects.toMatchObject({ code: 'aborted' });
    oneConnector(response);
    await expect(stayed).resolves.toEqual({ result: [], connector_metadata: null });
    expect(lookups()).toBe(1);
  });

  test('waits indefinitely if a call has no deadline', async () => {
    const { granola } = await startService([]);
    const outcome = granola.notes.list({}, { deadlineMs: Infinity });
    await expect(outcome).resolves.toEqual({ result: [], connector_metadata: null });
  });
});
