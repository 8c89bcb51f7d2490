import { stringifyJson } from '@connector-auth/api';
import type { ColumnValue } from './column-value.ts';
import type { FieldColumn } from './record-table.ts';

/**
 * Writes the values of a column as the text of a PostgreSQL array. PostgreSQL reads a page of column arrays
 * in two thirds of the time of one in JSON, which repeats the names for every value.
 */
export function columnArray({ type }: FieldColumn, values: readonly ColumnValue[]): string {
  const write =
    type === 'array' || type === 'object' ? quotedJson : type === 'string' ? quotedText : unquoted;
  let text = '{';
  // A loop for speed: millions of values are written.
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
