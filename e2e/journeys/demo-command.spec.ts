import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { runProgram, type RunningProgram } from '../stack/processes.ts';

const dataDirs: string[] = [];
test.afterEach(() => {
  for (const dataDir of dataDirs.splice(0)) rmSync(dataDir, { recursive: true, force: true });
});

function startDemo(): RunningProgram {
  const dataDir = mkdtempSync(join(tmpdir(), 'connector-auth-demo-'));
  dataDirs.push(dataDir);
  return runProgram(['scripts/run.mjs', 'demo'], { DATA_DIR: dataDir }, { ownGroup: true });
}

/** Holds a port; one that somebody else holds is in use all the same. */
async function occupy(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening').catch(() => undefined);
  return server;
}

const isUp = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  );

/** Where the demo and its sandbox answer, as soon as it is ready. */
async function addressesOf(demo: RunningProgram): Promise<readonly string[]> {
  const [, url = ''] = await demo.waitForOutput(/ready \([\d.]+ s\): +(\S+)/);
  const session = (await (await fetch(`${url}/api/session`)).json()) as { sandboxUrl: string };
  return [url, session.sandboxUrl];
}

const areUp = (urls: readonly string[]) => Promise.all(urls.map(isUp));

test('two demos that start at once come up side by side, and each ends all of its own on SIGINT or SIGTERM', async () => {
  const [demo, other] = [startDemo(), startDemo()];
  try {
    const [addresses, others] = await Promise.all([addressesOf(demo), addressesOf(other)]);
    expect(new Set([...addresses, ...others]).size).toBe(4);
    expect(await areUp([...addresses, ...others])).toEqual([true, true, true, true]);
    expect(await demo.stop('SIGINT')).toBe(0);
    expect(await areUp([...addresses, ...others])).toEqual([false, false, true, true]);
    expect(await other.stop('SIGTERM')).toBe(0);
    expect(await areUp(others)).toEqual([false, false]);
    expect(demo.output() + other.output()).not.toContain('unexpectedly');
  } finally {
    await demo.stop();
    await other.stop();
  }
});

test('the demo ends what it had started when it is ended before it is ready', async () => {
  // In use, so that the demo says which port the sandbox takes instead.
  const occupied = await occupy(8788);
  const demo = startDemo();
  try {
    const [, port = ''] = await demo.waitForOutput(
      /Port 8788 is in use\. The sandbox uses port (\d+) instead/,
    );
    await expect.poll(() => isUp(`http://127.0.0.1:${port}`), { intervals: [20] }).toBe(true);
    expect(await demo.stop('SIGTERM')).toBe(0);
    expect(demo.output()).not.toContain('ready');
    expect(await isUp(`http://127.0.0.1:${port}`)).toBe(false);
  } finally {
    await demo.stop();
    occupied.close();
  }
});

test('the demo takes another port when its own is in use, and says so', async () => {
  const occupied = await occupy(5173);
  const demo = startDemo();
  try {
    await demo.waitForOutput(/Port 5173 is in use\. The demo uses port \d+ instead/);
    const [, url = ''] = await demo.waitForOutput(/ready \([\d.]+ s\): +(\S+)/);
    expect(await isUp(url)).toBe(true);
  } finally {
    await demo.stop();
    occupied.close();
  }
});
