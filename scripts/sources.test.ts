import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './steps.ts';

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(path => path !== '' && existsSync(join(root, path)));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

it('only the connectors and the sandbox mention vendors by name', () => {
  const vendors = /\b(granola|gong|tiktok|google.?ads)\b/i;
  const wrong = files
    .filter(path => /^(api|service|server-helper|widget)\/src\/.*(?<!\.test|\.test-d)\.ts$/.test(path))
    .filter(path => !/^api\/src\/contract\/((admin\/)?examples|events)\.ts$/.test(path))
    // Comments, examples in schema documentation, and the list of kinds for the compiler may mention a vendor.
    .filter(path =>
      vendors.test(
        read(path).replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$|\.meta\(\{[\s\S]*?\}\)|^const kindNames = .*$/gm, ''),
      ),
    );
  expect(wrong).toEqual([]);
});

it("no file contains a path from a developer's machine", () => {
  const places = [root, homedir(), '/root', '/work', '/home/[a-z]+', '/Users/[A-Za-z]+'];
  const local = new RegExp(`(?<![\\w.:/-])(?:${places.join('|')})/`);
  const wrong = files
    .filter(path => /\.(ts|mjs|js|md|json|ya?ml|css|html|sql)$/.test(path))
    .filter(path => path !== 'scripts/sources.test.ts' && local.test(read(path)));
  expect(wrong).toEqual([]);
});

it('every file that the guides for maintainers name exists', () => {
  const wrong = ['ARCHITECTURE.md', 'CONTRIBUTING.md'].flatMap(guide =>
    [...read(guide).matchAll(/`([\w./-]+\.(?:ts|json|md|css|sql|toml))`/g)]
      .map(([, name]) => name!)
      .filter(name => !files.some(path => path === name || path.endsWith(`/${name}`)))
      .map(name => `${guide}: ${name}`),
  );
  expect(wrong).toEqual([]);
});

it('no page links to a file outside the repository', () => {
  const wrong = files
    .filter(path => path.endsWith('.md'))
    .filter(path =>
      [...read(path).matchAll(/(?:\.\.\/)+[\w./-]*/g)].some(([target]) =>
        relative(root, join(root, dirname(path), target)).startsWith('..'),
      ),
    );
  expect(wrong).toEqual([]);
});

it('every relative link in a page leads to a file, and to a heading in it', () => {
  // Guides of the service contain the placeholder of its URL.
  const linkPattern = /\]\((?![a-z]+:|\/|\{\{)([^)\s#]*)(?:#([^)\s]+))?/g;
  const broken = files
    .filter(path => path.endsWith('.md'))
    .flatMap(path =>
      [
        ...read(path)
          .replaceAll(/```[\s\S]*?```/g, '')
          .matchAll(linkPattern),
      ]
        .filter(([, target = '', anchor]) => {
          const file = target === '' ? path : join(dirname(path), target);
          if (!existsSync(join(root, file))) return true;
          return anchor !== undefined && file.endsWith('.md') && !anchorsOf(read(file)).has(anchor);
        })
        .map(([link]) => `${path}: ${link}`),
    );
  expect(broken).toEqual([]);
});

it('every page of docs that the code names exists', () => {
  const broken = files
    .filter(path => /\.(ts|ya?ml)$/.test(path))
    .flatMap(path =>
      [...read(path).matchAll(/(?:(?<![\w/])|(?<=\.\.\/))docs\/[\w/-]+\.md\b/g)]
        .filter(([target]) => !existsSync(join(root, target)))
        .map(([target]) => `${path}: ${target}`),
    );
  expect(broken).toEqual([]);
});

/** Returns the anchors that GitHub gives to the headings of a page. */
function anchorsOf(text: string): Set<string> {
  const headings = text.replaceAll(/```[\s\S]*?```/g, '').matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/\]\([^)]*\)/g, '')
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}
