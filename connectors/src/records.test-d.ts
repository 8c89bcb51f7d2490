/** Compiled, never run: which fields of a record are never null. */
import type { Change } from '@connector-auth/api';
import type * as records from './index.ts';

/** Names of the fields that do not allow null. */
type NeverNull<R> = { [Name in keyof R]-?: null extends R[Name] ? never : Name }[keyof R];

/** Compiles if exactly these fields of a record are never null. */
declare function neverNull<R, Names>(
  ...proof: IsSame<NeverNull<R>, Names> extends true ? [] : [never]
): unknown;
type IsSame<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

export function onlyItsOwnIdIs(): unknown[] {
  return [
    neverNull<records.Note, 'id'>(),
    neverNull<records.GongUser, 'id'>(),
    neverNull<records.GongCall, 'id'>(),
    neverNull<records.GongExtensiveCall, 'metaData'>(),
    neverNull<records.GongCallTranscript, 'callId'>(),
    neverNull<records.TikTokAdvertiser, 'advertiser_id'>(),
    neverNull<records.TikTokCampaign, 'campaign_id'>(),
    neverNull<records.TikTokAdGroup, 'adgroup_id'>(),
    neverNull<records.TikTokAd, 'ad_id'>(),
    neverNull<records.TikTokAudience, never>(),
    neverNull<records.TikTokImage, never>(),
    neverNull<records.TikTokVideo, never>(),
    neverNull<records.TikTokAdvertiserReport, never>(),
    neverNull<records.TikTokCampaignReport, never>(),
    neverNull<records.TikTokAdGroupReport, never>(),
    neverNull<records.TikTokAdReport, never>(),
    neverNull<records.GoogleAdsAccount, never>(),
    neverNull<records.GoogleAdsCampaign, never>(),
    neverNull<records.GoogleAdsAdGroup, never>(),
    neverNull<records.GoogleAdsAdGroupAd, never>(),
    neverNull<records.GoogleAdsCampaignLabel, never>(),
    neverNull<records.GoogleAdsAdGroupLabel, never>(),
    neverNull<records.GoogleAdsAdGroupAdLabel, never>(),
  ];
}

export function anAd(ad: records.TikTokAd): unknown[] {
  return [
    ad.ad_id satisfies string,
    ad.modify_time satisfies string | null,
    // @ts-expect-error a field that may be null
    neverNull<records.TikTokAd, 'ad_id' | 'modify_time'>(),
    // @ts-expect-error TikTok omits it for ads that it automates
    ad.modify_time satisfies string,
  ];
}

/** What `client.changes<SearchRecords<typeof Granola> & SearchRecords<typeof Gong>>` iterates over. */
type Changes = Change<
  records.SearchRecords<typeof records.Granola> & records.SearchRecords<typeof records.Gong>
>;

export function aChange(change: Changes): unknown[] {
  if (change.operation === 'disconnect') return [change.record satisfies null, change.id satisfies null];
  if (change.operation === 'delete') return [change.record satisfies null, change.id satisfies string];
  if (change.entity === 'notes') {
    return [
      change.record.title satisfies string | null,
      // @ts-expect-error a field of another entity
      change.record.emailAddress,
    ];
  }
  // @ts-expect-error an entity of neither kind
  if (change.entity === 'campaigns') return [];
  return [change.record];
}
