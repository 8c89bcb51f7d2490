import { isDeepStrictEqual } from 'node:util';
import type { SearchType } from '@connector-auth/connectors/kind';
import type { SortForm } from './arbitrary.ts';

/**
 * A simple reference implementation of search that evaluates one operator at a time on records in memory. It
 * shares no code with the real implementation.
 */
export interface NaiveEntity {
  readonly fields: Readonly<Record<string, SearchType>>;
  readonly primaryKey: readonly string[];
  readonly times?: readonly string[];
}

/** The type of a value, where a time is a special kind of string. */
type NaiveType = SearchType | 'json' | 'time';

type Data = Readonly<Record<string, unknown>>;
type Node = Readonly<Record<string, unknown>>;

export function naiveSearch(
  entity: NaiveEntity,
  records: readonly Data[],
  query: { readonly filter?: unknown; readonly sort?: SortForm | readonly SortForm[] },
): Data[] {
  const read = (path: string) => (record: Data) => valueAt(entity, record, path);
  const typeOf = (path: string) => entity.fields[path] ?? 'json';
  const filterTypeOf = (path: string) => (entity.times?.includes(path) ? 'time' : typeOf(path));
  const found = records.filter(record =>
    query.filter === undefined
      ? true
      : holds(query.filter as Node, path => [read(path)(record), filterTypeOf(path)]),
  );
  const orders = [
    ...[query.sort ?? []].flat().map(nameAndDirection),
    ...entity.primaryKey.map(name => [name, 'asc'] as const),
  ];
  return found.toSorted((a, b) => {
    for (const [path, direction] of orders) {
      const order = compareNullsLast(
        read(path)(a),
        read(path)(b),
        typeOf(path),
        direction === 'desc' ? -1 : 1,
      );
      if (order !== 0) return order;
    }
    return 0;
  });
}

function nameAndDirection(sort: SortForm): readonly [string, string] {
  if (typeof sort === 'string') return sort.startsWith('-') ? [sort.slice(1), 'desc'] : [sort, 'asc'];
  if ('field' in sort) return [sort.field, sort.order ?? 'asc'];
  const [entry = ['', '']] = Object.entries(sort);
  return entry;
}

/** Returns the value of a declared field, or at a path into a declared object field. */
function valueAt(entity: NaiveEntity, record: Data, path: string): unknown {
  if (path in entity.fields) return record[path] ?? null;
  const field = Object.keys(entity.fields).find(name => path.startsWith(`${name}.`)) ?? '';
  return stepInto(record[field], path.slice(field.length + 1).split('.'));
}

function stepInto(start: unknown, steps: readonly string[]): unknown {
  let value = start;
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    value = (value as Data)[step];
  }
  return value ?? null;
}

type Look = (path: string) => [value: unknown, type: NaiveType];

function holds(node: Node, look: Look): boolean {
  return Object.entries(node).every(([operator, operand]) => {
    if (operator === 'not') return !holds(operand as Node, look);
    if (operator === 'and') return (operand as Node[]).every(child => holds(child, look));
    if (operator === 'or') return (operand as Node[]).some(child => holds(child, look));
    return Object.entries(operand as Node).every(([path, wanted]) => {
      const [value, type] = look(path);
      if (wanted === null) return (value === null) === (operator === 'eq');
      if (value === null) return operator === 'neq';
      return compares(operator, value, wanted, type);
    });
  });
}

function compares(operator: string, found: unknown, wanted: unknown, type: NaiveType): boolean {
  const value = type === 'time' && isDay(wanted) && operator !== 'in' ? dayInUtc(String(found)) : found;
  switch (operator) {
    case 'eq':
      return isEqual(value, wanted, type);
    case 'neq':
      return !isEqual(value, wanted, type);
    case 'in':
      return (wanted as unknown[]).some(one => isEqual(value, one, type));
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte': {
      if (type === 'json' && isNumber(value) !== isNumber(wanted)) return false;
      if (type === 'json' && !isNumber(value) && typeof value !== 'string') return false;
      const order = compare(value, type === 'integer' ? BigInt(wanted as string) : wanted, type);
      return { gt: order > 0, gte: order >= 0, lt: order < 0, lte: order <= 0 }[operator];
    }
    case 'like':
      return typeof value === 'string' && likeExpression(wanted as string).test(fold(value));
    case 'fuzzy': {
      if (typeof value !== 'string') return false;
      let from = 0;
      return words(wanted as string).every(word => {
        const at = fold(value).indexOf(fold(word), from);
        from = at + fold(word).length;
        return at >= 0;
      });
    }
    case 'keyword':
      return (
        typeof value === 'string' && words(wanted as string).some(word => fold(value).includes(fold(word)))
      );
    case 'contains':
      return Array.isArray(value) && value.some(element => isEqual(element, wanted, 'json'));
    case 'any':
      return (
        Array.isArray(value) &&
        value.some(element =>
          holds(wanted as Node, path => [
            path === '*' ? element : stepInto(element, path.split('.')),
            'json',
          ]),
        )
      );
    default:
      throw new Error(`No operator ${operator}`);
  }
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function isEqual(value: unknown, wanted: unknown, type: NaiveType): boolean {
  switch (type) {
    case 'decimal':
      return compareDecimals(value, wanted) === 0;
    case 'integer':
    case 'string':
      return type === 'integer'
        ? compare(value, BigInt(wanted as string), type) === 0
        : value === String(wanted);
    case 'time':
      return value === wanted || (isDay(wanted) && dayInUtc(String(value)) === wanted);
    default:
      return isDeepStrictEqual(value, wanted);
  }
}

function isDay(value: unknown): boolean {
  return (
    typeof value === 'string' && value.length === 10 && isValid(new Date(value)) && value !== '2026-02-30'
  );
}

/** Returns the day in UTC of a time with an offset, or the first ten characters of any other text. */
function dayInUtc(text: string): string {
  const [, minutes, hours = '', rest = '00'] =
    /^(\d{4}-\d\d-\d\d[T ][\d:.]+)([+-]\d\d):?(\d\d)?$/.exec(text) ?? [];
  const time = new Date(`${minutes ?? 'no time'}Z`);
  if (!isValid(time) || time.toISOString().slice(0, 10) !== text.slice(0, 10)) return text.slice(0, 10);
  const sign = hours.startsWith('-') ? -1 : 1;
  const offset = sign * (Math.abs(Number(hours)) * 60 + Number(rest));
  return new Date(time.getTime() - offset * 60_000).toISOString().slice(0, 10);
}

function isValid(date: Date): boolean {
  return !Number.isNaN(date.getTime());
}

function compareNullsLast(a: unknown, b: unknown, type: NaiveType, sign: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (type !== 'json') return sign * compare(a, b, type);
  const rank = rankOf(a) - rankOf(b);
  if (rank !== 0) return sign * rank;
  return typeof a === 'object' || typeof a === 'boolean' ? 0 : sign * compare(a, b, type);
}

function rankOf(value: unknown): number {
  if (isNumber(value)) return 0;
  if (typeof value === 'string') return 1;
  if (typeof value === 'boolean') return value ? 3 : 2;
  return Array.isArray(value) ? 4 : 5;
}

function compare(a: unknown, b: unknown, type: NaiveType): number {
  if (type === 'decimal') return compareDecimals(a, b);
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b);
  const [x, y] = [a, b] as [number, number];
  return x < y ? -1 : x > y ? 1 : 0;
}

function compareCodePoints(a: string, b: string): number {
  const [x, y] = [Array.from(a), Array.from(b)];
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    const difference = (x[i]?.codePointAt(0) ?? 0) - (y[i]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return x.length - y.length;
}

/** Compares decimals exactly, as integers with a common scale. */
function compareDecimals(a: unknown, b: unknown): number {
  const [x, y] = [scaled(String(a)), scaled(String(b))];
  return x < y ? -1 : x > y ? 1 : 0;
}

function scaled(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace(/^[+-]/, '').split('.');
  const size = BigInt(whole + fraction.padEnd(30, '0'));
  return text.startsWith('-') ? -size : size;
}

function words(text: string): string[] {
  return text.split(/\s+/u).filter(word => word !== '');
}

/** Folds case one character at a time (Unicode simple case folding). */
function fold(text: string): string {
  return Array.from(text, character => {
    const lower = character.toLowerCase();
    return Array.from(lower).length === 1 ? lower : (Array.from(lower)[0] ?? '');
  }).join('');
}

function likeExpression(pattern: string): RegExp {
  const source = Array.from(fold(pattern).matchAll(/\\[%_\\]|[^]/gu), ([token]) => {
    if (token === '%') return '[^]*';
    if (token === '_') return '[^]';
    return `\\u{${(token.at(-1) === token ? token : (Array.from(token).at(-1) ?? '')).codePointAt(0)?.toString(16)}}`;
  });
  return new RegExp(`^${source.join('')}$`, 'u');
}
