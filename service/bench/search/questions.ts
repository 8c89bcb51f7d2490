import type { SearchResponse } from '../../src/features/search/search.ts';
import { quote, type RecordTable } from '../../src/shared/records/record-table.ts';
import type { ConnectorRef } from '../../src/shared/repositories/connectors.ts';
import { adOf, daysPerAd } from './ads-reports.ts';

/** A benchmark query as search params, and the equivalent SQL. */
export interface Question {
  readonly name: string;
  /** Whether the filter and sort use only indexed fields. */
  readonly isIndexed: boolean;
  /** Whether the time includes writing the records as JSON. The SQL returns them as `json`, with their `count`. */
  readonly isJson?: boolean;
  readonly rounds: number;
  /** Returns the search params for a round. */
  readonly ask: (round: number) => Record<string, unknown>;
  readonly byHand: (round: number) => { text: string; values: unknown[] };
}

type Ask = (params: Record<string, unknown>) => Promise<SearchResponse>;

const limit = 100;
const from = '2026-02-10';
const to = '2026-03-01';

/**
 * Returns the benchmark queries for a connector. Each query matches the same number of records at every table
 * size.
 */
export async function questionsOf(
  table: RecordTable,
  connector: ConnectorRef,
  size: number,
  search: Ask,
): Promise<Question[]> {
  const ads = Math.floor(size / daysPerAd);
  // Spreads rounds over all ads, without repeating an ad within a hundred rounds.
  const ad = (round: number) => adOf((round * 7919) % ads);
  const columns = Array.from(table.fields.values(), ({ column }) => quote(column)).join(', ');
  // The search returns decimals as text.
  const asJson = Array.from(table.fields.values(), ({ column, type }) =>
    type === 'decimal' ? `${quote(column)}::text as ${quote(column)}` : quote(column),
  ).join(', ');
  const select = (where: string, order: string, values: unknown[], most = limit) => ({
    text: `select ${columns} from ${quote(table.name)} where "$organization" = '${connector.organizationId}' and "$connector" = $1 and ${where} order by ${order} limit ${most + 1}`,
    values: [connector.id, ...values.map(value => (typeof value === 'bigint' ? String(value) : value))],
  });
  const key = 'ad_id, stat_time_day';
  const pages = await walk(search, { query: { sort: [{ spend: 'desc' }] }, limit }, 20);
  return [
    {
      name: 'eq on id',
      isIndexed: true,
      rounds: 200,
      ask: round => ({ query: { filter: { eq: { ad_id: ad(round).ad_id } } }, limit }),
      byHand: round => select('ad_id = $2', key, [ad(round).ad_id]),
    },
    {
      name: 'range of a metric, sorted by it, top 100',
      isIndexed: true,
      rounds: 200,
      ask: round => ({
        query: { filter: { gte: { spend: 100 + round }, lt: { spend: 400 } }, sort: [{ spend: 'desc' }] },
        limit,
      }),
      byHand: round => select('spend >= $2 and spend < 400', `spend desc, ${key}`, [100 + round]),
    },
    {
      name: '20 of 100 days, sorted by a metric, top 100',
      isIndexed: true,
      rounds: 200,
      ask: () => ({
        query: {
          filter: { and: [{ gte: { stat_time_day: from } }, { lt: { stat_time_day: to } }] },
          sort: [{ clicks: 'desc' }],
        },
        limit,
      }),
      byHand: () =>
        select('stat_time_day >= $2 and stat_time_day < $3 and clicks is not null', `clicks desc, ${key}`, [
          from,
          to,
        ]),
    },
    {
      name: 'keyword on a name',
      isIndexed: true,
      rounds: 200,
      ask: round => ({
        query: { filter: { keyword: { ad_name: `${ad(round).word.toUpperCase()} nowhere` } } },
        limit,
      }),
      byHand: round =>
        select('(lower(ad_name) like $2 or lower(ad_name) like $3)', key, [
          `%${ad(round).word}%`,
          '%nowhere%',
        ]),
    },
    {
      name: 'fuzzy on a name',
      isIndexed: true,
      rounds: 200,
      ask: round => ({
        query: { filter: { fuzzy: { ad_name: `${ad(round).first} ${ad(round).word}` } } },
        limit,
      }),
      byHand: round =>
        select('lower(ad_name) like $2', key, [`%${ad(round).first.toLowerCase()}%${ad(round).word}%`]),
    },
    {
      name: 'three-way and/or/not',
      isIndexed: true,
      rounds: 200,
      ask: round => ({
        query: {
          filter: {
            and: [
              { gte: { clicks: 500 } },
              {
                or: [
                  { eq: { campaign_id: ad(round).campaign_id } },
                  { eq: { adgroup_id: ad(round).adgroup_id } },
                ],
              },
              { not: { eq: { placement_type: 'SEARCH' } } },
            ],
          },
        },
        limit,
      }),
      byHand: round =>
        select(
          `clicks >= 500 and (campaign_id = $2 or adgroup_id = $3) and placement_type is distinct from 'SEARCH'`,
          key,
          [ad(round).campaign_id, ad(round).adgroup_id],
        ),
    },
    {
      name: 'page 2 to 20 by cursor',
      isIndexed: true,
      rounds: 190,
      ask: round => ({
        query: { sort: [{ spend: 'desc' }] },
        limit,
        cursor: pages[round % pages.length]?.cursor,
      }),
      byHand: round => {
        const last = pages[round % pages.length]?.last ?? {};
        return select(
          'spend <= $2 and (spend < $2 or (ad_id, stat_time_day) > ($3, $4))',
          `spend desc, ${key}`,
          [last['spend'], last['ad_id'], last['stat_time_day']],
        );
      },
    },
    {
      name: 'a page of 1,000 records as JSON',
      isIndexed: true,
      isJson: true,
      rounds: 100,
      ask: round => ({ query: { filter: { gte: { ad_id: adOf(round % Math.max(1, ads - 12)).ad_id } } } }),
      byHand: round => {
        const { text, values } = select('ad_id >= $2', key, [adOf(round % Math.max(1, ads - 12)).ad_id], 999);
        return {
          text: `select json_agg(page)::text as json, count(*)::int as count from (${text.replace(columns, asJson)}) as page`,
          values,
        };
      },
    },
    {
      name: 'a page of 1,000 records, 5 fields',
      isIndexed: true,
      rounds: 100,
      ask: round => ({
        query: { filter: { gte: { ad_id: adOf(round % Math.max(1, ads - 12)).ad_id } } },
        fields: ['ad_id', 'stat_time_day', 'ad_name', 'spend', 'clicks'],
      }),
      byHand: round => {
        const { text, values } = select(
          'ad_id >= $2',
          key,
          [adOf(round % Math.max(1, ads - 12)).ad_id],
          1000,
        );
        return { text: text.replace(columns, 'ad_id, stat_time_day, ad_name, spend, clicks'), values };
      },
    },
    {
      name: 'keyword that a tenth of all names has',
      isIndexed: true,
      rounds: 50,
      ask: () => ({ query: { filter: { keyword: { ad_name: 'carousel' } } }, limit }),
      byHand: () => select('lower(ad_name) like $2', key, ['%carousel%']),
    },
    {
      name: 'range of an unindexed metric, sorted by it',
      isIndexed: false,
      rounds: 10,
      ask: round => ({
        query: { filter: { gt: { likes: 9_000 + round } }, sort: [{ likes: 'desc' }] },
        limit,
      }),
      byHand: round => select('likes > $2', `likes desc nulls last, ${key}`, [9_000 + round]),
    },
    {
      name: 'like on unindexed text',
      isIndexed: false,
      rounds: 10,
      ask: () => ({
        query: { filter: { like: { ad_text: '%shoes for trail%' } }, sort: [{ ctr: 'asc' }] },
        limit,
      }),
      byHand: () => select('lower(ad_text) like $2', `ctr, ${key}`, ['%shoes for trail%']),
    },
  ];
}

async function walk(search: Ask, params: Record<string, unknown>, count: number) {
  const pages: { cursor: string; last: Record<string, unknown> }[] = [];
  for (let next = params; pages.length < count - 1;) {
    const { data, meta } = await search(next);
    const last = (data.parse() as Record<string, unknown>[]).at(-1);
    if (meta.cursor === null || last === undefined) break;
    pages.push({ cursor: meta.cursor, last });
    next = { ...params, cursor: meta.cursor };
  }
  return pages;
}
