import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { onEachEngine } from '../../test/engines.ts';
import { cellsOf } from './row-text.ts';

const awkward = [
  '',
  ' ',
  ',',
  '"',
  '""',
  '\\',
  '\\\\',
  '(',
  ')',
  '()',
  'a,b',
  'say "no"',
  '"\\"',
  '\\"',
  '\n',
  "'",
  'null',
  'É,"𝒳"',
  'plain',
];

onEachEngine('a row in one text', database => {
  test.each(awkward)('gives back %j, wherever it stands', async text => {
    const { rows } = await sql<{ row: string }>`
      select row(${text}::text, null, 9223372036854775807, ${text}::text, true, ${text}::text)::text as row`.execute(
      database().kysely,
    );
    expect(cellsOf(rows[0]?.row ?? '')).toEqual([text, null, '9223372036854775807', text, 't', text]);
  });

  test.each([
    [[null], '()'],
    [[null, null], '(,)'],
    [['', null], '("",)'],
  ])('tells nothing from nothing written: %j', (cells, row) => {
    expect(cellsOf(row)).toEqual(cells);
  });
});
