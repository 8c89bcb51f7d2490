import type { Field, Row } from './fields.ts';

const maxColumns = 8;

/**
 * Chooses the columns of a table: first the given ones, then those that tell records apart. Leaves out columns
 * without values, and others with the same value in every row.
 */
export function columnsOf(rows: readonly Row[], fields: readonly Field[], first: readonly string[]): Field[] {
  const wanted = first.flatMap(name => fields.find(field => field.name === name) ?? []);
  const others = fields
    .filter(({ name, type }) => !first.includes(name) && type !== 'object' && varies(rows, name))
    .toSorted((one, other) => rank(one.name) - rank(other.name));
  return [...wanted.filter(({ name }) => rows.some(row => isFilled(row[name]))), ...others].slice(
    0,
    maxColumns,
  );
}

function varies(rows: readonly Row[], name: string): boolean {
  const values = new Set(rows.map(row => JSON.stringify(row[name])));
  return values.size > 1 || (rows.length === 1 && isFilled(rows[0]?.[name]));
}

function isFilled(value: unknown): boolean {
  return (
    value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)
  );
}

/** Names before times, times before numbers and the rest, and technical names last. */
function rank(name: string): number {
  if (/name$|title$/i.test(name)) return 0;
  if (/status$|date$|time$|created|started/i.test(name)) return 1;
  if (/resource_name$|url$|urls$|uri$/i.test(name)) return 4;
  return /(^|[._])id$|Id$/.test(name) ? 3 : 2;
}
