import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { customer_id, errorOf, fixture, scriptedGoogleAds } from '../../test/google-ads.ts';
import { asObject } from '../kind/record.ts';
import { accountsTable } from './accounts.ts';
import { adGroupAdLabelsTable } from './ad-group-ad-labels.ts';
import { adGroupAdsTable } from './ad-group-ads.ts';
import { adGroupLabelsTable } from './ad-group-labels.ts';
import { adGroupsTable } from './ad-groups.ts';
import { campaignLabelsTable } from './campaign-labels.ts';
import { campaignsTable } from './campaigns.ts';
import { camelCase } from './field-names.ts';
import { googleAds } from './index.ts';
import { limitQuery } from './list.ts';
import { datedQuery, defaultQuery, isDated, type Table } from './table.ts';

const tables: Record<string, Table> = {
  accounts: accountsTable,
  campaigns: campaignsTable,
  ad_groups: adGroupsTable,
  ad_group_ads: adGroupAdsTable,
  campaign_labels: campaignLabelsTable,
  ad_group_labels: adGroupLabelsTable,
  ad_group_ad_labels: adGroupAdLabelsTable,
};
const queries = fixture('queries') as Record<
  'default_v23' | 'default_v20' | 'dated_v23',
  Record<string, string>
>;

describe('Google Ads default queries', () => {
  test.each(Object.entries(queries.default_v23))(
    'selects every documented field in the default query for %s',
    (entity, query) => {
      expect(defaultQuery(tables[entity]!, 'v23')).toBe(query);
      expect(defaultQuery(tables[entity]!, 'v25')).toBe(query);
    },
  );

  test.each(Object.entries(queries.default_v20))(
    'creates a valid default query for %s in versions up to v22',
    (entity, query) => {
      expect(defaultQuery(tables[entity]!, 'v20')).toBe(query);
      expect(defaultQuery(tables[entity]!, 'v22')).toBe(query);
    },
  );

  test.each(Object.entries(queries.dated_v23))(
    'adds metrics to the query for %s in a range of days',
    (entity, query) => {
      const days = { from: '2026-05-01', to: '2026-05-14' };
      const expected = query.replace('{start}', days.from).replace('{end}', days.to);
      expect(datedQuery(tables[entity]!, 'v25', days)).toBe(expected);
    },
  );

  test('creates queries by day only for tables with searchable days', () => {
    const dated = Object.keys(tables).filter(entity => isDated(tables[entity]!));
    expect(dated.sort()).toEqual(Object.keys(queries.dated_v23).sort());
  });

  test.each(Object.entries(tables))('selects only fields that the record of %s declares', (entity, table) => {
    // Every table belongs to an entity with a list action.
    const { record } = googleAds.entities[entity as 'campaigns'].actions.list;
    for (const path of Object.keys(table.fields)) {
      // Searchable, but not a documented field of an account in a list.
      if (entity === 'accounts' && path === 'segments.date') continue;
      const json = camelCase(path).split('.');
      expect(describes(record, json), json.join('.')).toBe(true);
    }
  });

  test('sends default queries in the configured version', async () => {
    const { googleAds: connector, requests } = scriptedGoogleAds([{ body: { results: [] } }], {
      settings: { api_version: 'v22' },
    });
    await connector.campaigns.list({ customer_id });
    expect(requests[0]?.url).toBe(
      `https://googleads.googleapis.com/v22/customers/${customer_id}/googleAds:search`,
    );
    expect(requests[0]?.body).toEqual({ query: queries.default_v20['campaigns'] });
  });
});

test.each(['campaigns', 'ad_groups', 'ad_group_ads'] as const)(
  'documents which metrics and segments a list of %s contains, and returns null without a query',
  async entity => {
    // The records of lists are objects.
    const { shape } = googleAds.entities[entity].actions.list.record as z.ZodObject<
      Record<string, z.ZodType>
    >;
    expect(shape['segments']?.description).toContain('null without `query`');
    if ('metrics' in shape) expect(shape['metrics']?.description).toContain('null without `query`');
    expect(defaultQuery(tables[entity]!, 'v25')).not.toMatch(/metrics|segments/);
    const { googleAds: connector } = scriptedGoogleAds([{ body: { results: [{}] } }]);
    const { result } = await connector.execute(entity, 'list', { customer_id });
    expect(result[0]).toMatchObject({ segments: null, ...('metrics' in shape ? { metrics: null } : {}) });
  },
);

/** Returns whether a schema describes a path. */
function describes(schema: unknown, path: readonly string[]): boolean {
  const definition = asObject(asObject(schema)['def']);
  if (definition['innerType'] !== undefined) return describes(definition['innerType'], path);
  const [step, ...rest] = path;
  if (step === undefined) return true;
  const shape = asObject(definition['shape']);
  return Object.hasOwn(shape, step) && describes(shape[step], rest);
}

/** Returns the rows of campaigns `from` to `to` as Google sends them. A page has at most 10,000 rows. */
const rows = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_none, index) => ({ campaign: { id: String(from + index) } }));
const idsOf = (result: readonly { campaign: unknown }[]) =>
  result.map(({ campaign }) => Number(asObject(campaign)['id']));

describe('Google Ads pages', () => {
  test("returns Google's own pages and tokens if no page size is set", async () => {
    const script = [
      { body: { results: rows(1, 3), nextPageToken: 'CICp8r' } },
      { body: { results: rows(4, 4) } },
    ];
    const { googleAds: connector, requests } = scriptedGoogleAds(script);
    const first = await connector.campaigns.list({ customer_id });
    expect(first.connector_metadata).toEqual({ next_page_token: 'CICp8r' });
    const second = await connector.campaigns.list({ customer_id, pageToken: 'CICp8r' });
    expect(second.connector_metadata).toEqual({ next_page_token: null });
    expect(requests[1]?.body).toEqual({ query: queries.default_v23['campaigns'], pageToken: 'CICp8r' });
  });

  test('never sends a page size to Google, which rejects it', async () => {
    const { googleAds: connector, requests } = scriptedGoogleAds([{ body: { results: rows(1, 3) } }]);
    await connector.campaigns.list({ customer_id, pageSize: 2 });
    expect(Object.keys(requests[0]?.body as object)).toEqual(['query']);
  });

  test.each([
    ['FROM a', { vendorToken: null, offset: 0 }, 10, 'FROM a LIMIT 11'],
    ['FROM a', { vendorToken: null, offset: 10 }, 10, 'FROM a LIMIT 21'],
    ['FROM a', { vendorToken: null, offset: 0 }, undefined, 'FROM a'],
    ['FROM a', { vendorToken: null, offset: 9_995 }, 10, 'FROM a'],
    ['FROM a', { vendorToken: 'T', offset: 0 }, 10, 'FROM a'],
    ['FROM a LIMIT 5', { vendorToken: null, offset: 0 }, 10, 'FROM a LIMIT 5'],
    [
      'FROM a PARAMETERS include_drafts=true',
      { vendorToken: null, offset: 0 },
      10,
      'FROM a PARAMETERS include_drafts=true',
    ],
  ])(
    'limits a query to one row beyond the page if possible: %s %o %s',
    (query, start, pageSize, expected) => {
      expect(limitQuery(query, start, pageSize)).toBe(expected);
    },
  );

  test('returns pages of any size without gaps or duplicates', async () => {
    const total = 25_013;
    const vendor = pagingVendor(total);
    const { googleAds: connector } = scriptedGoogleAds([], { transport: vendor.transport });
    for (const pageSize of [10_000, 4_999, 9_999]) {
      const seen: number[] = [];
      for await (const page of connector.campaigns.listPages({ customer_id, pageSize })) {
        expect(page.result.length).toBeLessThanOrEqual(pageSize);
        seen.push(...idsOf(page.result));
      }
      expect(seen).toEqual(Array.from({ length: total }, (_none, index) => index + 1));
    }
  });

  test("iterates over all pages of Google's rows", async () => {
    const { googleAds: connector } = scriptedGoogleAds([], { transport: pagingVendor(20_001).transport });
    let count = 0;
    for await (const { campaign } of connector.campaigns.listAll({ customer_id })) {
      count += 1;
      expect(campaign?.id).toBe(String(count));
    }
    expect(count).toBe(20_001);
  });

  test('returns a short page if fewer rows remain than when the page token was created', async () => {
    const script = [{ body: { results: rows(1, 11) } }, { body: { results: rows(1, 4) } }];
    const { googleAds: connector } = scriptedGoogleAds(script);
    const { connector_metadata } = await connector.campaigns.list({ customer_id, pageSize: 10 });
    const pageToken = connector_metadata.next_page_token ?? '';
    const second = await connector.campaigns.list({ customer_id, pageSize: 10, pageToken });
    expect(second).toEqual({ result: [], connector_metadata: { next_page_token: null } });
  });

  test('rejects a page token created for another query or customer before any call', async () => {
    const { googleAds: connector, requests } = scriptedGoogleAds([{ body: { results: rows(1, 3) } }]);
    const first = await connector.campaigns.list({ customer_id, pageSize: 2 });
    const pageToken = first.connector_metadata.next_page_token ?? '';
    for (const other of [
      { customer_id, pageToken, query: 'SELECT campaign.id FROM campaign' },
      { customer_id: '7330012455', pageToken },
    ]) {
      expect(await errorOf(connector.campaigns.list(other))).toMatchObject({
        code: 'invalid_params',
        errors: [{ path: 'params.pageToken' }],
      });
    }
    expect(requests).toHaveLength(1);
  });
});

/** A model of Google's paging: 10,000 rows per page, tokens bound to the query, no page size. */
function pagingVendor(total: number) {
  const transport: NonNullable<Parameters<typeof scriptedGoogleAds>[1]>['transport'] = request => {
    if (request.url.startsWith('https://oauth2.')) {
      return Promise.resolve({ status: 200, headers: {}, body: { access_token: 'a', expires_in: 3599 } });
    }
    const { query, pageToken } = request.body as { query: string; pageToken?: string };
    const last = Math.min(total, Number(/LIMIT (\d+)/.exec(query)?.[1] ?? total));
    const [from = '1', madeFor = query] = pageToken?.split('|') ?? [];
    if (madeFor !== query) throw new Error('a token was sent with another query');
    const to = Math.min(last, Number(from) + 9_999);
    const next = to < last ? { nextPageToken: `${to + 1}|${query}` } : {};
    return Promise.resolve({ status: 200, headers: {}, body: { results: rows(Number(from), to), ...next } });
  };
  return { transport };
}
