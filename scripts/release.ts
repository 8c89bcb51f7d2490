/**
 * Checks that the public packages can be released, packs them into `tarballs/` and lets npm check the files. The
 * workflow `release`, which a tag starts, runs it and publishes the files in a job of its own.
 */
import { execFileSync } from 'node:child_process';
import { packTarballs, publicPackages, readManifest } from './pack.ts';
import { findReleaseProblems } from './release-problems.ts';
import { root } from './steps.ts';

const problems = findReleaseProblems({
  versions: new Map(publicPackages.map(readManifest).map(({ name, version }) => [name, version])),
  tag: process.env['GITHUB_REF_TYPE'] === 'tag' ? (process.env['GITHUB_REF_NAME'] ?? '') : null,
  changedFiles: git('status', '--porcelain'),
});
for (const problem of problems) console.error(`- ${problem}`);
if (problems.length > 0) {
  process.exitCode = 1;
} else {
  for (const { path } of (await packTarballs()).values())
    execFileSync('npm', ['publish', path, '--access', 'public', '--dry-run'], {
      cwd: root,
      stdio: 'inherit',
    });
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}
