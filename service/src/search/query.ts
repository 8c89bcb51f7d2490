import { ConnectorAuthError, IssueList, type Issue } from '@connector-auth/api';
import type { RecordTable } from '../records/record-table.ts';
import { isObject, readFilter, type Filter } from './filter.ts';
import type { Sort } from './order.ts';
import { resolveIn, type Resolve, type Target } from './target.ts';

/** A validated search. */
export interface SearchQuery {
  readonly filter: Filter | null;
  readonly sort: readonly Sort[];
  readonly limit: number;
  readonly cursor: string | null;
  /** The fields to return. Null returns all searchable fields. */
  readonly fields: readonly Target[] | null;
  /**
   * The filter and sort exactly as the caller sent them. Cursors are valid only for the same filter and sort.
   */
  readonly sent: { readonly filter: unknown; readonly sort: unknown };
}

const defaultLimit = 1000;
const maxLimit = 10_000;
const maxSorts = 32;
const maxFields = 1000;

/**
 * Validates the params of a search.
 * @throws ConnectorAuthError `invalid_params` with the path of every issue.
 */
export function readQuery(table: RecordTable, params: Readonly<Record<string, unknown>>): SearchQuery {
  const issues = new IssueList();
  const resolve = resolveIn(table);
  rejectUnknown(params, ['query', 'limit', 'cursor', 'fields'], 'params', issues);
  const query = readObject(params['query'], 'params.query', issues);
  rejectUnknown(query, ['filter', 'sort'], 'params.query', issues);
  const { filter = null, sort = null } = query as { filter?: unknown; sort?: unknown };
  const read: SearchQuery = {
    filter: filter === null ? null : readFilter(filter, 'params.query.filter', resolve, issues),
    sort: sort === null ? [] : readSort(sort, resolve, issues),
    limit: readLimit(params['limit'] ?? defaultLimit, issues),
    cursor: readCursor(params['cursor'] ?? null, issues),
    fields: readFields(params['fields'] ?? null, resolve, issues),
    sent: { filter, sort },
  };
  if (issues.entries.length === 0) return read;
  throw invalidParams(table, issues.entries);
}

export function invalidParams(table: RecordTable, issues: readonly Issue[]): ConnectorAuthError {
  const list = issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
  return new ConnectorAuthError('invalid_params', `Invalid parameters for ${table.entity}.search: ${list}`, {
    errors: issues,
  });
}

function readObject(wire: unknown, path: string, issues: IssueList): Readonly<Record<string, unknown>> {
  if (isObject(wire)) return wire;
  issues.add(path, 'Must be an object: {"filter": …, "sort": …}. Both members are optional');
  return {};
}

function rejectUnknown(
  wire: Readonly<Record<string, unknown>>,
  known: readonly string[],
  path: string,
  issues: IssueList,
): void {
  for (const name of Object.keys(wire)) {
    if (!known.includes(name)) issues.add(`${path}.${name}`, 'Unknown field');
  }
}

function readSort(wire: unknown, resolve: Resolve, issues: IssueList): Sort[] {
  const path = 'params.query.sort';
  if (!Array.isArray(wire)) {
    issues.add(path, 'Must be an array: [{field: "asc"}, {field: "desc"}]');
    return [];
  }
  if (wire.length > maxSorts) {
    issues.add(path, `Must contain at most ${maxSorts} fields`);
    return [];
  }
  const sorts = wire.flatMap((element: unknown, index) =>
    readSortElement(element, `${path}.${index}`, resolve, issues),
  );
  // Sorting by the same field again has no effect.
  return sorts.filter(
    ({ target }, index) => sorts.findIndex(other => other.target.path === target.path) === index,
  );
}

function readSortElement(wire: unknown, path: string, resolve: Resolve, issues: IssueList): Sort[] {
  const entries = isObject(wire) ? Object.entries(wire) : [];
  const [entry] = entries;
  if (entry === undefined || entries.length > 1) {
    issues.add(path, 'Must have one field and its direction: {field: "asc"} or {field: "desc"}');
    return [];
  }
  const [field, direction] = entry;
  const at = `${path}.${field}`;
  const target = resolve(field);
  if ('message' in target) {
    issues.add(at, target.message);
    return [];
  }
  if (target.type === 'array' || target.type === 'object') {
    issues.add(at, `Cannot sort by a field of type ${target.type}`);
    return [];
  }
  if (direction !== 'asc' && direction !== 'desc') {
    issues.add(at, 'Must be "asc" or "desc"');
    return [];
  }
  return [{ target, direction }];
}

function readLimit(wire: unknown, issues: IssueList): number {
  if (typeof wire === 'number' && Number.isInteger(wire) && wire >= 1 && wire <= maxLimit) return wire;
  issues.add('params.limit', `Must be an integer from 1 to ${maxLimit}`);
  return defaultLimit;
}

function readCursor(wire: unknown, issues: IssueList): string | null {
  if (wire === null || typeof wire === 'string') return wire;
  issues.add('params.cursor', 'Must be the meta.cursor of the previous response');
  return null;
}

function readFields(wire: unknown, resolve: Resolve, issues: IssueList): Target[] | null {
  const path = 'params.fields';
  if (wire === null) return null;
  if (!Array.isArray(wire) || wire.length === 0 || wire.length > maxFields) {
    issues.add(path, `Must be an array of 1 to ${maxFields} fields: ["a.b", ["a", "b"]]`);
    return null;
  }
  const targets = wire.flatMap((element: unknown, index) => {
    const isPath =
      typeof element === 'string' ||
      (Array.isArray(element) && element.every(part => typeof part === 'string'));
    const target = isPath ? resolve(element) : { message: 'Must be a field: "a.b" or ["a", "b"]' };
    if (!('message' in target)) return [target];
    issues.add(`${path}.${index}`, target.message);
    return [];
  });
  return targets.filter(({ path }, index) => targets.findIndex(other => other.path === path) === index);
}
