/** Checks each package as published: its `package.json`, and the resolution of its types. */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import ensureBuilt from './ensure-built.ts';
import { packPackages, publicPackages } from './pack.ts';
import { root } from './steps.ts';

/**
 * Resolution modes that the packages do not support, because they are ES modules for Node versions and
 * bundlers that read `exports`.
 */
const unsupportedResolutions = ['node10', 'node16-cjs'];

await ensureBuilt();
const destination = join(root, '.cache/packed');
rmSync(destination, { recursive: true, force: true });
mkdirSync(destination, { recursive: true });

let count = 0;
for (const [name, path] of packPackages(publicPackages, destination)) {
  const data = new Uint8Array(readFileSync(path));
  for (const problem of [...(await findManifestProblems(data)), ...(await findTypeProblems(data))]) {
    process.stdout.write(`error in ${name}: ${problem}\n`);
    count += 1;
  }
}
process.stdout.write(`${publicPackages.length} packages, ${count} errors\n`);
process.exitCode = count > 0 ? 1 : 0;

async function findManifestProblems(data: Uint8Array<ArrayBuffer>): Promise<string[]> {
  const { messages, pkg } = await publint({ pack: { tarball: data.buffer }, strict: true });
  // The widget runs in browsers, and its package installs on any Node version.
  const isForBrowsers = pkg['customElements'] !== undefined;
  return messages
    .filter(({ code }) => !(isForBrowsers && code === 'USE_ENGINES_NODE'))
    .map(message => formatMessage(message, pkg) ?? message.code);
}

async function findTypeProblems(data: Uint8Array): Promise<string[]> {
  const result = await checkPackage(createPackageFromTarballData(data), {
    excludeEntrypoints: [/\.json$/, /\.css$/],
  });
  if (!result.types) return ['it has no types'];
  return result.problems
    .filter(
      problem => !('resolutionKind' in problem && unsupportedResolutions.includes(problem.resolutionKind)),
    )
    .map(problem => JSON.stringify(problem));
}
