import { sql, type Kysely } from 'kysely';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Database } from '../../platform/database/database.ts';
import type { PoolUsage } from '../../platform/database/pool.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { startPeriodicJob, type Job } from '../../platform/jobs/periodic-job.ts';
import type { Log } from '../../platform/log/log.ts';
import type { KindRegistry } from '../../shared/definitions/registry.ts';
import { derivedStatus, isPresent } from '../../shared/repositories/connectors.ts';
import { failuresUntilFailing } from '../../shared/repositories/overview.ts';

type Gauges = ReturnType<typeof createGauges>;

/** Creates the gauges of what all processes share: each process reports the same values. */
export function createGauges(registry: Registry) {
  const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Gauge<Label>({
      name: `connector_auth_${name}`,
      help,
      labelNames: [...labelNames],
      registers: [registry],
    });
  return {
    connectors: gauge('connectors', 'Connectors, by status', ['kind', 'status']),
    failingSyncs: gauge(
      'failing_syncs',
      'Types of data whose sync has failed at least three times in a row',
      ['kind', 'code'],
    ),
    due: gauge('sync_due_customers', 'Customers that wait for a time slice', ['kind']),
    delay: gauge(
      'sync_delay_seconds',
      'How long the customer that has waited longest waits for a time slice',
      ['kind'],
    ),
    queueLag: gauge('queue_lag_seconds', 'How long the oldest due entry of a queue has waited', ['queue']),
    incidents: gauge('incidents_open', 'Incidents that are not undone'),
    measuredAt: gauge(
      'measured_timestamp_seconds',
      'When this process last read the state of the installation from the database',
    ),
  };
}

/** Reports the use of the connections, which is read when the metrics are. */
export function measurePools(database: Pick<Database, 'usage'>, registry: Registry): void {
  const add = (
    Metric: typeof Gauge<'pool'> | typeof Counter<'pool'>,
    name: string,
    help: string,
    read: (usage: PoolUsage) => number,
  ) =>
    new Metric({
      name: `connector_auth_database_${name}`,
      help,
      labelNames: ['pool'],
      registers: [registry],
      collect() {
        this.reset();
        for (const [pool, usage] of Object.entries(database.usage())) this.inc({ pool }, read(usage));
      },
    });
  add(Gauge, 'connections_limit', 'Maximum number of connections', ({ max }) => max);
  add(Gauge, 'connections_in_use', 'Connections in use', ({ inUse }) => inUse);
  add(Gauge, 'waiting', 'Callers that wait for a connection', ({ waiting }) => waiting);
  add(
    Counter,
    'wait_seconds_total',
    'Time that callers have waited for a connection',
    ({ waitedSeconds }) => waitedSeconds,
  );
}

/** Alerts must see a failure within a minute. Reading takes as long as counting the connectors. */
const intervalMs = 20_000;

/** Reads the state of the installation periodically, so that a scrape costs nothing. */
export function startMeasuring(context: MeasureContext & { readonly log: Log }): Job {
  return startPeriodicJob(
    intervalMs,
    () => measure(context),
    error => context.log.warn('installation_not_measured', { error }),
  );
}

interface MeasureContext {
  readonly db: Kysely<Tables>;
  readonly kinds: KindRegistry;
  readonly gauges: Gauges;
}

/** Reads the state once. The statements read indexes, except that the first counts the connectors. */
export async function measure({ db, kinds, gauges }: MeasureContext): Promise<void> {
  const { rows: connectors } = await sql<{ kind: string; status: string; count: number }>`
    select kind, ${derivedStatus} as status, count(*)::integer as count
    from connectors where ${isPresent} group by 1, 2`.execute(db);
  const { rows: failing } = await sql<{ kind: string; code: string; count: number }>`
    select kind, coalesce(last_error_code, 'internal_error') as code, count(*)::integer as count
    from synced_entities join connectors
      on connectors.organization_id = synced_entities.organization_id and connectors.id = connector_id
    where failures >= ${failuresUntilFailing} and ${isPresent} group by 1, 2`.execute(db);
  const { rows: due } = await sql<{ kind: string; count: number; seconds: number }>`
    select kind, count(*)::integer as count, extract(epoch from now() - min(due_at))::float8 as seconds
    from sync_queue where due_at <= now() and kind = any(${kinds.all.map(({ key }) => key)}::text[]) group by kind`.execute(
    db,
  );
  const { rows: others } = await sql<{ incidents: number; revocations: number; deletions: number }>`
    select (select count(*)::integer from incidents where undone_at is null) as incidents,
      (select coalesce(extract(epoch from now() - min(due_at)), 0)::float8 from grant_revocations
        where state = 'pending' and due_at <= now()) as revocations,
      (select coalesce(extract(epoch from now() - min(requested_at)), 0)::float8 from organization_deletions
        where finished_at is null) as deletions`.execute(db);
  for (const gauge of [gauges.connectors, gauges.failingSyncs, gauges.due, gauges.delay]) gauge.reset();
  for (const { kind, count, ...derived } of connectors) {
    const isUnavailable = kinds.byKey(kind) === null && !['disabled', 'frozen'].includes(derived.status);
    gauges.connectors.inc({ kind, status: isUnavailable ? 'unavailable' : derived.status }, count);
  }
  for (const { count, ...labels } of failing) gauges.failingSyncs.set(labels, count);
  for (const { kind, count, seconds } of due) {
    gauges.due.set({ kind }, count);
    gauges.delay.set({ kind }, seconds);
  }
  for (const { incidents, ...lags } of others) {
    gauges.incidents.set(incidents);
    for (const [queue, seconds] of Object.entries(lags)) gauges.queueLag.set({ queue }, seconds);
  }
  gauges.measuredAt.setToCurrentTime();
}
