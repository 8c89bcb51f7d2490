import type { Account } from './account.ts';
import { isAutomaticPlacement, nameOfAdGroup } from './ad-groups.ts';
import { nameOfAd, textOfAd } from './ads.ts';
import { nameOfCampaign } from './campaigns.ts';
import { objectiveOf } from './objectives.ts';
import type { Ad, AdGroup, Campaign } from './portfolio.ts';

/** Attribute metrics by name. A value is `-` if the object has no such attribute. */
type Attributes<N> = Readonly<Record<string, Attribute<N>>>;
type Attribute<N> = (account: Account, node: N) => string;

const ofAccount: Attributes<unknown> = {
  advertiser_id: ({ advertiser }) => advertiser.id,
  advertiser_name: ({ advertiser }) => advertiser.name,
  currency: ({ advertiser }) => advertiser.currency,
  timezone: ({ advertiser }) => advertiser.timeZone,
};

const ofCampaign: Attributes<Campaign> = {
  ...ofAccount,
  campaign_name: nameOfCampaign,
  objective_type: (_account, { seed }) => objectiveOf(seed).objective_type,
};

const ofAdGroup: Attributes<AdGroup> = {
  ...inherited(ofCampaign),
  campaign_id: (_account, { parent }) => parent.id,
  adgroup_name: nameOfAdGroup,
  placement_type: (_account, { seed }) => (isAutomaticPlacement(seed) ? 'Automatic Placement' : 'TikTok'),
};

const ofAd: Attributes<Ad> = {
  ...inherited(ofAdGroup),
  adgroup_id: (_account, { parent }) => parent.id,
  ad_name: nameOfAd,
  ad_text: (account, ad) => textOfAd(account, ad) ?? '-',
};

/** The attribute metrics of each level. An object's own id is a dimension, not a metric. */
export const ATTRIBUTES = { account: ofAccount, campaign: ofCampaign, adGroup: ofAdGroup, ad: ofAd };

/** Makes attributes of a parent available on its children. */
function inherited<P>(attributes: Attributes<P>): Attributes<{ readonly parent: P }> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, read]): [string, Attribute<{ readonly parent: P }>] => [
      name,
      (account, { parent }) => read(account, parent),
    ]),
  );
}
