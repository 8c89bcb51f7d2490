import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './steps.ts';

/** The folders of the published packages. */
export const publicPackages = ['api', 'connectors', 'server-helper', 'service', 'widget'] as const;

/**
 * Packs packages as published, from their built `dist` folders.
 * @returns the path to each packed file, by package name
 */
export function packPackages(folders: readonly string[], destination: string): Map<string, string> {
  execFileSync(
    'npx',
    [
      '-y',
      'pnpm@12',
      '-r',
      '--filter',
      `./{${folders.join(',')}}`,
      'pack',
      '--pack-destination',
      destination,
    ],
    { cwd: root, stdio: 'pipe' },
  );
  const files = readdirSync(destination);
  return new Map(
    folders.map(folder => {
      const { name, version } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
        name: string;
        version: string;
      };
      const file = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
      if (!files.includes(file)) throw new Error(`${file} was not packed`);
      return [name, join(destination, file)];
    }),
  );
}
