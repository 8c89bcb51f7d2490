import { ConnectorAuthError } from '@connector-auth/api';
import type { Priority } from '@connector-auth/connectors/kind';
import { sql, type Kysely } from 'kysely';
import type { Requester } from '../concurrency/fair-queue.ts';
import type { Tables } from '../database/tables.ts';

export interface QuotaRequest {
  readonly key: string;
  /** The maximum number of requests in any 24 hours. */
  readonly perDay: number;
  readonly requester: Requester;
  readonly priority: Priority;
}

/** The maximum parts of a quota that one customer or organization can use. */
interface Shares {
  /** While another one has used the quota within the last hour. */
  readonly contended: number;
  /** Otherwise. */
  readonly alone: number;
}

const aloneShares = { customer: 0.9, organization: 0.95 } as const;
const contendedOrganizationShare = 0.5;
/** Background requests leave a tenth of every share to interactive requests. */
const backgroundPart = 0.9;
const cleanupEvery = 1_000;

/**
 * Counts requests against vendors' daily quotas in the database, by hour, for all processes. While others use
 * the same quota, a customer can use at most `customerShare` of it and an organization half of it; alone, they
 * leave a small part for others. Concurrent requests may exceed a limit by their number.
 */
export class DailyQuotas {
  readonly #db: Kysely<Tables>;
  readonly #customer: Shares;
  readonly #organization: Shares;
  #requests = 0;

  /** @param customerShare the maximum part of a quota for one customer, between 0 and 1. */
  constructor(db: Kysely<Tables>, customerShare: number) {
    this.#db = db;
    const alone = Math.max(customerShare, aloneShares.customer);
    this.#customer = { contended: customerShare, alone };
    this.#organization = {
      contended: Math.max(customerShare, contendedOrganizationShare),
      alone: Math.max(alone, aloneShares.organization),
    };
  }

  /**
   * Counts one request.
   * @throws ConnectorAuthError `vendor_rate_limited` with the time until the next request, in seconds.
   */
  async count(request: QuotaRequest): Promise<void> {
    if (++this.#requests % cleanupEvery === 0) await this.#deleteOld();
    const { key, requester } = request;
    const { organizationId, customerId } = requester;
    const limits = this.#limitsOf(request);
    const { rows } = await sql`
      with usage as (${usageOf(request)})
      insert into vendor_quota_usage as counted
        (key, hour, organization_id, customer_id, used, last_used_at)
      select ${key}, date_trunc('hour', now()), ${organizationId}, ${customerId}, 1, now() from usage
      where total < ${limits.total}
        and customer < case when has_other_customer then ${limits.customer.contended}::float8
          else ${limits.customer.alone}::float8 end
        and organization < case when has_other_organization then ${limits.organization.contended}::float8
          else ${limits.organization.alone}::float8 end
      on conflict (key, hour, organization_id, customer_id) do update
      set used = counted.used + 1, last_used_at = now()
      returning used
    `.execute(this.#db);
    if (rows.length === 0) throw await this.#rejection(request);
  }

  #limitsOf({ perDay, priority }: QuotaRequest) {
    const limit = perDay * (priority === 'background' ? backgroundPart : 1);
    const of = ({ contended, alone }: Shares) => ({ contended: contended * limit, alone: alone * limit });
    return { total: limit, customer: of(this.#customer), organization: of(this.#organization) };
  }

  /** Explains which limit was reached, and when the next request can be sent. */
  async #rejection(request: QuotaRequest): Promise<ConnectorAuthError> {
    const { perDay, requester } = request;
    const { rows: hours } = await usageByHour(request).execute(this.#db);
    const limits = this.#limitsOf(request);
    const [usage] = (await sql<Usage>`${usageOf(request)}`.execute(this.#db)).rows;
    const isContended = {
      customer: usage?.has_other_customer === true,
      organization: usage?.has_other_organization === true,
    };
    const customerLimit = limits.customer[isContended.customer ? 'contended' : 'alone'];
    const organizationLimit = limits.organization[isContended.organization ? 'contended' : 'alone'];
    const waits = [
      { who: 'customer', seconds: secondsUntil(hours, 'customer', customerLimit) },
      { who: 'organization', seconds: secondsUntil(hours, 'organization', organizationLimit) },
      { who: 'total', seconds: secondsUntil(hours, 'total', limits.total) },
    ] as const;
    const longest = waits.reduce((one, other) => (other.seconds > one.seconds ? other : one));
    const isShare = longest.who !== 'total' && isContended[longest.who];
    // The share grows when no one else has used the quota for an hour.
    const retryAfterSeconds = Math.max(1, isShare ? Math.min(longest.seconds, 3600) : longest.seconds);
    const used = usage?.[longest.who === 'total' ? 'total' : longest.who] ?? 0;
    void requester;
    return new ConnectorAuthError(
      'vendor_rate_limited',
      `${subjects[longest.who]} used ${used} of the ${perDay} requests that the vendor allows per day${
        longest.who === 'total' ? '' : ', and the rest is reserved for others'
      }. Try again in ${inWords(retryAfterSeconds)}`,
      { retryAfterSeconds },
    );
  }

  async #deleteOld(): Promise<void> {
    await this.#db
      .deleteFrom('vendor_quota_usage')
      .where('hour', '<', sql<Date>`date_trunc('hour', now()) - interval '25 hours'`)
      .execute();
  }
}
