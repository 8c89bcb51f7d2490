import { problemCodes, problems } from '@connector-auth/api';
import type { Health, HealthProblem } from '@connector-auth/api/admin';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import type { KindRegistry } from '../../shared/definitions/registry.ts';
import { isSyncAllowed, isUsable } from '../../shared/repositories/connectors.ts';
import { failuresUntilFailing } from '../../shared/repositories/overview.ts';
import { nextSliceAt } from '../../shared/repositories/sync-state.ts';

interface UsesRow {
  readonly kind: string;
  /** Null in the row of the last 24 hours. */
  readonly day: string | null;
  readonly succeeded: number;
  readonly failed: number;
}

interface SourceRow {
  readonly kind: string;
  readonly connectors: number;
  readonly delay: number;
}

interface ProblemRow {
  readonly kind: string;
  /** Null, as `cause` is, in the row for all problems of a kind. */
  readonly problem: HealthProblem['problem'] | null;
  readonly cause: string | null;
  readonly connectors: number;
  readonly customers: number;
  readonly since: Date;
}

/** Returns what works and what does not, of one organization or of all. Sources without connectors are left out. */
export async function readHealth(
  db: Kysely<Tables>,
  kinds: KindRegistry,
  organizationId: string | undefined,
): Promise<Health> {
  const isIncluded = (column: string) =>
    organizationId === undefined
      ? sql<boolean>`true`
      : sql<boolean>`${sql.ref(column)} = ${organizationId}::uuid`;
  const [uses, sources, found] = [
    (await selectUses(isIncluded('organization_id')).execute(db)).rows,
    (await selectSources(isIncluded('connectors.organization_id')).execute(db)).rows,
    (await selectProblems(isIncluded('connectors.organization_id')).execute(db)).rows,
  ];
  return {
    sources: sources.map(({ kind, connectors, delay }) => {
      const ofKind = uses.filter(row => row.kind === kind);
      const { succeeded = 0, failed = 0 } = ofKind.find(({ day }) => day === null) ?? {};
      const all = found.find(row => row.kind === kind && row.problem === null);
      return {
        connector_type: kind,
        connectors,
        last_day: { succeeded, failed },
        days: ofKind.flatMap(({ day, ...counts }) =>
          day === null ? [] : [{ day, succeeded: counts.succeeded, failed: counts.failed }],
        ),
        // Nothing of a kind that is not loaded is synced, whenever it would be due.
        sync_delay_seconds: kinds.byKey(kind) === null ? 0 : delay,
        affected_customers: all?.customers ?? 0,
        affected_since: all?.since.toISOString() ?? null,
      };
    }),
    problems: found.flatMap(({ kind, problem, cause, connectors, customers, since }) =>
      problem === null || cause === null
        ? []
        : [
            {
              problem,
              connector_type: kind,
              ...causeOf(kinds, kind, problem, cause),
              connectors,
              customers,
              since: since.toISOString(),
            },
          ],
    ),
  };
}

/** @param cause the auth method of connectors that need reconnecting, or the code of a sync's last error. */
function causeOf(
  kinds: KindRegistry,
  key: string,
  problem: HealthProblem['problem'],
  cause: string,
): Pick<HealthProblem, 'cause' | 'title'> {
  if (problem === 'failing_sync') {
    const code = problemCodes.find(known => known === cause) ?? 'internal_error';
    return { cause: code, title: problems[code].title };
  }
  const method = kinds.byKey(key)?.authMethods.find(({ id }) => id === cause);
  return method?.type === 'oauth'
    ? { cause: 'sign_in_expired', title: 'Sign-in expired' }
    : { cause: 'credentials_rejected', title: 'Credentials rejected' };
}

function selectUses(isIncluded: RawBuilder<boolean>) {
  return sql<UsesRow>`
    select kind, null as day, sum(succeeded)::int as succeeded, sum(failed)::int as failed
    from hourly_uses where hour > now() - interval '24 hours' and ${isIncluded}
    group by kind
    union all
    select kind, to_char(hour at time zone 'UTC', 'YYYY-MM-DD') as day, sum(succeeded)::int, sum(failed)::int
    from hourly_uses where hour > now() - interval '30 days' and ${isIncluded}
    group by kind, day
    order by kind, day`;
}

function selectSources(isIncluded: RawBuilder<boolean>) {
  return sql<SourceRow>`
    select counted.kind, counted.connectors, coalesce(late.delay, 0) as delay
    from (
      select kind, count(*)::int as connectors from connectors where ${isUsable} and ${isIncluded} group by kind
    ) as counted
    left join (
      select connectors.kind, extract(epoch from now() - min(${nextSliceAt}))::int as delay
      from synced_entities join connectors
        on connectors.organization_id = synced_entities.organization_id and connectors.id = synced_entities.connector_id
      where ${nextSliceAt} < now() and coalesce(synced_entities.lease_until < now(), true)
        and synced_entities.failures = 0
        and connectors.status = 'active' and ${isSyncAllowed} and ${isIncluded}
      group by connectors.kind
    ) as late on late.kind = counted.kind
    order by counted.kind`;
}

function selectProblems(isIncluded: RawBuilder<boolean>) {
  return sql<ProblemRow>`
    select kind, problem, cause, count(distinct id)::int as connectors, count(distinct customer_id)::int as customers,
      min(since) as since
    from (
      select kind, 'needs_reauth' as problem, auth_method as cause, id, customer_id, updated_at as since
      from connectors where status = 'needs_reauth' and ${isUsable} and ${isIncluded}
      union all
      -- Nothing has been synced since the last success.
      select kind, 'failing_sync', coalesce(last_error_code, 'internal_error'), id, customer_id,
        coalesce(last_synced_at, connectors.created_at)
      from synced_entities join connectors
        on connectors.organization_id = synced_entities.organization_id and connectors.id = synced_entities.connector_id
      where failures >= ${failuresUntilFailing} and connectors.status = 'active' and ${isSyncAllowed} and ${isIncluded}
    ) as problems
    group by grouping sets ((kind, problem, cause), (kind))
    order by problem desc nulls last, count(distinct id) desc, kind, cause`;
}
