import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/engines.ts';
import { selectUsage } from './daily-quotas.ts';

const key = 'shared';

/** A node of the plan that PostgreSQL returns. */
interface Plan {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

onEachEngine('a daily quota that 10,000 customers share', database => {
  test('counts a request with a few hundred index entries of 240,000 rows', async () => {
    const db = database().kysely;
    await sql`alter table vendor_quota_usage disable trigger add_to_totals`.execute(db);
    await sql`insert into vendor_quota_usage (key, hour, organization_id, customer_id, used, last_used_at)
      select ${key}, date_trunc('hour', now()) - make_interval(hours => hour), 'o' || customer % 100, 'c' || customer, 1,
        now() - make_interval(hours => hour)
      from generate_series(1, 10000) as customer, generate_series(0, 23) as hour`.execute(db);
    await sql`alter table vendor_quota_usage enable trigger add_to_totals`.execute(db);
    await sql`insert into vendor_quota_totals (key, organization_id, hour, shard, used, last_used_at)
      select key, total, hour, (hashtext(customer_id) & 7)::smallint as shard, sum(used), max(last_used_at)
      from vendor_quota_usage, unnest(array[organization_id, '']) as total group by key, total, hour, shard`.execute(
      db,
    );
    for (const table of ['vendor_quota_usage', 'vendor_quota_totals']) {
      await sql`vacuum analyze ${sql.table(table)}`.execute(db);
    }
    const request = {
      key,
      perDay: 1_000_000,
      requester: { organizationId: 'o7', customerId: 'c7' },
      priority: 'interactive' as const,
    };
    const usage = await selectUsage(request).execute(db);
    const sumOf = (user: 'total' | 'organization' | 'customer') =>
      usage.rows.reduce((sum, hour) => sum + hour[user], 0);
    expect([sumOf('total'), sumOf('organization'), sumOf('customer')]).toEqual([240_000, 2_400, 24]);
    expect(usage.rows[0]).toMatchObject({ has_other_customer: true, has_other_organization: true });
    const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: Plan }] }>`
      explain (analyze, format json) ${selectUsage(request)}`.execute(db);
    const scans = nodesOf(rows[0]?.['QUERY PLAN'][0].Plan).filter(node => node['Node Type'].includes('Scan'));
    const ofTables = scans.filter(node => !['Subquery Scan', 'Result'].includes(node['Node Type']));
    expect(new Set(ofTables.map(node => node['Node Type']))).toEqual(new Set(['Index Only Scan']));
    const read = ofTables.reduce(
      (sum, node) =>
        sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
      0,
    );
    expect(read).toBeLessThanOrEqual(500);
  });
});

function nodesOf(plan: Plan | undefined): Plan[] {
  return plan === undefined ? [] : [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}
