import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { scriptedTransport } from '../../test/scripted.ts';
import { unlimited } from '../kind/index.ts';
import { readFailure } from './failure.ts';
import { TikTokMarketing, tiktokMarketing } from './index.ts';

const now = Date.parse('2026-11-20T12:00:00Z');

type EntityName = keyof typeof tiktokMarketing.entities;

/** Returns one of the vendor's samples as a response. */
function sample(name: string) {
  const body: unknown = JSON.parse(readFileSync(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8'));
  return { status: 200, headers: {}, body };
}

interface Page {
  result: Record<string, unknown>[];
  connector_metadata: unknown;
}

async function list(entity: EntityName, sampleName: string): Promise<Page> {
  const { transport } = scriptedTransport(sample(sampleName));
  const connector = new TikTokMarketing({
    credentials: { access_token: 't' },
    transport,
    limiter: unlimited,
  });
  const params = entity === 'advertisers' ? { advertiser_ids: '["1"]' } : { advertiser_id: '1' };
  const report = {
    service_type: 'AUCTION',
    report_type: 'BASIC',
    data_level: 'AUCTION_AD',
    dimensions: '["ad_id"]',
    metrics: '["spend"]',
    start_date: '2026-05-01',
    end_date: '2026-05-30',
  };
  // Bypasses the type checks, because `entity` can be any entity.
  const untyped = connector as unknown as { execute(...args: unknown[]): Promise<unknown> };
  const page = await untyped.execute(entity, 'list', {
    ...params,
    ...(entity.endsWith('_daily') ? report : {}),
  });
  return page as Page;
}

const samples: [EntityName, string][] = [
  ['advertisers', 'advertiser_info_1'],
  ['advertisers', 'advertiser_info_2'],
  ['campaigns', 'campaign_get_1'],
  ['campaigns', 'campaign_get_2_last_page'],
  ['campaigns', 'campaign_get_3_empty'],
  ['ad_groups', 'adgroup_get_1'],
  ['ad_groups', 'adgroup_get_2_last_page'],
  ['ads', 'ad_get_1'],
  ['ads', 'ad_get_2_last_page_no_modify_time'],
  ['audiences', 'custom_audience_list_1'],
  ['audiences', 'custom_audience_list_2'],
  ['creative_assets_images', 'image_ad_search_1'],
  ['creative_assets_images', 'image_ad_search_2_page2'],
  ['creative_assets_videos', 'video_ad_search_1'],
  ['creative_assets_videos', 'video_ad_search_2_page2'],
  ['advertisers_reports_daily', 'report_advertiser_1'],
  ['advertisers_reports_daily', 'report_advertiser_2_no_rows'],
  ['campaigns_reports_daily', 'report_campaign_1'],
  ['campaigns_reports_daily', 'report_campaign_2_last_page'],
  ['ad_groups_reports_daily', 'report_adgroup_1'],
  ['ad_groups_reports_daily', 'report_adgroup_2'],
  ['ads_reports_daily', 'report_ad_1'],
  ['ads_reports_daily', 'report_ad_2'],
];

interface Wire {
  data: { list: Record<string, unknown>[]; page_info?: unknown };
}

describe('TikTok samples', () => {
  test.each(samples)(
    'maps %s from %s to records with every field in its declared type',
    async (entity, name) => {
      const { result } = await list(entity, name);
      // The record schemas of this kind are all object schemas.
      const record = tiktokMarketing.entities[entity].actions.list.record as z.ZodObject;
      expect(result).toHaveLength((sample(name).body as Wire).data.list.length);
      for (const one of result) {
        expect(Object.keys(one)).toEqual(expect.arrayContaining(Object.keys(record.shape)));
        // Fields that the vendor omits are null, even if its documentation promises a value.
        const sent = Object.fromEntries(
          Object.entries(one).filter(([field, value]) => value !== null || !(field in record.shape)),
        );
        expect(record.partial().safeParse(sent).error).toBeUndefined();
      }
    },
  );

  test.each(samples.filter(([entity]) => !entity.includes('report')))(
    'maps %s from %s without losing or changing anything',
    async (entity, name) => {
      const { result } = await list(entity, name);
      for (const [index, wire] of (sample(name).body as Wire).data.list.entries()) {
        expect(result[index]).toMatchObject(wire);
      }
    },
  );

  test.each(samples.filter(([entity]) => entity !== 'advertisers'))(
    'passes through the page_info of %s from %s',
    async (entity, name) => {
      const { connector_metadata } = await list(entity, name);
      expect(connector_metadata).toEqual({ page_info: (sample(name).body as Wire).data.page_info });
    },
  );

  test('maps a report row to a flat record with integer ids, number counts, string amounts and null for "-"', async () => {
    const [row] = (await list('ads_reports_daily', 'report_ad_2')).result;
    expect(row).toMatchObject({
      ad_id: 1790033445566772,
      adgroup_id: 1790022334455663,
      campaign_id: 1790011223344553,
      stat_time_day: '2026-05-01 00:00:00',
      ad_text: null,
      spend: '0.000',
      likes: 0,
      conversion: '4',
    });
    expect(row).not.toHaveProperty('dimensions');
    expect((await list('advertisers_reports_daily', 'report_advertiser_1')).result[0]).toMatchObject({
      advertiser_id: 7210046633581101057n,
      likes: 88,
      average_video_play: 2.35,
    });
  });

  test('converts numeric ids to strings and numeric switches to booleans', async () => {
    const body = sample('adgroup_get_1').body as Wire;
    Object.assign(body.data.list[0] ?? {}, {
      advertiser_id: 7210046633581101057n,
      category_id: 0,
      skip_learning_phase: 1,
      location_ids: [6252001],
    });
    const { transport } = scriptedTransport({ body });
    const connector = new TikTokMarketing({
      credentials: { access_token: 't' },
      transport,
      limiter: unlimited,
    });
    expect((await connector.ad_groups.list({ advertiser_id: '1' })).result[0]).toMatchObject({
      advertiser_id: '7210046633581101057',
      category_id: '0',
      skip_learning_phase: true,
      location_ids: ['6252001'],
    });
  });

  test.each([
    ['error_40001', 'permission'],
    ['error_40002', 'request'],
    ['error_40002_level', 'request'],
    ['error_40002_span', 'request'],
    ['error_40100', 'rate_limit'],
    ['error_40104', 'credentials'],
    ['error_40105', 'credentials'],
    ['error_40133', 'rate_limit'],
    ['error_50000', 'vendor'],
    ['error_51008', 'vendor'],
    ['oauth2_access_token_2_error', 'credentials'],
  ])("reads %s as %s with the vendor's message", (name, kind) => {
    const response = sample(name);
    const { code, message } = response.body as { code: number; message: string };
    expect(readFailure(response, now)).toEqual({ kind, code: String(code), message });
  });

  test.each(['campaign_get_1', 'oauth2_access_token_1', 'oauth2_advertiser_get_2_empty'])(
    'classifies %s as a success',
    name => {
      expect(readFailure(sample(name), now)).toBeNull();
    },
  );
});

describe('TikTok error codes', () => {
  const meanings: Record<string, string | null> = {
    ok: null,
    partial_ok: null,
    bad_request: 'request',
    permission: 'permission',
    version_or_endpoint_gone: 'operator',
    not_found: 'not_found',
    split_query_window: 'request',
    rate_limit_retry: 'rate_limit',
    auth_reconnect: 'credentials',
    oauth_exchange_failed: 'credentials',
    other_client_error: 'request',
    transient_retry: 'vendor',
  };
  /** Codes that we classify differently from the list, which has no `operator` kind, and why. */
  const differing: Record<number, string> = {
    40101: 'operator', // The app's id or secret is wrong, which the customer's consent cannot fix.
    40113: 'operator', // The app is forbidden.
    40124: 'operator', // The developer was rejected.
    40400: 'operator', // A route that does not exist, not a missing record.
    41002: 'request', // A removed field that the caller named.
    41013: 'vendor', // A TikTok service failed.
  };
  const codes = Object.entries(
    JSON.parse(readFileSync(new URL('fixtures/error-codes.json', import.meta.url), 'utf8')) as Record<
      string,
      number[]
    >,
  ).flatMap(([meaning, list]) => list.map(code => [code, meaning] as const));

  test('covers all 165 error codes', () => expect(codes).toHaveLength(165));

  test.each(codes)('classifies error code %i (%s) by its meaning', (code, meaning) => {
    const failure = readFailure({ status: 200, headers: {}, body: { code, message: 'words' } }, now);
    expect(failure?.kind ?? null).toBe(differing[code] ?? meanings[meaning]);
  });

  test('classifies gateway responses by status', () => {
    const failureOf = (status: number, body?: unknown) =>
      readFailure({ status, headers: { 'retry-after': '3' }, body }, now);
    expect(failureOf(502)).toEqual({ kind: 'vendor' });
    expect(failureOf(429)).toEqual({ kind: 'rate_limit', retryAfterSeconds: 3 });
    expect(failureOf(413)).toEqual({ kind: 'request' });
    expect(failureOf(200, {})).toMatchObject({ kind: 'vendor' });
  });
});
