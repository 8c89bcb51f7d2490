import { ConnectorAuthError } from '@connector-auth/api';
import type { Sync, SyncPage, SyncStart } from '../kind/kind.ts';
import type { Vendor } from '../kind/vendor.ts';
import { addDays, dayIn, monthsBefore, windowsOf } from './days.ts';
import { isClosedAccount } from './login.ts';
import { findReachableAccounts, type ReachableAccount } from './reachable-accounts.ts';
import { searchRecordOf } from './search-record.ts';
import { settingsOf } from './settings.ts';
import { datedQuery, defaultQuery, isDated, type Table } from './table.ts';
import { callerOf, readSearch, requestSearch, throughManager, type RowPage } from './wire.ts';

/** Number of days per query. */
const windowDays = 14;

/** Number of months for which Google stores daily metrics. */
const historyMonths = 37;

/**
 * Syncs a table for one account at a time: first its objects, active or not, as records without segments,
 * then its metrics in windows of 14 days. Metrics can still change during the conversion window, so an
 * incremental run reads those days again. A table without daily metrics is always read in full.
 */
export function syncOf(table: Table): Sync {
  return {
    incremental: isDated(table),
    onlyFullRunsFind:
      'deletions, and changes (such as a new name) in the records of days before the conversion window',
    run: (vendor, start) => readTable(table, vendor, start),
  };
}

/** The position from which a run resumes. */
interface Position {
  /**
   * The day on which the run started. The next incremental run starts at that day minus the conversion
   * window.
   */
  readonly began: string;
  /**
   * Id of the current account. Accounts are read in the order of their ids, so those before it are finished.
   */
  readonly account: string;
  /** Key of the stretch from which to resume within the account, or `done`. */
  readonly stretch: string;
  /**
   * Last day to read for the account. It stays the same during a run, because a page token is only valid for
   * the query that returned it.
   */
  readonly lastDay: string;
  /** Token for the page within the stretch; null for the first page. */
  readonly pageToken: string | null;
}

/** One query for an account, with all its pages. Keys sort in the order in which the run reads them. */
interface Stretch {
  readonly key: string;
  readonly query: string;
}

async function* readTable(table: Table, vendor: Vendor, start: SyncStart): AsyncGenerator<SyncPage> {
  // The position is one that this function yielded.
  const resumed = start.position as Position | null;
  const began = resumed?.began ?? dayIn(null, vendor.now());
  const toRecord = searchRecordOf(table);
  for (const account of await findReachableAccounts(vendor)) {
    if (resumed !== null && account.id < resumed.account) continue;
    const here = resumed?.account === account.id ? resumed : null;
    if (here?.stretch === 'done') continue;
    const lastDay = here?.lastDay ?? dayIn(account.timeZone, vendor.now());
    const days = { from: firstDay(vendor, start.since, lastDay), to: lastDay };
    const stretches = stretchesOf(table, vendor, account, days);
    const remaining = stretches.filter(({ key }) => here === null || key >= here.stretch);
    const at = (stretch: string, pageToken: string | null): Position => ({
      began,
      account: account.id,
      stretch,
      lastDay,
      pageToken,
    });
    for await (const { page, next } of readStretches(vendor, account, remaining, here)) {
      if (page.rows.length === 0 && page.nextPageToken === null) continue;
      yield { records: page.rows.map(toRecord), position: at(next, page.nextPageToken) };
    }
  }
  yield { records: [], position: null, since: isDated(table) ? began : null };
}

/** Returns the first day for which to read metrics. */
function firstDay(vendor: Vendor, since: string | null, lastDay: string): string {
  const { start_date, conversion_window_days } = settingsOf(vendor.grant);
  const first = start_date ?? monthsBefore(lastDay, 24);
  // One day earlier, because the day in the account's time zone may be behind UTC.
  const again = since === null ? first : addDays(since, -conversion_window_days - 1);
  return [first, again, monthsBefore(lastDay, historyMonths)].reduce((a, b) => (a > b ? a : b));
}

const wholeKey = '0';

function stretchesOf(
  table: Table,
  vendor: Vendor,
  account: ReachableAccount,
  { from, to }: { readonly from: string; readonly to: string },
): Stretch[] {
  const { version } = callerOf(vendor);
  const whole = { key: wholeKey, query: defaultQuery(table, version) };
  // Managers have no campaigns, and Google rejects queries for their metrics.
  if (account.isManager) return table.from === 'customer' ? [whole] : [];
  if (!isDated(table)) return [whole];
  const windows = windowsOf(from, to, windowDays);
  return [whole, ...windows.map(days => ({ key: days.from, query: datedQuery(table, version, days) }))];
}

/**
 * Reads the pages of an account's stretches and yields each with the key of the next stretch. Stops early if
 * the user can no longer use the account.
 */
async function* readStretches(
  vendor: Vendor,
  account: ReachableAccount,
  stretches: readonly Stretch[],
  resumed: Position | null,
): AsyncGenerator<{ page: RowPage; next: string }> {
  try {
    for (const [index, stretch] of stretches.entries()) {
      const following = stretches[index + 1]?.key ?? 'done';
      const pageToken = resumed?.stretch === stretch.key ? resumed.pageToken : null;
      for await (const page of readPages(vendor, account, stretch.query, pageToken)) {
        yield { page, next: page.nextPageToken === null ? following : stretch.key };
      }
    }
  } catch (error) {
    if (!isClosedAccount(error)) throw error;
  }
}

async function* readPages(
  vendor: Vendor,
  account: ReachableAccount,
  query: string,
  firstToken: string | null,
): AsyncGenerator<RowPage> {
  let pageToken = firstToken;
  do {
    const request = requestSearch(callerOf(vendor), account.id, { query, pageToken });
    let page: RowPage;
    try {
      page = readSearch(await vendor.send(throughManager(request, account.loginId)));
    } catch (error) {
      // Page tokens expire, so after an interruption this query may have to be read again from the start.
      if (pageToken === null || pageToken !== firstToken || !isDeadToken(error)) throw error;
      yield* readPages(vendor, account, query, null);
      return;
    }
    yield page;
    pageToken = page.nextPageToken;
  } while (pageToken !== null);
}

function isDeadToken(error: unknown): boolean {
  if (!(error instanceof ConnectorAuthError)) return false;
  const code = error.vendor?.code;
  return code === 'requestError.EXPIRED_PAGE_TOKEN' || code === 'requestError.INVALID_PAGE_TOKEN';
}
