import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './steps.ts';

const folder = join(root, '.github/workflows');
const workflows = readdirSync(folder).map(name => ({ name, text: readFileSync(join(folder, name), 'utf8') }));

it('workflows use actions by the digest of a commit, which cannot be moved', () => {
  const uses = workflows.flatMap(({ text }) => [...text.matchAll(/uses: (.*)/g)].map(([, action]) => action));
  expect(uses.length).toBeGreaterThan(0);
  for (const action of uses) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

it('a job that may publish runs no code of the project or of its dependencies', () => {
  const jobs = workflows.flatMap(({ text }) => text.split(/^ {2}(?=[\w-]+:\n)/m));
  const publishing = jobs.filter(job => job.includes('id-token: write'));
  // The packages and the image.
  expect(publishing).toHaveLength(2);
  for (const job of publishing) {
    expect(job).not.toMatch(/checkout|pnpm|npx|npm (ci|install|test|run)|node |podman (build|run)/);
    for (const [command] of job.matchAll(/npm publish.*/g)) expect(command).toContain('--ignore-scripts');
  }
});

it('git ignores .env files, which contain secrets', () => {
  const ignored = execFileSync('git', ['check-ignore', '.env', 'service/.env', 'demo/.env.local'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(ignored.trim().split('\n')).toHaveLength(3);
});
