export { ConnectorAuthError, type ProblemCode } from '@connector-auth/api';
export { findKind, kinds, type KindName } from './kinds.ts';
export type { SearchRecords } from './kind/connector.ts';
export { Granola } from './granola/index.ts';
export type { Note } from './granola/wire.ts';
export { TikTokMarketing } from './tiktok-marketing/index.ts';
export { GoogleAds } from './google-ads/index.ts';
export type { AccessibleCustomers as GoogleAdsAccessibleCustomers } from './google-ads/accessible-customers.ts';
export type { Account as GoogleAdsAccount } from './google-ads/accounts.ts';
export type { AdGroup as GoogleAdsAdGroup } from './google-ads/ad-groups.ts';
export type { AdGroupAd as GoogleAdsAdGroupAd } from './google-ads/ad-group-ads.ts';
export type { AdGroupAdLabel as GoogleAdsAdGroupAdLabel } from './google-ads/ad-group-ad-labels.ts';
export type { AdGroupLabel as GoogleAdsAdGroupLabel } from './google-ads/ad-group-labels.ts';
export type { Campaign as GoogleAdsCampaign } from './google-ads/campaigns.ts';
export type { CampaignLabel as GoogleAdsCampaignLabel } from './google-ads/campaign-labels.ts';
export { Gong } from './gong/index.ts';
export type { Call as GongCall } from './gong/call-record.ts';
export type { CallTranscript as GongCallTranscript } from './gong/call-transcripts.ts';
export type { ExtensiveCall as GongExtensiveCall } from './gong/calls-extensive.ts';
export type { User as GongUser } from './gong/users.ts';
export type { Advertiser as TikTokAdvertiser } from './tiktok-marketing/advertiser.ts';
export type { Campaign as TikTokCampaign } from './tiktok-marketing/campaigns.ts';
export type { AdGroup as TikTokAdGroup } from './tiktok-marketing/ad-groups.ts';
export type { Ad as TikTokAd } from './tiktok-marketing/ads.ts';
export type { Audience as TikTokAudience } from './tiktok-marketing/audiences.ts';
export type { Image as TikTokImage } from './tiktok-marketing/images.ts';
export type { Video as TikTokVideo } from './tiktok-marketing/videos.ts';
export type {
  AdGroupReport as TikTokAdGroupReport,
  AdReport as TikTokAdReport,
  AdvertiserReport as TikTokAdvertiserReport,
  CampaignReport as TikTokCampaignReport,
} from './tiktok-marketing/reports.ts';
