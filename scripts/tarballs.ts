/**
 * Builds and packs the public packages into `tarballs/`, and prints how to install them in another project until
 * they are in a registry: `pnpm tarballs` for the packages of an app, `pnpm tarballs widget` for the ones named, and
 * `pnpm tarballs next` for those of an example.
 */
import { packagesNamed } from './examples.ts';
import { installLines } from './install-lines.ts';
import { packTarballs, publicPackages, tarballs } from './pack.ts';

/** The packages of an app with the widget: its page, its backend, and its access to the data. */
const packagesOfAnApp = ['widget', 'server-helper', 'connectors'];

const asked = packagesNamed(process.argv.slice(2));
const unknown = asked.filter(name => !(publicPackages as readonly string[]).includes(name));
try {
  if (unknown.length > 0)
    throw new Error(
      `There is no public package ${unknown.join(', ')}. Name some of: ${publicPackages.join(', ')}, or an example.`,
    );
  console.log('Building the packages that changed…');
  print(asked.length > 0 ? asked : packagesOfAnApp, await packTarballs());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function print(folders: readonly string[], packed: Awaited<ReturnType<typeof packTarballs>>): void {
  const names = folders.map(folder => `@connector-auth/${folder}`);
  const { npm, pnpm, yarn } = installLines(names, packed);
  if (folders.includes('create-source')) {
    const packages = ['api', 'connectors', 'create-source'].map(
      folder => packed.get(`@connector-auth/${folder}`)?.path,
    );
    const line = [
      'npm exec --yes',
      ...packages.map(path => `--package=${path}`),
      '-- create-source my-source',
    ];
    console.log(`\nTo make a package with a source of your own:\n\n${line.join(' ')} --tarballs ${tarballs}`);
  }
  const others = publicPackages.filter(folder => !folders.includes(folder));
  console.log(`
Packed ${packed.size} packages into tarballs/. In the folder of your project, run one of these lines to install
${names.join(', ')}:

npm:             ${npm}

pnpm 10 to 12:   ${pnpm}

Yarn 1 to 4:     ${yarn}
${others.length > 0 ? `\nFor other packages, name them: npx -y pnpm@12 tarballs ${others.join(' ')}` : ''}`);
  if (pnpm.includes(' overrides '))
    console.log(
      'pnpm: the line replaces any `overrides` of pnpm-workspace.yaml. If you have some, add the new ones by hand.',
    );
}
