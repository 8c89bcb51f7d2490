import { ConnectorAuthError, IssueList, type Issue } from '@connector-auth/api';
import type { RecordTable } from '../records/record-table.ts';
import { isObject, readFilter, type Filter } from './filter.ts';
import type { Sort } from './order.ts';
import { resolveIn, type Resolve, type Target } from './target.ts';

/** A search that was understood. */
export interface SearchQuery {
  readonly filter: Filter | null;
  readonly sort: readonly Sort[];
  readonly limit: number;
  readonly cursor: string | null;
  /** Null for every searchable field. */
  readonly fields: readonly Target[] | null;
  /** Filter and sort as they were sent: what a cursor is bound to. */
  readonly asked: { readonly filter: unknown; readonly sort: unknown };
}

const defaultLimit = 1000;
const largestLimit = 10_000;
const mostSorts = 32;
const mostFields = 1000;

/**
 * Reads the params of a search.
 * @throws ConnectorAuthError `invalid_params` naming every fault and its path.
 */
export function readQuery(table: RecordTable, params: Readonly<Record<string, unknown>>): SearchQuery {
  const faults = new IssueList();
  const resolve = resolveIn(table);
  refuseUnknown(params, ['query', 'limit', 'cursor', 'fields'], 'params', faults);
  const query = readObject(params['query'], 'params.query', faults);
  refuseUnknown(query, ['filter', 'sort'], 'params.query', faults);
  const { filter = null, sort = null } = query as { filter?: unknown; sort?: unknown };
  const read: SearchQuery = {
    filter: filter === null ? null : readFilter(filter, 'params.query.filter', resolve, faults),
    sort: sort === null ? [] : readSort(sort, resolve, faults),
    limit: readLimit(params['limit'] ?? defaultLimit, faults),
    cursor: readCursor(params['cursor'] ?? null, faults),
    fields: readFields(params['fields'] ?? null, resolve, faults),
    asked: { filter, sort },
  };
  const told = faults.entries;
  if (told.length === 0) return read;
  throw invalidParams(table, told);
}

/** A refusal that names what is wrong with a search. */
export function invalidParams(table: RecordTable, faults: readonly Issue[]): ConnectorAuthError {
  const list = faults.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
  return new ConnectorAuthError(
    'invalid_params',
    `${table.entity}.search was not run, its parameters are not valid: ${list}`,
    { errors: faults },
  );
}

function readObject(wire: unknown, path: string, faults: IssueList): Readonly<Record<string, unknown>> {
  if (isObject(wire)) return wire;
  faults.add(path, 'Give an object: {"filter": …, "sort": …}; both may be left out');
  return {};
}

function refuseUnknown(
  wire: Readonly<Record<string, unknown>>,
  known: readonly string[],
  path: string,
  faults: IssueList,
): void {
  for (const name of Object.keys(wire)) {
    if (!known.includes(name)) faults.add(`${path}.${name}`, 'Unknown field');
  }
}

function readSort(wire: unknown, resolve: Resolve, faults: IssueList): Sort[] {
  const path = 'params.query.sort';
  if (!Array.isArray(wire)) {
    faults.add(path, 'Give a list: [{field: "asc"}, {field: "desc"}]');
    return [];
  }
  if (wire.length > mostSorts) {
    faults.add(path, `Sort by at most ${mostSorts} fields`);
    return [];
  }
  const sorts = wire.flatMap((element: unknown, index) =>
    readSortElement(element, `${path}.${index}`, resolve, faults),
  );
  // A field that was sorted by before decides nothing more.
  return sorts.filter(
    ({ target }, index) => sorts.findIndex(other => other.target.path === target.path) === index,
  );
}

function readSortElement(wire: unknown, path: string, resolve: Resolve, faults: IssueList): Sort[] {
  const entries = isObject(wire) ? Object.entries(wire) : [];
  const [entry] = entries;
  if (entry === undefined || entries.length > 1) {
    faults.add(path, 'Give one field and its direction: {field: "asc"} or {field: "desc"}');
    return [];
  }
  const [field, direction] = entry;
  const at = `${path}.${field}`;
  const target = resolve(field);
  if ('fault' in target) {
    faults.add(at, target.fault);
    return [];
  }
  if (target.type === 'array' || target.type === 'object') {
    faults.add(at, `There is no order for a field that is ${target.type}`);
    return [];
  }
  if (direction !== 'asc' && direction !== 'desc') {
    faults.add(at, 'Give "asc" or "desc"');
    return [];
  }
  return [{ target, direction }];
}

function readLimit(wire: unknown, faults: IssueList): number {
  if (typeof wire === 'number' && Number.isInteger(wire) && wire >= 1 && wire <= largestLimit) return wire;
  faults.add('params.limit', `Give an integer from 1 to ${largestLimit}`);
  return defaultLimit;
}

function readCursor(wire: unknown, faults: IssueList): string | null {
  if (wire === null || typeof wire === 'string') return wire;
  faults.add('params.cursor', "Give the previous answer's meta.cursor");
  return null;
}

function readFields(wire: unknown, resolve: Resolve, faults: IssueList): Target[] | null {
  const path = 'params.fields';
  if (wire === null) return null;
  if (!Array.isArray(wire) || wire.length === 0 || wire.length > mostFields) {
    faults.add(path, `Give a list of 1 to ${mostFields} fields: ["a.b", ["a", "b"]]`);
    return null;
  }
  const targets = wire.flatMap((element: unknown, index) => {
    const isPath =
      typeof element === 'string' ||
      (Array.isArray(element) && element.every(part => typeof part === 'string'));
    const target = isPath ? resolve(element) : { fault: 'Give a field as "a.b" or ["a", "b"]' };
    if (!('fault' in target)) return [target];
    faults.add(`${path}.${index}`, target.fault);
    return [];
  });
  return targets.filter(({ path }, index) => targets.findIndex(other => other.path === path) === index);
}
