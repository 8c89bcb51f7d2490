import { createClient } from '@connector-auth/api/client';
import { startSandbox, type RunningSandbox } from '@connector-auth/sandbox';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeDatabase, type DatabasePlace } from '../../test/engines.ts';
import { consentKind } from '../../test/consent.ts';
import { openWay, type WayToVendors } from '../../test/way-to-vendors.ts';
import {
  application,
  environmentOf,
  startServiceProcess,
  type ServiceProcess,
} from '../../test/service-process.ts';
import { silentLog } from '../log.ts';
import { openDatabase, type Database } from '../storage/database.ts';

/** What one database promises to several processes of the service: each a process of its own, as an operator runs them. */

let place: DatabasePlace;
let database: Database;
let sandbox: RunningSandbox;
let way: WayToVendors;
let processes: readonly [ServiceProcess, ServiceProcess];

const start = (): ServiceProcess =>
  startServiceProcess({
    ...environmentOf(place.location),
    ...application,
    SANDBOX_URL: way.url,
    VENDOR_RATE_LIMITS: 'off',
    OAUTH_GONG_CLIENT_ID: 'gong_sandbox_client',
    OAUTH_GONG_CLIENT_SECRET: 'gong_sandbox_client_secret',
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
  way = await openWay(sandbox.url);
  processes = [start(), start()];
  await Promise.all(processes.map(({ url }) => url));
  database = await openDatabase(place.location, { log: silentLog });
});
beforeEach(() => sandbox.control.reset());
afterAll(async () => {
  await Promise.all(processes.map(process => end(process, 'SIGTERM')));
  await database.close();
  await way.close();
  await sandbox.close();
  await place.remove();
});

type Client = Awaited<ReturnType<typeof clientOf>>;
const listUsers = (client: Client, id: string) =>
  client.execute(id, { entity: 'users', action: 'list' }, { timeoutMs: 60_000 });
const refreshes = () => sandbox.control.requests.count({ vendor: 'gong', operation: 'refresh token' });
const statusOf = async (client: Client, id: string) => (await client.connectors.get(id)).status;

/** A connector whose access token Gong no longer accepts, unknown to the service. */
async function expiredConnector(client: Client): Promise<string> {
  const { credentials = [] } = sandbox.control.vendors().find(({ key }) => key === 'gong') ?? {};
  const pasted = credentials.find(({ values }) => 'refresh_token' in values)?.values ?? {};
  const { id } = await client.connectors.create({
    customer_name: 'acme',
    connector_type: consentKind.key,
    name: 'Calls',
    credentials: { refresh_token: pasted['refresh_token'] },
  });
  sandbox.control.vendor('gong').act('expire-access-tokens', {});
  sandbox.control.requests.clear();
  return id;
}

describe('two processes on one PostgreSQL', () => {
  test(
    'spend a refresh token once for 500 calls at the same time, all of which succeed',
    { timeout: 120_000 },
    async () => {
      const [one, other] = [await clientOf(processes[0]), await clientOf(processes[1])];
      const id = await expiredConnector(one);
      const calls = Array.from({ length: 500 }, (_, index) => listUsers(index % 2 ? one : other, id));
      const answers = await Promise.allSettled(calls);
      const failures = answers.filter(({ status }) => status === 'rejected');
      expect(failures).toEqual([]);
      expect(refreshes()).toBe(1);
      expect(await statusOf(one, id)).toBe('active');
      // And the pair that was stored is the one that works next time.
      sandbox.control.vendor('gong').act('expire-access-tokens', {});
      await Promise.all([listUsers(one, id), listUsers(other, id)]);
      expect(refreshes()).toBe(2);
    },
  );

  test('ask for consent again when one of them finds the grant refused, without each asking the vendor', async () => {
    const [one, other] = [await clientOf(processes[0]), await clientOf(processes[1])];
    const id = await expiredConnector(one);
    sandbox.control.vendor('gong').act('revoke-consent', {});
    const calls = Array.from({ length: 40 }, (_, index) => listUsers(index % 2 ? one : other, id));
    const answers = await Promise.allSettled(calls);
    for (const answer of answers)
      expect(answer).toMatchObject({ reason: { code: 'reauthentication_required' } });
    expect(refreshes()).toBe(1);
    expect(await statusOf(other, id)).toBe('needs_reauth');
  });

  test('leave a connector working when the vendor fails at the refresh', async () => {
    const one = await clientOf(processes[0]);
    const id = await expiredConnector(one);
    sandbox.control.faults.add({ vendor: 'gong', path: '/oauth2/*', status: 503 });
    await expect(listUsers(one, id)).rejects.toMatchObject({ code: 'vendor_failed' });
    expect(await statusOf(one, id)).toBe('active');
    sandbox.control.faults.clear();
    await listUsers(one, id);
  });
});

describe('a process that is killed in the middle of a refresh', () => {
  /** @param holding what the way to the vendor keeps back: the request, or only its answer. */
  const killInMidRefresh = async (holding: 'request' | 'answer'): Promise<string> => {
    const victim = start();
    const [client, survivor] = await Promise.all([clientOf(victim), clientOf(processes[0])]);
    const id = await expiredConnector(survivor);
    const held = way.hold('/oauth2/generate-customer-token', holding);
    const lost = listUsers(client, id).catch(() => {});
    await held;
    await end(victim, 'SIGKILL');
    await lost;
    expect(refreshes()).toBe(holding === 'answer' ? 1 : 0);
    // Lets the lease of the dead end at once.
    await sql`update leases set expires_at = now() - interval '1 second'`.execute(database.kysely);
    return id;
  };

  test('before the vendor acted leaves the connector working', async () => {
    const id = await killInMidRefresh('request');
    const client = await clientOf(processes[0]);
    await listUsers(client, id);
    expect(await statusOf(client, id)).toBe('active');
  });

  test('after the vendor acted leaves it in need of consent, and says so', async () => {
    const id = await killInMidRefresh('answer');
    const client = await clientOf(processes[0]);
    await expect(listUsers(client, id)).rejects.toMatchObject({ code: 'reauthentication_required' });
    expect(await statusOf(client, id)).toBe('needs_reauth');
  });

  test('by request finishes it first', async () => {
    const victim = start();
    const client = await clientOf(victim);
    const id = await expiredConnector(client);
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
