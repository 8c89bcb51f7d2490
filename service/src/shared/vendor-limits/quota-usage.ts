import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import { firstHour } from './daily-quotas.ts';

/** A daily quota that a kind declares. */
export interface DeclaredQuota {
  /** What the keys of the quota begin with, as `waitForLimits` of the connectors builds them. */
  readonly keyPrefix: string;
  readonly perDay: number;
}

/** The use of one quota in the last 24 hours. */
export interface QuotaUsage {
  readonly key: string;
  /** Null if no kind of this version declares the quota. */
  readonly perDay: number | null;
  readonly used: number;
  /** When the oldest of the requests stop counting. */
  readonly windowEndsAt: Date;
  /** The customers that used most, without those that were deleted. */
  readonly customers: readonly CustomerUsage[];
}

export interface CustomerUsage {
  readonly organization: { readonly id: string; readonly name: string };
  readonly customer: { readonly id: string; readonly name: string };
  readonly used: number;
  readonly lastUsedAt: Date;
}

const maxQuotas = 100;
const maxCustomers = 10;

/** Returns the 100 quotas of which the largest part was used, and the ten customers that used most of each. */
export async function readQuotaUsage(
  db: Kysely<Tables>,
  declared: readonly DeclaredQuota[],
): Promise<QuotaUsage[]> {
  const { rows: quotas } = await sql<Omit<QuotaUsage, 'customers'>>`
    select usage.*, declared.per_day as "perDay"
    from (
      select key, sum(used)::int as used, min(hour) + interval '25 hours' as "windowEndsAt"
      from vendor_quota_totals where organization_id = '' and hour >= ${firstHour} group by key
    ) as usage
    left join unnest(
      ${declared.map(({ keyPrefix }) => keyPrefix)}::text[], ${declared.map(({ perDay }) => perDay)}::int[]
    ) as declared (key_prefix, per_day) on starts_with(usage.key, declared.key_prefix)
    order by usage.used::float8 / declared.per_day desc nulls last, usage.key
    limit ${maxQuotas}`.execute(db);
  const customers = await readCustomers(
    db,
    quotas.map(({ key }) => key),
  );
  return quotas.map(quota => ({ ...quota, customers: customers.filter(({ key }) => key === quota.key) }));
}

async function readCustomers(
  db: Kysely<Tables>,
  keys: readonly string[],
): Promise<(CustomerUsage & { readonly key: string })[]> {
  const { rows } = await sql<{
    key: string;
    organization_id: string;
    organization_name: string;
    customer_id: string;
    customer_name: string;
    used: number;
    last_used_at: Date;
  }>`
    select * from (
      select usage.key, usage.used, usage.last_used_at,
        organizations.id as organization_id, organizations.name as organization_name,
        customers.id as customer_id, customers.name as customer_name,
        row_number() over (partition by usage.key order by usage.used desc, customers.id) as place
      from (
        select key, organization_id, customer_id, sum(used)::int as used, max(last_used_at) as last_used_at
        from vendor_quota_usage
        where key = any(${[...keys]}::text[]) and hour >= ${firstHour}
        group by key, organization_id, customer_id
      ) as usage
      join customers on customers.organization_id = ${uuidOrNull('usage.organization_id')}
        and customers.id = ${uuidOrNull('usage.customer_id')}
      join organizations on organizations.id = customers.organization_id
    ) as ranked where place <= ${maxCustomers} order by key, place`.execute(db);
  return rows.map(row => ({
    key: row.key,
    organization: { id: row.organization_id, name: row.organization_name },
    customer: { id: row.customer_id, name: row.customer_name },
    used: row.used,
    lastUsedAt: row.last_used_at,
  }));
}

/** The requests that verify new credentials belong to no customer, so their customer id is not a UUID. */
function uuidOrNull(column: string) {
  const text = sql.ref(column);
  return sql`case when pg_input_is_valid(${text}, 'uuid') then ${text}::uuid end`;
}
