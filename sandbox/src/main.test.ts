import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { fullTest } from '../../scripts/full-test.ts';
import { startSandbox } from './start.ts';

test('rejects a DATA_NOW that is not a time', () => {
  const { status, stderr } = runMain({ DATA_NOW: 'tomorrow' });
  expect([status, stderr]).toEqual([
    1,
    'DATA_NOW must be a time such as 2026-11-20T12:00:00Z, not "tomorrow"\n',
  ]);
});

test('reports a port that is in use in one line', async () => {
  const running = await startSandbox();
  const { port } = new URL(running.url);
  const { status, stdout, stderr } = runMain({ PORT: port });
  await running.close();
  expect([status, stdout, stderr]).toEqual([
    1,
    '',
    `The sandbox cannot listen on 127.0.0.1:${port}: the port is in use; choose another with PORT\n`,
  ]);
});

fullTest('reports a file in VENDORS that has no vendor', () => {
  const { status, stderr } = runMain({ VENDORS: './no-such-vendor.js' });
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/^VENDORS: \.\/no-such-vendor\.js cannot be loaded: .*\n$/),
  ]);
  expect(runMain({ VENDORS: fileURLToPath(new URL('vendor.ts', import.meta.url)) }).stderr).toMatch(
    /^VENDORS: .*vendor\.ts must export a vendor by default/,
  );
});

function runMain(env: Readonly<Record<string, string>>) {
  const main = fileURLToPath(new URL('main.ts', import.meta.url));
  return spawnSync(process.execPath, ['--conditions=source', main], {
    env: { PATH: process.env['PATH'], ...env },
    encoding: 'utf8',
  });
}
