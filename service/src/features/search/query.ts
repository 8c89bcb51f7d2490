import { ConnectorAuthError, IssueList, unknownField, type Issue } from '@connector-auth/api';
import type { RecordTable } from '../../shared/records/record-table.ts';
import { isObject, readFilter, type Filter } from './filter.ts';
import type { Direction, Sort } from './order.ts';
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
   * The filter as the caller sent it, and the sort as `[{field: direction}]`. Cursors are valid only for the same
   * filter and sort.
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
  const { filter = null } = query;
  const sort = readSortForms(query['sort'] ?? null, issues);
  const read: SearchQuery = {
    filter: filter === null ? null : readFilter(filter, 'params.query.filter', resolve, issues),
    sort: readSort(sort ?? [], resolve, issues),
    limit: readLimit(params['limit'] ?? defaultLimit, issues),
    cursor: readCursor(params['cursor'] ?? null, issues),
    fields: readFields(params['fields'] ?? null, resolve, issues),
    sent: { filter, sort: sort && sort.map(({ field, direction }) => ({ [field]: direction })) },
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
    if (!known.includes(name)) issues.add(`${path}.${name}`, unknownField(known));
  }
}

/** A sort as its caller names it. */
interface AskedSort {
  /** The path of the field in the params, for issues. */
  readonly at: string;
  readonly field: string;
  readonly direction: Direction;
}

const sortForms = 'Must be "field", "-field", {"field": "field", "order": "desc"} or {"field": "desc"}';

/** Reads a sort in any of its forms, alone or in a list. Null if there is none. */
function readSortForms(wire: unknown, issues: IssueList): AskedSort[] | null {
  const path = 'params.query.sort';
  if (wire === null) return null;
  if (!Array.isArray(wire)) return readSortForm(wire, path, issues);
  if (wire.length <= maxSorts) {
    return wire.flatMap((element: unknown, index) => readSortForm(element, `${path}.${index}`, issues));
  }
  issues.add(path, `Must contain at most ${maxSorts} fields`);
  return [];
}

function readSortForm(wire: unknown, path: string, issues: IssueList): AskedSort[] {
  if (typeof wire === 'string') {
    const isDescending = wire.startsWith('-');
    const field = isDescending ? wire.slice(1) : wire;
    return [{ at: path, field, direction: isDescending ? 'desc' : 'asc' }];
  }
  const members = isObject(wire) ? Object.entries(wire) : [];
  const isNamed = members.length > 0 && members.every(([name]) => name === 'field' || name === 'order');
  const { field, order = 'asc' } = isNamed ? Object.fromEntries(members) : {};
  const [only, ...others] = isNamed ? [[field, order] as const] : members;
  if (only === undefined || others.length > 0 || typeof only[0] !== 'string') {
    issues.add(path, sortForms);
    return [];
  }
  const [name, direction] = only;
  const at = isNamed ? path : `${path}.${name}`;
  if (direction === 'asc' || direction === 'desc') return [{ at, field: name, direction }];
  issues.add(isNamed ? `${path}.order` : at, 'Must be "asc" or "desc"');
  return [];
}

function readSort(asked: readonly AskedSort[], resolve: Resolve, issues: IssueList): Sort[] {
  const sorts = asked.flatMap(({ at, field, direction }) => {
    const target = resolve(field);
    if ('message' in target) issues.add(at, target.message);
    else if (target.type === 'array' || target.type === 'object') {
      issues.add(at, `Cannot sort by a field of type ${target.type}`);
    } else return [{ target, direction }];
    return [];
  });
  // Sorting by the same field again has no effect.
  return sorts.filter(
    ({ target }, index) => sorts.findIndex(other => other.target.path === target.path) === index,
  );
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
