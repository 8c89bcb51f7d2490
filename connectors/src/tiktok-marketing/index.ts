import { connectorClass } from '../kind/connector.ts';
import { defineKind } from '../kind/kind.ts';
import { asString } from '../kind/record.ts';
import { accountChoice } from './account-choice.ts';
import { adGroups } from './ad-groups.ts';
import { ads } from './ads.ts';
import { advertisers } from './advertisers.ts';
import { audiences } from './audiences.ts';
import { accessToken, authorization, settings } from './auth.ts';
import { checkAccess } from './authorized.ts';
import { campaigns } from './campaigns.ts';
import { readFailure } from './failure.ts';
import { fieldDescriptions } from './field-descriptions.ts';
import { icon } from './icon.ts';
import { images } from './images.ts';
import { en } from './messages/en.ts';
import { messages } from './messages/index.ts';
import { adGroupReports, adReports, advertiserReports, campaignReports } from './reports.ts';
import { videos } from './videos.ts';
import { host } from './wire.ts';

export const tiktokMarketing = defineKind({
  key: 'tiktok-marketing',
  name: 'TikTok Marketing',
  vendorName: 'TikTok',
  definitionId: '4bfac00d-ce15-44ff-95b9-9e3c3e8fbd35',
  description: en.description,
  fieldDescriptions,
  supportLevel: 'certified',
  category: en.category,
  access: { reads: en.reads, changes: [] },
  messages,
  icon,
  environmentPrefix: 'OAUTH_TIKTOK_MARKETING',
  hosts: [host],
  authMethods: [authorization, accessToken],
  settings,
  accounts: accountChoice,
  rateLimits: [
    // Apps in the basic tier can send 10 requests per second. The app for a pasted token is unknown, or the customer's own.
    {
      countedBy: 'app',
      subject: ({ credentials, state }, _request, app) =>
        app !== null && credentials['app_id'] === undefined && state['advertiser_ids'] !== undefined
          ? app.clientId
          : asString(credentials['access_token']),
      burst: 1,
      perSecond: 10,
    },
    // 20 requests per second for each advertiser and path, regardless of the app. Counted for each token,
    // because a request can name an advertiser that belongs to someone else.
    {
      countedBy: 'advertiser and path',
      subject: ({ credentials }, { url, query }) =>
        query?.['advertiser_id'] === undefined
          ? null
          : `${String(credentials['access_token'])} ${String(query['advertiser_id'])} ${url}`,
      burst: 1,
      perSecond: 20,
    },
  ],
  // The four reports together take at most 8 seconds an hour of the app's limit, which all its customers share.
  fullSyncCallsPerHour: 20,
  entities: {
    advertisers,
    campaigns,
    ad_groups: adGroups,
    ads,
    audiences,
    creative_assets_images: images,
    creative_assets_videos: videos,
    advertisers_reports_daily: advertiserReports,
    campaigns_reports_daily: campaignReports,
    ad_groups_reports_daily: adGroupReports,
    ads_reports_daily: adReports,
  },
  check: { entity: 'advertisers', action: 'list', run: checkAccess },
  readFailure,
  examples: () => new URL('examples.json', import.meta.url),
});

/**
 * Connector for TikTok ads and reports: `new TikTokMarketing({ credentials: { access_token }
 * }).campaigns.list({ advertiser_id })`.
 */
export const TikTokMarketing = connectorClass(tiktokMarketing);
