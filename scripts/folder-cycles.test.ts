import { expect, it } from 'vitest';
import { findFolderCycles } from './folder-cycles.ts';

const imports = (...lines: string[]) =>
  lines.map(line => {
    const [from = '', to = ''] = line.split(' → ');
    return { from, to };
  });

it('finds folders that import each other even if no files form a cycle', () => {
  const found = imports('p/a/x.ts → p/b/y.ts', 'p/b/z.ts → p/a/w.ts', 'p/b/y.ts → p/c/v.ts');
  expect(findFolderCycles(found)).toEqual([
    {
      folder: 'p',
      members: ['a', 'b'],
      imports: imports('p/a/x.ts → p/b/y.ts', 'p/b/z.ts → p/a/w.ts'),
    },
  ]);
});

it('finds cycles through several folders, and between a folder and a sibling file', () => {
  const found = imports(
    'a/x.ts → b/x.ts',
    'b/y.ts → c/x.ts',
    'c/y.ts → a/y.ts',
    'p/clock.ts → p/d/x.ts',
    'p/d/y.ts → p/clock.ts',
  );
  expect(findFolderCycles(found).map(({ folder, members }) => [folder, members])).toEqual([
    ['', ['a', 'b', 'c']],
    ['p', ['clock.ts', 'd']],
  ]);
});

it('accepts imports in one direction and imports within one folder', () => {
  const found = imports('p/a/x.ts → p/b/y.ts', 'p/a/z.ts → p/b/y.ts', 'p/a/x.ts → p/a/z.ts');
  expect(findFolderCycles(found)).toEqual([]);
});
