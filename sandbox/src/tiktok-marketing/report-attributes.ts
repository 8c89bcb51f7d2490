import type { Account } from './account.ts';
import { isAutomaticPlacement, nameOfAdGroup } from './ad-groups.ts';
import { nameOfAd, textOfAd } from './ads.ts';
import { nameOfCampaign } from './campaigns.ts';
import { objectiveOf } from './objectives.ts';

/** Reads an attribute metric of an object; returns `-` if the object has no such attribute. */
type Attribute = (account: Account, index: number) => string;

const ACCOUNT: Record<string, Attribute> = {
  advertiser_id: ({ advertiser }) => advertiser.id,
  advertiser_name: ({ advertiser }) => advertiser.name,
  currency: ({ advertiser }) => advertiser.currency,
  timezone: ({ advertiser }) => advertiser.timeZone,
};

const ofCampaign: Record<string, Attribute> = {
  campaign_name: nameOfCampaign,
  objective_type: ({ portfolio }, index) => objectiveOf(portfolio.campaign.at(index).seed).objective_type,
};

const campaignId: Attribute = ({ portfolio }, index) => portfolio.campaign.at(index).id;

const ofAdGroup: Record<string, Attribute> = {
  adgroup_name: nameOfAdGroup,
  placement_type: ({ portfolio }, index) =>
    isAutomaticPlacement(portfolio.adGroup.at(index).seed) ? 'Automatic Placement' : 'TikTok',
};

const adGroupId: Attribute = ({ portfolio }, index) => portfolio.adGroup.at(index).id;

/** Makes attributes of a parent available on its children, which are at `level`. */
function above(level: 'adGroup' | 'ad', attributes: Record<string, Attribute>): Record<string, Attribute> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, read]): [string, Attribute] => [
      name,
      (account, index) => read(account, account.portfolio[level].at(index).parent),
    ]),
  );
}

const campaignOfAdGroup = above('adGroup', { ...ofCampaign, campaign_id: campaignId });

/** The attribute metrics of each level. An object's own id is a dimension, not a metric. */
export const ATTRIBUTES: Readonly<
  Record<'account' | 'campaign' | 'adGroup' | 'ad', Readonly<Record<string, Attribute>>>
> = {
  account: ACCOUNT,
  campaign: { ...ACCOUNT, ...ofCampaign },
  adGroup: { ...ACCOUNT, ...campaignOfAdGroup, ...ofAdGroup },
  ad: {
    ...ACCOUNT,
    ...above('ad', { ...campaignOfAdGroup, ...ofAdGroup, adgroup_id: adGroupId }),
    ad_name: nameOfAd,
    ad_text: (account, index) => textOfAd(account, index) ?? '-',
  },
};
