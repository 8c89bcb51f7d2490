import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { run, type RunningCommand } from '../stack/processes.ts';

const dataDirs: string[] = [];
test.afterEach(() => {
  for (const dataDir of dataDirs.splice(0)) rmSync(dataDir, { recursive: true, force: true });
});

function startDemo(): RunningCommand {
  const dataDir = mkdtempSync(join(tmpdir(), 'connector-auth-demo-'));
  dataDirs.push(dataDir);
  return run(['scripts/run.mjs', 'demo'], { DATA_DIR: dataDir });
}

const isUp = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  );

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`the demo ends everything it started on ${signal}`, async () => {
    const demo = startDemo();
    const [, url = ''] = await demo.prints(/ready \([\d.]+ s\): +(\S+)/);
    const session = (await (await fetch(`${url}/api/session`)).json()) as { sandboxUrl: string };
    expect(await isUp(session.sandboxUrl)).toBe(true);
    expect(await demo.end(signal)).toBe(0);
    expect(await isUp(session.sandboxUrl)).toBe(false);
    expect(await isUp(url)).toBe(false);
  });
}

test('the demo ends what it had started when it is ended before it is ready', async () => {
  // In use, so that the demo says which port the sandbox takes instead.
  const occupied = createServer().listen(8788, '127.0.0.1');
  await Promise.race([once(occupied, 'listening'), once(occupied, 'error')]);
  const demo = startDemo();
  try {
    const [, port = ''] = await demo.prints(/Port 8788 is in use; the sandbox takes (\d+)/);
    await expect.poll(() => isUp(`http://127.0.0.1:${port}`), { intervals: [20] }).toBe(true);
    expect(await demo.end('SIGTERM')).toBe(0);
    expect(demo.output()).not.toContain('ready');
    expect(await isUp(`http://127.0.0.1:${port}`)).toBe(false);
  } finally {
    await demo.end();
    occupied.close();
  }
});

test('the demo takes another port when its own is in use, and says so', async () => {
  const occupied = createServer().listen(5173, '127.0.0.1');
  // Whether we or somebody else holds the port, it is in use.
  await Promise.race([once(occupied, 'listening'), once(occupied, 'error')]);
  const demo = startDemo();
  try {
    await demo.prints(/Port 5173 is in use; the demo takes \d+/);
    const [, url = ''] = await demo.prints(/ready \([\d.]+ s\): +(\S+)/);
    expect(await isUp(url)).toBe(true);
  } finally {
    await demo.end();
    occupied.close();
  }
});
