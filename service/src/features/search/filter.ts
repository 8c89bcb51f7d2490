import type { IssueList } from '@connector-auth/api';
import { comparisonOperators, type ComparisonOperator } from '@connector-auth/connectors/kind';
import { readOperand, type Operand } from './operand.ts';
import { resolveInElement, type Resolve, type Target } from './target.ts';

/** A validated filter, with resolved paths and values that match the types of their fields. */
export type Filter =
  | { readonly op: 'and' | 'or'; readonly nodes: readonly Filter[] }
  | { readonly op: 'not'; readonly node: Filter }
  | { readonly op: 'any'; readonly target: Target; readonly node: Filter }
  | Comparison;

export interface Comparison {
  readonly op: ComparisonOperator;
  readonly target: Target;
  readonly operand: Operand;
}

const maxDepth = 32;
const maxComparisons = 1000;

const allOperators = [...comparisonOperators, 'any', 'not', 'and', 'or'].join(', ');

/**
 * Validates `query.filter` and reports each issue with its path, such as
 * `params.query.filter.and.1.gt.metrics.clicks`.
 * @returns null if the filter is empty. The result may be incomplete if issues were reported.
 */
export function readFilter(wire: unknown, path: string, resolve: Resolve, issues: IssueList): Filter | null {
  if (isObject(wire) && Object.keys(wire).length === 0) return null;
  return new FilterReader(issues).readNode(wire, { path, resolve, depth: 1 });
}

/** The path of a node in the filter, and how to resolve the field paths in it. */
interface Scope {
  readonly path: string;
  readonly resolve: Resolve;
  readonly depth: number;
}

class FilterReader {
  readonly #issues: IssueList;
  #comparisons = 0;

  constructor(issues: IssueList) {
    this.#issues = issues;
  }

  /**
   * Validates a node, `{operator: {field: value}}`. Combines several operators or fields in one node with
   * `and`.
   */
  readNode(wire: unknown, scope: Scope): Filter | null {
    const { path, depth } = scope;
    if (this.#issues.isFull) return null;
    if (depth > maxDepth) return this.#reject(path, `A filter can be nested at most ${maxDepth} levels deep`);
    if (!isObject(wire)) return this.#reject(path, 'Must be an object: {operator: {field: value}}');
    const entries = Object.entries(wire);
    if (entries.length === 0) return this.#reject(path, `Must contain an operator: ${allOperators}`);
    return allOf(
      entries.map(([operator, value]) =>
        this.#readOperator(operator, value, { ...scope, path: `${path}.${operator}` }),
      ),
    );
  }

  #readOperator(operator: string, wire: unknown, scope: Scope): Filter | null {
    const { path, resolve, depth } = scope;
    if (operator === 'not') {
      const node = this.readNode(wire, { ...scope, depth: depth + 1 });
      return node && { op: 'not', node };
    }
    if (operator === 'and' || operator === 'or') return this.#readList(operator, wire, scope);
    const known = comparisonOperators.find(name => name === operator);
    if (known === undefined && operator !== 'any') {
      return this.#reject(path, `Unknown operator. Operators: ${allOperators}`);
    }
    if (!isObject(wire))
      return this.#reject(path, `Must be an object of fields and values: {"${operator}": {field: value}}`);
    const entries = Object.entries(wire);
    if (entries.length === 0) return this.#reject(path, 'Must contain at least one field');
    return allOf(
      entries.map(([field, value]) => {
        if (this.#issues.isFull) return null;
        const at = `${path}.${field}`;
        const target = resolve(field);
        if ('message' in target) return this.#reject(at, target.message);
        return known === undefined
          ? this.#readAny(target, value, at, depth)
          : this.#readComparison(known, target, value, at);
      }),
    );
  }

  #readList(op: 'and' | 'or', wire: unknown, { path, resolve, depth }: Scope): Filter | null {
    if (!Array.isArray(wire) || wire.length === 0) {
      return this.#reject(path, `Must be an array with at least one filter: {"${op}": [filter, …]}`);
    }
    const nodes = wire.map((node: unknown, index) =>
      this.readNode(node, { path: `${path}.${index}`, resolve, depth: depth + 1 }),
    );
    return nodes.every(node => node !== null) ? { op, nodes } : null;
  }

  #readAny(target: Target, wire: unknown, path: string, depth: number): Filter | null {
    if (target.type !== 'array' && target.type !== 'json') {
      return this.#reject(path, `any searches arrays, but this field is of type ${target.type}`);
    }
    const node = this.readNode(wire, { path, resolve: resolveInElement, depth: depth + 1 });
    return node && { op: 'any', target, node };
  }

  #readComparison(op: ComparisonOperator, target: Target, wire: unknown, path: string): Filter | null {
    const operand = readOperand(op, target, wire);
    if ('message' in operand) {
      return this.#reject(operand.index === undefined ? path : `${path}.${operand.index}`, operand.message);
    }
    const comparedBefore = this.#comparisons;
    this.#comparisons += operand.kind === 'patterns' ? operand.patterns.length : 1;
    if (comparedBefore <= maxComparisons && this.#comparisons > maxComparisons) {
      return this.#reject(
        path,
        `A filter can contain at most ${maxComparisons} comparisons. Each word of a keyword operator counts as one`,
      );
    }
    return { op, target, operand };
  }

  #reject(path: string, message: string): null {
    this.#issues.add(path, message);
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
