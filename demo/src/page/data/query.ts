/** Builds search queries from what the user picks. */
import { unitOf, type FieldType } from './fields.ts';

export type Operator = keyof typeof operators;

export interface Condition {
  readonly field: string;
  readonly operator: Operator;
  /** What the user entered. Several values are separated by commas. */
  readonly value: string;
}

export interface Sort {
  readonly field: string;
  readonly direction: 'asc' | 'desc';
}

/** What the user picks. */
export interface Choice {
  readonly conditions: readonly Condition[];
  readonly sort: Sort | null;
}

/** The `query` of a search. */
export interface Query {
  readonly filter?: FilterNode;
  readonly sort?: readonly string[];
}

export interface FilterNode {
  readonly [operator: string]: Readonly<Record<string, unknown>> | readonly FilterNode[];
}

type Values = 'one' | 'several' | 'none';

/** The operators that the page offers, with the operator of the API and the number of values. */
export const operators = {
  contains: { label: 'contains', sent: 'like', values: 'one' },
  is: { label: 'is', sent: 'eq', values: 'one' },
  isNot: { label: 'is not', sent: 'neq', values: 'one' },
  isAnyOf: { label: 'is any of', sent: 'in', values: 'several' },
  hasWords: { label: 'has the words', sent: 'fuzzy', values: 'one' },
  hasAnyWord: { label: 'has any of the words', sent: 'keyword', values: 'one' },
  includes: { label: 'includes', sent: 'contains', values: 'one' },
  above: { label: 'is greater than', sent: 'gt', values: 'one' },
  atLeast: { label: 'is at least', sent: 'gte', values: 'one' },
  below: { label: 'is less than', sent: 'lt', values: 'one' },
  atMost: { label: 'is at most', sent: 'lte', values: 'one' },
  isEmpty: { label: 'is empty', sent: 'eq', values: 'none' },
  isNotEmpty: { label: 'is not empty', sent: 'neq', values: 'none' },
} as const satisfies Record<string, { label: string; sent: string; values: Values }>;

const presence = ['isEmpty', 'isNotEmpty'] as const;
const ordered = ['above', 'atLeast', 'below', 'atMost'] as const;

const operatorsByType: Readonly<Record<FieldType, readonly Operator[]>> = {
  text: ['contains', 'is', 'isNot', 'isAnyOf', 'hasWords', 'hasAnyWord', ...ordered, ...presence],
  number: ['is', 'isNot', ...ordered, 'isAnyOf', ...presence],
  boolean: ['is', 'isNot', ...presence],
  list: ['includes', ...presence],
  object: presence,
};

/** Lists the operators for a type of field, the most useful first. */
export function operatorsOf(type: FieldType): readonly Operator[] {
  return operatorsByType[type];
}

/** Builds a query. Leaves conditions out whose value has not been entered yet. */
export function toQuery({ conditions, sort }: Choice, typeOf: (field: string) => FieldType): Query {
  const nodes = conditions.filter(isComplete).map(condition => toNode(condition, typeOf(condition.field)));
  return {
    ...(nodes.length === 0 ? {} : { filter: merge(nodes) }),
    ...(sort === null ? {} : { sort: [`${sort.direction === 'desc' ? '-' : ''}${sort.field}`] }),
  };
}

function isComplete({ operator, value }: Condition): boolean {
  return operators[operator].values === 'none' || value.trim() !== '';
}

interface Node {
  readonly operator: string;
  readonly field: string;
  readonly operand: unknown;
}

function toNode({ field, operator, value }: Condition, type: FieldType): Node {
  const { sent, values } = operators[operator];
  return { operator: sent, field, operand: operandOf() };

  function operandOf(): unknown {
    if (values === 'none') return null;
    if (operator === 'contains') return `%${value.trim().replaceAll(/[\\%_]/g, '\\$&')}%`;
    if (values === 'several') {
      const each = value.split(',').map(part => part.trim());
      return each.filter(part => part !== '').map(part => toValue(part, field, type));
    }
    return toValue(value.trim(), field, type);
  }
}

function toValue(text: string, field: string, type: FieldType): unknown {
  if (type === 'boolean') return text === 'true';
  if (type !== 'number') return text;
  const number = Number(text);
  // The service explains what is wrong with text, and reads integers that a number would round.
  if (Number.isNaN(number) || (Number.isInteger(number) && !Number.isSafeInteger(number))) return text;
  const unit = unitOf(field);
  return unit === null ? number : Math.round(number * unit.stored);
}

/** Puts conditions into one node, and those that it already has into `and`. */
function merge(nodes: readonly Node[]): FilterNode {
  const merged: Record<string, Record<string, unknown>> = {};
  const rest: FilterNode[] = [];
  for (const { operator, field, operand } of nodes) {
    const fields = (merged[operator] ??= {});
    if (field in fields) rest.push({ [operator]: { [field]: operand } });
    else fields[field] = operand;
  }
  return rest.length === 0 ? merged : { ...merged, and: rest };
}
