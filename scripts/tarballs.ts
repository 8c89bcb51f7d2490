/**
 * Builds and packs the public packages into `tarballs/`, and prints how to install them in another project until
 * they are in a registry: `pnpm tarballs` for each role, `pnpm tarballs agent` for the one named, and in the same way
 * for packages and for those of an example.
 */
import { installLines } from './install-lines.ts';
import { packTarballs, publicPackages, tarballs } from './pack.ts';
import { roleNamed, roles, type Role } from './roles.ts';

const names = process.argv.slice(2);
const asked = names.length > 0 ? [roleNamed(names)] : Object.values(roles);
const isPublic = (folder: string): boolean => (publicPackages as readonly string[]).includes(folder);
const unknown = asked.flatMap(({ packages }) => packages.filter(folder => !isPublic(folder)));
try {
  if (unknown.length > 0)
    throw new Error(
      `There is no public package ${unknown.join(', ')}. Name some of: ${known()}, or an example.`,
    );
  console.log('Building the packages that changed…');
  const packed = await packTarballs();
  console.log(
    `\nPacked ${packed.size} packages into tarballs/. Run one of these lines in the folder of your project.`,
  );
  const printed = asked.map(role => print(role, packed));
  if (names.length === 0) console.log(`\nFor others, or an example, name them: ${known()}`);
  if (printed.some(line => line.includes(' overrides ')))
    console.log(
      '\npnpm: the line replaces any `overrides` of pnpm-workspace.yaml. If you have some, add the new ones by hand.',
    );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function known(): string {
  return [...new Set([...Object.keys(roles), ...publicPackages])].join(', ');
}

/** Prints the lines for a role. Returns that of pnpm. */
function print({ title, packages, others }: Role, packed: Awaited<ReturnType<typeof packTarballs>>): string {
  const ours = packages.map(folder => `@connector-auth/${folder}`);
  const { npm, pnpm, yarn } = installLines(ours, packed, others);
  console.log(`
For ${title} (${[...packages, ...others].join(', ')}):

  npm:             ${npm}

  pnpm 10 to 12:   ${pnpm}

  Yarn 1 to 4:     ${yarn}`);
  if (packages.includes('create-source')) {
    const paths = ['api', 'connectors', 'create-source'].map(
      folder => `--package=${packed.get(`@connector-auth/${folder}`)?.path}`,
    );
    const line = ['npm exec --yes', ...paths, '-- create-source my-source'].join(' ');
    console.log(`\n  To make a package with a source of your own: ${line} --tarballs ${tarballs}`);
  }
  return pnpm;
}
