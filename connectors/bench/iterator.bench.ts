// Measures the memory of iterating over 100,000 ads, against a sandbox in its own process. Run manually:
// node --conditions=source connectors/bench/iterator.bench.ts
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { createTransport, unlimited } from '../src/kind/index.ts';
import { TikTokMarketing } from '../src/tiktok-marketing/index.ts';

/** Includes deleted ads. A list without them has 100,000 ads. */
const ads = 110_700;
/** The sandbox's large ad account, which exists only if a sandbox setting gives it ads. */
const advertiser_id = '7502933100842217473';

const sandbox = spawn(process.execPath, ['--conditions=source', pathOf('../../sandbox/src/main.ts')], {
  env: { ...process.env, PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const url = await readyUrl(sandbox);
  await fetch(`${url}/_sandbox/vendors/tiktok-marketing/settings`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ largeAdvertiserAds: ads }),
  });
  const connector = new TikTokMarketing({
    credentials: { access_token: await tokenOf(url) },
    transport: createTransport({ sandboxUrl: url }),
    limiter: unlimited,
  });
  const baseline = process.memoryUsage();
  const start = performance.now();
  const highest = { rss: 0, heapUsed: 0 };
  let count = 0;
  for await (const { ad_id } of connector.ads.listAll({ advertiser_id })) {
    if (typeof ad_id !== 'string') throw new Error(`ad ${count} has no id`);
    if (count++ % 500 > 0) continue;
    const { rss, heapUsed } = process.memoryUsage();
    highest.rss = Math.max(highest.rss, rss);
    highest.heapUsed = Math.max(highest.heapUsed, heapUsed);
  }
  console.table({
    ads: count,
    seconds: Math.round(performance.now() - start) / 1000,
    'baseline RSS MB': megabytes(baseline.rss),
    'highest RSS above baseline MB': megabytes(highest.rss - baseline.rss),
    'highest heap above baseline MB': megabytes(highest.heapUsed - baseline.heapUsed),
  });
} finally {
  sandbox.kill();
}

async function readyUrl(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('the sandbox has no output');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return (JSON.parse(line) as { url: string }).url;
}

async function tokenOf(url: string): Promise<string> {
  const response = await fetch(`${url}/_sandbox/credentials`);
  const { vendors } = (await response.json()) as {
    vendors: { key: string; credentials: { works: boolean; values: Record<string, string> }[] }[];
  };
  const credentials = vendors.find(({ key }) => key === 'tiktok-marketing')?.credentials ?? [];
  return credentials.find(({ works }) => works)?.values['access_token'] ?? '';
}

function pathOf(relative: string): string {
  return new URL(relative, import.meta.url).pathname;
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 102.4) / 10;
}
