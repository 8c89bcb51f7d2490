import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { runProgram, type RunningProgram } from '../stack/processes.ts';

// Each journey starts complete demos, which takes time on a busy machine.
test.describe.configure({ timeout: 600_000 });

const dataDirs: string[] = [];
test.afterEach(() => {
  for (const dataDir of dataDirs.splice(0)) rmSync(dataDir, { recursive: true, force: true });
});

function startDemo(): RunningProgram {
  const dataDir = mkdtempSync(join(tmpdir(), 'connector-auth-demo-'));
  dataDirs.push(dataDir);
  return runProgram(['scripts/run.mjs', 'demo'], { DATA_DIR: dataDir }, { ownGroup: true });
}

/** Occupies a port, unless another process is already using it. */
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

/** Waits until the demo is ready; returns the URLs of the demo and its sandbox. */
async function addressesOf(demo: RunningProgram): Promise<readonly string[]> {
  const [, url = ''] = await demo.waitForOutput(/ready \([\d.]+ s\): +(\S+)/);
  const session = (await (await fetch(`${url}/api/session`)).json()) as { sandboxUrl: string };
  return [url, session.sandboxUrl];
}

const areUp = (urls: readonly string[]) => Promise.all(urls.map(isUp));

test('starts two demos side by side, and stops all processes of a demo on SIGINT or SIGTERM', async () => {
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

test('stops all started processes if the demo is interrupted before it is ready', async () => {
  // The default port is occupied, so that the demo prints which port it uses for the sandbox instead.
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

test("uses and prints another port if the demo's default port is in use", async () => {
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
