/**
 * Measures what the audit log costs: executes per second, and processor time per execute, with and without it. Two
 * services on one database take turns, so that noise affects both equally, and each pair of turns gives one ratio.
 *
 * Usage: npx -y pnpm@12 bench audit, or node_modules/.bin/node --conditions=source service/bench/audit.bench.ts [pairs] [seconds per turn]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent } from 'undici';
import type { DatabaseLocation } from '../src/database/database.ts';
import { startPostgres } from '../test/postgres.ts';
import { application, environmentOf, startServiceProcess } from '../test/service-process.ts';
import { startCachedVendor } from './cached-vendor.ts';

const [pairs = 20, seconds = 3] = process.argv.slice(2).map(Number);
const connections = 16;
const warmUpSeconds = 5;
/** The decision records the goal: at most 3 % of the throughput of executes. */
const maxCostPercent = 3;

interface Subject {
  readonly executeUrl: string;
  readonly metricsUrl: string;
  readonly token: string;
  readonly stop: () => Promise<unknown>;
}

interface Turn {
  readonly perSecond: number;
  readonly cpuMs: number;
}

const agent = new Agent({ connections });
const vendor = await startCachedVendor('granola', {});
const postgres = await startPostgres();
const folder = await mkdtemp(join(tmpdir(), 'connector-auth-bench-'));
try {
  const onPostgres: DatabaseLocation = { databaseUrl: `${postgres.url}/postgres` };
  await measure('postgres', [onPostgres, onPostgres]);
  await measure('pglite', [{ dataDir: join(folder, 'with') }, { dataDir: join(folder, 'without') }]);
} finally {
  vendor.child.kill();
  await agent.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

async function measure(
  engine: string,
  [one, other]: readonly [DatabaseLocation, DatabaseLocation],
): Promise<void> {
  // One after the other, because both migrate the same database.
  const audited = await start(one, {});
  const unaudited = await start(other, {
    NODE_OPTIONS: `--import=${new URL('without-audit.ts', import.meta.url).href}`,
  });
  try {
    for (const subject of [audited, unaudited]) await takeTurn(subject, warmUpSeconds);
    const throughput: number[] = [];
    const cpu: number[] = [];
    const turns: [Turn, Turn][] = [];
    for (let pair = 0; pair < pairs; pair++) {
      const isAuditedFirst = pair % 2 === 0;
      const first = await takeTurn(isAuditedFirst ? audited : unaudited, seconds);
      const second = await takeTurn(isAuditedFirst ? unaudited : audited, seconds);
      const [withAudit, without] = isAuditedFirst ? [first, second] : [second, first];
      turns.push([withAudit, without]);
      throughput.push(Math.log(withAudit.perSecond / without.perSecond));
      cpu.push(Math.log(withAudit.cpuMs / without.cpuMs));
    }
    const mean = (pick: (pair: [Turn, Turn]) => number) =>
      round(turns.reduce((sum, pair) => sum + pick(pair), 0) / pairs);
    console.table({
      [`${engine}: executes per second`]: {
        'with audit': mean(([turn]) => turn.perSecond),
        without: mean(([, turn]) => turn.perSecond),
        ...costOf(throughput, -1),
      },
      [`${engine}: processor ms per execute`]: {
        'with audit': mean(([turn]) => turn.cpuMs),
        without: mean(([, turn]) => turn.cpuMs),
        ...costOf(cpu, 1),
      },
    });
  } finally {
    await Promise.all([audited.stop(), unaudited.stop()]);
  }
}

/** Returns the mean cost in percent with its 95 % interval, from the logarithms of the ratios. */
function costOf(ratios: readonly number[], sign: 1 | -1): Record<string, string | number | boolean> {
  const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
  const variance = ratios.reduce((sum, ratio) => sum + (ratio - mean) ** 2, 0) / (ratios.length - 1);
  const error = 2 * Math.sqrt(variance / ratios.length);
  const percent = (ratio: number) => round(sign * (Math.exp(ratio) - 1) * 100);
  const [low, high] = [percent(mean - error), percent(mean + error)].toSorted((a, b) => a - b);
  return {
    'cost %': percent(mean),
    '95 % interval': `${low} to ${high}`,
    [`at most ${maxCostPercent} %`]: percent(mean) <= maxCostPercent,
  };
}

async function start(location: DatabaseLocation, more: Readonly<Record<string, string>>): Promise<Subject> {
  const service = startServiceProcess({
    ...environmentOf(location),
    ...application,
    SANDBOX_URL: vendor.url,
    VENDOR_RATE_LIMITS: 'off',
    ...more,
  });
  const url = await service.url;
  const post = async (path: string, token: string | null, body: object): Promise<Record<string, string>> => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
    return (await response.json()) as Record<string, string>;
  };
  const { access_token: token = '' } = await post('/api/v1/account/applications/token', null, {
    client_id: application.BOOTSTRAP_CLIENT_ID,
    client_secret: application.BOOTSTRAP_CLIENT_SECRET,
  });
  const { id } = await post('/api/v1/integrations/connectors', token, {
    customer_name: `bench-${process.hrtime.bigint()}`,
    connector_type: 'granola',
    name: 'Bench',
    credentials: vendor.credentials,
  });
  return {
    executeUrl: `${url}/api/v1/integrations/connectors/${id}/execute`,
    metricsUrl: `${url}/metrics`,
    token,
    stop: () => {
      service.child.kill('SIGTERM');
      return service.ended;
    },
  };
}

/** Sends executes on all connections for some seconds. */
async function takeTurn(subject: Subject, forSeconds: number): Promise<Turn> {
  const { origin, pathname: path } = new URL(subject.executeUrl);
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${subject.token}` };
  const body = JSON.stringify({ entity: 'notes', action: 'list', params: { page_size: 10 } });
  let count = 0;
  const cpuBefore = await readCpuSeconds(subject);
  const startedAt = performance.now();
  const endsAt = startedAt + forSeconds * 1000;
  const send = async (): Promise<void> => {
    while (performance.now() < endsAt) {
      const response = await agent.request({ origin, path, method: 'POST', headers, body });
      await response.body.dump({ limit: Infinity });
      if (response.statusCode !== 200) throw new Error(`An execute returned ${response.statusCode}`);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, send));
  const elapsed = (performance.now() - startedAt) / 1000;
  const cpuSeconds = (await readCpuSeconds(subject)) - cpuBefore;
  return { perSecond: count / elapsed, cpuMs: (cpuSeconds * 1000) / count };
}

async function readCpuSeconds({ metricsUrl }: Subject): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  return Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1]);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
