import { maxAccounts, type Account } from '@connector-auth/api';
import { accountDetail, listOfAccounts } from '../kind/accounts.ts';
import type { AccountList, Accounts } from '../kind/kind.ts';
import type { Vendor } from '../kind/vendor.ts';
import { maxIdsPerCall, type Advertiser } from './advertiser.ts';
import { authorization } from './auth.ts';
import { idsIn, listAuthorized, readPermitted, type Authorized } from './authorized.ts';
import { en } from './messages/en.ts';

/** The advertisers that a user shared with the app. TikTok lists them only for the token's app, which a pasted token often lacks. */
export const accountChoice: Accounts = {
  setting: 'advertiser_ids',
  methods: [authorization.id],
  // A sync takes one request for each of the 6 lists, one for each of the 4 daily
  // reports (29 days in windows of 30), and one that counts the ads. The daily full sync of an account that
  // is a year old reads 13 windows of each report.
  dailyRequestsPerAccount: syncsPerDay => syncsPerDay * (6 + 4 + 1) + 13 * 4,
  list: listAccounts,
};

/** Time after which no further advertisers are read, because a person is waiting. */
const budgetMs = 15_000;

/**
 * Lists the advertisers. If TikTok takes too long, the remaining ones are listed by the name that TikTok
 * returns with their id.
 */
async function listAccounts(vendor: Vendor): Promise<AccountList> {
  const endsAt = vendor.now() + budgetMs;
  const authorized = (await listAuthorized(vendor)) ?? idsIn(vendor.grant.state)?.map(nameless) ?? null;
  if (authorized === null) return { accounts: [], isComplete: false };
  const accounts: Account[] = [];
  for (let start = 0; start < Math.min(authorized.length, maxAccounts); start += maxIdsPerCall) {
    const batch = authorized.slice(start, start + maxIdsPerCall);
    const isRead = vendor.now() < endsAt;
    const ids = isRead ? batch.map(({ id }) => id) : [];
    const advertisers = new Map((await readPermitted(ids, vendor)).map(one => [one.advertiser_id, one]));
    accounts.push(...batch.map(one => describe(one, advertisers.get(one.id) ?? null, isRead)));
  }
  return listOfAccounts(accounts, authorized.length <= maxAccounts);
}

function nameless(id: string): Authorized {
  return { id, name: null };
}

function describe({ id, name }: Authorized, advertiser: Advertiser | null, isRead: boolean): Account {
  const title = advertiser?.name ?? name;
  const status = statusWords[advertiser?.status ?? ''] ?? null;
  const reason = isRead && advertiser === null ? en.account.noAccess : null;
  const isDisabled = advertiser?.status === 'STATUS_DISABLE';
  return {
    id,
    name: title ?? id,
    detail: accountDetail(title !== null && id, advertiser?.currency ?? null, status),
    selectable: reason === null && !isDisabled,
    reason: isDisabled ? en.account.disabled : reason,
  };
}

/** What the list shows of statuses other than enabled and disabled. */
const statusWords: Readonly<Record<string, string>> = {
  STATUS_LIMIT: en.account.limited,
  STATUS_PENDING_CONFIRM: en.account.inReview,
  STATUS_CONFIRM_FAIL: en.account.reviewFailed,
};
