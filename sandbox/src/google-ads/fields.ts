import { ENUMS, type EnumName } from './enums.ts';

export type FieldType =
  | 'int64'
  | 'int32'
  | 'double'
  | 'bool'
  | 'string'
  | 'date'
  | 'enum'
  | 'strings'
  | 'enums';

/** A field value. An int64 is a number here and a string on the wire. Undefined values are omitted. */
export type Value = string | number | boolean | readonly string[] | undefined;

/** A resource's values by field key, such as `network_settings.target_google_search`. */
export type Values = Record<string, Value>;

/** A field that queries can use. */
export interface Field {
  /** The full name, such as `campaign.network_settings.target_google_search`. */
  readonly name: string;
  /** The part before the first dot: a resource, `segments` or `metrics`. */
  readonly resource: string;
  /** The part after the first dot. */
  readonly key: string;
  /** The field's path in a row, such as `['campaign', 'networkSettings', 'targetGoogleSearch']`. */
  readonly path: readonly string[];
  readonly type: FieldType;
  /** The allowed values if the field is an enum. */
  readonly constants: readonly string[] | undefined;
  /** The API versions that support the field. */
  readonly versions: { readonly min: number; readonly max: number };
}

type Spec = Exclude<FieldType, 'enum' | 'enums'> | `enum:${EnumName}` | `enums:${EnumName}`;

/** Fields by resource. `start_date` was replaced by `start_date_time` in v23. */
const SPECS: Record<string, Record<string, Spec>> = {
  customer: {
    resource_name: 'string',
    id: 'int64',
    descriptive_name: 'string',
    currency_code: 'string',
    time_zone: 'string',
    status: 'enum:CustomerStatus',
    manager: 'bool',
    test_account: 'bool',
    auto_tagging_enabled: 'bool',
    has_partners_badge: 'bool',
    tracking_url_template: 'string',
    final_url_suffix: 'string',
    optimization_score: 'double',
    optimization_score_weight: 'double',
    pay_per_conversion_eligibility_failure_reasons: 'enums:CustomerPayPerConversionEligibilityFailureReason',
    'call_reporting_setting.call_reporting_enabled': 'bool',
    'call_reporting_setting.call_conversion_reporting_enabled': 'bool',
    'call_reporting_setting.call_conversion_action': 'string',
    'conversion_tracking_setting.conversion_tracking_id': 'int64',
    'conversion_tracking_setting.cross_account_conversion_tracking_id': 'int64',
    'remarketing_setting.google_global_site_tag': 'string',
  },
  customer_client: {
    resource_name: 'string',
    client_customer: 'string',
    id: 'int64',
    level: 'int64',
    manager: 'bool',
    test_account: 'bool',
    hidden: 'bool',
    descriptive_name: 'string',
    currency_code: 'string',
    time_zone: 'string',
    status: 'enum:CustomerStatus',
  },
  campaign: {
    resource_name: 'string',
    id: 'int64',
    name: 'string',
    status: 'enum:CampaignStatus',
    serving_status: 'enum:CampaignServingStatus',
    advertising_channel_type: 'enum:AdvertisingChannelType',
    advertising_channel_sub_type: 'enum:AdvertisingChannelSubType',
    bidding_strategy: 'string',
    bidding_strategy_type: 'enum:BiddingStrategyType',
    campaign_budget: 'string',
    start_date: 'date',
    end_date: 'date',
    start_date_time: 'date',
    end_date_time: 'date',
    labels: 'strings',
    tracking_url_template: 'string',
    'network_settings.target_google_search': 'bool',
    'network_settings.target_search_network': 'bool',
    'network_settings.target_content_network': 'bool',
    'network_settings.target_partner_search_network': 'bool',
  },
  campaign_budget: {
    resource_name: 'string',
    id: 'int64',
    name: 'string',
    amount_micros: 'int64',
    explicitly_shared: 'bool',
  },
  ad_group: {
    resource_name: 'string',
    id: 'int64',
    name: 'string',
    status: 'enum:AdGroupStatus',
    type: 'enum:AdGroupType',
    campaign: 'string',
    base_ad_group: 'string',
    ad_rotation_mode: 'enum:AdGroupAdRotationMode',
    cpc_bid_micros: 'int64',
    cpm_bid_micros: 'int64',
    cpv_bid_micros: 'int64',
    target_cpa_micros: 'int64',
    target_roas: 'double',
    effective_target_cpa_micros: 'int64',
    effective_target_cpa_source: 'enum:BiddingSource',
    effective_target_roas: 'double',
    effective_target_roas_source: 'enum:BiddingSource',
    tracking_url_template: 'string',
    labels: 'strings',
  },
  ad_group_ad: {
    resource_name: 'string',
    status: 'enum:AdGroupAdStatus',
    ad_strength: 'enum:AdStrength',
    ad_group: 'string',
    labels: 'strings',
    'policy_summary.approval_status': 'enum:PolicyApprovalStatus',
    'policy_summary.review_status': 'enum:PolicyReviewStatus',
    'ad.resource_name': 'string',
    'ad.id': 'int64',
    'ad.name': 'string',
    'ad.type': 'enum:AdType',
    'ad.display_url': 'string',
    'ad.final_urls': 'strings',
    'ad.final_mobile_urls': 'strings',
    'ad.final_url_suffix': 'string',
    'ad.tracking_url_template': 'string',
  },
  label: {
    resource_name: 'string',
    id: 'int64',
    name: 'string',
    status: 'enum:LabelStatus',
    'text_label.background_color': 'string',
    'text_label.description': 'string',
  },
  campaign_label: { resource_name: 'string', campaign: 'string', label: 'string' },
  ad_group_label: { resource_name: 'string', ad_group: 'string', label: 'string' },
  ad_group_ad_label: { resource_name: 'string', ad_group_ad: 'string', label: 'string' },
  segments: {
    date: 'date',
    week: 'date',
    month: 'date',
    quarter: 'date',
    year: 'int32',
    day_of_week: 'enum:DayOfWeek',
    hour: 'int32',
    ad_network_type: 'enum:AdNetworkType',
  },
  metrics: {
    impressions: 'int64',
    clicks: 'int64',
    cost_micros: 'int64',
    interactions: 'int64',
    conversions: 'double',
    conversions_value: 'double',
    ctr: 'double',
    average_cpc: 'double',
    average_cpm: 'double',
    average_cost: 'double',
    interaction_rate: 'double',
    cost_per_conversion: 'double',
    value_per_conversion: 'double',
    conversions_from_interactions_rate: 'double',
  },
};

const VERSIONS: Record<string, { min: number; max: number }> = {
  'campaign.start_date': { min: 0, max: 22 },
  'campaign.end_date': { min: 0, max: 22 },
  'campaign.start_date_time': { min: 23, max: Infinity },
  'campaign.end_date_time': { min: 23, max: Infinity },
};

const FIELDS = new Map<string, Field>(
  Object.entries(SPECS).flatMap(([resource, keys]) =>
    Object.entries(keys).map(([key, spec]): [string, Field] => {
      const name = `${resource}.${key}`;
      return [name, makeField(name, resource, key, spec)];
    }),
  ),
);

/** Finds the field with this name in an API version. */
export function findField(name: string, version: number): Field | undefined {
  const field = FIELDS.get(name);
  return field && version >= field.versions.min && version <= field.versions.max ? field : undefined;
}

/** Converts snake_case to lowerCamelCase. */
export function toCamelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Converts lowerCamelCase to snake_case. */
export function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
}

/** Converts a value to its wire format. */
export function toWire(type: FieldType, value: Exclude<Value, undefined>): unknown {
  return type === 'int64' ? String(value) : value;
}

function makeField(name: string, resource: string, key: string, spec: Spec): Field {
  const [type = '', enumName] = spec.split(':');
  return {
    name,
    resource,
    key,
    path: name.split('.').map(toCamelCase),
    // The specs above start with a field type.
    type: type as FieldType,
    constants: enumName === undefined ? undefined : ENUMS[enumName as EnumName],
    versions: VERSIONS[name] ?? { min: 0, max: Infinity },
  };
}
