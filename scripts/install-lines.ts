/** A packed package: the path to its file, and the packed packages that it depends on. */
export interface PackedPackage {
  readonly path: string;
  readonly dependencies: readonly string[];
}

/** A line for a POSIX shell for each package manager. */
export interface InstallLines {
  readonly npm: string;
  readonly pnpm: string;
  readonly yarn: string;
}

/**
 * Returns the lines that install packages from their packed files. pnpm and Yarn look dependencies up in the
 * registry, which does not have them, so their lines first add overrides to `pnpm-workspace.yaml` or
 * `resolutions` to `package.json`. npm needs none: it finds them among the packages that it installs.
 * @param others packages to install from the registry, such as `name@1`
 */
export function installLines(
  names: readonly string[],
  packed: ReadonlyMap<string, PackedPackage>,
  others: readonly string[] = [],
): InstallLines {
  const inner = innerDependencies(names, packed);
  const fileOf = (name: string): string => `file:${find(packed, name).path}`;
  const overrides = inner.map(name => [name, fileOf(name)] as const);
  return {
    npm: line(
      'npm',
      'install',
      ...[...new Set([...names, ...inner])].map(name => find(packed, name).path),
      ...others,
    ),
    pnpm: [
      ...(overrides.length > 0
        ? [
            line('pnpm', 'config', 'set', '--location', 'project', '--json', 'overrides') +
              ` ${quote(JSON.stringify(Object.fromEntries(overrides)))}`,
          ]
        : []),
      line('pnpm', 'add', ...names.map(name => find(packed, name).path), ...others),
    ].join(' && '),
    yarn: [
      ...(overrides.length > 0
        ? [line('npm', 'pkg', 'set', ...overrides.map(([name, file]) => `resolutions[${name}]=${file}`))]
        : []),
      line('yarn', 'add', ...names.map(name => `${name}@${fileOf(name)}`), ...others),
    ].join(' && '),
  };
}

/** Returns the packed packages that these packages depend on, directly or not. */
function innerDependencies(
  names: readonly string[],
  packed: ReadonlyMap<string, PackedPackage>,
): readonly string[] {
  const found = new Set<string>();
  const visit = (name: string): void => {
    for (const dependency of find(packed, name).dependencies) {
      if (found.has(dependency)) continue;
      found.add(dependency);
      visit(dependency);
    }
  };
  names.forEach(visit);
  return [...found].sort();
}

function find(packed: ReadonlyMap<string, PackedPackage>, name: string): PackedPackage {
  const found = packed.get(name);
  if (!found)
    throw new Error(`There is no package ${name}. The packages are: ${[...packed.keys()].join(', ')}`);
  return found;
}

function line(...words: readonly string[]): string {
  return words.map(quote).join(' ');
}

/** Quotes a word for a POSIX shell, if it contains anything that a shell could interpret. */
function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
