/**
 * Builds all public packages; `build stale` builds only those whose sources changed since their last build, and
 * `build served` only what the service serves to browsers.
 */
import { existsSync, mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builds, lastChange } from './build-sources.ts';
import { copyWidget } from './copy-widget.ts';
import ensureServed from './ensure-served.ts';
import { root, runStep } from './steps.ts';

const stamps = join(root, '.cache/builds');
const isOnlyStale = process.argv.includes('stale');

if (process.argv.includes('served')) await ensureServed();
else await buildPackages();

async function buildPackages(): Promise<void> {
  mkdirSync(stamps, { recursive: true });
  const results = await Promise.all(
    builds.filter(build => !isOnlyStale || isStale(build)).map(({ script }) => run(script)),
  );
  const ok = results.every(ok => ok);
  if (ok && results.length > 0) copyWidget();
  process.exitCode = ok ? 0 : 1;
}

/** Runs a build, and records when it started if it succeeds. */
async function run(script: string): Promise<boolean> {
  const stamp = join(stamps, script);
  const startedAt = new Date();
  rmSync(stamp, { force: true });
  const { ok } = await runStep({
    name: script,
    command: ['node', '--conditions=source', 'scripts/run.mjs', script],
    isQuiet: true,
  });
  if (!ok) return false;
  writeFileSync(stamp, '');
  utimesSync(stamp, startedAt, startedAt);
  return true;
}

function isStale({ script, sources, outputs }: (typeof builds)[number]): boolean {
  const stamp = join(stamps, script);
  if (![stamp, ...outputs.map(path => join(root, path))].every(path => existsSync(path))) return true;
  return lastChange(sources) > statSync(stamp).mtimeMs;
}
