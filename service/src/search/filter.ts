import type { IssueList } from '@connector-auth/api';
import { readOperand, type Operand, type OperandOperator } from './operand.ts';
import { resolveInElement, type Resolve, type Target } from './target.ts';

/** A filter that was understood: every path leads somewhere, every value has the type it is compared with. */
export type Filter =
  | { readonly op: 'and' | 'or'; readonly nodes: readonly Filter[] }
  | { readonly op: 'not'; readonly node: Filter }
  | { readonly op: 'any'; readonly target: Target; readonly node: Filter }
  | Comparison;

/** One field, one operator. */
export interface Comparison {
  readonly op: OperandOperator;
  readonly target: Target;
  readonly operand: Operand;
}

const deepest = 32;
const mostComparisons = 1000;

const operandOperators = [
  'eq',
  'neq',
  'gt',
  'gte',
  'lt',
  'lte',
  'in',
  'like',
  'fuzzy',
  'keyword',
  'contains',
] as const satisfies readonly OperandOperator[];
const allOperators = [...operandOperators, 'any', 'not', 'and', 'or'].join(', ');

/**
 * Reads `query.filter`. Notes every fault with its path, e.g. `params.query.filter.and.1.gt.metrics.clicks`; what is returned is whole
 * only when there was none. An empty filter is none.
 */
export function readFilter(wire: unknown, path: string, resolve: Resolve, faults: IssueList): Filter | null {
  if (isObject(wire) && Object.keys(wire).length === 0) return null;
  return new FilterReader(faults).readNode(wire, path, resolve, 1);
}

class FilterReader {
  readonly #faults: IssueList;
  #comparisons = 0;

  constructor(faults: IssueList) {
    this.#faults = faults;
  }

  /** A node: `{operator: {field: value}}`. Several operators or fields in one node must all hold. */
  readNode(wire: unknown, path: string, resolve: Resolve, depth: number): Filter | null {
    if (this.#faults.isFull) return null;
    if (depth > deepest) return this.#refuse(path, `A filter is nested at most ${deepest} deep`);
    if (!isObject(wire)) return this.#refuse(path, 'A filter is an object: {operator: {field: value}}');
    const entries = Object.entries(wire);
    if (entries.length === 0) return this.#refuse(path, `Give an operator: ${allOperators}`);
    return allOf(
      entries.map(([operator, value]) => this.#readOperator(operator, value, path, resolve, depth)),
    );
  }

  #readOperator(
    operator: string,
    wire: unknown,
    parent: string,
    resolve: Resolve,
    depth: number,
  ): Filter | null {
    const path = `${parent}.${operator}`;
    if (operator === 'not') {
      const node = this.readNode(wire, path, resolve, depth + 1);
      return node && { op: 'not', node };
    }
    if (operator === 'and' || operator === 'or') return this.#readList(operator, wire, path, resolve, depth);
    const known = operandOperators.find(name => name === operator);
    if (known === undefined && operator !== 'any') {
      return this.#refuse(path, `There is no such operator; there are ${allOperators}`);
    }
    if (!isObject(wire))
      return this.#refuse(path, `Give a field and a value: {"${operator}": {field: value}}`);
    const entries = Object.entries(wire);
    if (entries.length === 0) return this.#refuse(path, 'Give a field');
    return allOf(
      entries.map(([field, value]) => {
        if (this.#faults.isFull) return null;
        const at = `${path}.${field}`;
        const target = resolve(field);
        if ('fault' in target) return this.#refuse(at, target.fault);
        return known === undefined
          ? this.#readAny(target, value, at, depth)
          : this.#readComparison(known, target, value, at);
      }),
    );
  }

  #readList(op: 'and' | 'or', wire: unknown, path: string, resolve: Resolve, depth: number): Filter | null {
    if (!Array.isArray(wire) || wire.length === 0) {
      return this.#refuse(path, `Give a list of filters, at least one: {"${op}": [filter, …]}`);
    }
    const nodes = wire.map((node: unknown, index) =>
      this.readNode(node, `${path}.${index}`, resolve, depth + 1),
    );
    return nodes.every(node => node !== null) ? { op, nodes } : null;
  }

  #readAny(target: Target, wire: unknown, path: string, depth: number): Filter | null {
    if (target.type !== 'array' && target.type !== 'json') {
      return this.#refuse(path, `any looks into arrays; this field is ${target.type}`);
    }
    const node = this.readNode(wire, path, resolveInElement, depth + 1);
    return node && { op: 'any', target, node };
  }

  #readComparison(op: OperandOperator, target: Target, wire: unknown, path: string): Filter | null {
    const operand = readOperand(op, target.type, wire);
    if ('fault' in operand) {
      return this.#refuse(operand.at === undefined ? path : `${path}.${operand.at}`, operand.fault);
    }
    const comparedBefore = this.#comparisons;
    this.#comparisons += operand.kind === 'patterns' ? operand.patterns.length : 1;
    if (comparedBefore <= mostComparisons && this.#comparisons > mostComparisons) {
      return this.#refuse(
        path,
        `A filter compares at most ${mostComparisons} times, with each word of a keyword once`,
      );
    }
    return { op, target, operand };
  }

  #refuse(path: string, message: string): null {
    this.#faults.add(path, message);
    return null;
  }
}

function allOf(nodes: readonly (Filter | null)[]): Filter | null {
  const [only] = nodes;
  if (nodes.length === 1) return only ?? null;
  return nodes.every(node => node !== null) ? { op: 'and', nodes } : null;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
