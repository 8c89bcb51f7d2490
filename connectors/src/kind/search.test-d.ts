/** Compiled, never run: what callers may search for, and what does not compile. */
import type { Gong } from '../gong/index.ts';
import type { GoogleAds } from '../google-ads/index.ts';
import type { Granola } from '../granola/index.ts';
import type { TikTokMarketing } from '../tiktok-marketing/index.ts';

declare const googleAds: InstanceType<typeof GoogleAds>;
declare const tiktok: InstanceType<typeof TikTokMarketing>;
declare const granola: InstanceType<typeof Granola>;
declare const gong: InstanceType<typeof Gong>;
const seen: unknown[] = [];

export async function compiles(): Promise<void> {
  const { result } = await googleAds.campaigns.search({
    query: {
      filter: { gt: { 'metrics.clicks': 100 }, not: { eq: { 'campaign.status': 'REMOVED' } } },
      sort: [{ 'metrics.cost_micros': 'desc' }, { 'campaign.name': 'asc' }],
    },
    limit: 50,
  });
  const [record] = result.data;
  seen.push(record?.['campaign.id'] satisfies number | bigint | null | undefined);
  seen.push(record?.['campaign.name'] satisfies string | null | undefined);
  seen.push(record?.['campaign.labels'] satisfies readonly unknown[] | null | undefined);
  seen.push(
    result.meta.cursor satisfies string | null,
    result.meta.sync.last_synced_at satisfies string | null,
  );

  const { result: chosen } = await googleAds.campaigns.search({
    query: { filter: { any: { 'campaign.labels': { like: { '*': '%/labels/1' } } } } },
    fields: ['campaign.id', ['campaign', 'name']],
  });
  seen.push(chosen.data[0]?.['campaign.id'] satisfies number | bigint | null | undefined);
  seen.push(chosen.data[0]?.['campaign.name'] satisfies string | null | undefined);

  for await (const report of tiktok.ads_reports_daily.searchAll({
    query: {
      filter: {
        and: [
          { gte: { spend: '12.50', clicks: 10 } },
          { in: { ad_id: [1790000000000000001n, 5] } },
          { keyword: { ad_name: 'summer sale' } },
        ],
      },
    },
  })) {
    seen.push(report.spend satisfies string | null, report.ad_id satisfies number | bigint | null);
    seen.push(report.likes satisfies number | null);
  }
  await googleAds.campaigns.search({
    query: {
      filter: {
        eq: { 'campaign.id': '1790000000000000001', 'campaign.name': null, 'segments.date': '2026-01-01' },
        in: { 'campaign.id': ['1790000000000000001', 5n] },
        gt: { 'campaign.id': '1790000000000000001' },
        neq: { 'campaign.labels': null },
      },
      sort: [
        '-metrics.clicks',
        'campaign.name',
        { field: 'campaign.id', order: 'desc' },
        { field: 'campaign.id' },
      ],
    },
  });
  await gong.calls.search({ query: { filter: { eq: { id: 7782342274025937895n } }, sort: '-started' } });
  await gong.calls.search({ query: { sort: { field: 'started', order: 'desc' } } });

  for await (const page of tiktok.campaigns.searchPages({ query: { sort: [{ budget: 'desc' }] } })) {
    seen.push(page.result.data[0]?.is_new_structure satisfies boolean | null | undefined);
  }

  await granola.notes.search({
    query: { filter: { eq: { 'owner.email': 'a@b.example' } }, sort: [{ 'owner.name': 'asc' }] },
    fields: ['owner.email'],
  });
  await gong.calls_extensive.search({
    query: { filter: { any: { parties: { eq: { emailAddress: 'a@b.example' } } } } },
  });
  const query = { filter: { keyword: { title: 'renewal' } }, sort: [{ created_at: 'desc' }] } as const;
  for await (const note of granola.notes.searchAll({ query })) seen.push(note.title satisfies string | null);
  const found = await granola.execute('notes', 'search', { query: {} });
  seen.push(found.result.data[0]?.title satisfies string | null | undefined);
}

export async function doesNotCompile(): Promise<void> {
  // @ts-expect-error a query is required
  await granola.notes.search({});
  // @ts-expect-error there is no such operator
  await granola.notes.search({ query: { filter: { equals: { title: 'x' } } } });
  // @ts-expect-error there is no such field
  await granola.notes.search({ query: { filter: { eq: { name: 'x' } } } });
  // @ts-expect-error there is no such field, not even in a nested filter
  await granola.notes.search({ query: { filter: { and: [{ not: { eq: { name: 'x' } } }] } } });
  // @ts-expect-error a name is a string
  await googleAds.campaigns.search({ query: { filter: { eq: { 'campaign.name': 5 } } } });
  // @ts-expect-error clicks are a number
  await googleAds.campaigns.search({ query: { filter: { gt: { 'metrics.clicks': '100' } } } });
  // @ts-expect-error only ids can be strings of digits
  await googleAds.campaigns.search({ query: { filter: { eq: { 'metrics.clicks': '100' } } } });
  // @ts-expect-error an id that is text has no order of integers
  await gong.calls.search({ query: { filter: { gt: { id: 5 } } } });
  // @ts-expect-error only `eq` and `neq` take null
  await gong.calls.search({ query: { filter: { gt: { started: null } } } });
  // @ts-expect-error `in` takes a list
  await googleAds.campaigns.search({ query: { filter: { in: { 'campaign.id': 5 } } } });
  // @ts-expect-error `like` compares text only
  await googleAds.campaigns.search({ query: { filter: { like: { 'metrics.clicks': '1%' } } } });
  // @ts-expect-error `contains` compares arrays only
  await googleAds.campaigns.search({ query: { filter: { contains: { 'campaign.name': 'x' } } } });
  // @ts-expect-error booleans have no order
  await tiktok.campaigns.search({ query: { filter: { gt: { is_new_structure: false } } } });
  // @ts-expect-error a boolean is not a string
  await tiktok.campaigns.search({ query: { filter: { eq: { is_new_structure: 'true' } } } });
  // @ts-expect-error there is no such direction
  await granola.notes.search({ query: { sort: [{ title: 'up' }] } });
  // @ts-expect-error there is no such field
  await granola.notes.search({ query: { sort: ['-name'] } });
  // @ts-expect-error there is no such field
  await granola.notes.search({ query: { sort: { field: 'name', order: 'asc' } } });
  // @ts-expect-error there is no such order
  await granola.notes.search({ query: { sort: { field: 'title', order: 'up' } } });
  // @ts-expect-error objects have no order
  await granola.notes.search({ query: { sort: [{ owner: 'asc' }] } });
  // @ts-expect-error there is no such field
  await granola.notes.search({ query: {}, fields: ['name'] });
  // @ts-expect-error there is no such parameter
  await granola.notes.search({ query: {}, page_size: 5 });
  // @ts-expect-error labels have no search
  await googleAds.labels.search({ query: {} });
  // @ts-expect-error labels have no search
  await googleAds.execute('labels', 'search', { query: {} });
  const { result } = await googleAds.campaigns.search({ query: {}, fields: ['campaign.id'] });
  // @ts-expect-error the field was not requested
  seen.push(result.data[0]?.['campaign.name']);
}
