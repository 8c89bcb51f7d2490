import type { SearchType } from '../kind/kind.ts';

/** An entity in GAQL: a resource and its fields. */
export interface Table {
  /** The resource after `FROM`. */
  readonly from: string;
  /**
   * The searchable fields by their GAQL paths. The default query leaves out segments and metrics: with a
   * segment, only rows with activity exist.
   */
  readonly fields: Readonly<Record<string, SearchType>>;
}

/** Whether the table also has rows by day. */
export function isDated(table: Table): boolean {
  return 'segments.date' in table.fields;
}

/** Creates the query for a whole resource: one row each, with or without activity. */
export function defaultQuery(table: Table, version: string): string {
  return select(table, version, path => !isMeasured(path));
}

/** Creates the query for a resource's metrics in a range of days, both ends included. */
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

/** Since v23 campaigns start and end at a time, before that on a day. */
const renamedInV23: Readonly<Record<string, string>> = {
  'campaign.start_date': 'campaign.start_date_time',
  'campaign.end_date': 'campaign.end_date_time',
};

function nameIn(version: string, path: string): string {
  return Number(version.slice(1)) >= 23 ? (renamedInV23[path] ?? path) : path;
}
