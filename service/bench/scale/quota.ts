import { systemClock } from '@connector-auth/api';
import { perDay, type Bucket } from '@connector-auth/connectors/kind';
import { sql } from 'kysely';
import { createVendorLimiter, limiterFor } from '../../src/shared/vendor-limits/vendor-limiter.ts';
import { inTurns, median, options, quantile, reportGoal, rounded, timeOf } from '../harness.ts';
import { openNew, printStatements, resetStatements } from './installation.ts';

const key = 'shared';
const calls = options.quick ? 50 : 500;
const rounds = options.quick ? 2 : 10;

/** Measures calls with and without a daily quota that 10,000 customers have used in each of the last 24 hours. */
export async function measureQuota(): Promise<void> {
  const { location, database } = await openNew();
  const db = database.kysely;
  // The trigger adds each row to the totals.
  await sql`insert into vendor_quota_usage (key, hour, organization_id, customer_id, used, last_used_at)
    select ${key}, date_trunc('hour', now()) - make_interval(hours => hour), 'o' || customer % 100, 'c' || customer, 1,
      now() - make_interval(hours => hour)
    from generate_series(1, ${options.quick ? 1_000 : 10_000}::int) as customer, generate_series(0, 23) as hour`.execute(
    db,
  );
  for (const table of ['vendor_quota_usage', 'vendor_quota_totals'])
    await sql`vacuum analyze ${sql.table(table)}`.execute(db);
  await resetStatements(location.databaseUrl);
  const limiter = createVendorLimiter(database, systemClock, { customerShare: 0.5 });
  let customer = 0;
  /** Does what each call to the vendor does before it is sent. A rate limit that is never reached needs no waiting. */
  const call = async (limits: ReadonlyMap<string, Bucket>) => {
    customer += 1;
    const requester = { organizationId: `o${customer % 100}`, customerId: `c${customer % 10_000}` };
    const limiterOfCustomer = limiterFor(limiter, requester);
    for (const [name, bucket] of limits)
      await limiterOfCustomer.take(name, bucket, { priority: 'interactive', deadlineMs: Infinity });
  };
  const rate = ['rate', { burst: 1_000_000, perSecond: 1_000_000 }] as const;
  const without = new Map<string, Bucket>([rate]);
  const subjects = { with: new Map<string, Bucket>([rate, [key, perDay(1_000_000_000)]]), without };
  const turns = await inTurns(['with', 'without'] as const, rounds, async name => {
    const times: number[] = [];
    for (let count = 0; count < calls; count++) times.push(await timeOf(() => call(subjects[name])));
    return times;
  });
  const times = (name: keyof typeof subjects): number[] => (turns.get(name) ?? []).flat();
  const added = median(times('with')) - median(times('without'));
  console.table(
    Object.fromEntries(
      [...turns.keys()].map(name => [
        `${name} a quota`,
        {
          'p50 ms': rounded(median(times(name)), 3),
          'p95 ms': rounded(quantile(times(name), 0.95), 3),
        },
      ]),
    ),
  );
  await printStatements(location.databaseUrl, 'of the calls');
  reportGoal('what the quota adds to a call', '≤ 1 ms', `${rounded(added)} ms`, added <= 1);
}
