import { stringifyJson } from '@connector-auth/api';
import { isStorable } from '../records/column-value.ts';
import { unstorable, type Target } from './target.ts';

export type OperandOperator =
  'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte' | 'in' | 'like' | 'fuzzy' | 'keyword' | 'contains';

/** What a field is compared with, as SQL parameters. */
export type Operand =
  /** `json` is the JSON text of a value that is compared as JSON; `number` and `string` compare by size. */
  | { readonly kind: 'value'; readonly type: OperandType; readonly value: Scalar }
  | { readonly kind: 'list'; readonly type: OperandType; readonly values: readonly Scalar[] }
  /** LIKE patterns, one of which must match. */
  | { readonly kind: 'patterns'; readonly patterns: readonly string[] };

export type OperandType = 'string' | 'integer' | 'number' | 'boolean' | 'decimal' | 'json';
export type Scalar = string | number | bigint | boolean;

interface OperandFault {
  readonly fault: string;
  /** Which element of a list. */
  readonly at?: number;
}

const longestPattern = 1000;
const longestList = 10_000;

/** Reads what a filter gives a field to be compared with, or says what is wrong with it. */
export function readOperand(
  op: OperandOperator,
  type: Target['type'],
  wire: unknown,
): Operand | OperandFault {
  switch (op) {
    case 'eq':
    case 'neq':
      return asOperand(readValue(type, wire));
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return readBound(type, wire);
    case 'in':
      return readList(type, wire);
    case 'contains':
      if (type !== 'array' && type !== 'json')
        return { fault: `contains looks into arrays; this field is ${type}` };
      return asOperand(readValue('json', wire));
    case 'like':
    case 'fuzzy':
    case 'keyword':
      return readPatterns(op, type, wire);
  }
}

interface Value {
  readonly type: OperandType;
  readonly value: Scalar;
}

function asOperand(read: Value | OperandFault): Operand | OperandFault {
  return 'fault' in read ? read : { kind: 'value', ...read };
}

function readValue(type: Target['type'], wire: unknown): Value | OperandFault {
  if (wire === null || wire === undefined) {
    return { fault: 'null is no value to compare with; neq and not find records that have none' };
  }
  switch (type) {
    case 'string':
      if (typeof wire !== 'string') return { fault: 'Give a string' };
      return isStorable(wire) ? { type, value: wire } : { fault: unstorable };
    case 'boolean':
      return typeof wire === 'boolean' ? { type, value: wire } : { fault: 'Give true or false' };
    case 'integer':
      return isInteger64(wire) ? { type, value: wire } : { fault: 'Give an integer of at most 64 bits' };
    case 'number':
      return isNumber(wire)
        ? { type, value: Number(wire) }
        : { fault: `Give a number of at most ${mostDigits} digits` };
    case 'decimal':
      if (isNumber(wire)) return { type, value: String(wire) };
      return typeof wire === 'string' && numeric.test(wire)
        ? { type, value: wire }
        : { fault: `Give a number of at most ${mostDigits} digits, or a string that holds one` };
    case 'array':
      return Array.isArray(wire) ? readJson(wire) : { fault: 'Give an array' };
    case 'object':
      return typeof wire === 'object' && !Array.isArray(wire) ? readJson(wire) : { fault: 'Give an object' };
    case 'json':
      return readJson(wire);
  }
}

function readBound(type: Target['type'], wire: unknown): Operand | OperandFault {
  if (type === 'boolean' || type === 'array' || type === 'object') {
    return { fault: `There is no greater and less for a field that is ${type}` };
  }
  if (type !== 'json') return asOperand(readValue(type, wire));
  // Only values of the same type are greater or less.
  if (isNumber(wire)) return { kind: 'value', type: 'decimal', value: String(wire) };
  if (typeof wire === 'string') return asOperand(readValue('string', wire));
  return { fault: `Give a number of at most ${mostDigits} digits, or a string` };
}

function readList(type: Target['type'], wire: unknown): Operand | OperandFault {
  if (!Array.isArray(wire) || wire.length === 0) return { fault: 'Give a list of values, at least one' };
  if (wire.length > longestList) return { fault: `A list has at most ${longestList} values` };
  const values: Scalar[] = [];
  let operandType: OperandType = 'json';
  for (const [at, element] of (wire as readonly unknown[]).entries()) {
    const read = readValue(type, element);
    if ('fault' in read) return { ...read, at };
    values.push(read.value);
    operandType = read.type;
  }
  return { kind: 'list', type: operandType, values };
}

function readPatterns(
  op: 'like' | 'fuzzy' | 'keyword',
  type: Target['type'],
  wire: unknown,
): Operand | OperandFault {
  if (type !== 'string' && type !== 'decimal' && type !== 'json') {
    return { fault: `${op} looks into text; this field is ${type}` };
  }
  if (typeof wire !== 'string') return { fault: 'Give a string' };
  if (!isStorable(wire)) return { fault: unstorable };
  if (wire.length > longestPattern) return { fault: `Give at most ${longestPattern} characters` };
  if (op === 'like') return { kind: 'patterns', patterns: [likePattern(wire)] };
  const words = wire.split(/\s+/u).filter(word => word !== '');
  if (words.length === 0) return { fault: 'Give at least one word' };
  const literals = words.map(literalPattern);
  return {
    kind: 'patterns',
    patterns: op === 'fuzzy' ? [`%${literals.join('%')}%`] : literals.map(literal => `%${literal}%`),
  };
}

/** `\` takes a following `%`, `_` or `\` literally; anywhere else it is itself. */
function likePattern(text: string): string {
  return text.replaceAll(/\\([%_\\])|\\/g, (whole, escaped?: string) =>
    escaped === undefined ? '\\\\' : whole,
  );
}

function literalPattern(word: string): string {
  return word.replaceAll(/[%_\\]/g, '\\$&');
}

function readJson(wire: unknown): Value | OperandFault {
  const fault = faultOfJson(wire);
  return fault === null ? { type: 'json', value: stringifyJson(wire) } : { fault };
}

/** What keeps a value from being `jsonb`; null for nothing. */
function faultOfJson(value: unknown): string | null {
  if (typeof value === 'string') return isStorable(value) ? null : unstorable;
  if (typeof value === 'number' || typeof value === 'bigint') return isNumber(value) ? null : tooLong;
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, member] of Object.entries(value)) {
    const fault = isStorable(name) ? faultOfJson(member) : unstorable;
    if (fault !== null) return fault;
  }
  return null;
}

/** Numbers may have as many digits as some data has, and far fewer than PostgreSQL's `numeric` takes. */
const mostDigits = 100;
const tooLong = `A number has at most ${mostDigits} digits`;
const beyond = 10n ** BigInt(mostDigits);
const numeric = new RegExp(`^[+-]?\\d{1,${mostDigits}}(?:\\.\\d{1,${mostDigits}})?$`);

function isNumber(value: unknown): value is number | bigint {
  if (typeof value === 'bigint') return -beyond < value && value < beyond;
  return typeof value === 'number' && Number.isFinite(value);
}

function isInteger64(value: unknown): value is number | bigint {
  if (typeof value === 'number') return Number.isSafeInteger(value);
  return typeof value === 'bigint' && BigInt.asIntN(64, value) === value;
}
