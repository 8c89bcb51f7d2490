/** The fields of records: their types, names for users, and units. */

export type Row = Readonly<Record<string, unknown>>;

export type FieldType = 'text' | 'number' | 'boolean' | 'list' | 'object';

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly type: FieldType;
}

/** How a stored number relates to the number that users see and enter. */
export interface Unit {
  readonly stored: number;
  readonly name: 'money' | 'minutes';
}

/** Returns the fields of records, which a search returns with all fields, including those that are null. */
export function fieldsOf(rows: readonly Row[]): readonly Field[] {
  const names = [...new Set(rows.flatMap(Object.keys))];
  return names.map(name => ({ name, label: labelOf(name), type: typeOf(name, rows) }));
}

function typeOf(name: string, rows: readonly Row[]): FieldType {
  const value = rows.map(row => row[name]).find(each => each !== null && each !== undefined);
  if (value === undefined) return isAmount(name) ? 'number' : 'text';
  if (Array.isArray(value)) return 'list';
  switch (typeof value) {
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'object':
      return 'object';
    default:
      return 'text';
  }
}

/** Guesses the type of a field without values from its name. */
function isAmount(name: string): boolean {
  return /^metrics\.|_micros$|[._]hour$|roas$|score/.test(name);
}

/** Returns the unit of a field that users do not read as it is stored. */
export function unitOf(name: string): Unit | null {
  const isMicros = name.endsWith('_micros') || /^metrics\.average_cp[cm]$/.test(name);
  if (isMicros) return { stored: 1_000_000, name: 'money' };
  return name === 'duration' ? { stored: 60, name: 'minutes' } : null;
}

const labels: Readonly<Record<string, string>> = {
  'ad_group_ad.ad.id': 'Ad ID',
  'ad_group_ad.ad.name': 'Ad',
  'ad_group_ad.ad.type': 'Ad type',
  'ad_group_ad.status': 'Status',
  'ad_group.name': 'Ad group',
  'ad_group.status': 'Status',
  'campaign.advertising_channel_type': 'Type',
  'campaign.bidding_strategy_type': 'Bidding strategy',
  'campaign.end_date': 'End date',
  'campaign.labels': 'Labels',
  'campaign.name': 'Campaign',
  'campaign.serving_status': 'Serving status',
  'campaign.start_date': 'Start date',
  'campaign.status': 'Status',
  'campaign_budget.amount_micros': 'Budget per day',
  'customer.currency_code': 'Currency',
  'customer.descriptive_name': 'Account',
  'label.name': 'Label',
  'metrics.conversions_value': 'Conversion value',
  'metrics.cost_micros': 'Cost',
  'segments.ad_network_type': 'Network',
  'segments.date': 'Day of figures',
  campaign_name: 'Campaign',
  created_at: 'Created',
  primaryUserId: 'Owner',
  startdatetime: 'Started',
};
const abbreviations = new Set(['id', 'url', 'urls', 'ctr', 'cpc', 'cpm', 'cpv', 'cpa', 'roas', 'sdr', 'crm']);

/** Owners of fields that do not say more than the field. */
const vague = new Set(['', 'metrics', 'segments', 'network_settings', 'meta_data']);

/** Returns a field's name in words: `ad_group.cpc_bid_micros` becomes `Ad group CPC bid`. */
export function labelOf(name: string): string {
  const known = labels[name];
  if (known !== undefined) return known;
  const [last = '', owner = ''] = name
    .replace(/_micros$/, '')
    .split('.')
    .map(step => step.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase())
    .toReversed();
  const isClear = vague.has(owner) || last.startsWith(owner);
  const words = (isClear ? last : `${owner}_${last}`).split('_');
  const text = words.map(word => (abbreviations.has(word) ? word.toUpperCase() : word)).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
