import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Kind } from './kind/kind.ts';
import { kinds as builtIn } from './kinds.ts';

export interface LoadedKinds {
  /** The built-in kinds, and those of the setting in which nothing is wrong. */
  readonly kinds: readonly Kind[];
  /** What is wrong with the kinds of the setting. Each one is a sentence that says what to change. */
  readonly problems: readonly string[];
}

/**
 * Loads the kinds that the setting `KINDS` names: packages and files, separated by commas. Their code runs in this process with
 * all its rights.
 * @param directory where packages are installed, and what paths are relative to. Default: the working directory.
 */
export async function loadKinds(
  setting: string | undefined,
  directory: string = process.cwd(),
): Promise<LoadedKinds> {
  const kinds = [...builtIn];
  const problems: string[] = [];
  const sources = new Set((setting ?? '').split(',').flatMap(source => source.trim() || []));
  if (sources.size === 0) return { kinds, problems };
  // Not needed for the built-in kinds. It loads the list of public suffixes.
  const { checkDeclaration, findDuplicates } = await import('./kind/check-declaration.ts');
  const copies = hookResolution(directory);
  for (const source of sources) {
    const report = (...problem: readonly string[]): unknown =>
      problems.push(['KINDS', source, ...problem].filter(part => part !== '').join(': '));
    try {
      const { default: exported } = (await import(prefix + source)) as { readonly default?: unknown };
      const declarations: readonly unknown[] = Array.isArray(exported) ? exported : [exported];
      if (exported === undefined) {
        report('Export the kind, or a list of kinds, as default');
        continue;
      }
      for (const declaration of declarations) add(declaration, report);
    } catch (error) {
      report(explain(error, directory));
    }
  }
  return { kinds, problems: [...problems, ...copies.values()] };

  function add(declaration: unknown, report: (name: string, path: string, message: string) => void): void {
    const invalid = checkDeclaration(declaration);
    // A declaration without issues is a kind.
    const kind = declaration as Kind;
    const issues = invalid.length > 0 ? invalid : kinds.flatMap(other => findDuplicates(kind, other));
    for (const { path, message } of issues) report(nameOf(declaration), path, message);
    if (issues.length === 0) kinds.push(kind);
  }
}

/** Marks an import of what the setting names. */
const prefix = 'connector-auth-kind:';

/** The packages of which one process must have one copy: their classes and declarations are compared. */
const shared = /^@connector-auth\/(?:api|connectors)(?=\/|$)/;

/**
 * Resolves what the setting names from a directory, and from this package what single files import of it and of Zod: they need no
 * package of their own.
 * @returns the second copies of our packages that were loaded, with a sentence about each.
 */
function hookResolution(directory: string): ReadonlyMap<string, string> {
  const copies = new Map<string, string>();
  /** The modules of single files: the files themselves, and what they import by a relative path. */
  const files = new Set<string>();
  const base = pathToFileURL(resolve(directory, 'package.json')).href;
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL = '' } = context;
      if (specifier.startsWith(prefix)) {
        const source = specifier.slice(prefix.length);
        if (!isPath(source)) return next(source, { ...context, parentURL: base });
        const file = next(pathToFileURL(resolve(directory, source)).href, context);
        files.add(file.url);
        return file;
      }
      const here = () => next(specifier, { ...context, parentURL: import.meta.url });
      const [name] = shared.exec(specifier) ?? [];
      if (files.has(parentURL)) {
        if (name !== undefined || /^zod(?:\/|$)/.test(specifier)) return here();
        const imported = next(specifier, context);
        if (isPath(specifier)) files.add(imported.url);
        return imported;
      }
      const found = next(specifier, context);
      // A copy finds its own packages.
      if (name !== undefined && !parentURL.includes('/@connector-auth/') && found.url !== here().url) {
        const [copy, own] = [found.url, here().url].map(url => fileURLToPath(url));
        copies.set(
          name,
          `KINDS: ${fileURLToPath(parentURL)} loads a second copy of ${name}, from ${copy}. This process has ${own}. Declare it as a peer dependency, and remove the second copy`,
        );
      }
      return found;
    },
  });
  return copies;
}

function isPath(source: string): boolean {
  return /^\.{0,2}\/|^[A-Za-z]:[\\/]|\.[cm]?[jt]s$/.test(source);
}

function nameOf(declaration: unknown): string {
  const isObject = typeof declaration === 'object' && declaration !== null;
  return isObject && 'key' in declaration && typeof declaration.key === 'string' ? declaration.key : '';
}

function explain(error: unknown, directory: string): string {
  if (!(error instanceof Error)) return `Cannot be loaded: ${String(error)}`;
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING')
    return 'Is TypeScript, which Node does not run in packages: publish JavaScript';
  const [message = ''] = error.message.replaceAll(prefix, '').split('\n');
  return code === 'ERR_MODULE_NOT_FOUND'
    ? `Cannot be loaded from ${directory}. Install it there, with everything that it imports: ${message}`
    : `Cannot be loaded: ${message}`;
}
