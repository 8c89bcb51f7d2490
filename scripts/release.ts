/**
 * Publishes all public packages with provenance. Runs in the workflow `release`, which a tag starts; `release
 * --dry-run` checks everything and publishes nothing, on any machine.
 */
import { execFileSync } from 'node:child_process';
import { packTarballs, publicPackages, readManifest } from './pack.ts';
import { findReleaseProblems } from './release-problems.ts';
import { root } from './steps.ts';

const isDryRun = process.argv.includes('--dry-run');
const manifests = publicPackages.map(readManifest);
const problems = findReleaseProblems({
  versions: new Map(manifests.map(({ name, version }) => [name, version])),
  tag: isDryRun ? null : (process.env['GITHUB_REF_NAME'] ?? ''),
  changedFiles: git('status', '--porcelain'),
  canSign: isDryRun || process.env['ACTIONS_ID_TOKEN_REQUEST_URL'] !== undefined,
});
for (const problem of problems) console.error(`- ${problem}`);
if (problems.length > 0) {
  process.exitCode = 1;
} else {
  const packed = await packTarballs();
  // In the order of their dependencies, so that no package is in the registry before what it depends on.
  for (const { name } of manifests) {
    const flags = ['--access', 'public', ...(isDryRun ? ['--dry-run'] : ['--provenance'])];
    execFileSync('npm', ['publish', packed.get(name)?.path ?? '', ...flags], { cwd: root, stdio: 'inherit' });
  }
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}
