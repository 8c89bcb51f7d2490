import { stringifyJson } from '@connector-auth/api';
import type { ColumnValue } from './column-value.ts';
import type { FieldColumn } from './record-table.ts';

/**
 * Serializes the values of a column as a PostgreSQL array literal. PostgreSQL reads a page of column arrays
 * in two thirds of the time that it needs for JSON, which repeats the field names for each record.
 */
export function columnArray<Row>(
  { type }: FieldColumn,
  rows: readonly Row[],
  valueOf: (row: Row) => ColumnValue,
): string {
  const write =
    type === 'array' || type === 'object' ? quotedJson : type === 'string' ? quotedText : unquoted;
  const texts = rows.map(row => {
    const value = valueOf(row);
    return value === null ? 'NULL' : write(value);
  });
  // Adding each value to one text would create an object for each, and collecting them takes longer than all this.
  return `{${texts.join(',')}}`;
}

function unquoted(value: ColumnValue): string {
  return `${value as number | boolean}`;
}

function quotedText(value: ColumnValue): string {
  // Text columns contain only strings.
  return quoted(value as string);
}

function quotedJson(value: ColumnValue): string {
  return quoted(stringifyJson(value));
}

const special = /["\\]/g;

function quoted(text: string): string {
  return `"${text.replace(special, '\\$&')}"`;
}
