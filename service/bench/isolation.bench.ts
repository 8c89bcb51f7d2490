/**
 * Measures what one tenant notices while another floods the service: the tenant lists its connectors every
 * 150 ms, and a probe checks readiness, on both engines.
 *
 * Usage: npx -y pnpm@12 bench isolation [--quick] [--engines=postgres,pglite] [--before=folder]
 */
import { setTimeout as delay } from 'node:timers/promises';
import {
  checkouts,
  createDatabase,
  engines,
  options,
  quantile,
  reportGoal,
  run,
  startService,
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
  for (const { suffix, folder } of checkouts) {
    for (const engine of engines) {
      const service = await startService(await createDatabase(engine), { folder });
      for (const [name, flood] of Object.entries(await floodsOf(service))) {
        const flooding = load({ method: 'GET', body: null, seconds: seconds + 2, ...flood });
        await delay(1000);
        const { times, okPercent, readyPercent } = await askSteadily(service);
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
    }
  }
  console.table(figures);
});

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
