/**
 * Checks all files against the lint rules and, except in projects that are installed elsewhere, their types. One program
 * does both, because reading the types of a project takes longer than either check.
 */
import { runStep } from './steps.ts';

/** Projects whose dependencies are not installed here; `test:full` builds most of them. */
const installedElsewhere = ['examples', 'e2e/packages/samples'];

const lint = ['oxlint', '--deny-warnings'] as const;
const results = [
  await runStep({
    name: 'lint and types',
    command: [
      ...lint,
      '--type-check',
      ...installedElsewhere.flatMap(folder => ['--ignore-pattern', `${folder}/**`]),
    ],
    // Collects garbage less often, for which the memory of a usual machine suffices.
    env: { GOGC: '400', GOMEMLIMIT: '3GiB' },
  }),
  await runStep({ name: 'lint of projects installed elsewhere', command: [...lint, ...installedElsewhere] }),
];
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;
