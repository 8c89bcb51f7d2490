import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startSandbox } from './start.ts';

test('reports a port that is in use in one line', async () => {
  const running = await startSandbox();
  const { port } = new URL(running.url);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--conditions=source', fileURLToPath(new URL('main.ts', import.meta.url))],
    { env: { PATH: process.env['PATH'], PORT: port }, encoding: 'utf8' },
  );
  await running.close();
  expect([status, stdout, stderr]).toEqual([
    1,
    '',
    `The sandbox cannot listen on 127.0.0.1:${port}: the port is in use; choose another with PORT\n`,
  ]);
});
