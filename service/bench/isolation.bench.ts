/**
 * Measures what one tenant notices while another floods the service: the tenant lists its connectors every
 * 150 ms, and a probe checks readiness, on both engines.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { DatabaseLocation } from '../src/database/database.ts';
import { startPostgres } from '../test/postgres.ts';
import { application, environmentOf, startServiceProcess } from '../test/service-process.ts';
import type { Flood } from './flood.ts';

const durationMs = 15_000;
const intervalMs = 150;
const connectors = '/api/v1/integrations/connectors';
const unknownSession = '11111111-1111-4111-8111-111111111111';

interface Figure {
  readonly engine: string;
  readonly flood: string;
  readonly requests: number;
  readonly okPercent: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly readyPercent: number;
  readonly floodStatuses: string;
  readonly passed: boolean;
}

const folder = await mkdtemp(join(tmpdir(), 'connector-auth-bench-'));
const postgres = await startPostgres();
const figures: Figure[] = [];
try {
  figures.push(...(await measureEngine('postgres', { databaseUrl: `${postgres.url}/postgres` })));
  figures.push(...(await measureEngine('pglite', { dataDir: join(folder, 'data') })));
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
console.table(figures);
process.exitCode = figures.every(({ passed }) => passed) ? 0 : 1;

async function measureEngine(engine: string, location: DatabaseLocation): Promise<Figure[]> {
  const service = startServiceProcess({ ...environmentOf(location), ...application });
  try {
    const url = await service.url;
    const own = await requestToken(url);
    const scoped = await requestScopedToken(url, own, 'hostile');
    const anonymous = { sockets: 560, headers: {} };
    const floods: [string, Flood][] = [
      ['none', { url: `${url}/healthz`, sockets: 1, headers: {} }],
      ['completion page', { ...anonymous, url: `${url}/oauth/complete?session_id=${unknownSession}` }],
      ['OAuth callback', { ...anonymous, url: `${url}/oauth/callback?state=x` }],
      ['readiness probe', { ...anonymous, url: `${url}/readyz` }],
      [
        'one customer',
        { url: url + connectors, sockets: 800, headers: { authorization: `Bearer ${scoped}` } },
      ],
    ];
    const measured: Figure[] = [];
    for (const [name, flood] of floods) measured.push(await measureFlood(engine, url, own, [name, flood]));
    return measured;
  } finally {
    service.child.kill('SIGTERM');
    await service.ended;
  }
}

async function measureFlood(
  engine: string,
  url: string,
  token: string,
  [name, flood]: [string, Flood],
): Promise<Figure> {
  const attacker = fork(fileURLToPath(new URL('flood.ts', import.meta.url)), [JSON.stringify(flood)]);
  await delay(1000);
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
  for (let sent = 0; sent < durationMs / intervalMs; sent += 1) {
    requests.push(list(), probe());
    await delay(intervalMs);
  }
  await Promise.all(requests);
  attacker.send('stop');
  const [statuses] = (await once(attacker, 'message')) as [Record<string, number>];
  const sorted = times.toSorted((one, other) => one - other);
  const quantile = (share: number): number => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
  const okPercent = Math.round((ok / times.length) * 100);
  const readyPercent = Math.round((ready / times.length) * 100);
  return {
    engine,
    flood: name,
    requests: times.length,
    okPercent,
    p50Ms: quantile(0.5),
    p95Ms: quantile(0.95),
    readyPercent,
    floodStatuses: Object.entries(statuses)
      .map(([status, count]) => `${count} × ${status}`)
      .join(', '),
    passed: okPercent >= 95 && quantile(0.95) < 1000 && readyPercent === 100,
  };
}

async function requestToken(url: string): Promise<string> {
  const response = await post(`${url}/api/v1/account/applications/token`, null, {
    client_id: application.BOOTSTRAP_CLIENT_ID,
    client_secret: application.BOOTSTRAP_CLIENT_SECRET,
  });
  return (response as { access_token: string }).access_token;
}

async function requestScopedToken(url: string, token: string, customer: string): Promise<string> {
  const path = '/api/v1/account/applications/scoped-token';
  return ((await post(url + path, token, { customer_name: customer })) as { token: string }).token;
}

async function post(url: string, token: string | null, body: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} responded ${response.status}: ${await response.text()}`);
  return response.json();
}
