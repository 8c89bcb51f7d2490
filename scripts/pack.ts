import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import ensureBuilt from './ensure-built.ts';
import type { PackedPackage } from './install-lines.ts';
import { root } from './steps.ts';

/** The folders of the published packages. */
export const publicPackages = [
  'api',
  'connectors',
  'server-helper',
  'service',
  'widget',
  'sandbox',
  'create-source',
] as const;

/** The members of a `package.json` that the scripts use. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Reads the `package.json` of one of our packages. */
export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;
}

/** The folder into which `pnpm tarballs` packs the public packages. */
export const tarballs = join(root, 'tarballs');

/** Builds the public packages whose sources changed, and packs all of them into `tarballs/`. */
export async function packTarballs(): Promise<ReadonlyMap<string, PackedPackage>> {
  await ensureBuilt();
  rmSync(tarballs, { recursive: true, force: true });
  mkdirSync(tarballs);
  const paths = packPackages(publicPackages, tarballs);
  return new Map(
    publicPackages.map(readManifest).map(({ name, dependencies = {} }) => [
      name,
      // Packed just now.
      {
        path: paths.get(name) ?? '',
        dependencies: Object.keys(dependencies).filter(name => paths.has(name)),
      },
    ]),
  );
}

/**
 * Packs packages as published, from their built `dist` folders.
 * @returns the path to each packed file, by package name
 * @throws Error with the output of pnpm, if it fails
 */
export function packPackages(folders: readonly string[], destination: string): Map<string, string> {
  const filters = folders.flatMap(folder => ['--filter', `./${folder}`]);
  const args = ['-y', 'pnpm@12', '-r', ...filters, 'pack', '--pack-destination', destination];
  execFileSync('npx', args, { cwd: root, stdio: 'pipe' });
  const files = readdirSync(destination);
  return new Map(
    folders.map(folder => {
      const { name, version } = readManifest(folder);
      const file = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
      if (!files.includes(file)) throw new Error(`${file} was not packed`);
      return [name, join(destination, file)];
    }),
  );
}
