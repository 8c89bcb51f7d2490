import { stringifyJson } from '@connector-auth/api';
import type { ColumnValue } from './column-value.ts';
import type { FieldColumn } from './record-table.ts';

/**
 * Serializes the values of a column as a PostgreSQL array literal. PostgreSQL reads a page of column arrays
 * in two thirds of the time that it needs for JSON, which repeats the field names for each record.
 */
export function columnArray({ type }: FieldColumn, values: readonly ColumnValue[]): string {
  const write =
    type === 'array' || type === 'object' ? quotedJson : type === 'string' ? quotedText : unquoted;
  let text = '{';
  // A plain loop is used for speed, because millions of values are written.
  for (const [index, value] of values.entries()) {
    if (index > 0) text += ',';
    text += value === null ? 'NULL' : write(value);
  }
  return `${text}}`;
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
