import type { SearchType } from '../kind/kind.ts';
import { asInteger, asObject } from '../kind/record.ts';
import { camelCase } from './field-names.ts';
import type { Table } from './table.ts';
import type { Row } from './wire.ts';

/** A flat record with the names of the searchable fields, including any dots, as keys. */
export type SearchRecord = Readonly<Record<string, unknown>>;

/**
 * Creates a mapper from a table's rows to search records. Missing fields become null, except arrays: Google
 * omits empty arrays, so missing arrays become empty.
 */
export function searchRecordOf(table: Table): (row: Row) => SearchRecord {
  const readers = Object.entries(table.fields).map(([path, type]) => [path, reader(path, type)] as const);
  return row => {
    // This is a loop for speed, because millions of rows are mapped.
    const record: Record<string, unknown> = {};
    for (const [path, read] of readers) record[path] = read(row);
    return record;
  };
}

function reader(path: string, type: SearchType): (row: Row) => unknown {
  const steps = camelCase(path).split('.');
  if (path === 'campaign.start_date' || path === 'campaign.end_date') {
    const timed = camelCase(`${path}_time`).split('.');
    // Since v23, Google sends days as `2026-01-12 00:00:00`.
    return row => dayOf(at(row, timed)) ?? dayOf(at(row, steps));
  }
  if (type === 'integer') return row => asInteger(at(row, steps));
  if (type === 'array') return row => at(row, steps) ?? [];
  return row => at(row, steps) ?? null;
}

function at(row: Row, steps: readonly string[]): unknown {
  let value: unknown = row;
  for (const step of steps) value = asObject(value)[step];
  return value;
}

function dayOf(value: unknown): string | null {
  return typeof value === 'string' ? value.slice(0, 10) : null;
}
