import { ConnectorAuthError } from '@connector-auth/api';
import type { Sync, SyncPage, SyncStart } from '../kind/kind.ts';
import { asString } from '../kind/record.ts';
import type { Vendor } from '../kind/vendor.ts';
import type { Advertiser } from './advertiser.ts';
import { compareIds, readableAdvertisers } from './authorized.ts';
import { addDays, dayOf, earlierOf, laterOf } from './days.ts';
import { queryTooLarge } from './failure.ts';
import { adGroupsToSlice, filterOf, listAdGroupIds, sliceAfter, type Slice } from './report-slices.ts';
import { pageAfter, readPage, reportPath, request } from './wire.ts';

/** Maximum number of days per query with `stat_time_day`, including the first and the last day. */
const maxWindowDays = 30;

/**
 * TikTok can attribute a conversion to a day up to this many days ago, so an incremental run reads these days
 * again.
 */
const lookBackDays = 28;

/** First day to read for accounts whose creation date is unknown. */
const earliestDay = '2016-09-01';

/** The parameters shared by all queries for a report level. */
interface LevelQuery {
  readonly data_level: string;
  readonly dimensions: readonly string[];
  readonly metrics: readonly string[];
  readonly page_size: number;
}

type ToSearchRecord = (wire: unknown) => Readonly<Record<string, unknown>>;

/** The next query of a run. */
interface Position {
  readonly advertiser_id: string;
  readonly slice: Slice;
  /** First day of the query, as `YYYY-MM-DD`. */
  readonly start: string;
  readonly days: number;
  readonly page: number;
  /** Last day that the run reads, which is the day on which the run started. */
  readonly until: string;
}

/**
 * Syncs a daily report for one advertiser at a time, in windows of several days. A full run starts at the
 * account's creation date; an incremental run starts shortly before the end of the previous run.
 */
export function syncReports(query: LevelQuery, toSearchRecord: ToSearchRecord): Sync {
  return {
    incremental: true,
    onlyFullRunsFind: `deletions, and changes (such as a new name) in the records of days more than ${lookBackDays} days ago`,
    run: (vendor, start) => readReports(vendor, start, query, toSearchRecord),
  };
}

async function* readReports(
  vendor: Vendor,
  { since, position }: SyncStart,
  query: LevelQuery,
  toSearchRecord: ToSearchRecord,
): AsyncGenerator<SyncPage, void> {
  // The position is one that this run yielded.
  const resumed = position as Position | null;
  const until = resumed?.until ?? dayOf(vendor.now());
  for (const advertiser of await readableAdvertisers(vendor)) {
    const { advertiser_id } = advertiser;
    if (resumed && compareIds(advertiser_id, resumed.advertiser_id) < 0) continue;
    const mine = resumed?.advertiser_id === advertiser_id ? resumed : null;
    const adGroupIds = await sliceIfNeeded(vendor, advertiser_id, query, mine);
    const first = firstDay(advertiser, since, vendor);
    let next = mine;
    for (
      let slice = mine?.slice ?? sliceAfter(null, adGroupIds);
      slice;
      slice = sliceAfter(slice, adGroupIds)
    ) {
      next ??= { advertiser_id, slice, start: first, days: maxWindowDays, page: 1, until };
      yield* readDays(vendor, next, { ...query, filtering: filterOf(slice, adGroupIds) }, toSearchRecord);
      next = null;
    }
  }
  yield { records: [], position: null, since: until };
}

/** Splits ad reports into slices if needed, because only they silently omit rows beyond a limit. */
async function sliceIfNeeded(
  vendor: Vendor,
  advertiserId: string,
  query: LevelQuery,
  resumed: Position | null,
) {
  if (query.data_level !== 'AUCTION_AD') return null;
  const isSliced = resumed !== null && resumed.slice.upTo !== null;
  return isSliced ? listAdGroupIds(vendor, advertiserId) : adGroupsToSlice(vendor, advertiserId);
}

async function* readDays(
  vendor: Vendor,
  from: Position,
  query: LevelQuery & { readonly filtering: unknown },
  toSearchRecord: ToSearchRecord,
): AsyncGenerator<SyncPage, void> {
  const { advertiser_id, until } = from;
  let { start, days, page } = from;
  while (start <= until) {
    const end = earlierOf(addDays(start, days - 1), until);
    const asked = { advertiser_id, start_date: start, end_date: end, page };
    const basic = { ...query, service_type: 'AUCTION', report_type: 'BASIC' };
    try {
      const response = await vendor.send(request(reportPath, { ...basic, ...asked }));
      const { result, connector_metadata } = readPage(response, toSearchRecord);
      const nextPage = pageAfter(page, connector_metadata);
      if (nextPage === null) start = addDays(end, 1);
      page = nextPage ?? 1;
      yield { records: result, position: { ...from, start, days, page } satisfies Position };
    } catch (error) {
      if (!isTooLarge(error) || days === 1) throw error;
      days = Math.ceil(days / 2);
      page = 1;
    }
  }
}

/**
 * Returns the first day to read: the day the account was created, or, for an incremental run, some days
 * before the end of the previous run.
 */
function firstDay(advertiser: Advertiser, since: string | null, { grant }: Vendor): string {
  // One day earlier, because in some accounts' time zones the day starts before it does in UTC.
  const made = addDays(dayOf((advertiser.create_time ?? 0) * 1000), -1);
  const wanted = laterOf(asString(grant.settings['start_date']) ?? earliestDay, made);
  return since === null ? wanted : laterOf(wanted, addDays(since, -lookBackDays));
}

function isTooLarge(error: unknown): boolean {
  return error instanceof ConnectorAuthError && error.vendor?.code === String(queryTooLarge);
}
