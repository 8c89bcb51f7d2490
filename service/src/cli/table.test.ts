import { expect, test } from 'vitest';
import { formatTable } from './table.ts';

const rows = [
  ['Acme', 'A company that makes everything from anvils to rockets'],
  ['Größe', '\u{1F469}\u200D\u{1F680}'],
];

test('aligns columns', () => {
  expect(formatTable(['NAME', 'TEXT'], rows, null)).toBe(
    [
      'NAME   TEXT',
      'Acme   A company that makes everything from anvils to rockets',
      'Größe  \u{1F469}\u200D\u{1F680}',
    ].join('\n'),
  );
});

test('truncates the widest column to the width of the terminal', () => {
  const lines = formatTable(['NAME', 'TEXT'], rows, 30).split('\n');
  expect(lines[1]).toBe('Acme   A company that makes e…');
  expect(Math.max(...lines.map(line => line.length))).toBe(30);
});

test('truncates only the columns that are not needed whole', () => {
  const table = formatTable(['NAME', 'ID'], [['n'.repeat(50), 'i'.repeat(20)]], 32, ['ID']);
  expect(table.split('\n')[1]).toBe(`nnnnnnnnn…  ${'i'.repeat(20)}`);
});

test('replaces characters that would change what a terminal shows', () => {
  const table = formatTable(['NAME'], [['\u001B[2J gone\r\n\u202Eevil']], null);
  expect(table).toBe('NAME\n�[2J gone���evil');
});
