import { expect, it } from 'vitest';
import { findReleaseProblems } from './release-problems.ts';

const ready = { versions: new Map([['a', '1.2.0']]), tag: 'v1.2.0', changedFiles: '' };

it('a release with one version, its tag and no changes can be published', () => {
  expect(findReleaseProblems(ready)).toEqual([]);
  expect(findReleaseProblems({ ...ready, tag: null })).toEqual([]);
});

it.each([
  [
    {
      versions: new Map([
        ['a', '1.2.0'],
        ['b', '1.1.0'],
      ]),
    },
    'All packages need the same version',
  ],
  [{ tag: 'v1.3.0' }, 'The tag must be v1.2.0'],
  [{ tag: '' }, 'The tag must be v1.2.0'],
  [{ changedFiles: ' M api/package.json' }, 'Commit or remove these changes'],
])('reports what prevents a release: %o', (change, problem) => {
  expect(findReleaseProblems({ ...ready, ...change })).toEqual([expect.stringContaining(problem)]);
});
