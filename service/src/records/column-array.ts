import { stringifyJson } from '@connector-auth/api';
import type { ColumnValue } from './column-value.ts';
import type { FieldColumn } from './record-table.ts';

/**
 * The values of a column as the text of a PostgreSQL array of the column's type. PostgreSQL reads a page given by columns in two thirds
 * of the time of one given as JSON, whose names stand at every value.
 */
export function columnArray({ type }: FieldColumn, values: readonly ColumnValue[]): string {
  const write = type === 'array' || type === 'object' ? quotedJson : type === 'string' ? quotedText : asItIs;
  let text = '{';
  // A loop on purpose: millions of values are written.
  for (const [index, value] of values.entries()) {
    if (index > 0) text += ',';
    text += value === null ? 'NULL' : write(value);
  }
  return `${text}}`;
}

/** Numbers, and what stands for one. */
function asItIs(value: ColumnValue): string {
  return `${value as number | boolean}`;
}

function quotedText(value: ColumnValue): string {
  // A column of text has nothing else.
  return quoted(value as string);
}

function quotedJson(value: ColumnValue): string {
  return quoted(stringifyJson(value));
}

const special = /["\\]/g;

function quoted(text: string): string {
  return `"${text.replace(special, '\\$&')}"`;
}
