import { parseJson } from '@connector-auth/api';
import { parseInt8 } from '../storage/values.ts';
import type { Target } from './target.ts';

/**
 * A row as PostgreSQL writes it in one text: `(1,"a ""b""",,t)`.
 *
 * A page has up to 10,000 records of 50 fields. To take half a million values out of the protocol one by one costs twice as much as the
 * search itself; to take 10,000 texts apart costs a third of that.
 *
 * @returns the text of each value; null for null.
 */
export function cellsOf(row: string): (string | null)[] {
  const cells: (string | null)[] = [];
  // Between the parentheses.
  let at = 1;
  for (;;) {
    let end: number;
    if (row.charCodeAt(at) === quote) {
      end = closingQuote(row, at + 1) + 1;
      const text = row.slice(at + 1, end - 1);
      cells.push(text.includes('"') || text.includes('\\') ? text.replaceAll(doubled, '$1') : text);
    } else {
      end = row.indexOf(',', at);
      if (end === -1) end = row.length - 1;
      cells.push(end === at ? null : row.slice(at, end));
    }
    if (end === row.length - 1) return cells;
    at = end + 1;
  }
}

const quote = '"'.charCodeAt(0);
/** Within quotes a quote and a backslash are written twice. */
const doubled = /(["\\])\1/g;

function closingQuote(row: string, from: number): number {
  let at = row.indexOf('"', from);
  while (row.charCodeAt(at + 1) === quote) at = row.indexOf('"', at + 2);
  return at;
}

/** How the text of a value of a type is read. */
export const cellReaders: Readonly<Record<Target['type'], (text: string) => unknown>> = {
  string: text => text,
  decimal: text => text,
  integer: parseInt8,
  number: Number,
  boolean: text => text === 't',
  array: parseJson,
  object: parseJson,
  json: parseJson,
};
