import { ConnectorAuthError } from '@connector-auth/api';
import type { Sync, WalkPage, WalkStart } from '../kind/kind.ts';
import { asString } from '../kind/record.ts';
import type { Vendor } from '../kind/vendor.ts';
import type { Advertiser } from './advertiser.ts';
import { compareIds, readableAdvertisers } from './authorized.ts';
import { queryTooLarge } from './failure.ts';
import { addDays, dayOf, earlierOf, laterOf } from './days.ts';
import { pageAfter, readPage, reportPath, request } from './wire.ts';

/** Days of one query: the most TikTok takes with `stat_time_day`, both ends included. */
const longestWindow = 30;

/** TikTok credits conversions to days up to this long ago, so that many are read again. */
const lookBackDays = 28;

/** Nothing to advertise on is older. */
const earliestDay = '2016-09-01';

/** What a report's queries ask beside advertiser, days and page. */
interface ReportQuery {
  readonly data_level: string;
  readonly dimensions: readonly string[];
  readonly metrics: readonly string[];
  readonly page_size: number;
}

type SearchRecord = Readonly<Record<string, unknown>>;

interface Position {
  advertiser_id: string;
  /** First day of the next query, how many days it asks for, and the page. */
  start: string;
  days: number;
  page: number;
  /** The last day of the walk: the day it began. */
  until: string;
}

/** Walks a daily report: by advertiser, then in windows of days from the account's first day, or back from the last walk. */
export function syncReports(query: ReportQuery, toSearchRecord: (wire: unknown) => SearchRecord): Sync {
  return {
    incremental: true,
    walk: (vendor, start) => walkReports(vendor, start, query, toSearchRecord),
  };
}

async function* walkReports(
  vendor: Vendor,
  { since, position }: WalkStart,
  query: ReportQuery,
  toSearchRecord: (wire: unknown) => SearchRecord,
): AsyncGenerator<WalkPage, void> {
  // The position is one that this function gave.
  const resumed = position as Position | null;
  const until = resumed?.until ?? dayOf(vendor.now());
  for (const advertiser of await readableAdvertisers(vendor)) {
    const { advertiser_id } = advertiser;
    if (resumed && compareIds(advertiser_id, resumed.advertiser_id) < 0) continue;
    let { start, days, page } =
      resumed?.advertiser_id === advertiser_id
        ? resumed
        : { start: firstDay(advertiser, since, vendor), days: longestWindow, page: 1 };
    while (start <= until) {
      const end = earlierOf(addDays(start, days - 1), until);
      const answer = await vendor
        .send(
          request(reportPath, {
            ...query,
            service_type: 'AUCTION',
            report_type: 'BASIC',
            advertiser_id,
            start_date: start,
            end_date: end,
            page,
          }),
        )
        .catch(nullIfTooLarge);
      if (answer === null && days > 1) {
        days = Math.ceil(days / 2);
        page = 1;
        continue;
      }
      if (answer === null) {
        throw new ConnectorAuthError(
          'vendor_refused_request',
          `TikTok cannot report a single day (${start}) of advertiser ${advertiser_id}: too large`,
        );
      }
      const { result, connector_metadata } = readPage(answer, toSearchRecord);
      const next = pageAfter(page, connector_metadata);
      if (next === null) start = addDays(end, 1);
      page = next ?? 1;
      yield { records: result, position: { advertiser_id, start, days, page, until } satisfies Position };
    }
  }
  yield { records: [], position: null, since: until };
}

/** An account has no figures from before it was made; an incremental walk looks back from where the last one ended. */
function firstDay(advertiser: Advertiser, since: string | null, { grant }: Vendor): string {
  // A day earlier, for accounts whose day begins before UTC's does.
  const made = addDays(dayOf(advertiser.create_time * 1000), -1);
  const wanted = laterOf(asString(grant.settings['start_date']) ?? earliestDay, made);
  return since === null ? wanted : laterOf(wanted, addDays(since, -lookBackDays));
}

function nullIfTooLarge(error: unknown): null {
  if (error instanceof ConnectorAuthError && error.vendor?.code === String(queryTooLarge)) return null;
  throw error;
}
