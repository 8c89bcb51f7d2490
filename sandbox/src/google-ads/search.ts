import { addUp } from '../advertising/split.ts';
import { listBundles, readBundle, type Bundle } from './bundles.ts';
import { compareValues } from './conditions.ts';
import type { Field, Value } from './fields.ts';
import { metricOf, segmentOf } from './figures.ts';
import { listCells, type Cell, type Counts, type Today } from './performance.ts';
import type { FieldTest, Plan } from './plan.ts';
import type { World } from './world.ts';

/** A result row before rendering. */
export interface Row {
  readonly bundle: Bundle;
  /** The row's counts. Undefined for queries without segments and metrics. */
  readonly cell: Cell | undefined;
}

/** Returns a query's rows after filtering, ordering and limiting. */
export function findRows(plan: Plan, world: World, today: Today): Row[] {
  const bundles = listBundles(plan.from, world).filter(bundle =>
    passAll(plan.attributes, ({ resource, key }) => readBundle(bundle, resource, key)),
  );
  const rows = bundles.flatMap(bundle =>
    plan.isReport ? reportRows(bundle, plan, today) : [{ bundle, cell: undefined }],
  );
  return sortRows(rows, plan).slice(0, plan.limit);
}

/**
 * Returns one row for each combination of the selected segments that has activity. Without segments, returns
 * exactly one row.
 */
function reportRows(bundle: Bundle, plan: Plan, today: Today): Row[] {
  if (!bundle.subject) return [];
  const cells = listCells(bundle.subject, plan.range, plan.cut, today).filter(cell =>
    passAll(plan.segments, ({ key }) => segmentOf(key, cell)),
  );
  const rows = groupCells(cells, plan.selectedSegments).map(cell => ({ bundle, cell }));
  return rows.filter(({ cell }) => passAll(plan.metrics, ({ key }) => metricOf(key, cell.counts)));
}

function groupCells(cells: readonly Cell[], segments: readonly Field[]): Cell[] {
  const nothing: Cell = { day: 0, hour: undefined, network: undefined, counts: [] };
  if (segments.length === 0) return [{ ...nothing, counts: sumOf(cells) }];
  // If the query selects the date, every cell is a separate row.
  if (segments.some(({ key }) => key === 'date')) return [...cells];
  const groups = Map.groupBy(cells, cell => segments.map(({ key }) => segmentOf(key, cell)).join(' '));
  return [...groups.values()].map(group => ({ ...(group[0] ?? nothing), counts: sumOf(group) }));
}

function sumOf(cells: readonly Cell[]): Counts {
  return addUp(cells.map(({ counts }) => counts));
}

function passAll(tests: readonly FieldTest[], read: (field: Field) => Value): boolean {
  return tests.every(({ field, passes }) => passes(read(field)));
}

/** Reads a field of a row. */
export function readRow({ bundle, cell }: Row, { resource, key }: Field): Value {
  if (resource === 'segments') return cell && segmentOf(key, cell);
  if (resource === 'metrics') return cell && metricOf(key, cell.counts);
  return readBundle(bundle, resource, key);
}

function sortRows(rows: Row[], { orderBy }: Plan): Row[] {
  if (orderBy.length === 0) return rows;
  const keyed = rows.map(row => ({ row, keys: orderBy.map(({ field }) => readRow(row, field)) }));
  return keyed
    .sort((a, b) => {
      for (const [place, { isDescending }] of orderBy.entries()) {
        const order = compareValues(a.keys[place], b.keys[place]);
        if (order !== 0) return isDescending ? -order : order;
      }
      return 0;
    })
    .map(({ row }) => row);
}
