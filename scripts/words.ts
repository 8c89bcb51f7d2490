/** Checks comments, strings and Markdown for spelling errors, banned words and unidiomatic phrases. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { findPhrases } from './phrases.ts';
import { root, runStep } from './steps.ts';

const { ignorePaths } = JSON.parse(readFileSync(join(root, 'cspell.json'), 'utf8')) as {
  ignorePaths: readonly string[];
};
const spelling = await runStep({
  name: 'spelling',
  command: ['cspell', 'lint', '--no-progress', '--no-summary', '.'],
});

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(path => /\.(ts|tsx|mjs|js|md|sql|css|html|ya?ml)$/.test(path))
  .filter(path => path !== 'scripts/phrases.test.ts' && existsSync(join(root, path)))
  .filter(path => !ignorePaths.some(pattern => matchesGlob(path, pattern)));
const found = files.flatMap(path =>
  findPhrases(readFileSync(join(root, path), 'utf8')).map(phrase => ({ path, ...phrase })),
);
process.stdout.write('\n── phrases ──\n');
for (const { path, line, phrase, instead } of found)
  process.stdout.write(`${path}:${line} - “${phrase}”: write ${instead}\n`);
process.exitCode = spelling.ok && found.length === 0 ? 0 : 1;
