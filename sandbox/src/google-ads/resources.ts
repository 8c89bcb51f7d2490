/** The fields that queries can select from a resource. */
export interface Resource {
  /** The resource itself, followed by the resources joined to it. */
  readonly joined: readonly string[];
  readonly hasMetrics: boolean;
}

/** The resources allowed in FROM. */
export const RESOURCES: Readonly<Record<string, Resource>> = {
  customer: { joined: ['customer'], hasMetrics: true },
  customer_client: { joined: ['customer_client', 'customer'], hasMetrics: false },
  campaign: { joined: ['campaign', 'campaign_budget', 'customer'], hasMetrics: true },
  campaign_budget: { joined: ['campaign_budget', 'customer'], hasMetrics: false },
  ad_group: { joined: ['ad_group', 'campaign', 'customer'], hasMetrics: true },
  ad_group_ad: { joined: ['ad_group_ad', 'ad_group', 'campaign', 'customer'], hasMetrics: true },
  label: { joined: ['label', 'customer'], hasMetrics: false },
  campaign_label: { joined: ['campaign_label', 'campaign', 'label', 'customer'], hasMetrics: false },
  ad_group_label: {
    joined: ['ad_group_label', 'ad_group', 'campaign', 'label', 'customer'],
    hasMetrics: false,
  },
  ad_group_ad_label: {
    joined: ['ad_group_ad_label', 'ad_group_ad', 'ad_group', 'campaign', 'label', 'customer'],
    hasMetrics: false,
  },
};
