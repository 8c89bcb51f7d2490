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
    const { key, requester } = request;
    const perDay = usableQuota(request);
    // If the server crashes, the counts of its last fraction of a second are lost. No call waits for its disk.
    const delayCommit = this.#canDelayCommits
      ? sql`cross join set_config('synchronous_commit', 'off', true)`
      : sql``;
    const { rows } = await sql`
      insert into vendor_quota_usage as counted (key, hour, organization_id, customer_id, used, last_used_at)
      select ${key}, ${currentHour}, ${requester.organizationId}, ${requester.customerId}, 1, now()
      from (${selectUsage(request)}) as usage ${delayCommit}
      where total < ${perDay}::float8
        and customer < ${perDay}::float8 * case when has_other_customer
          then ${this.#contended.customer}::float8 else ${this.#alone.customer}::float8 end
        and organization < ${perDay}::float8 * case when has_other_organization
          then ${this.#contended.organization}::float8 else ${this.#alone.organization}::float8 end
      on conflict (key, hour, organization_id, customer_id) do update
      set used = counted.used + 1, last_used_at = now()
      returning used
    `.execute(this.#db);
    if (rows.length === 0) throw await this.#rejection(request);
  }

  /** Explains which limit was reached and when the next request is allowed. */
  async #rejection(request: QuotaRequest): Promise<ConnectorAuthError> {
    const perDay = usableQuota(request);
    const { rows: hours } =
      await sql<HourlyUsage>`${selectUsage(request)} group by hour order by hour`.execute(this.#db);
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

const currentHour = sql`date_trunc('hour', now())`;
/** An hour counts until all its requests are at least 24 hours old. */
export const firstHour = sql`${currentHour} - interval '24 hours'`;

/**
 * Selects the usage of the last 24 hours, as one row unless a `group by` follows. Reads a few hundred rows, however many
 * customers use the quota: those of the customer, the totals of its organization and of all, and the latest uses up to the first of another.
 */
export function selectUsage({ key, requester: { organizationId, customerId } }: QuotaRequest) {
  const isRecent = sql`key = ${key} and last_used_at > now() - make_interval(secs => ${contentionSeconds})`;
  const isOfHours = sql`key = ${key} and hour >= ${firstHour}`;
  return sql`
    select coalesce(sum(total), 0)::int as total,
      coalesce(sum(customer), 0)::int as customer,
      coalesce(sum(organization), 0)::int as organization,
      exists (select from vendor_quota_usage where ${isRecent} and not (
        organization_id = ${organizationId} and customer_id in (${customerId}, ${newCredentials})
      )) as has_other_customer,
      exists (select from vendor_quota_totals where ${isRecent}
        and organization_id not in (${organizationId}, '')) as has_other_organization,
      coalesce(extract(epoch from min(hour) + interval '25 hours' - now()), 0)::float8 as expires_in
    from (
      select hour, used as customer, 0 as organization, 0 as total from vendor_quota_usage
      where ${isOfHours} and organization_id = ${organizationId} and customer_id = ${customerId}
      union all
      select hour, 0, case organization_id when '' then 0 else used end, case organization_id when '' then used else 0 end
      from vendor_quota_totals where ${isOfHours} and organization_id in (${organizationId}, '')
    ) as used`;
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
