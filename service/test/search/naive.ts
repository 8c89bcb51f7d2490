import { isDeepStrictEqual } from 'node:util';
import type { SearchType } from '@connector-auth/connectors/kind';

/**
 * A simple reference implementation of search that evaluates one operator at a time on records in memory. It
 * shares no code with the real implementation.
 */
export interface NaiveEntity {
  readonly fields: Readonly<Record<string, SearchType>>;
  readonly primaryKey: readonly string[];
}

type Data = Readonly<Record<string, unknown>>;
type Node = Readonly<Record<string, unknown>>;

export function naiveSearch(
  entity: NaiveEntity,
  records: readonly Data[],
  query: { readonly filter?: unknown; readonly sort?: readonly Record<string, 'asc' | 'desc'>[] },
): Data[] {
  const read = (path: string) => (record: Data) => valueAt(entity, record, path);
  const typeOf = (path: string) => entity.fields[path] ?? 'json';
  const found = records.filter(record =>
    query.filter === undefined
      ? true
      : holds(query.filter as Node, path => [read(path)(record), typeOf(path)]),
  );
  const orders = [
    ...(query.sort ?? []).flatMap(sort => Object.entries(sort)),
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

type Look = (path: string) => [value: unknown, type: SearchType | 'json'];

function holds(node: Node, look: Look): boolean {
  return Object.entries(node).every(([operator, operand]) => {
    if (operator === 'not') return !holds(operand as Node, look);
    if (operator === 'and') return (operand as Node[]).every(child => holds(child, look));
    if (operator === 'or') return (operand as Node[]).some(child => holds(child, look));
    return Object.entries(operand as Node).every(([path, wanted]) => {
      const [value, type] = look(path);
      if (value === null) return operator === 'neq';
      return compares(operator, value, wanted, type);
    });
  });
}

function compares(operator: string, value: unknown, wanted: unknown, type: SearchType | 'json'): boolean {
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
      const order = compare(value, wanted, type);
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

function isEqual(a: unknown, b: unknown, type: SearchType | 'json'): boolean {
  return type === 'decimal' ? compareDecimals(a, b) === 0 : isDeepStrictEqual(a, b);
}

function compareNullsLast(a: unknown, b: unknown, type: SearchType | 'json', sign: number): number {
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

function compare(a: unknown, b: unknown, type: SearchType | 'json'): number {
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
