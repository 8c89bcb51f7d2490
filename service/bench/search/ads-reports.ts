import { randomUUID } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../src/database/tables.ts';
import { ensureRecordTables } from '../../src/records/ensure.ts';
import {
  connectorColumn,
  generationColumn,
  type RecordTable,
  type RecordTables,
} from '../../src/records/record-table.ts';

/** Days that each ad has a record of. An ad group has 2 ads, a campaign 5 ad groups. */
export const daysPerAd = 100;
const adsPerGroup = 2;
const adsPerCampaign = 10;
const firstAd = 1_790_000_000_000_000_001n;
const words = ['Summer', 'Winter', 'Running', 'Trail', 'City', 'Kids', 'Sale', 'Launch', 'Video', 'Carousel'];

/** The same for the same ad, on either side of the wire. */
export function adOf(ad: number) {
  const group = Math.floor(ad / adsPerGroup);
  const campaign = Math.floor(ad / adsPerCampaign);
  return {
    ad_id: firstAd + BigInt(ad),
    adgroup_id: firstAd + BigInt(group),
    campaign_id: firstAd + BigInt(campaign),
    /** A word that no other ad has in its name. */
    word: `x${(ad * 7919 + 13).toString(36)}q`,
    first: words[ad % words.length] ?? '',
    second: words[Math.floor(ad / words.length) % words.length] ?? '',
  };
}

/** A connector's records from one number to another. */
export interface Batch {
  readonly connectorId: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Adds records. They are made by the server, and the indexes after them, for it is the questions that are measured here; what it costs to
 * Synchronising records is measured elsewhere.
 */
export async function fill(
  db: Kysely<Tables>,
  tables: RecordTables,
  table: RecordTable,
  batches: readonly Batch[],
): Promise<void> {
  for (const { name } of table.indexes) await sql`drop index if exists ${sql.id(name)}`.execute(db);
  const atOnce = 25_000;
  for (const { connectorId, from, to } of batches) {
    for (let start = from; start < to; start += atOnce) {
      await fillStep(db, table, { connectorId, from: start, to: Math.min(to, start + atOnce) });
    }
  }
  await ensureRecordTables(db, tables);
  await sql`vacuum (analyze) ${sql.id(table.name)}`.execute(db);
}

async function fillStep(
  db: Kysely<Tables>,
  table: RecordTable,
  { connectorId, from, to }: Batch,
): Promise<void> {
  const ads = Array.from({ length: Math.ceil(to / daysPerAd) - Math.floor(from / daysPerAd) }, (_, index) => {
    const { ad_id, adgroup_id, campaign_id, word, first, second } = adOf(
      Math.floor(from / daysPerAd) + index,
    );
    return [
      ad_id,
      adgroup_id,
      campaign_id,
      `${first} ${second} ${word} – 15 s`,
      `${first} shoes for ${second}`,
    ];
  });
  const column = (position: number) => sql`${ads.map(ad => String(ad[position]))}`;
  const fields = [...table.fields.values()];
  const own = new Set(['ad_id', 'adgroup_id', 'campaign_id', 'ad_name', 'ad_text', 'stat_time_day']);
  const valueOf = (field: string, type: string) => {
    if (field === 'stat_time_day') return sql`to_char(date '2026-01-01' + day, 'YYYY-MM-DD 00:00:00')`;
    if (field === 'impressions') return sql`floor(random() * 100000)::numeric`;
    if (field === 'clicks') return sql`floor(random() * random() * 5000)::numeric`;
    if (field === 'placement_type') return sql`case when random() < 0.3 then 'SEARCH' else 'NORMAL' end`;
    if (type === 'string') return sql`'Name ' || campaign_id % 1000`;
    if (type === 'decimal') return sql`round((random() * 500)::numeric, 2)`;
    return sql`floor(random() * 10000)`;
  };
  const selected = fields.map(({ field, type }) =>
    field !== 'stat_time_day' && own.has(field) ? sql.id(field) : valueOf(field, type),
  );
  await sql`
    insert into ${sql.id(table.name)} (${sql.join([connectorColumn, generationColumn, ...fields.map(f => f.column)].map(name => sql.id(name)))})
    select ${connectorId}::uuid, 1, ${sql.join(selected)}
    from unnest(${column(0)}::bigint[], ${column(1)}::bigint[], ${column(2)}::bigint[], ${column(3)}::text[], ${column(4)}::text[])
      as ads(ad_id, adgroup_id, campaign_id, ad_name, ad_text)
    cross join generate_series(0, ${daysPerAd - 1}) as day`.execute(db);
}

/** Ids of other connectors with records in the same table. */
export const others: readonly string[] = Array.from({ length: 20 }, () => randomUUID());
