import { parseDay } from '../advertising/calendar.ts';
import { queryError } from './failure.ts';
import type { Field, FieldType, Value } from './fields.ts';
import type { Condition, Literal, Operator } from './gaql-parser.ts';

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

/** The operators allowed for each field type. */
const OPERATORS: Record<FieldType, readonly Operator[]> = {
  int64: ORDERED,
  int32: ORDERED,
  double: ORDERED,
  date: [...ORDERED, 'DURING'],
  bool: ['=', '!=', 'IS NULL', 'IS NOT NULL'],
  enum: EQUALITY,
  string: TEXTUAL,
  strings: COLLECTION,
  enums: COLLECTION,
};

/**
 * Compiles a condition. An absent value matches only IS NULL and CONTAINS NONE. String comparison is
 * case-sensitive; LIKE ignores case. Throws a `queryError` if the field does not support the operator or
 * value.
 */
export function compileCondition(field: Field, { operator, values }: Condition): Test {
  if (!OPERATORS[field.type].includes(operator)) {
    throw queryError('OPERATOR_FIELD_MISMATCH', `Operator ${operator} does not go with field ${field.name}.`);
  }
  const [first, second] = values;
  switch (operator) {
    case 'IS NULL':
      return isAbsent;
    case 'IS NOT NULL':
      return value => !isAbsent(value);
    case 'CONTAINS ANY':
    case 'CONTAINS ALL':
    case 'CONTAINS NONE':
      return containment(
        operator,
        values.map(literal => readValue(field, literal)),
      );
    case 'LIKE':
      return matching(likePattern(readText(field, first)), true);
    case 'NOT LIKE':
      return matching(likePattern(readText(field, first)), false);
    case 'REGEXP_MATCH':
      return matching(regexpPattern(readText(field, first)), true);
    case 'NOT REGEXP_MATCH':
      return matching(regexpPattern(readText(field, first)), false);
    case 'IN':
    case 'NOT IN': {
      const wanted = new Set<Value>(values.map(literal => readValue(field, literal)));
      return present(value => wanted.has(value) === (operator === 'IN'));
    }
    case 'BETWEEN': {
      const [low, high] = [readValue(field, first), readValue(field, second)];
      return present(value => compareValues(value, low) >= 0 && compareValues(value, high) <= 0);
    }
    case 'DURING':
      // Named ranges are valid only for `segments.date`, whose conditions `readDateRange` reads.
      throw queryError('OPERATOR_FIELD_MISMATCH', `Operator DURING does not go with field ${field.name}.`);
    case '=':
    case '!=':
    case '>':
    case '>=':
    case '<':
    case '<=':
      return comparison(operator, readValue(field, first));
  }
}

/** Compares two values of a field. Absent values sort first. */
export function compareValues(a: Value, b: Value): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [left, right] = [String(a), String(b)];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function isAbsent(value: Value): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

function present(test: Test): Test {
  return value => value !== undefined && test(value);
}

function comparison(operator: '=' | '!=' | '>' | '>=' | '<' | '<=', wanted: Value): Test {
  const tests: Record<typeof operator, (order: number) => boolean> = {
    '=': order => order === 0,
    '!=': order => order !== 0,
    '>': order => order > 0,
    '>=': order => order >= 0,
    '<': order => order < 0,
    '<=': order => order <= 0,
  };
  const fits = tests[operator];
  return present(value => fits(compareValues(value, wanted)));
}

function containment(
  operator: 'CONTAINS ANY' | 'CONTAINS ALL' | 'CONTAINS NONE',
  wanted: readonly Value[],
): Test {
  return value => {
    const held: readonly Value[] = Array.isArray(value) ? value : [];
    if (operator === 'CONTAINS ALL') return wanted.every(one => held.includes(one));
    return wanted.some(one => held.includes(one)) === (operator === 'CONTAINS ANY');
  };
}

function matching(pattern: RegExp, expected: boolean): Test {
  return present(value => typeof value === 'string' && pattern.test(value) === expected);
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

function readValue(field: Field, literal: Literal | undefined): Exclude<Value, undefined> {
  if (!literal) throw badValue(field, literal);
  switch (field.type) {
    case 'int64':
    case 'int32':
    case 'double':
      return readNumber(field, literal);
    case 'bool':
      if (!/^(true|false)$/i.test(literal.text)) throw badValue(field, literal);
      return literal.text.toLowerCase() === 'true';
    case 'enum':
    case 'enums':
      if (!field.constants?.includes(literal.text)) {
        throw queryError(
          'BAD_ENUM_CONSTANT',
          `Invalid enum constant '${literal.text}' for field ${field.name}.`,
        );
      }
      return literal.text;
    case 'date':
      if (literal.kind !== 'text' || parseDay(literal.text.slice(0, 10)) === undefined) {
        throw queryError('INVALID_DATE_FORMAT', `Invalid date '${literal.text}' for field ${field.name}.`);
      }
      return literal.text;
    case 'string':
    case 'strings':
      return readText(field, literal);
  }
}

function readNumber(field: Field, { kind, text }: Literal): number {
  const isWhole = /^-?\d+$/.test(text);
  const isNumber = isWhole || (field.type === 'double' && /^-?\d+\.\d+$/.test(text));
  if (kind === 'word' || !isNumber)
    throw queryError('BAD_NUMBER', `Invalid number '${text}' for field ${field.name}.`);
  return Number(text);
}

function badValue(field: Field, literal: Literal | undefined): Error {
  return queryError('BAD_VALUE', `Invalid value '${literal?.text ?? ''}' for field ${field.name}.`);
}
