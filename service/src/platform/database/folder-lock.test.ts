import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolder } from '../../../test/engines.ts';
import { lockFolder } from './folder-lock.ts';

let folder: string;
let remove: () => Promise<void>;

beforeEach(async () => {
  ({ folder, remove } = await makeFolder());
});
afterEach(() => remove());

test('rejects a folder that is already locked, with a message for the operator', async () => {
  const lock = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toThrow(
    `Another process is using the data folder ${folder}. Stop it, or set DATA_DIR to another folder.`,
  );
  lock.release();
});

test('locks a folder again after its lock was released', async () => {
  (await lockFolder(folder)).release();
  const lock = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toThrow('Another process is using the data folder');
  lock.release();
});

test('rejects a folder that another process has locked until that process is killed', async () => {
  const holder = await holdInAnotherProcess(folder);
  await expect(lockFolder(folder)).rejects.toThrow('Another process is using the data folder');
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  (await lockFolder(folder)).release();
});

async function holdInAnotherProcess(path: string) {
  const script = `
    const { lockFolder } = await import(${JSON.stringify(fileURLToPath(new URL('folder-lock.ts', import.meta.url)))});
    globalThis.lock = await lockFolder(${JSON.stringify(path)});
    console.log('locked');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}
