import { createClient } from '@connector-auth/api/client';
import type { Grant } from '@connector-auth/connectors/kind';
import { startSandbox, type RunningSandbox } from '@connector-auth/sandbox';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { consentKind } from '../../../test/consent.ts';
import { makeDatabase, type TestDatabase, openTestDatabase } from '../../../test/engines.ts';
import {
  application,
  environmentOf,
  startServiceProcess,
  type ServiceProcess,
} from '../../../test/service-process.ts';
import { keyRing } from '../../../test/test-service.ts';
import { startVendorProxy, type VendorProxy } from '../../../test/vendor-proxy.ts';
import { createSealer } from '../../platform/crypto/seal.ts';
import { type Database } from '../../platform/database/database.ts';
import { pollMs } from '../../platform/notifications/long-poll.ts';
import { insertConnector } from '../repositories/connectors.ts';
import { ensureCustomer } from '../repositories/customers.ts';
import { stateOfApp } from './oauth-apps.ts';
import { sealGrant } from './sealed-grant.ts';

/**
 * Tests what the service guarantees when several of its processes share one database. Starts each process as
 * an operator would.
 */

let place: TestDatabase;
let database: Database;
let sandbox: RunningSandbox;
let proxy: VendorProxy;
let processes: readonly [ServiceProcess, ServiceProcess];

const gongApp = { clientId: 'gong_sandbox_client', clientSecret: 'gong_sandbox_client_secret' };
const start = (): ServiceProcess =>
  startServiceProcess({
    ...environmentOf(place.location),
    ...application,
    SANDBOX_URL: proxy.url,
    VENDOR_RATE_LIMITS: 'off',
    OAUTH_GONG_CLIENT_ID: gongApp.clientId,
    OAUTH_GONG_CLIENT_SECRET: gongApp.clientSecret,
  });
const clientOf = async (process: ServiceProcess) =>
  createClient({
    baseUrl: await process.url,
    clientId: application.BOOTSTRAP_CLIENT_ID,
    clientSecret: application.BOOTSTRAP_CLIENT_SECRET,
    timeoutMs: 60_000,
  });
const end = async ({ child, ended }: ServiceProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
  child.kill(signal);
  await ended;
};

beforeAll(async () => {
  place = await makeDatabase('postgres');
  sandbox = await startSandbox({ rateLimits: false });
  proxy = await startVendorProxy(sandbox.url);
  processes = [start(), start()];
  await Promise.all(processes.map(({ url }) => url));
  database = await openTestDatabase(place.location);
});
beforeEach(async () => {
  // A process begins to sync all existing connectors when it starts.
  await database.kysely.deleteFrom('customers').execute();
  sandbox.control.reset();
});
afterAll(async () => {
  await Promise.all(processes.map(process => end(process, 'SIGTERM')));
  await database.close();
  await proxy.close();
  await sandbox.close();
  await place.remove();
});

type Client = Awaited<ReturnType<typeof clientOf>>;
const listUsers = (client: Client, id: string) =>
  client.execute(id, { entity: 'users', action: 'list' }, { timeoutMs: 60_000 });
const refreshes = () => sandbox.control.requests.count({ vendor: 'gong', operation: 'refresh token' });
const statusOf = async (client: Client, id: string) => (await client.connectors.get(id)).status;

/**
 * Creates a connector whose access token has expired at Gong, without the service knowing. Inserts it
 * directly into the database because the service would sync a connector that it creates, and thereby refresh
 * its token.
 */
async function expiredConnector(): Promise<string> {
  const db = database.kysely;
  const { id: organizationId } = await db
    .selectFrom('organizations')
    .select('id')
    .where('name', '=', application.BOOTSTRAP_ORGANIZATION)
    .executeTakeFirstOrThrow();
  const customerId = await ensureCustomer(db, organizationId, 'acme');
  const row = { organizationId, id: crypto.randomUUID(), customerId, kind: consentKind.key };
  await insertConnector(db, {
    ...row,
    name: 'Calls',
    authMethod: 'oauth',
    account: null,
    sealedGrant: sealGrant(createSealer(keyRing('e1', 1)), row, 1, mintGrant()),
  });
  sandbox.control.vendor('gong').act('expire-access-tokens', {});
  sandbox.control.requests.clear();
  return row.id;
}

/** Returns a grant like the one that an OAuth flow produces. */
function mintGrant(): Grant {
  // The sandbox returns the same response as Gong's token endpoint.
  const minted = sandbox.control.vendor('gong').act('mint-tokens', {}) as Record<string, unknown>;
  const { access_token, refresh_token, api_base_url_for_customer } = minted;
  return {
    method: 'oauth',
    credentials: { access_token, refresh_token },
    state: {
      api_base_url_for_customer,
      ...stateOfApp({ ...gongApp, owner: 'platform', extras: {} }),
    },
    settings: {},
  };
}

describe('two processes on one PostgreSQL server', () => {
  test(
    'two processes use a refresh token only once for 500 concurrent calls, which all succeed',
    { timeout: 120_000 },
    async () => {
      const [one, other] = [await clientOf(processes[0]), await clientOf(processes[1])];
      const id = await expiredConnector();
      const calls = Array.from({ length: 500 }, (_, index) => listUsers(index % 2 ? one : other, id));
      const answers = await Promise.allSettled(calls);
      const failures = answers.filter(({ status }) => status === 'rejected');
      expect(failures).toEqual([]);
      expect(refreshes()).toBe(1);
      expect(await statusOf(one, id)).toBe('active');
      // The stored token pair works for the next call.
      sandbox.control.vendor('gong').act('expire-access-tokens', {});
      await Promise.all([listUsers(one, id), listUsers(other, id)]);
      expect(refreshes()).toBe(2);
    },
  );

  test('both processes require re-authentication after the vendor has rejected the grant in one call', async () => {
    const [one, other] = [await clientOf(processes[0]), await clientOf(processes[1])];
    const id = await expiredConnector();
    sandbox.control.vendor('gong').act('revoke-consent', {});
    const calls = Array.from({ length: 40 }, (_, index) => listUsers(index % 2 ? one : other, id));
    const answers = await Promise.allSettled(calls);
    for (const answer of answers)
      expect(answer).toMatchObject({ reason: { code: 'reauthentication_required' } });
    expect(refreshes()).toBe(1);
    expect(await statusOf(other, id)).toBe('needs_reauth');
  });

  test('keeps a connector working in both processes if the vendor fails during a refresh', async () => {
    const one = await clientOf(processes[0]);
    const id = await expiredConnector();
    sandbox.control.faults.add({ vendor: 'gong', path: '/oauth2/*', status: 503 });
    await expect(listUsers(one, id)).rejects.toMatchObject({ code: 'vendor_failed' });
    expect(await statusOf(one, id)).toBe('active');
    sandbox.control.faults.clear();
    await listUsers(one, id);
  });
});

describe('a session change in another process', () => {
  test('wakes a status request that is waiting in this process', async () => {
    const [here, there] = [await clientOf(processes[0]), await clientOf(processes[1])];
    const { session_id } = await here.oauth.initiate({
      customer_name: 'acme',
      connector_type: consentKind.key,
      redirect_url: 'http://127.0.0.1/connected',
    });
    const held = here.oauth.session(session_id, { wait: 25 });
    // Cancelling is the simplest way to change a session.
    const startedAt = performance.now();
    await there.oauth.cancel(session_id);
    expect((await held).status).toBe('denied');
    expect(performance.now() - startedAt).toBeLessThan(pollMs);
  });
});

describe('a process that shuts down', () => {
  test('ends waiting status requests immediately on shutdown, and exits', async () => {
    const leaving = start();
    const client = await clientOf(leaving);
    const { session_id } = await client.oauth.initiate({
      customer_name: 'acme',
      connector_type: consentKind.key,
      redirect_url: 'http://127.0.0.1/connected',
    });
    const isHeld = leaving.logged('request');
    const held = client.oauth.session(session_id, { wait: 25 });
    // When this second request on the same connection pool returns, the first one has arrived.
    await client.oauth.session(session_id);
    await isHeld;
    const startedAt = performance.now();
    await end(leaving, 'SIGTERM');
    expect((await held).status).toBe('pending');
    expect(performance.now() - startedAt).toBeLessThan(8_000);
  });
});

describe('a process that ends during a refresh', () => {
  /** @param holding whether the proxy holds back the request to the vendor or only the response. */
  const killInMidRefresh = async (holding: 'request' | 'answer'): Promise<string> => {
    const victim = start();
    const client = await clientOf(victim);
    const id = await expiredConnector();
    const held = proxy.hold('/oauth2/generate-customer-token', holding);
    const lost = listUsers(client, id).catch(() => {});
    await held;
    await end(victim, 'SIGKILL');
    await lost;
    expect(refreshes()).toBe(holding === 'answer' ? 1 : 0);
    // Expires the dead process's lease immediately.
    await sql`update leases set expires_at = now() - interval '1 second'`.execute(database.kysely);
    return id;
  };

  test('leaves the connector working if the process is killed before the vendor refreshes the token', async () => {
    const id = await killInMidRefresh('request');
    const client = await clientOf(processes[0]);
    await listUsers(client, id);
    expect(await statusOf(client, id)).toBe('active');
  });

  test('leaves the connector in needs_reauth if the process is killed after the vendor refreshed the token', async () => {
    const id = await killInMidRefresh('answer');
    const client = await clientOf(processes[0]);
    await expect(listUsers(client, id)).rejects.toMatchObject({ code: 'reauthentication_required' });
    expect(await statusOf(client, id)).toBe('needs_reauth');
  });

  test('completes a running refresh before exiting on a signal', async () => {
    const victim = start();
    const client = await clientOf(victim);
    const id = await expiredConnector();
    sandbox.control.faults.add({ vendor: 'gong', path: '/oauth2/*', count: 1, latencyMs: 500 });
    const arrival = sandbox.control.requests.nextArrival({
      vendor: 'gong',
      path: '/oauth2/generate-customer-token',
    });
    const answered = listUsers(client, id);
    await arrival;
    await end(victim, 'SIGTERM');
    expect((await answered).result).toBeDefined();
    const survivor = await clientOf(processes[1]);
    await listUsers(survivor, id);
    expect(refreshes()).toBe(1);
  });
});
