import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseVendorJson } from '@connector-auth/api';
import { findKind } from '@connector-auth/connectors';

// The relative path is the same from `src` and `dist`.
const template = fileURLToPath(new URL('../template', import.meta.url));
const templateId = '00000000-0000-4000-8000-000000000000';

/**
 * Creates a package with an example of a source, named after its folder.
 * @param options.tarballs a folder with packed packages, which are used until ours are in the registry.
 * @throws Error if the folder is not empty, or its name cannot be that of a source.
 */
export async function createSource(
  folder: string,
  { tarballs }: { readonly tarballs: string | null },
): Promise<{ readonly name: string; readonly key: string }> {
  const key = basename(resolve(folder));
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(key)) {
    throw new Error(
      `Name the folder in lower-case letters and digits, with "-" between words, not ${JSON.stringify(key)}`,
    );
  }
  if (findKind(key) !== null) throw new Error(`There is a built-in source ${key}. Choose another name`);
  const existing = await readdir(folder).catch(() => []);
  if (existing.length > 0) throw new Error(`${folder} is not empty`);
  const name = key
    .split('-')
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
  const id = randomUUID();
  const rename = (text: string): string =>
    text
      .replaceAll('acme-crm', key)
      .replaceAll('Acme CRM', name)
      .replaceAll('ACME_CRM', key.replaceAll('-', '_').toUpperCase())
      .replaceAll(templateId, id);
  for (const path of await readdir(template, { recursive: true, withFileTypes: true })) {
    if (!path.isFile()) continue;
    const source = join(path.parentPath, path.name);
    // npm leaves out files that are named `.gitignore`, and the template's other settings are not those of this repository.
    const target = join(
      folder,
      rename(source.slice(template.length + 1))
        .replace('_gitignore', '.gitignore')
        .replace('_tsconfig', 'tsconfig')
        .replace('_package', 'package'),
    );
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, rename(await readFile(source, 'utf8')));
  }
  if (tarballs !== null) await useTarballs(join(folder, 'package.json'), resolve(tarballs));
  return { name, key };
}

/** Lets a package take ours from packed files, also where they depend on each other. */
async function useTarballs(file: string, folder: string): Promise<void> {
  // This package wrote the file.
  const manifest = parseVendorJson(await readFile(file, 'utf8')) as {
    readonly devDependencies: Record<string, string>;
    overrides?: Record<string, string>;
  };
  const packed = (await readdir(folder)).flatMap(each => {
    const [, name] = /^connector-auth-(.+)-\d+\.\d+\.\d+.*\.tgz$/.exec(each) ?? [];
    return name === undefined ? [] : [[`@connector-auth/${name}`, `file:${join(folder, each)}`] as const];
  });
  for (const name of ['api', 'connectors', 'create-source', 'service'].map(
    each => `@connector-auth/${each}`,
  )) {
    const path = packed.find(([each]) => each === name)?.[1];
    if (path === undefined)
      throw new Error(`${folder} has no packed ${name}. Run \`npx -y pnpm@12 tarballs\` again`);
    manifest.devDependencies[name] = path;
    manifest.overrides = { ...manifest.overrides, [name]: `$${name}` };
  }
  await writeFile(file, `${JSON.stringify(manifest, null, 2)}\n`);
}
