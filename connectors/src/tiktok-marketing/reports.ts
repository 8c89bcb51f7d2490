import { z } from 'zod';
import { defineAction, type Entity, type SearchType } from '../kind/kind.ts';
import { en } from './messages/en.ts';
import { advertiserId, constant, date, names, pageParams } from './params.ts';
import { recordOf } from './record.ts';
import { commonDecimals, commonNumbers, conversionDecimals, rowMapping } from './report-row.ts';
import { syncReports } from './sync-reports.ts';
import { pageAfter, pageMeta, readPage, reportPath, request } from './wire.ts';

/** Maximum page size that TikTok accepts. */
const maxPageSize = 1000;

const params = z
  .strictObject({
    advertiser_id: advertiserId.describe('ID of the advertiser'),
    service_type: constant('AUCTION').describe('`AUCTION`'),
    report_type: constant('BASIC').describe('`BASIC`'),
    data_level: constant('AUCTION_CAMPAIGN').describe(
      '`AUCTION_ADVERTISER`, `AUCTION_CAMPAIGN`, `AUCTION_ADGROUP` or `AUCTION_AD`',
    ),
    dimensions: names.describe(
      'JSON array of dimensions, encoded as a string, such as `["campaign_id","stat_time_day"]`',
    ),
    metrics: names.describe('JSON array of metrics, encoded as a string, such as `["spend","clicks"]`'),
    start_date: date.describe("First day, in the advertiser's time zone"),
    end_date: date.describe('Last day, inclusive. With `stat_time_day`, TikTok accepts at most 30 days.'),
    ...pageParams(maxPageSize),
  })
  .refine(({ start_date, end_date }) => end_date >= start_date, {
    path: ['end_date'],
    message: 'Must not be earlier than start_date',
    // Checked even if other fields are invalid, so that all issues are reported together.
    when: ({ value }) => z.object({ start_date: date, end_date: date }).safeParse(value).success,
  });

/** The properties that distinguish the report levels. */
interface ReportLevel<R extends z.ZodObject> {
  readonly title: string;
  readonly access: string;
  readonly description: string;
  readonly record: R;
  readonly dataLevel: string;
  /** Name of the level's id field, which is a dimension and, together with the day, the primary key. */
  readonly id: string;
  readonly indexed: readonly string[];
  readonly text: readonly string[];
}

function reportEntity<R extends z.ZodObject>(level: ReportLevel<R>) {
  const { title, access, description, record, dataLevel, id, indexed, text } = level;
  const names = Object.keys(record.shape);
  // The type follows from the name, at compile time too.
  const fields = Object.fromEntries(names.map(name => [name, typeOf(name)])) as {
    readonly [Name in keyof R['shape'] & string]: FieldType<Name>;
  };
  const mapRow = rowMapping(record);
  const dimensions = [id, 'stat_time_day'];
  return {
    title,
    access,
    description,
    actions: {
      list: defineAction({
        summary: 'List report rows',
        params,
        record,
        metadata: pageMeta,
        run: async (asked, vendor) => {
          const query = { page: 1, page_size: maxPageSize, ...asked };
          return readPage(await vendor.send(request(reportPath, query)), mapRow);
        },
        nextPage: (asked, { connector_metadata }) => {
          const page = pageAfter(asked.page ?? 1, connector_metadata);
          return page === null ? null : { ...asked, page };
        },
      }),
    },
    search: {
      fields,
      primaryKey: dimensions,
      indexed,
      text,
      times: ['stat_time_day'],
      sync: syncReports(
        {
          data_level: dataLevel,
          dimensions,
          metrics: names.filter(name => !dimensions.includes(name)),
          page_size: maxPageSize,
        },
        mapRow,
      ),
    },
  } as const satisfies Entity;
}

const decimals = [...commonDecimals, ...conversionDecimals, 'cash_spend', 'voucher_spend'] as const;

type FieldType<Name> = Name extends `${string}_id`
  ? 'integer'
  : Name extends (typeof commonNumbers)[number]
    ? 'number'
    : Name extends (typeof decimals)[number]
      ? 'decimal'
      : 'string';

function typeOf(name: string): SearchType {
  const isIn = (list: readonly string[]): boolean => list.includes(name);
  if (name.endsWith('_id')) return 'integer';
  if (isIn(commonNumbers)) return 'number';
  return isIn(decimals) ? 'decimal' : 'string';
}

const indexed = ['stat_time_day', 'spend', 'impressions', 'clicks'];

export const advertiserReport = recordOf({
  'id?': ['advertiser_id'],
  'string?': ['stat_time_day', 'cash_spend', 'voucher_spend', ...commonDecimals],
  'number?': commonNumbers,
});
export type AdvertiserReport = z.infer<typeof advertiserReport>;

export const campaignReport = recordOf({
  'id?': ['campaign_id'],
  'string?': ['stat_time_day', 'campaign_name', ...commonDecimals],
  'number?': commonNumbers,
});
export type CampaignReport = z.infer<typeof campaignReport>;

export const adGroupReport = recordOf({
  'id?': ['adgroup_id', 'campaign_id'],
  'string?': [
    'stat_time_day',
    'campaign_name',
    'adgroup_name',
    'placement_type',
    ...commonDecimals,
    ...conversionDecimals,
  ],
  'number?': commonNumbers,
});
export type AdGroupReport = z.infer<typeof adGroupReport>;

export const adReport = recordOf({
  'id?': ['ad_id', 'campaign_id', 'adgroup_id'],
  'string?': [
    'stat_time_day',
    'campaign_name',
    'adgroup_name',
    'ad_name',
    'ad_text',
    'placement_type',
    ...commonDecimals,
    ...conversionDecimals,
  ],
  'number?': commonNumbers,
});
export type AdReport = z.infer<typeof adReport>;

/** Daily reports on spend and results. */
export const advertiserReports = reportEntity({
  ...en.advertiserReports,
  description: 'Daily metrics by advertiser',
  record: advertiserReport,
  dataLevel: 'AUCTION_ADVERTISER',
  id: 'advertiser_id',
  indexed,
  text: [],
});

export const campaignReports = reportEntity({
  ...en.campaignReports,
  description: 'Daily metrics by campaign',
  record: campaignReport,
  dataLevel: 'AUCTION_CAMPAIGN',
  id: 'campaign_id',
  indexed,
  text: ['campaign_name'],
});

export const adGroupReports = reportEntity({
  ...en.adGroupReports,
  description: 'Daily metrics by ad group',
  record: adGroupReport,
  dataLevel: 'AUCTION_ADGROUP',
  id: 'adgroup_id',
  indexed: [...indexed, 'campaign_id'],
  text: ['adgroup_name'],
});

export const adReports = reportEntity({
  ...en.adReports,
  description: 'Daily metrics by ad',
  record: adReport,
  dataLevel: 'AUCTION_AD',
  id: 'ad_id',
  indexed: [...indexed, 'campaign_id', 'adgroup_id'],
  text: ['ad_name'],
});
