import { z } from 'zod';

/**
 * Schemas for Google's objects in list records. Objects contain the selected fields that have a value. 64-bit
 * integers are strings. Amounts are in micros: 1,000,000 is one unit of the account's currency.
 */
const text = z.string().optional();
const name = z.string().describe('Resource name');
const int64 = z.string().optional().describe('64-bit integer');
const number = z.number().optional();
const flag = z.boolean().optional();
const texts = z.array(z.string()).optional();
const status = z.string().optional().describe('ENABLED, PAUSED or REMOVED');

export const customer = z.looseObject({
  resourceName: name,
  id: int64,
  descriptiveName: text,
  currencyCode: text,
  timeZone: text,
  manager: z.boolean().optional().describe('Whether this is a manager account'),
  testAccount: flag,
  autoTaggingEnabled: flag,
  hasPartnersBadge: flag,
  finalUrlSuffix: text,
  trackingUrlTemplate: text,
  optimizationScore: z.number().optional().describe('0.0 to 1.0'),
  optimizationScoreWeight: number,
  payPerConversionEligibilityFailureReasons: texts,
  callReportingSetting: z
    .looseObject({
      callReportingEnabled: flag,
      callConversionReportingEnabled: flag,
      callConversionAction: text,
    })
    .optional(),
  conversionTrackingSetting: z
    .looseObject({ conversionTrackingId: int64, crossAccountConversionTrackingId: int64 })
    .optional(),
  remarketingSetting: z.looseObject({ googleGlobalSiteTag: text }).optional(),
});

export const campaign = z.looseObject({
  resourceName: name,
  id: int64,
  name: text,
  status,
  advertisingChannelType: text,
  advertisingChannelSubType: text,
  biddingStrategy: text,
  biddingStrategyType: text,
  campaignBudget: text,
  startDateTime: z.string().optional().describe('From API v23 on, `yyyy-MM-dd HH:mm:ss`'),
  endDateTime: z.string().optional().describe('From API v23 on, `yyyy-MM-dd HH:mm:ss`'),
  startDate: z.string().optional().describe('Until API v22'),
  endDate: z.string().optional().describe('Until API v22'),
  servingStatus: text,
  labels: texts,
  networkSettings: z
    .looseObject({
      targetGoogleSearch: flag,
      targetSearchNetwork: flag,
      targetContentNetwork: flag,
      targetPartnerSearchNetwork: flag,
    })
    .optional(),
});

export const campaignBudget = z.looseObject({ resourceName: name, amountMicros: int64 });

export const adGroup = z.looseObject({
  resourceName: name,
  id: int64,
  name: text,
  status,
  type: text,
  adRotationMode: text,
  baseAdGroup: text,
  campaign: text,
  cpcBidMicros: int64,
  cpmBidMicros: int64,
  cpvBidMicros: int64,
  effectiveTargetCpaMicros: int64,
  effectiveTargetCpaSource: text,
  effectiveTargetRoas: number,
  effectiveTargetRoasSource: text,
  targetCpaMicros: int64,
  targetRoas: number,
  trackingUrlTemplate: text,
  labels: texts,
});

export const adGroupAd = z.looseObject({
  resourceName: name,
  status,
  adStrength: text,
  adGroup: text,
  labels: texts,
  ad: z
    .looseObject({
      resourceName: name,
      id: int64,
      name: text,
      type: text,
      displayUrl: text,
      finalUrls: texts,
      finalMobileUrls: texts,
      finalUrlSuffix: text,
      trackingUrlTemplate: text,
    })
    .optional(),
  policySummary: z.looseObject({ approvalStatus: text, reviewStatus: text }).optional(),
});

export const label = z.looseObject({ resourceName: name, id: int64, name: text });
export const campaignLabel = z.looseObject({ resourceName: name, campaign: text, label: text });
export const adGroupLabel = z.looseObject({ resourceName: name, adGroup: text, label: text });
export const adGroupAdLabel = z.looseObject({ resourceName: name, adGroupAd: text, label: text });

/** Metrics, present only if the query selects some. */
const metrics = z.looseObject({
  clicks: int64,
  impressions: int64,
  interactions: int64,
  costMicros: int64,
  ctr: number,
  conversions: number,
  conversionsValue: number,
  averageCpc: z.number().optional().describe('In micros'),
  averageCpm: z.number().optional().describe('In micros'),
});

export const selectedMetrics = metrics
  .nullable()
  .describe('Only the metrics that `query` selects; null without `query`');

/** Segments by which metrics are broken down. */
const segments = z.looseObject({
  date: z.string().optional().describe('YYYY-MM-DD'),
  hour: z.int().optional(),
  adNetworkType: text,
});
export const selectedSegments = segments
  .nullable()
  .describe(
    'Only the segments that `query` selects, which then returns only rows with activity; null without `query`',
  );
