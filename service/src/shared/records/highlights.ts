import { sql, type Kysely, type RawBuilder } from 'kysely';
import { z } from 'zod';
import type { Tables } from '../../platform/database/tables.ts';
import type { ConnectorRef } from '../repositories/connectors.ts';
import { ofConnector, type FieldColumn, type RecordTable } from './record-table.ts';

const maxLatest = 3;

// A time without an offset is in UTC.
const time = z
  .string()
  .transform(
    text => new Date(/Z$|[+-]\d\d:?\d\d$|^\d{4}-\d\d-\d\d$/.test(text) ? text : `${text.replace(' ', 'T')}Z`),
  )
  .refine(date => !Number.isNaN(date.getTime()))
  .transform(date => date.toISOString());
const highlights = z
  .object({
    dates: z.object({ from: time, to: time }),
    latest: z.array(z.object({ title: z.string(), at: time })).catch([]),
  })
  .nullable()
  .catch(null);

/** What is shown of an entity's records: from when they are, and the titles of the newest ones. */
export type Highlights = NonNullable<z.infer<typeof highlights>>;

/**
 * Reads the highlights of a connector's records, by entity. Omits entities whose records have no indexed time. Each value
 * is at one end of an index.
 */
export async function readHighlights(
  db: Kysely<Tables>,
  tables: readonly RecordTable[],
  connector: ConnectorRef,
): Promise<ReadonlyMap<string, Highlights>> {
  const selects = tables.flatMap(table => {
    const column = timeOf(table);
    return column === null ? [] : [selectHighlights(table, column, connector)];
  });
  if (selects.length === 0) return new Map();
  const { rows } = await sql<{ entity: string; highlights: unknown }>`
    ${sql.join(selects, sql` union all `)}`.execute(db);
  return new Map(
    rows.flatMap(({ entity, highlights: selected }) => {
      const read = highlights.parse(selected);
      return read === null ? [] : [[entity, read]];
    }),
  );
}

function selectHighlights(
  table: RecordTable,
  { column }: FieldColumn,
  connector: ConnectorRef,
): RawBuilder<unknown> {
  const at = sql.id(column);
  const records = sql`from ${sql.id(table.name)}
    where ${ofConnector(table, table.name, connector)} and ${at} is not null order by ${at}`;
  const title = table.text?.fields[0];
  const titleColumn = table.fields.get(title ?? '')?.column;
  return sql`select ${table.entity}::text as entity, json_build_object(
    'dates', json_build_object('from', (select ${at} ${records} limit 1), 'to', (select ${at} ${records} desc limit 1)),
    'latest', ${
      titleColumn === undefined
        ? sql`null`
        : sql`(select json_agg(newest) from (
            select ${sql.id(titleColumn)} as title, ${at} as at ${records} desc limit ${sql.lit(maxLatest)}
          ) as newest)`
    }) as highlights`;
}

/** Returns the indexed field by which the records are in order of time. */
function timeOf(table: RecordTable): FieldColumn | null {
  const isTime = ({ field, isTime, isIndexed, type }: FieldColumn) =>
    isIndexed && type === 'string' && (isTime || /(^|[._])date$/.test(field));
  return [...table.fields.values()].find(isTime) ?? null;
}
