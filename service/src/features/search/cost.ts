import { ConnectorAuthError } from '@connector-auth/api';
import type { RecordTable } from '../../shared/records/record-table.ts';
import type { Comparison, Filter } from './filter.ts';
import type { SearchQuery } from './query.ts';
import type { Target } from './target.ts';

/**
 * The estimated cost of a search. One unit is about 0.1 µs of database time for records of ordinary size, as
 * measured on both engines.
 */
export interface SearchCost {
  readonly units: number;
  /** The units if the comparisons of each record count, however few they are. */
  readonly worst: number;
  readonly perRecord: number;
  readonly costliest: CostPart;
}

/** Equal parts of a query, such as all `like` comparisons with the same field. */
export interface CostPart {
  /** The path in the params, without the indexes of lists: `query.filter.any.parties.like.name`. */
  readonly path: string;
  readonly count: number;
  readonly units: number;
}

/**
 * If a search adds up to at most this many units per record, an index usually makes it much faster than estimated. So it
 * depends on the estimate of the database's planner, which knows the indexes.
 */
const plannedUnits = 200;

/** Such a search may cost this much even if the limit is lower: about a second. */
const plannedLimit = 10_000_000;

/**
 * Units for one of the planner's. As measured with 10 million records, it takes 2 to 6 µs, the longer the more there is to
 * compare, which the planner underestimates.
 */
const perPlanned = 25;

/** Assumed number of elements in an array. */
const elements = 10;

/** Checks the cost that the database's planner expects a statement of the search to have. */
export type PlanCheck = (planned: number) => void;

/**
 * Checks the cost of a search before it runs.
 * @param records the number of records that the connector has of this entity.
 * @returns how to check the planner's estimate, or null if the search is affordable without an index.
 * @throws ConnectorAuthError `query_too_expensive`, which names the costliest part of the query. The returned check too.
 */
export function requireAffordable(
  table: RecordTable,
  query: SearchQuery,
  { records, limit: given }: { readonly records: number; readonly limit: number },
): PlanCheck | null {
  const { units, worst, perRecord, costliest } = costOf(table, query, records);
  const requireAtMost = (limit: number, units: number): void => {
    if (units <= limit) return;
    const path = `params.${costliest.path}`;
    const share = `${costliest.path} (${costliest.count} × ${formatted(records)} records)`;
    throw new ConnectorAuthError(
      'query_too_expensive',
      `The estimated cost of this search is ${formatted(units)}, and the limit is ${formatted(limit)}. ${adviceFor(table, costliest, share)}`,
      {
        errors: [
          {
            path,
            message: `Its cost is ${formatted((costliest.units * units) / worst)}, and the limit for the whole search is ${formatted(limit)}`,
          },
        ],
      },
    );
  };
  requireAtMost(given, units);
  const limit = Math.max(given, plannedLimit);
  if (worst <= limit || isReadInOrder(table, query)) return null;
  return planned => requireAtMost(limit, planned * (perPlanned + perRecord));
}

/** Returns whether an index has the page in one piece, because only the field by which it sorts is compared. */
function isReadInOrder({ key }: RecordTable, { filter, sort }: SearchQuery): boolean {
  const [first = null, ...others] = sort;
  const column = first === null ? key[0] : first.target.column;
  const isIn = (node: Filter): boolean =>
    node.op === 'and'
      ? node.nodes.every(isIn)
      : ['eq', 'gt', 'gte', 'lt', 'lte'].includes(node.op) &&
        'operand' in node &&
        node.operand.kind === 'value' &&
        node.target.column === column &&
        node.target.steps.length === 0;
  return (
    others.length === 0 &&
    column?.isIndexed === true &&
    (first?.target.steps ?? []).length === 0 &&
    (filter === null || isIn(filter))
  );
}

function adviceFor(table: RecordTable, { path }: CostPart, share: string): string {
  const costliest = `Its costliest part is ${share}`;
  if (path.startsWith('fields')) return `${costliest}. Request fewer fields or a lower limit`;
  const indexed = [...table.fields.values()].filter(field => field.isIndexed).map(({ field }) => field);
  if (path.startsWith('query.sort')) {
    return `${costliest}. Sort by fewer fields, or by an indexed field: ${indexed.join(', ')}`;
  }
  return `${costliest}. Use fewer of these comparisons, or add one with an indexed field, for a value that few records have: ${indexed.join(', ')}`;
}

function formatted(count: number): string {
  return Math.round(count).toLocaleString('en');
}

/**
 * Estimates the cost of a search in the worst case, in which no index helps and every comparison is evaluated
 * for every record. Adding a part to a query never lowers its cost.
 */
export function costOf(table: RecordTable, query: SearchQuery, records: number): SearchCost {
  const parts = new CostParts();
  const names = table.text?.fields ?? [];
  if (query.filter !== null) addFilter(parts, query.filter, { path: 'query.filter', times: 1, names });
  const [firstSort] = query.sort;
  const isSortedByIndex =
    firstSort === undefined || (firstSort.target.steps.length === 0 && firstSort.target.column?.isIndexed);
  for (const { target } of query.sort) {
    const isPlain = target.column !== null && target.steps.length === 0;
    const perRecord = isPlain ? (target.column.isIndexed ? 1 : 10) : 80 + target.steps.length;
    parts.add(`query.sort.${target.path}`, { once: planning(target), perRecord });
  }
  const ofPage = Math.min(records, query.limit + 1);
  parts.add('fields', { once: 20 * ofPage, perRecord: 0 });
  for (const target of query.fields ?? []) {
    const isPlain = target.column !== null && target.steps.length === 0;
    const perOutput = isPlain ? 1 : 10 + target.steps.length;
    parts.add('fields', {
      once: planning(target) + perOutput * ofPage,
      // PostgreSQL evaluates expressions before it sorts, so for all records and not only those on the page.
      perRecord: isPlain || isSortedByIndex ? 0 : perOutput,
    });
  }
  return parts.total(records);
}

interface PartCost {
  /** Units that do not depend on the number of records, such as those for planning. */
  readonly once: number;
  readonly perRecord: number;
}

class CostParts {
  readonly #parts = new Map<string, PartCost & { readonly count: number }>();

  add(path: string, { once, perRecord }: PartCost): void {
    const sum = this.#parts.get(path) ?? { once: 0, perRecord: 0, count: 0 };
    this.#parts.set(path, {
      once: sum.once + once,
      perRecord: sum.perRecord + perRecord,
      count: sum.count + 1,
    });
  }

  total(records: number): SearchCost {
    const all = [...this.#parts];
    const once = all.reduce((sum, [, part]) => sum + part.once, 0);
    const perRecord = all.reduce((sum, [, part]) => sum + part.perRecord, 0);
    const worst = once + perRecord * records;
    let costliest: CostPart = { path: 'query', count: 0, units: 0 };
    for (const [path, part] of all) {
      const ofPart = part.once + part.perRecord * records;
      if (ofPart > costliest.units) costliest = { path, count: part.count, units: ofPart };
    }
    return { units: perRecord <= plannedUnits ? once : worst, worst, perRecord, costliest };
  }
}

interface Scope {
  readonly path: string;
  /** How often the filter is evaluated per record: more than once inside `any`. */
  readonly times: number;
  /** The fields that contain names and other short text. */
  readonly names: readonly string[];
}

function addFilter(parts: CostParts, filter: Filter, scope: Scope): void {
  const { path, times, names } = scope;
  if (filter.op === 'not') return addFilter(parts, filter.node, scope);
  if ('nodes' in filter) {
    for (const node of filter.nodes) addFilter(parts, node, scope);
    return;
  }
  const at = `${path}.${filter.op}.${filter.target.path}`;
  if (filter.op === 'any') {
    parts.add(at, { once: planning(filter.target), perRecord: times * (20 + filter.target.steps.length) });
    return addFilter(parts, filter.node, { path: at, times: times * elements, names });
  }
  const patterns = filter.operand.kind === 'patterns' ? filter.operand.patterns.length : 1;
  const { operand } = filter;
  const values = operand.kind === 'list' ? operand.values.length + operand.days.length : 1;
  for (let pattern = 0; pattern < patterns; pattern++) {
    parts.add(at, {
      once: planning(filter.target) + 20 * values,
      perRecord: times * weightOf(filter, names),
    });
  }
}

/** Planning and transferring one expression takes about 30 µs, more for each name in its path. */
function planning({ steps }: Target): number {
  return 300 + 25 * steps.length;
}

/** Units for finding the day of a time. */
const daysWeight = 15;

/** Returns the units for comparing one value, or for matching it with one pattern. */
function weightOf({ op, target, operand }: Comparison, names: readonly string[]): number {
  const isJson = target.type === 'json';
  // Each name adds a look-up in the value.
  const path = isJson ? 6 + target.steps.length : 0;
  if (op === 'contains') return path + 40;
  if (operand.kind === 'patterns') {
    if (target.type === 'decimal') return 3;
    if (isJson) return path + 6;
    return names.includes(target.path) ? 10 : 25;
  }
  if (operand.kind === 'list') return path + (operand.days.length > 0 ? daysWeight : 2);
  if (operand.kind === 'day') return daysWeight;
  return path + (target.type === 'array' || target.type === 'object' ? 4 : 1);
}
