import type { SearchType } from '../kind/kind.ts';

/** An entity's resource and fields in GAQL, Google's query language. */
export interface Table {
  /** Name of the resource after `FROM`. */
  readonly from: string;
  /**
   * The searchable fields by GAQL path. The default query omits segments and metrics, because a query with
   * segments only returns rows with activity.
   */
  readonly fields: Readonly<Record<string, SearchType>>;
}

/** Returns whether the table also provides rows by day. */
export function isDated(table: Table): boolean {
  return 'segments.date' in table.fields;
}

/**
 * Creates the query for all objects of a resource, which returns one row for each, with or without activity.
 */
export function defaultQuery(table: Table, version: string): string {
  return select(table, version, path => !isMeasured(path));
}

/** Creates the query for a resource's metrics in a range of days, including the first and the last day. */
export function datedQuery(table: Table, version: string, days: { from: string; to: string }): string {
  const where = `WHERE segments.date BETWEEN '${days.from}' AND '${days.to}' ORDER BY segments.date`;
  return `${select(table, version, () => true)} ${where}`;
}

function select(table: Table, version: string, isWanted: (path: string) => boolean): string {
  const paths = Object.keys(table.fields).filter(isWanted);
  return `SELECT ${paths.map(path => nameIn(version, path)).join(', ')} FROM ${table.from}`;
}

function isMeasured(path: string): boolean {
  return path.startsWith('segments.') || path.startsWith('metrics.');
}

/** Maps old to new field names: since v23, campaigns start and end at a time instead of on a day. */
const renamedInV23: Readonly<Record<string, string>> = {
  'campaign.start_date': 'campaign.start_date_time',
  'campaign.end_date': 'campaign.end_date_time',
};

function nameIn(version: string, path: string): string {
  return Number(version.slice(1)) >= 23 ? (renamedInV23[path] ?? path) : path;
}
