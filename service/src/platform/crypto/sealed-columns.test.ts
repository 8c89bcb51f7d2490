import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sealedPlaces } from './sealed-columns.ts';

it('docs/security.md lists the sealed columns', () => {
  const text = readFileSync(new URL('../../../../docs/security.md', import.meta.url), 'utf8');
  const [, section = ''] = /## What is sealed\n([^]*?)\n## /.exec(text) ?? [];
  const rows = section.split('\n').map(line => line.split('|').map(cell => cell.trim()));
  const listed = rows
    .filter(([, , , stored]) => stored?.startsWith('sealed'))
    .flatMap(([, , columns = '']) => columns.split(', '));
  expect(listed.sort()).toEqual(sealedPlaces.map(({ table, column }) => `\`${table}.${column}\``).sort());
});
