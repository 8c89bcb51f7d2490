import { chmod, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeFolder } from '../../../test/engines.ts';
import { silentLog } from '../log/log.ts';
import { secureFolder } from './data-folder.ts';

let parent: string;
let remove: () => Promise<void>;

beforeEach(async () => {
  ({ folder: parent, remove } = await makeFolder());
});
afterEach(() => remove());

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o7777).toString(8);
}

async function makeOpenFolder(): Promise<string> {
  const folder = join(parent, 'data');
  await mkdir(join(folder, 'pglite', 'base'), { recursive: true });
  await writeFile(join(folder, 'pglite', 'base', '1'), 'rows');
  await writeFile(join(folder, 'encryption.keys'), 'key');
  await writeFile(join(folder, 'run'), '');
  for (const path of ['.', 'pglite', 'pglite/base']) await chmod(join(folder, path), 0o755);
  await chmod(join(folder, 'pglite', 'base', '1'), 0o666);
  await chmod(join(folder, 'encryption.keys'), 0o644);
  await chmod(join(folder, 'run'), 0o755);
  return folder;
}

describe('the data folder', () => {
  test('creates the data folder with access for its owner only', async () => {
    const folder = join(parent, 'not', 'there');
    await secureFolder(folder, 'owner', silentLog);
    expect(await modeOf(folder)).toBe('700');
  });

  test('removes other users’ access to the data folder and everything in it', async () => {
    const folder = await makeOpenFolder();
    await secureFolder(folder, 'owner', silentLog);
    expect(await modeOf(folder)).toBe('700');
    expect(await modeOf(join(folder, 'pglite', 'base'))).toBe('700');
    expect(await modeOf(join(folder, 'pglite', 'base', '1'))).toBe('600');
    expect(await modeOf(join(folder, 'encryption.keys'))).toBe('600');
    expect(await modeOf(join(folder, 'run'))).toBe('700');
  });

  test('keeps the group’s access to the data folder if the operator allows it', async () => {
    const folder = await makeOpenFolder();
    await chmod(folder, 0o2775);
    await secureFolder(folder, 'group', silentLog);
    expect(await modeOf(folder)).toBe('2770');
    expect(await modeOf(join(folder, 'pglite', 'base', '1'))).toBe('660');
  });

  test('does not change the permissions of a symbolic link’s target', async () => {
    const folder = await makeOpenFolder();
    const elsewhere = join(parent, 'elsewhere');
    await writeFile(elsewhere, '');
    await chmod(elsewhere, 0o644);
    await symlink(elsewhere, join(folder, 'link'));
    await secureFolder(folder, 'owner', silentLog);
    expect(await modeOf(elsewhere)).toBe('644');
    expect(await readdir(folder)).toContain('link');
  });

  // Linux rejects every change of a mode in /proc, even by root.
  test.runIf(process.platform === 'linux')(
    'fails with the command for the owner if the process cannot change the permissions',
    async () => {
      const folder = '/proc/self/attr';
      await expect(secureFolder(folder, 'owner', silentLog)).rejects.toThrow(
        `Run as its owner or as root: chmod -R go= '${folder}'. If the volume belongs to a group`,
      );
      await expect(secureFolder(folder, 'group', silentLog)).rejects.toThrow(`chmod -R o= '${folder}'`);
    },
  );

  test('rejects a data folder that programs share, such as /tmp', async () => {
    const folder = await makeOpenFolder();
    await chmod(folder, 0o1777);
    await expect(secureFolder(folder, 'owner', silentLog)).rejects.toThrow(
      'Set DATA_DIR to a folder of its own.',
    );
    expect(await modeOf(folder)).toBe('1777');
  });
});
