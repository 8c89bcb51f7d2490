import { JsonText } from '@connector-auth/api';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import type { Tenant } from '../../shared/auth/caller.ts';
import { recordJson, valueJson } from '../../shared/records/record-json.ts';
import { quote, type FieldColumn, type RecordTable } from '../../shared/records/record-table.ts';
import { storedRow } from '../../shared/records/store.ts';
import { isUsable } from '../../shared/repositories/connectors.ts';
import { isAfter, type LogPosition } from '../../shared/repositories/record-changes.ts';

/** An entry of the log, without its keys. */
export interface LogEntry {
  readonly xid: string;
  readonly sequence: number;
  readonly connectorId: string;
  readonly kind: string;
  /** Null if the connector was disconnected. */
  readonly entity: string | null;
  readonly keyCount: number;
  readonly changedAt: Date;
  /** Null if the customer was deleted. */
  readonly customerName: string | null;
  readonly isConnected: boolean;
  /** Whether the connector can be searched now. */
  readonly isSearchable: boolean;
  /** Every record of the entity has the columns up to this version. */
  readonly columnsVersion: number;
}

/** How many entries are read at once, whether or not they match the filters. */
export const entriesPerRead = 1_000;

/** Whose entries are read: those of a tenant, or of one of its connectors. */
export type EntrySelection = Omit<Tenant, 'linkId'> & { readonly connectorId: string | null };

/** Returns the query for the next entries from a position, in order. */
export function entriesQuery(
  selection: EntrySelection,
  { from, horizon }: { readonly from: LogPosition; readonly horizon: bigint },
): RawBuilder<LogEntry> {
  const { organizationId } = selection;
  // Whether a connector can be searched is read in the same snapshot: what was skipped because it cannot is logged again with a
  // transaction that this snapshot does not see.
  return sql<LogEntry>`
    select log.xid::text as xid, log.sequence, log.connector_id as "connectorId", log.kind, log.entity,
      log.key_count as "keyCount", log.changed_at as "changedAt", customers.name as "customerName",
      connectors.id is not null as "isConnected", connectors.id is not null and ${isUsable} as "isSearchable",
      coalesce(columns_version, 0) as "columnsVersion"
    from (
      select * from record_changes where ${isSelectedBy(selection)} and ${isAfter(from)} and xid < ${String(horizon)}::xid8
      order by xid, sequence limit ${entriesPerRead}
    ) as log
    left join connectors on connectors.organization_id = ${organizationId} and connectors.id = log.connector_id
    left join customers on customers.organization_id = ${organizationId} and customers.id = log.customer_id
    left join synced_entities on synced_entities.organization_id = ${organizationId}
      and synced_entities.connector_id = log.connector_id and synced_entities.entity = log.entity
    order by log.xid, log.sequence`;
}

/**
 * Returns whether a tenant has an entry from a position on.
 * @param horizon null to find also those that cannot be read yet.
 */
export async function hasEntries(
  db: Kysely<Tables>,
  selection: EntrySelection,
  from: LogPosition,
  horizon: bigint | null = null,
): Promise<boolean> {
  const isReadable = horizon === null ? sql`` : sql`and xid < ${String(horizon)}::xid8`;
  const { rows } = await sql`
    select from record_changes where ${isSelectedBy(selection)} and ${isAfter(from)} ${isReadable} limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

function isSelectedBy({ organizationId, customerId, connectorId }: EntrySelection): RawBuilder<unknown> {
  const ofCustomer = customerId === null ? sql`` : sql`and customer_id = ${customerId}`;
  const ofConnector = connectorId === null ? sql`` : sql`and connector_id = ${connectorId}`;
  return sql`organization_id = ${organizationId} ${ofCustomer} ${ofConnector}`;
}

/** The part of an entry's keys to read. */
export interface KeyRange {
  readonly entry: LogEntry;
  /** From 0. */
  readonly first: number;
  /** Exclusive. */
  readonly end: number;
}

/** A key, and the record that has it now. */
export interface KeyedRecord {
  readonly id: string;
  /** Null if search does not find the record. */
  readonly record: JsonText | null;
}

/** Returns the records with the keys of some entries of one entity, in order, for each range. */
export async function readRecords(
  db: Kysely<Tables>,
  table: RecordTable,
  organizationId: string,
  ranges: readonly KeyRange[],
): Promise<readonly (readonly KeyedRecord[])[]> {
  const parts = table.key.map(
    ({ sqlType }, index) => `(log.keys[${index + 1}:${index + 1}][wanted.first:wanted.last])::${sqlType}[]`,
  );
  const names = table.key.map(({ column }) => quote(column));
  const record = storedRow(table, recordJson(db, table, 'stored').compile(db).sql, 'log.connector_id');
  // Search finds nothing before the first page is stored, although the records of a replaced account can still exist.
  const { rows } = await sql<{ range: number; id: string; record: string | null }>`
    select wanted.range::integer as range, ${idJson(table.key)} as id,
      case when is_found then ${sql.raw(record.replaceAll('$1', 'log.organization_id'))} end as record
    from unnest(${ranges.map(({ entry }) => entry.xid)}::xid8[], ${ranges.map(({ entry }) => entry.sequence)}::bigint[],
      ${ranges.map(({ first }) => first + 1)}::integer[], ${ranges.map(({ end }) => end)}::integer[])
      with ordinality as wanted (xid, sequence, first, last, range)
    join record_changes as log on log.organization_id = ${organizationId} and log.xid = wanted.xid and log.sequence = wanted.sequence
    cross join lateral (select exists (
      select from synced_entities where synced_entities.organization_id = log.organization_id
        and synced_entities.connector_id = log.connector_id and synced_entities.entity = log.entity
        and (last_synced_at is not null or records > 0)) as is_found) as progress
    cross join lateral unnest(${sql.raw(parts.join(', '))}) with ordinality as page (${sql.raw(names.join(', '))}, key_number)
    order by wanted.range, key_number`.execute(db);
  const found = ranges.map((): KeyedRecord[] => []);
  for (const { range, id, record: text } of rows) {
    found[range - 1]?.push({ id, record: text === null ? null : new JsonText(text) });
  }
  return found;
}

/** Returns the SQL expression for the key of `page` as text: its only field, or a JSON array of its fields. */
function idJson(key: readonly FieldColumn[]): RawBuilder<unknown> {
  const values = key.map(({ column, type }) => ({ value: sql.id('page', column), type }));
  const [only] = values;
  if (only !== undefined && values.length === 1) return sql`${only.value}::text`;
  const parts = values.map(value => sql`coalesce(${valueJson(value)}, 'null')`);
  return sql`'[' || ${sql.join(parts, sql` || ',' || `)} || ']'`;
}
