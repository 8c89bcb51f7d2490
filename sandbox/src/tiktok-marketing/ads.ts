import { formatSecond } from '../advertising/calendar.ts';
import { chanceAt, integerAt, pickAt } from '../advertising/noise.ts';
import type { Account } from './account.ts';
import { nameOfAdGroup } from './ad-groups.ts';
import { isSmartCampaign, nameOfCampaign } from './campaigns.ts';
import { IMAGE_COUNT, imageIdAt } from './images.ts';
import type { Ad, Node } from './portfolio.ts';
import { specialFields } from './special-fields.ts';
import { VIDEO_COUNT, videoIdAt } from './videos.ts';
import { adName, adText } from './wording.ts';

export function nameOfAd({ advertiser }: Account, ad: Ad): string {
  return adName(advertiser, ad.seed, ad.parent.ads.indexOf(ad) + 1);
}

/** Returns an ad's text; null if the ad has several variants of its text. */
export function textOfAd({ advertiser }: Account, { seed, parent }: Ad): string | null {
  return isSmartCampaign(parent.parent.seed) ? null : adText(advertiser, seed);
}

/** Renders an ad for `/ad/get/`. Ads of smart campaigns have several text variants and no `modify_time`. */
export function renderAd(account: Account, ad: Ad): Record<string, unknown> {
  const { advertiser } = account;
  const { seed, parent: group } = ad;
  const campaign = group.parent;
  const isSmart = isSmartCampaign(campaign.seed);
  const site = `https://${advertiser.owner.split('@')[1] ?? 'tidewater.example'}`;
  const paths = advertiser.business?.ads.paths ?? ['refill', 'bars', 'gift', 'sale'];
  return {
    ad_id: ad.id,
    advertiser_id: advertiser.id,
    campaign_id: campaign.id,
    campaign_name: nameOfCampaign(account, campaign),
    adgroup_id: group.id,
    adgroup_name: nameOfAdGroup(account, group),
    ad_name: nameOfAd(account, ad),
    secondary_status: adStatus(ad),
    create_time: formatSecond(ad.createdAt),
    ...(!isSmart && { modify_time: formatSecond(ad.modifiedAt) }),
    ad_text: textOfAd(account, ad),
    ...renderCreative(ad, account.seed),
    landing_page_url: isSmart ? null : `${site}/${pickAt(seed, 81, paths)}`,
    operation_status: ad.last === Infinity ? 'ENABLE' : 'DISABLE',
    ...renderIdentity(advertiser.name),
    ad_texts: isSmart ? [1, 2, 3].map(variant => adText(advertiser, seed, variant)) : null,
    landing_page_urls: isSmart ? [`${site}/a`, `${site}/b`] : null,
    is_aco: isSmart,
    is_new_structure: true,
    creative_authorized: false,
    vast_moat_enabled: false,
    tracking_pixel_id: 0,
    ...specialFields('ad', seed, advertiser.business),
  };
}

function renderCreative({ seed }: Node, accountSeed: number): Record<string, unknown> {
  const isVideo = chanceAt(seed, 82, 0.85);
  const hasOwnCall = chanceAt(seed, 83, 0.15);
  const imageCount = isVideo ? 1 : integerAt(seed, 84, 1, 4);
  const firstImage = integerAt(seed, 85, 0, IMAGE_COUNT - 5);
  return {
    ad_format: isVideo ? 'SINGLE_VIDEO' : imageCount > 1 ? 'CAROUSEL_ADS' : 'SINGLE_IMAGE',
    call_to_action: hasOwnCall
      ? null
      : pickAt(seed, 86, ['SHOP_NOW', 'LEARN_MORE', 'DOWNLOAD_NOW', 'ORDER_NOW']),
    call_to_action_id: hasOwnCall ? '7080120957230238799' : null,
    video_id: isVideo ? videoIdAt(accountSeed, integerAt(seed, 87, 0, VIDEO_COUNT - 1)) : null,
    image_ids: Array.from({ length: imageCount }, (_, place) => imageIdAt(accountSeed, firstImage + place)),
  };
}

function renderIdentity(displayName: string): Record<string, unknown> {
  return {
    display_name: displayName.split(' ')[0],
    profile_image_url: 'https://p21.example/large/202604025d0d0001',
    creative_type: null,
    identity_id: '7080121820000000001',
    identity_type: 'CUSTOMIZED_USER',
    deeplink: '',
    deeplink_type: 'NORMAL',
    fallback_type: 'UNSET',
    impression_tracking_url: null,
    click_tracking_url: null,
    music_id: null,
    optimization_event: null,
    page_id: null,
    viewability_postbid_partner: 'UNSET',
    viewability_vast_url: null,
    brand_safety_postbid_partner: 'UNSET',
    brand_safety_vast_url: null,
    app_name: '',
    playable_url: '',
    card_id: null,
    avatar_icon_web_uri: 'ad-site-i18n-sg/202604025d0d0001',
  };
}

function adStatus({ parent, last, seed }: Ad): string {
  if (parent.parent.last !== Infinity) return 'AD_STATUS_CAMPAIGN_DISABLE';
  if (parent.last !== Infinity) return 'AD_STATUS_ADGROUP_DISABLE';
  if (last !== Infinity) return 'AD_STATUS_DISABLE';
  return chanceAt(seed, 88, 0.03) ? 'AD_STATUS_BALANCE_EXCEED' : 'AD_STATUS_DELIVERY_OK';
}
