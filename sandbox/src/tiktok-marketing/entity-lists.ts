import type { Account } from './account.ts';
import { renderAdGroup } from './ad-groups.ts';
import { renderAd } from './ads.ts';
import { renderCampaign } from './campaigns.ts';
import { filterEntities } from './entity-filter.ts';
import { cutPage, type PageInfo, type Parameters } from './parameters.ts';
import type { Level } from './portfolio.ts';

/** How the three levels of an ad account differ on the wire. */
interface EntityList {
  readonly level: Level;
  readonly render: (account: Account, index: number) => Record<string, unknown>;
  /** The word in `filtering`: `<word>_ids`, and in statuses that mean all or deleted. */
  readonly word: 'campaign' | 'adgroup' | 'ad';
}

const LISTS: Record<'campaign' | 'adgroup' | 'ad', EntityList> = {
  campaign: { level: 'campaign', word: 'campaign', render: renderCampaign },
  adgroup: { level: 'adGroup', word: 'adgroup', render: renderAdGroup },
  ad: { level: 'ad', word: 'ad', render: renderAd },
};

const SIZES = { fallback: 10, max: 1000 };
/** Ad groups bought as top views come in shorter pages. */
const TOP_VIEW_MAX = 100;

/** `/campaign/get/`, `/adgroup/get/`, `/ad/get/`: newest first, without what was deleted unless a filter asks for it. */
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

/** The keys that were asked for, and no null if they are not wanted. */
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
