/**
 * Writes the contract's types to `dist/contract.d.ts`, and imports them from there in all other declarations, so
 * that the published widget does not depend on a package for servers.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { contractNames, contractTypes, expandTypes, importFrom } from './contract-types.ts';

const widget = join(import.meta.dirname, '..');
const dist = join(widget, 'dist');
const work = join(widget, '../.cache/widget-contract');
const declarations = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  .filter(path => path.endsWith('.d.ts'))
  .map(path => ({ path: join(dist, path), text: readFileSync(join(dist, path), 'utf8') }));

mkdirSync(work, { recursive: true });
const names = contractNames(declarations.map(({ text }) => text));
writeFileSync(join(work, 'contract.ts'), expandTypes(names, '../../api/src/index.ts'));
writeFileSync(
  join(work, 'tsconfig.json'),
  JSON.stringify({
    extends: '../../tsconfig.base.json',
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: '../..',
      outDir: 'declarations',
    },
    files: ['contract.ts'],
  }),
);
execFileSync('tsc', ['-p', work], { stdio: 'inherit' });
const emitted = readFileSync(join(work, 'declarations/.cache/widget-contract/contract.d.ts'), 'utf8');
writeFileSync(join(dist, 'contract.d.ts'), contractTypes(emitted));
for (const { path, text } of declarations) {
  const target = join(relative(dirname(path), dist), 'contract.ts').replaceAll('\\', '/');
  writeFileSync(path, importFrom(text, target.startsWith('.') ? target : `./${target}`));
}
