import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './steps.ts';

/** What each package may use of the others. Tests and examples may also use what stands in `tests`. */
const allowed: Record<string, { uses: readonly string[]; tests?: readonly string[] }> = {
  api: { uses: [] },
  connectors: { uses: ['api'], tests: ['sandbox'] },
  service: { uses: ['api', 'connectors'], tests: ['sandbox'] },
  'server-helper': { uses: ['api'], tests: ['sandbox', 'service'] },
  widget: { uses: ['api'] },
  sandbox: { uses: [] },
  demo: { uses: ['api', 'server-helper', 'widget'] },
  e2e: { uses: ['api', 'connectors', 'server-helper', 'widget', 'demo'] },
};

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(path => path !== '' && existsSync(join(root, path)));
const sources = files.filter(path => /\.(ts|mjs)$/.test(path));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe.each(Object.entries(allowed))('%s', (folder, { uses, tests = [] }) => {
  const own = sources.filter(path => path.startsWith(`${folder}/`));

  it('uses other packages in the one direction only', () => {
    const wrong = own.flatMap(path => {
      const isTest = /\.test\.ts$|\/(test|examples|bench)\//.test(path);
      const may = [folder, ...uses, ...(isTest ? tests : [])];
      return importedPackages(read(path))
        .filter(name => !may.includes(name))
        .map(name => `${path} imports ${name}`);
    });
    expect(wrong).toEqual([]);
  });

  it('reaches other packages through their public faces only', () => {
    const wrong = own.filter(path =>
      relativeImports(read(path)).some(target =>
        relative(folder, join(dirname(path), target)).startsWith('..'),
      ),
    );
    // The browser helpers of `scripts` are for every test set-up.
    expect(wrong.filter(path => !path.startsWith('e2e/'))).toEqual([]);
  });
});

it('the widget takes nothing but types from the contract', () => {
  const wrong = sources
    .filter(path => path.startsWith('widget/src/') && !path.endsWith('.test.ts'))
    .filter(path => /^import (?!type )[^;]*'@connector-auth\/api/m.test(read(path)));
  expect(wrong).toEqual([]);
});

it('only connectors and sandbox know a vendor by name', () => {
  const vendors = /\b(granola|gong|tiktok|google.?ads)\b/i;
  const wrong = sources
    .filter(path => /^(api|service|server-helper|widget)\/src\//.test(path) && !path.endsWith('.test.ts'))
    // Comments and documentation examples may name one.
    .filter(path => vendors.test(withoutCommentsAndMeta(read(path))));
  expect(wrong).toEqual([]);
});

it('no file tells of the machine it was written on', () => {
  const wrong = files
    .filter(path => /\.(ts|mjs|md|json|yaml|css|html|sql)$/.test(path) && path !== 'scripts/layout.test.ts')
    .filter(path => /\/work\/|\.\.\/shared\/|\/root\//.test(read(path)));
  expect(wrong).toEqual([]);
});

function importedPackages(source: string): string[] {
  return [...source.matchAll(/(?:from|import)\s*\(?'@connector-auth\/([a-z-]+)/g)].map(
    match => match[1] ?? '',
  );
}

function relativeImports(source: string): string[] {
  return [...source.matchAll(/(?:from|import)\s*\(?'(\.[^']*)'/g)].map(match => match[1] ?? '');
}

function withoutCommentsAndMeta(source: string): string {
  return source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$|\.meta\(\{[\s\S]*?\}\)/gm, '');
}
