import { listHierarchy } from './customers.ts';
import type { Value, Values } from './fields.ts';
import type { Subject } from './performance.ts';
import { adGroupsOf, adsOf, type Ad, type AdGroup, type Campaign, type World } from './world.ts';

/** An object of the FROM resource and the resources joined to it. */
export interface Bundle {
  readonly values: Readonly<Record<string, Values>>;
  /** The subject whose metrics the object reports; undefined if the resource has no metrics. */
  readonly subject: Subject | undefined;
}

/** Returns the value of a resource's field in a bundle. */
export function readBundle({ values }: Bundle, resource: string, key: string): Value {
  return values[resource]?.[key];
}

/** Lists an account's objects of one resource, oldest first. */
export function listBundles(from: string, world: World): Bundle[] {
  const customer = { customer: world.values };
  const bundle = (values: Record<string, Values>, subject?: Subject): Bundle => ({
    values: { ...customer, ...values },
    subject,
  });
  switch (from) {
    case 'customer':
      return [bundle({}, world)];
    case 'customer_client':
      return listClients(world).map(client => bundle({ customer_client: client }));
    case 'campaign':
      return world.campaigns.map(campaign => bundle(aboveCampaign(campaign), campaign));
    case 'campaign_budget':
      return world.campaigns.map(({ budget }) => bundle({ campaign_budget: budget }));
    case 'ad_group':
      return adGroupsOf(world).map(adGroup => bundle(aboveAdGroup(adGroup), adGroup));
    case 'ad_group_ad':
      return adsOf(world).map(ad => bundle(aboveAd(ad), ad));
    case 'label':
      return world.labels.map(({ values }) => bundle({ label: values }));
    case 'campaign_label':
      return world.campaignLabels.map(({ values, owner, label }) =>
        bundle({ ...aboveCampaign(owner), campaign_label: values, label: label.values }),
      );
    case 'ad_group_label':
      return world.adGroupLabels.map(({ values, owner, label }) =>
        bundle({ ...aboveAdGroup(owner), ad_group_label: values, label: label.values }),
      );
    case 'ad_group_ad_label':
      return world.adLabels.map(({ values, owner, label }) =>
        bundle({ ...aboveAd(owner), ad_group_ad_label: values, label: label.values }),
      );
    default:
      return [];
  }
}

function aboveCampaign({ values, budget }: Campaign): Record<string, Values> {
  return { campaign: values, campaign_budget: budget };
}

function aboveAdGroup({ values, campaign }: AdGroup): Record<string, Values> {
  return { ...aboveCampaign(campaign), ad_group: values };
}

function aboveAd({ values, adGroup }: Ad): Record<string, Values> {
  return { ...aboveAdGroup(adGroup), ad_group_ad: values };
}

function listClients({ customer }: World): Values[] {
  return listHierarchy(customer).map(({ customer: client, level }) => ({
    resource_name: `customers/${customer.id}/customerClients/${client.id}`,
    client_customer: `customers/${client.id}`,
    id: Number(client.id),
    level,
    manager: client.isManager,
    test_account: client.isTest,
    hidden: false,
    descriptive_name: client.name,
    currency_code: client.currency,
    time_zone: client.timeZone,
    status: client.status,
  }));
}
