import { stringifyJson } from '@connector-auth/api';
import type { ComparisonOperator } from '@connector-auth/connectors/kind';
import { isStorable } from '../../shared/records/column-value.ts';
import { isDay } from './day.ts';
import { unstorable, type Target } from './target.ts';

/** The value to compare a field with, as SQL parameters. */
export type Operand =
  /** A `json` operand is serialized JSON and is tested only for equality. Other types can also be ordered. */
  | { readonly kind: 'value'; readonly type: OperandType; readonly value: Scalar }
  | {
      readonly kind: 'list';
      readonly type: OperandType;
      readonly values: readonly Scalar[];
      /** Days as `YYYY-MM-DD`. A time on any of them matches too. */
      readonly days: readonly string[];
    }
  /** A day as `YYYY-MM-DD`, with which the day of a time is compared. */
  | { readonly kind: 'day'; readonly day: string }
  | { readonly kind: 'null' }
  /** LIKE patterns. The field must match at least one. */
  | { readonly kind: 'patterns'; readonly patterns: readonly string[] };

export type OperandType = 'string' | 'integer' | 'number' | 'boolean' | 'decimal' | 'json';
export type Scalar = string | number | bigint | boolean;

interface OperandIssue {
  readonly message: string;
  /** The index of the invalid list element. */
  readonly index?: number;
}

const maxPatternLength = 1000;
const maxListLength = 10_000;

/** Validates the operand of a comparison, or returns an error message. */
export function readOperand(op: ComparisonOperator, target: Target, wire: unknown): Operand | OperandIssue {
  const { type } = target;
  switch (op) {
    case 'eq':
    case 'neq':
      if (wire === null) return { kind: 'null' };
      return isDayOf(target, wire) ? { kind: 'day', day: wire } : asOperand(readEqual(target, wire));
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return isDayOf(target, wire) ? { kind: 'day', day: wire } : readBound(target, wire);
    case 'in':
      return readList(target, wire);
    case 'contains':
      if (type !== 'array' && type !== 'json')
        return { message: `contains searches arrays, but this field is of type ${type}` };
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

function asOperand(read: Value | OperandIssue): Operand | OperandIssue {
  return 'message' in read ? read : { kind: 'value', ...read };
}

/** Returns whether a time is compared with a whole day. */
function isDayOf({ column, steps }: Target, wire: unknown): wire is string {
  return column?.isTime === true && steps.length === 0 && isDay(wire);
}

/** Reads a value to test for equality. Ids in text fields can also be integers. */
function readEqual(target: Target, wire: unknown): Value | OperandIssue {
  const isTextId = target.type === 'string' && target.column?.isId === true;
  return isTextId && isInteger64(wire) ? { type: 'string', value: String(wire) } : readOrdered(target, wire);
}

/** Reads a value to compare by order. Ids in integer fields can also be strings of digits. */
function readOrdered({ type, column }: Target, wire: unknown): Value | OperandIssue {
  const isId = type === 'integer' && column?.isId === true;
  if (!isId || typeof wire !== 'string') return readValue(type, wire);
  const read = digits.test(wire) ? readValue(type, BigInt(wire)) : null;
  return read ?? { message: 'Must be a 64-bit integer, or a string of its digits' };
}

const digits = /^-?\d{1,19}$/;

function readValue(type: Target['type'], wire: unknown): Value | OperandIssue {
  if (wire === null || wire === undefined) {
    return { message: 'Cannot be null. To find records without a value, use {"eq": {field: null}}' };
  }
  switch (type) {
    case 'string':
      if (typeof wire !== 'string') return { message: 'Must be a string' };
      return isStorable(wire) ? { type, value: wire } : { message: unstorable };
    case 'boolean':
      return typeof wire === 'boolean' ? { type, value: wire } : { message: 'Must be true or false' };
    case 'integer':
      return isInteger64(wire) ? { type, value: wire } : { message: 'Must be a 64-bit integer' };
    case 'number':
      return isNumber(wire)
        ? { type, value: Number(wire) }
        : { message: `Must be a number with at most ${maxDigits} digits` };
    case 'decimal':
      if (isNumber(wire)) return { type, value: String(wire) };
      return typeof wire === 'string' && numeric.test(wire)
        ? { type, value: wire }
        : { message: `Must be a number with at most ${maxDigits} digits, or a numeric string` };
    case 'array':
      return Array.isArray(wire) ? readJson(wire) : { message: 'Must be an array' };
    case 'object':
      return typeof wire === 'object' && !Array.isArray(wire)
        ? readJson(wire)
        : { message: 'Must be an object' };
    case 'json':
      return readJson(wire);
  }
}

function readBound(target: Target, wire: unknown): Operand | OperandIssue {
  const { type } = target;
  if (type === 'boolean' || type === 'array' || type === 'object') {
    return { message: `Fields of type ${type} do not support gt, gte, lt or lte` };
  }
  if (type !== 'json') return asOperand(readOrdered(target, wire));
  // Numbers are compared only with numbers, and strings only with strings.
  if (isNumber(wire)) return { kind: 'value', type: 'decimal', value: String(wire) };
  if (typeof wire === 'string') return asOperand(readValue('string', wire));
  return { message: `Must be a number with at most ${maxDigits} digits, or a string` };
}

function readList(target: Target, wire: unknown): Operand | OperandIssue {
  if (!Array.isArray(wire) || wire.length === 0)
    return { message: 'Must be an array with at least one value' };
  if (wire.length > maxListLength) return { message: `Must contain at most ${maxListLength} values` };
  const values: Scalar[] = [];
  const days: string[] = [];
  let operandType: OperandType = 'json';
  for (const [index, element] of (wire as readonly unknown[]).entries()) {
    const read = readEqual(target, element);
    if ('message' in read) return { ...read, index };
    if (isDayOf(target, element)) days.push(element);
    else values.push(read.value);
    operandType = read.type;
  }
  return { kind: 'list', type: operandType, values, days };
}

function readPatterns(
  op: 'like' | 'fuzzy' | 'keyword',
  type: Target['type'],
  wire: unknown,
): Operand | OperandIssue {
  if (type !== 'string' && type !== 'decimal' && type !== 'json') {
    return { message: `${op} searches text, but this field is of type ${type}` };
  }
  if (typeof wire !== 'string') return { message: 'Must be a string' };
  if (!isStorable(wire)) return { message: unstorable };
  if (wire.length > maxPatternLength)
    return { message: `Must be at most ${maxPatternLength} characters long` };
  if (op === 'like') return { kind: 'patterns', patterns: [likePattern(wire)] };
  const words = wire.split(/\s+/u).filter(word => word !== '');
  if (words.length === 0) return { message: 'Must contain at least one word' };
  const literals = words.map(literalPattern);
  return {
    kind: 'patterns',
    patterns: op === 'fuzzy' ? [`%${literals.join('%')}%`] : literals.map(literal => `%${literal}%`),
  };
}

/**
 * Converts a caller's pattern to a LIKE pattern. A `\` escapes a following `%`, `_` or `\` and is literal
 * otherwise.
 */
function likePattern(text: string): string {
  return text.replaceAll(/\\([%_\\])|\\/g, (whole, escaped?: string) =>
    escaped === undefined ? '\\\\' : whole,
  );
}

function literalPattern(word: string): string {
  return word.replaceAll(/[%_\\]/g, '\\$&');
}

function readJson(wire: unknown): Value | OperandIssue {
  const message = findJsonIssue(wire);
  return message === null ? { type: 'json', value: stringifyJson(wire) } : { message };
}

/** Returns an error message if a value cannot be stored as `jsonb`, otherwise null. */
function findJsonIssue(value: unknown): string | null {
  if (typeof value === 'string') return isStorable(value) ? null : unstorable;
  if (typeof value === 'number' || typeof value === 'bigint') return isNumber(value) ? null : tooLong;
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, member] of Object.entries(value)) {
    const message = isStorable(name) ? findJsonIssue(member) : unstorable;
    if (message !== null) return message;
  }
  return null;
}

/** Far above any realistic number, and far below the limit of PostgreSQL's `numeric`. */
const maxDigits = 100;
const tooLong = `Numbers must have at most ${maxDigits} digits`;
const beyond = 10n ** BigInt(maxDigits);
const numeric = new RegExp(`^[+-]?\\d{1,${maxDigits}}(?:\\.\\d{1,${maxDigits}})?$`);

function isNumber(value: unknown): value is number | bigint {
  if (typeof value === 'bigint') return -beyond < value && value < beyond;
  return typeof value === 'number' && Number.isFinite(value);
}

function isInteger64(value: unknown): value is number | bigint {
  if (typeof value === 'number') return Number.isSafeInteger(value);
  return typeof value === 'bigint' && BigInt.asIntN(64, value) === value;
}
