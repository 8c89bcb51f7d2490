/**
 * Measures what one tenant notices while another floods the service: the tenant lists its connectors every
 * 150 ms, and a probe checks readiness, on both engines. Then measures on PostgreSQL how long events take while the webhooks of
 * others never respond (`--only=webhooks` measures only this).
 *
 * Usage: npx -y pnpm@12 bench isolation [--quick] [--engines=postgres,pglite] [--before=folder] [--only=webhooks]
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { adminToken } from '../test/test-service.ts';
import {
  addSamples,
  atEnd,
  checkouts,
  createDatabase,
  engines,
  options,
  quantile,
  query,
  reportGoal,
  run,
  startService,
  timeOf,
  type Service,
} from './harness.ts';
import { startLoad, type Load } from './load.ts';

const seconds = options.quick ? 2 : 15;
const intervalMs = 150;
const connectors = '/api/v1/integrations/connectors';
const unknownSession = '11111111-1111-4111-8111-111111111111';

type Flood = Pick<Load, 'url' | 'connections' | 'headers'>;

await run(async () => {
  const load = startLoad();
  const figures: object[] = [];
  for (const { suffix, folder } of options.only === 'webhooks' ? [] : checkouts) {
    for (const engine of engines) {
      const service = await startService(await createDatabase(engine), { folder });
      const samples: Record<string, readonly number[]> = {};
      for (const [name, flood] of Object.entries(await floodsOf(service))) {
        const flooding = load({ method: 'GET', body: null, seconds: seconds + 2, ...flood });
        await delay(1000);
        const { times, okPercent, readyPercent } = await askSteadily(service);
        samples[name] = times;
        const { statuses } = await flooding;
        const [p50Ms, p95Ms] = [0.5, 0.95].map(share => Math.round(quantile(times, share)));
        figures.push({
          engine: engine + suffix,
          flood: name,
          okPercent,
          p50Ms,
          p95Ms,
          readyPercent,
          ...statuses,
        });
        reportGoal(
          `${engine}${suffix}, ${name}`,
          '≥ 95 % ok, p95 < 1000 ms, always ready',
          `${okPercent} % ok, p95 ${p95Ms} ms, ${readyPercent} % ready`,
          okPercent >= 95 && (p95Ms ?? NaN) < 1000 && readyPercent === 100,
        );
      }
      addSamples(`${engine}${suffix}: a tenant's list beside the flood of others, in ms`, samples);
    }
  }
  console.table(figures);
  if (engines.includes('postgres')) await measureWebhooks();
});

/** Measures how long events take to a webhook that responds at once, without and with a hundred that never do. */
async function measureWebhooks(): Promise<void> {
  const { folder } = checkouts[0] ?? {};
  const location = await createDatabase('postgres');
  if (folder === undefined || !('databaseUrl' in location)) throw new Error('The benchmark needs a server');
  const arrived = new Map<string, () => void>();
  const receiver = createServer((request, response) => {
    if (request.url !== '/own') return;
    response.writeHead(204).end();
    arrived.get(String(request.headers['webhook-id']))?.();
  });
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve));
  atEnd(() => receiver.close().closeAllConnections());
  const service = await startService(location, { folder, environment: { ADMIN_TOKEN: adminToken } });
  const port = (receiver.address() as AddressInfo).port;
  const add = async (name: string, path: string): Promise<string> => {
    const organization = await service.post('/api/v1/admin/organizations', adminToken, { name });
    const webhooks = `/api/v1/admin/organizations/${organization['id']}/webhooks`;
    const body = { url: `http://127.0.0.1:${port}${path}`, events: ['webhook.test'] };
    return (await service.post(webhooks, adminToken, body))['id'] ?? '';
  };
  /** Inserts an event for each of the webhooks. */
  const send = (webhooks: readonly string[], id: string = randomUUID()) =>
    query(
      location.databaseUrl,
      `insert into webhook_events (organization_id, id, type, data, webhook_id)
       select organization_id, '${id}', 'webhook.test', '{}', id from webhooks where id in ('${webhooks.join("','")}')`,
    );
  const own = await add('own', '/own');
  const measure = async (): Promise<readonly number[]> => {
    const times: number[] = [];
    for (let count = 0; count < (options.quick ? 20 : 200); count += 1) {
      times.push(
        await timeOf(async () => {
          const id = randomUUID();
          const arrival = new Promise<void>(resolve => arrived.set(id, resolve));
          await send([own], id);
          await arrival;
        }),
      );
    }
    return times;
  };
  const hostile = [];
  for (let number = 0; number < 100; number += 1) hostile.push(await add(`hostile ${number}`, '/never'));
  await measure();
  const undisturbed = await measure();
  for (let count = 0; count < 10; count += 1) await send(hostile);
  const disturbed = await measure();
  addSamples('an event beside 100 webhooks that never respond, in ms', {
    'the 100 have no events': undisturbed,
    'the 100 have events': disturbed,
  });
  const [p95, p95Disturbed] = [quantile(undisturbed, 0.95), quantile(disturbed, 0.95)];
  reportGoal(
    'p95 of an event while 100 webhooks never respond',
    `≤ 2 × ${Math.round(p95)} ms`,
    `${Math.round(p95Disturbed)} ms`,
    p95Disturbed <= 2 * p95,
  );
}

async function floodsOf({ url, scopedTokenOf }: Service): Promise<Record<string, Flood>> {
  const anonymous = { connections: 560, headers: {} };
  return {
    none: { url: `${url}/healthz`, connections: 1, headers: {} },
    'completion page': { ...anonymous, url: `${url}/oauth/complete?session_id=${unknownSession}` },
    'OAuth callback': { ...anonymous, url: `${url}/oauth/callback?state=x` },
    'readiness probe': { ...anonymous, url: `${url}/readyz` },
    'one customer': {
      url: url + connectors,
      connections: 800,
      headers: { authorization: `Bearer ${await scopedTokenOf('hostile')}` },
    },
  };
}

/** Sends requests of the tenant and of the probe at fixed times, however long the responses take. */
async function askSteadily({ url, token }: Service) {
  const times: number[] = [];
  let ok = 0;
  let ready = 0;
  const list = async (): Promise<void> => {
    const startedAt = performance.now();
    const response = await fetch(url + connectors, { headers: { authorization: `Bearer ${token}` } });
    await response.text();
    times.push(performance.now() - startedAt);
    if (response.status === 200) ok += 1;
  };
  const probe = async (): Promise<void> => {
    const response = await fetch(`${url}/readyz`);
    await response.text();
    if (response.status === 200) ready += 1;
  };
  const requests: Promise<void>[] = [];
  for (let sent = 0; sent < (seconds * 1000) / intervalMs; sent += 1) {
    requests.push(list(), probe());
    await delay(intervalMs);
  }
  await Promise.all(requests);
  const percentOf = (count: number): number => Math.round((count / times.length) * 100);
  return { times, okPercent: percentOf(ok), readyPercent: percentOf(ready) };
}
