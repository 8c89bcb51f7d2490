import type { Account } from './account.ts';
import { renderAdGroup } from './ad-groups.ts';
import { renderAd } from './ads.ts';
import { renderCampaign } from './campaigns.ts';
import { filterEntities } from './entity-filter.ts';
import { cutPage, type PageInfo, type Parameters } from './parameters.ts';
import type { Level } from './portfolio.ts';

/** Describes how one level of an ad account is listed. */
interface EntityList {
  readonly level: Level;
  readonly render: (account: Account, index: number) => Record<string, unknown>;
  /** Prefix of the filter names: `filtering` accepts `<word>_ids` and `<word>_name`. */
  readonly word: 'campaign' | 'adgroup' | 'ad';
}

const LISTS: Record<'campaign' | 'adgroup' | 'ad', EntityList> = {
  campaign: { level: 'campaign', word: 'campaign', render: renderCampaign },
  adgroup: { level: 'adGroup', word: 'adgroup', render: renderAdGroup },
  ad: { level: 'ad', word: 'ad', render: renderAd },
};

const SIZES = { fallback: 10, max: 1000 };
/** The maximum page size for TopView ad groups. */
const TOP_VIEW_MAX = 100;

/**
 * Serves `/campaign/get/`, `/adgroup/get/` and `/ad/get/`, newest first. Excludes deleted objects unless a
 * filter includes them.
 */
export function listEntities(
  kind: keyof typeof LISTS,
  account: Account,
  parameters: Parameters,
): { list: Record<string, unknown>[]; page_info: PageInfo } {
  const { level, word, render } = LISTS[kind];
  const fields = parameters.strings('fields');
  const omitsNull = (parameters.strings('exclude_field_types_in_response') ?? []).includes('NULL_FIELD');
  const indexes = filterEntities(
    { level, word, render: index => render(account, index) },
    account,
    parameters,
  );
  const isTopView = parameters.text('filtering')?.includes('RESERVATION_TOP_VIEW') ?? false;
  const sizes = kind === 'adgroup' && isTopView ? { ...SIZES, max: TOP_VIEW_MAX } : SIZES;
  const { rows, pageInfo } = cutPage(parameters, sizes, indexes);
  return {
    list: rows.map(index => pruneRecord(render(account, index), fields, omitsNull)),
    page_info: pageInfo,
  };
}

/** Returns a record with only the requested fields, and without null fields if the request excludes them. */
function pruneRecord(
  record: Record<string, unknown>,
  fields: readonly string[] | undefined,
  omitsNull: boolean,
): Record<string, unknown> {
  if (!fields && !omitsNull) return record;
  return Object.fromEntries(
    Object.entries(record).filter(
      ([name, value]) => (!fields || fields.includes(name)) && !(omitsNull && value === null),
    ),
  );
}
