import { ConnectorAuthError } from '@connector-auth/api';
import type { Priority } from '@connector-auth/connectors/kind';
import { sql, type Kysely } from 'kysely';
import type { Requester } from '../../platform/concurrency/fair-queue.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/tables.ts';

export interface QuotaRequest {
  readonly key: string;
  /** The maximum number of requests in any 24 hours. */
  readonly perDay: number;
  readonly requester: Requester;
  readonly priority: Priority;
}

/** The maximum parts of a quota for one customer and for one organization. */
interface Shares {
  readonly customer: number;
  readonly organization: number;
}

/** How long a use of the quota limits the shares of others. */
const contentionSeconds = 3_600;
/** The shares of a customer or organization if no other used the quota within that time. */
const sharesAlone: Shares = { customer: 0.9, organization: 0.95 };
const contendedOrganizationShare = 0.5;
/** Background requests leave a tenth of every share to interactive requests. */
const backgroundPart = 0.9;
const cleanupEvery = 1_000;

/**
 * Counts requests against vendors' daily quotas in the database, by hour, for all processes together. While
 * others use the same quota, a customer can use at most `customerShare` of it and an organization half of it;
 * alone, they leave a small part to others. Concurrent requests can exceed a limit by their number.
 */
export class DailyQuotas {
  readonly #db: Kysely<Tables>;
  readonly #canDelayCommits: boolean;
  readonly #contended: Shares;
  readonly #alone: Shares;
  #requests = 0;

  /** @param customerShare the maximum part of a quota for one customer, greater than 0 and at most 1. */
  constructor(
    { kysely, canDelayCommits }: Pick<Database, 'kysely' | 'canDelayCommits'>,
    customerShare: number,
  ) {
    this.#db = kysely;
    this.#canDelayCommits = canDelayCommits;
    const atLeast = (share: number): number => Math.max(customerShare, share);
    this.#contended = { customer: customerShare, organization: atLeast(contendedOrganizationShare) };
    this.#alone = {
      customer: atLeast(sharesAlone.customer),
      organization: atLeast(sharesAlone.organization),
    };
  }

  /**
   * Counts one request.
   * @throws ConnectorAuthError `vendor_rate_limited` with the seconds until a request is allowed again.
   */
  async count(request: QuotaRequest): Promise<void> {
    if (++this.#requests % cleanupEvery === 0) await deleteOldUsage(this.#db);
    const perDay = usableQuota(request);
    const limitsOf = (user: keyof Shares) => [perDay * this.#contended[user], perDay * this.#alone[user]];
    // If the server crashes, the counts of its last fraction of a second are lost. No call waits for its disk.
    const { rows } = await sql<{ is_counted: boolean }>`select count_vendor_request(
      ${userOf(request)}, ${perDay}, ${limitsOf('customer')}, ${limitsOf('organization')}, ${this.#canDelayCommits}
    ) as is_counted`.execute(this.#db);
    if (rows[0]?.is_counted !== true) throw await this.#rejection(request);
  }

  /** Explains which limit was reached and when the next request is allowed. */
  async #rejection(request: QuotaRequest): Promise<ConnectorAuthError> {
    const perDay = usableQuota(request);
    const { rows: hours } = await selectUsage(request).execute(this.#db);
    const waitForShare = (user: 'customer' | 'organization', isContended: boolean) => {
      const share = isContended ? this.#contended : this.#alone;
      const wait = waitFor(hours, user, perDay * share[user]);
      return isContended ? { ...wait, seconds: Math.min(wait.seconds, contentionSeconds) } : wait;
    };
    const waits = [
      waitForShare(
        'customer',
        hours.some(hour => hour.has_other_customer),
      ),
      waitForShare(
        'organization',
        hours.some(hour => hour.has_other_organization),
      ),
      waitFor(hours, 'total', perDay),
    ];
    const { user, seconds } = waits.reduce((one, other) => (other.seconds > one.seconds ? other : one));
    const used = hours.reduce((sum, hour) => sum + hour[user], 0);
    const retryAfterSeconds = Math.max(1, Math.ceil(seconds));
    return new ConnectorAuthError(
      'vendor_rate_limited',
      `${descriptions[user]}: ${used} of ${request.perDay} requests in 24 hours. Try again in ${inWords(retryAfterSeconds)}`,
      { retryAfterSeconds },
    );
  }
}

/**
 * Stands for all customers of an organization while their new credentials are verified. It does not
 * count as another customer, so it does not reduce the share of the customer that connects.
 */
export const newCredentials = 'new credentials';

type User = 'customer' | 'organization' | 'total';

/** The requests that were used in one hour: by the customer, by its organization, and in total. */
interface HourlyUsage extends Readonly<Record<User, number>> {
  readonly has_other_customer: boolean;
  readonly has_other_organization: boolean;
  /** Seconds until the hour no longer counts. */
  readonly expires_in: number;
}

const descriptions: Readonly<Record<User, string>> = {
  customer: 'This customer has used its share of the daily quota that all customers share',
  organization: 'This organization has used its share of the daily quota that all organizations share',
  total: 'The daily quota is used up',
};

/** An hour counts until all its requests are at least 24 hours old. */
export const firstHour = sql`date_trunc('hour', now()) - interval '24 hours'`;

/** Selects the usage of the last 24 hours, as one row for each hour with requests, the oldest first. */
export function selectUsage(request: QuotaRequest) {
  const { key, requester } = request;
  return sql<HourlyUsage>`
    select used_by_all as total, used_by_customer as customer, used_by_organization as organization,
      has_other_customer, has_other_organization,
      extract(epoch from starts_at + interval '25 hours' - now())::float8 as expires_in
    from vendor_quota_hours(${key}, ${requester.organizationId}, ${requester.customerId}),
      vendor_quota_others(${userOf(request)})
    order by starts_at`;
}

/** The arguments of the database's functions that look for other users of a quota. */
function userOf({ key, requester: { organizationId, customerId } }: QuotaRequest) {
  return sql`${key}, ${organizationId}, ${customerId}, ${newCredentials}, make_interval(secs => ${contentionSeconds})`;
}

function usableQuota({ perDay, priority }: QuotaRequest): number {
  return priority === 'background' ? perDay * backgroundPart : perDay;
}

/** Returns the seconds until enough hours no longer count for one more request. */
function waitFor(hours: readonly HourlyUsage[], user: User, limit: number): { user: User; seconds: number } {
  let used = hours.reduce((sum, hour) => sum + hour[user], 0);
  let seconds = 0;
  for (const hour of hours) {
    if (used < limit) break;
    used -= hour[user];
    seconds = hour.expires_in;
  }
  return { user, seconds };
}

function inWords(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}

async function deleteOldUsage(db: Kysely<Tables>): Promise<void> {
  for (const table of ['vendor_quota_usage', 'vendor_quota_totals'] as const) {
    await db
      .deleteFrom(table)
      .where('hour', '<', sql<Date>`${firstHour}`)
      .execute();
  }
}
