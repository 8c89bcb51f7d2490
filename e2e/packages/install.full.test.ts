/** Runs the lines that `pnpm tarballs` prints, in empty projects in a folder with a space in its path. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { installLines, type InstallLines, type PackedPackage } from '../../scripts/install-lines.ts';
import { packPackages, publicPackages, readManifest } from '../../scripts/pack.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const work = mkdtempSync(join(tmpdir(), 'connector auth '));
const backend = ['@connector-auth/server-helper', '@connector-auth/connectors', '@connector-auth/sandbox'];
let packed: ReadonlyMap<string, PackedPackage>;

/** How to start each package manager, whose name is the first word of its commands. */
const managers = [
  { name: 'npm', line: 'npm', program: 'npm' },
  { name: 'pnpm', line: 'pnpm', program: 'npx -y pnpm@12' },
  { name: 'Yarn 1', line: 'yarn', program: 'npx -y yarn@1' },
  { name: 'Yarn 4', line: 'yarn', program: 'npx -y @yarnpkg/cli-dist@4' },
] as const;

beforeAll(() => {
  const tarballs = join(work, 'packed files');
  mkdirSync(tarballs);
  const paths = packPackages(publicPackages, tarballs);
  packed = new Map(
    publicPackages
      .map(readManifest)
      .map(({ name, dependencies = {} }) => [
        name,
        { path: paths.get(name)!, dependencies: Object.keys(dependencies).filter(name => paths.has(name)) },
      ]),
  );
});
afterAll(() => {
  rmSync(work, { recursive: true, force: true });
});

describe.each(managers)('$name', manager => {
  it('installs the widget alone, without any other of our packages', () => {
    const folder = install(manager, ['@connector-auth/widget']);
    expect(readdirSync(join(folder, 'node_modules/@connector-auth'))).toEqual(['widget']);
  });

  it('installs the packages of a backend, which a program can import', () => {
    const folder = install(manager, backend);
    const imports = backend.map(name => `import('${name}')`).join();
    const program = `Promise.all([${imports}]).then(all => console.log(all.length))`;
    const printed = execFileSync(process.execPath, ['-e', program], { cwd: folder, encoding: 'utf8' });
    expect(printed.trim()).toBe('3');
  });
});

/** Creates a project and runs the printed line in a shell; returns the project's folder. */
function install(manager: (typeof managers)[number], names: readonly string[]): string {
  const folder = mkdtempSync(join(work, 'project '));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: basename(folder).replace(' ', '-') }));
  // Yarn 4 looks for the project's root by this file.
  writeFileSync(join(folder, 'yarn.lock'), '');
  if (manager.name === 'Yarn 4') writeFileSync(join(folder, '.yarnrc.yml'), 'nodeLinker: node-modules\n');
  const line = installLines(names, packed)[manager.line as keyof InstallLines];
  const command = line.replaceAll(new RegExp(`(^|&& )${manager.line} `, 'g'), `$1${manager.program} `);
  execFileSync('sh', ['-c', command], { cwd: folder, stdio: 'pipe', env: { ...process.env, CI: '' } });
  return folder;
}
