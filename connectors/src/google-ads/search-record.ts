import type { SearchType } from '../kind/kind.ts';
import { asInteger, asObject } from '../kind/record.ts';
import { camelCase } from './field-names.ts';
import type { Table } from './table.ts';
import type { Row } from './wire.ts';

/** A flat record: its keys are the searchable fields' names, dots included. */
export type SearchRecord = Readonly<Record<string, unknown>>;

/**
 * Makes the mapping of a table's rows to search records. Every field is present: null where the row has none, but an
 * absent array is an empty one (the wire format has no other way to write it).
 */
export function searchRecordOf(table: Table): (row: Row) => SearchRecord {
  const readers = Object.entries(table.fields).map(([path, type]) => [path, reader(path, type)] as const);
  return row => {
    // A loop on purpose: millions of rows are mapped.
    const record: Record<string, unknown> = {};
    for (const [path, read] of readers) record[path] = read(row);
    return record;
  };
}

function reader(path: string, type: SearchType): (row: Row) => unknown {
  const steps = camelCase(path).split('.');
  if (path === 'campaign.start_date' || path === 'campaign.end_date') {
    const timed = camelCase(`${path}_time`).split('.');
    // From v23 on `2026-01-12 00:00:00`.
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
