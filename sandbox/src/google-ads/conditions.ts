import { parseDay } from '../advertising/calendar.ts';
import { queryError } from './failure.ts';
import type { Field, FieldType, Value } from './fields.ts';
import type { Condition, Literal, Operator } from './gaql.ts';

/** Returns whether a value matches a condition. */
export type Test = (value: Value) => boolean;

const EQUALITY: readonly Operator[] = ['=', '!=', 'IN', 'NOT IN', 'IS NULL', 'IS NOT NULL'];
const ORDERED: readonly Operator[] = [...EQUALITY, '>', '>=', '<', '<=', 'BETWEEN'];
const TEXTUAL: readonly Operator[] = [...EQUALITY, 'LIKE', 'NOT LIKE', 'REGEXP_MATCH', 'NOT REGEXP_MATCH'];
const COLLECTION: readonly Operator[] = [
  'CONTAINS ANY',
  'CONTAINS ALL',
  'CONTAINS NONE',
  'IS NULL',
  'IS NOT NULL',
];

/** The operators allowed for each field type. `readDateRange` reads the conditions on `segments.date`. */
const OPERATORS: Record<FieldType, readonly Operator[]> = {
  int64: ORDERED,
  int32: ORDERED,
  double: ORDERED,
  date: ORDERED,
  bool: ['=', '!=', 'IS NULL', 'IS NOT NULL'],
  enum: EQUALITY,
  string: TEXTUAL,
  strings: COLLECTION,
  enums: COLLECTION,
};

/** Compares a field with the values in a condition. */
type Comparison = (value: Value, wanted: readonly Value[]) => boolean;

/** The operators that only match a field with a value. */
const COMPARISONS: Partial<Record<Operator, Comparison>> = {
  '=': (value, [wanted]) => compareValues(value, wanted) === 0,
  '!=': (value, [wanted]) => compareValues(value, wanted) !== 0,
  '>': (value, [wanted]) => compareValues(value, wanted) > 0,
  '>=': (value, [wanted]) => compareValues(value, wanted) >= 0,
  '<': (value, [wanted]) => compareValues(value, wanted) < 0,
  '<=': (value, [wanted]) => compareValues(value, wanted) <= 0,
  IN: (value, wanted) => wanted.includes(value),
  'NOT IN': (value, wanted) => !wanted.includes(value),
  BETWEEN: (value, [low, high]) => compareValues(value, low) >= 0 && compareValues(value, high) <= 0,
};

/**
 * Compiles a condition. An absent value matches only IS NULL and CONTAINS NONE. String comparison is
 * case-sensitive; LIKE ignores case. Throws a `queryError` if the field does not support the operator or
 * value.
 */
export function compileCondition(field: Field, { operator, values }: Condition): Test {
  if (!OPERATORS[field.type].includes(operator)) throw mismatch(operator, field.name);
  if (operator === 'LIKE' || operator === 'NOT LIKE') {
    return matching(likePattern(readText(field, values[0])), operator === 'LIKE');
  }
  if (operator === 'REGEXP_MATCH' || operator === 'NOT REGEXP_MATCH') {
    return matching(regexpPattern(readText(field, values[0])), operator === 'REGEXP_MATCH');
  }
  const wanted = values.map(literal => readValue(field, literal));
  const comparison = COMPARISONS[operator];
  if (comparison) return value => value !== undefined && comparison(value, wanted);
  return value => {
    const items: readonly Value[] = Array.isArray(value) ? value : [value].filter(one => one !== undefined);
    switch (operator) {
      case 'IS NULL':
        return items.length === 0;
      case 'IS NOT NULL':
        return items.length > 0;
      case 'CONTAINS ALL':
        return wanted.every(one => items.includes(one));
      default:
        return wanted.some(one => items.includes(one)) === (operator === 'CONTAINS ANY');
    }
  };
}

/** Creates the error for an operator that a field does not support. */
export function mismatch(operator: Operator, field: string): Error {
  return queryError('OPERATOR_FIELD_MISMATCH', `Operator ${operator} does not go with field ${field}.`);
}

/** Compares two values of a field. Absent values sort first. */
export function compareValues(a: Value, b: Value): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [left, right] = [String(a), String(b)];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function matching(pattern: RegExp, expected: boolean): Test {
  return value => typeof value === 'string' && pattern.test(value) === expected;
}

/** Converts a LIKE pattern. `%` and `_` are wildcards; a character in brackets is literal. */
function likePattern(like: string): RegExp {
  const source = like.replaceAll(/\[(.)\]|%|_|[^%_[]+|\[/gs, (part, escaped: string | undefined) => {
    if (escaped !== undefined) return escapePattern(escaped);
    if (part === '%') return '.*';
    if (part === '_') return '.';
    if (part === '[') throw queryError('INVALID_VALUE_WITH_LIKE_OPERATOR', `Unclosed [ in '${like}'.`);
    return escapePattern(part);
  });
  return new RegExp(`^${source}$`, 'isu');
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** Converts an RE2 pattern, which must match the whole value. Case-sensitive unless it starts with `(?i)`. */
function regexpPattern(source: string): RegExp {
  const [, isFolded, rest = source] = /^(\(\?i\))?(.*)$/s.exec(source) ?? [];
  try {
    return new RegExp(`^(?:${rest})$`, isFolded === undefined ? 's' : 'is');
  } catch {
    throw queryError('BAD_VALUE', `Invalid regular expression '${source}'.`);
  }
}

function readText(field: Field, literal: Literal | undefined): string {
  if (literal?.kind !== 'text') throw badValue(field, literal);
  return literal.text;
}

function readValue(field: Field, literal: Literal): Exclude<Value, undefined> {
  const { kind, text } = literal;
  switch (field.type) {
    case 'int64':
    case 'int32':
    case 'double':
      if (kind === 'word' || !/^-?\d+(\.\d+)?$/.test(text) || (field.type !== 'double' && text.includes('.')))
        throw queryError('BAD_NUMBER', `Invalid number '${text}' for field ${field.name}.`);
      return Number(text);
    case 'bool':
      if (!/^(true|false)$/i.test(text)) throw badValue(field, literal);
      return text.toLowerCase() === 'true';
    case 'enum':
    case 'enums':
      if (!field.constants?.includes(text))
        throw queryError('BAD_ENUM_CONSTANT', `Invalid enum constant '${text}' for field ${field.name}.`);
      return text;
    case 'date':
      if (kind !== 'text' || parseDay(text.slice(0, 10)) === undefined)
        throw queryError('INVALID_DATE_FORMAT', `Invalid date '${text}' for field ${field.name}.`);
      return text;
    case 'string':
    case 'strings':
      return readText(field, literal);
  }
}

function badValue(field: Field, literal: Literal | undefined): Error {
  return queryError('BAD_VALUE', `Invalid value '${literal?.text ?? ''}' for field ${field.name}.`);
}
