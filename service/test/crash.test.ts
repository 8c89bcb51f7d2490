import { startSandbox, type RunningSandbox } from '@connector-auth/sandbox';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { fullTest } from '../../scripts/full-test.ts';
import { engines, makeDatabase, type TestDatabase } from './engines.ts';
import { application, environmentOf, startServiceHere, startServiceProcess } from './service-process.ts';
import { until } from './until.ts';

// Starts a process per round and engine.
vi.setConfig({ testTimeout: 240_000 });

/** A connector that the service acknowledged. */
interface Acknowledged {
  id: string;
  customer: string;
}

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const isFull = process.env['TEST_FULL'] !== undefined;
const rounds = isFull ? 5 : 1;
const writers = 4;

// A PostgreSQL server, unlike PGlite, keeps running when the service is killed.
describe.each(isFull ? engines : (['pglite'] as const))('on %s', engine => {
  let place: TestDatabase;
  beforeAll(async () => {
    place = await makeDatabase(engine);
  });
  afterAll(() => place.remove());

  const environment = () => ({
    ...environmentOf(place.location),
    ...application,
    SANDBOX_URL: sandbox.url,
    VENDOR_RATE_LIMITS: 'off',
  });

  test('a service that is killed during writes retains everything it acknowledged', async () => {
    const acknowledged: Acknowledged[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const service = startServiceProcess(environment());
      const url = await service.url;
      const token = await applicationToken(url);
      const wanted = acknowledged.length + 5 + round * 7;
      const enough = Promise.withResolvers<void>();
      const note = (written: Acknowledged): void => {
        if (acknowledged.push(written) >= wanted) enough.resolve();
      };
      const writing = Array.from({ length: writers }, (_, writer) =>
        writeUntilKilled(url, token, `round ${round} writer ${writer}`, note),
      );
      await enough.promise;
      service.child.kill('SIGKILL');
      await service.ended;
      await Promise.all(writing);
    }

    const service = await startServiceHere(environment());
    onTestFinished(() => service.close());
    const { url } = service;
    const token = await applicationToken(url);
    const stored = await readAll(url, token, '/api/v1/integrations/connectors');
    const storedIds = new Set(stored.map(({ id }) => id));
    expect(acknowledged.filter(({ id }) => !storedIds.has(id))).toEqual([]);
    expect(acknowledged.length).toBeGreaterThanOrEqual(rounds * 5);
    // The credentials can be decrypted, and the vendor accepts them.
    for (const { id } of acknowledged.slice(-5)) {
      const check = await send(url, token, {
        method: 'POST',
        path: `/api/v1/integrations/connectors/${id}/check`,
      });
      expect(check).toMatchObject({ status: 'healthy' });
    }
    // No connector may exist without its customer.
    const customers = await readAll(url, token, '/api/v1/customers');
    const names = new Set(customers.map(({ name }) => name));
    expect(stored.filter(({ customer_name }) => !names.has(customer_name))).toEqual([]);
  });

  fullTest(
    'a service that is killed before a deletion can no longer be undone deletes when it starts again',
    async () => {
      const service = startServiceProcess(environment());
      const url = await service.url;
      const token = await applicationToken(url);
      const path = '/api/v1/integrations/connectors';
      const { id } = await send(url, token, { method: 'POST', path, body: connectorOf('deleted later') });
      await send(url, token, { method: 'DELETE', path: `${path}/${String(id)}?undo_seconds=1` });
      service.child.kill('SIGKILL');
      await service.ended;

      const restarted = await startServiceHere(environment());
      onTestFinished(() => restarted.close());
      await until(() => expect(restarted.logged()).toMatch(`"event":"connector_deleted"`));
      expect(restarted.logged()).toContain(`"connector_id":"${String(id)}"`);
    },
  );
});

async function applicationToken(url: string): Promise<string> {
  const response = await send(url, null, {
    method: 'POST',
    path: '/api/v1/account/applications/token',
    body: {
      client_id: application.BOOTSTRAP_CLIENT_ID,
      client_secret: application.BOOTSTRAP_CLIENT_SECRET,
    },
  });
  return String(response['access_token']);
}

function connectorOf(customer_name: string) {
  // An account with two pages of notes, which the service syncs meanwhile.
  const credentials = { api_key: 'grn_sandbox_second' };
  return { customer_name, connector_type: 'granola', name: 'Notes', credentials };
}

/**
 * Creates customers with one connector each until the service is killed, and passes each acknowledged
 * connector to `note`.
 */
async function writeUntilKilled(
  url: string,
  token: string,
  name: string,
  note: (written: Acknowledged) => void,
): Promise<void> {
  for (let count = 0; ; count += 1) {
    const customer = `${name} ${count}`;
    try {
      const { id } = await send(url, token, {
        method: 'POST',
        path: '/api/v1/integrations/connectors',
        body: connectorOf(customer),
      });
      note({ id: String(id), customer });
    } catch (error) {
      // The service was killed. Any other error fails the test.
      if (error instanceof TypeError) return;
      throw error;
    }
  }
}

async function readAll(url: string, token: string, path: string): Promise<Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = [];
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? '' : `?cursor=${encodeURIComponent(cursor)}`;
    const response = await send(url, token, { method: 'GET', path: `${path}${query}` });
    // The contract declares list responses as `{data, meta: {cursor, has_more}}`.
    const page = response as { data: Record<string, unknown>[]; meta: { cursor: string | null } };
    all.push(...page.data);
    cursor = page.meta.cursor;
  } while (cursor !== null);
  return all;
}

/** Throws a TypeError if the service cannot be reached, or an Error if it returns an error. */
async function send(
  url: string,
  token: string | null,
  { method, path, body }: { method: string; path: string; body?: unknown },
): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`);
  // Every response in the contract is an object, or empty.
  return JSON.parse(text || '{}') as Record<string, unknown>;
}
