/**
 * The SQL for `grant_revocations`, the queue of grants to revoke: those that an incident revokes, which stay as its receipts,
 * and those that no connector uses any more, which are deleted once they have been dealt with.
 *
 * | transition          | from                              | to                                             |
 * |---------------------|-----------------------------------|------------------------------------------------|
 * | `queueConnectors`   |                                   | `pending`, or `vendor_cannot`                  |
 * | `queueSessions`     |                                   | `pending`, or `vendor_cannot`                  |
 * | `queueUnusedGrants` |                                   | `pending`                                      |
 * | `addUnusedGrants`   | `pending`, without an incident    | the same, in an incident                       |
 * | `claimRevocations`  | `pending` and due                 | the same, due again when the claim ends        |
 * | `confirmRevocation` | `pending`                         | `confirmed`, without a copy of the grant       |
 * | `dropUnusedGrant`   | `pending`, not in an open incident | the same, never due, without a copy           |
 * | `delayRevocation`   | `pending`, claimed by the process | the same, due later                            |
 * | `stopRevocations`   | `pending`, without a copy         | the same, never due                            |
 *
 * A row without an incident is deleted instead of being confirmed or dropped.
 * A claim sets `may_be_revoked` before the vendor is called, so that it is also set if the process dies during the
 * call. A process whose claim ended can still confirm, but not delay.
 */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { decodeCursor, toPage } from '../../platform/database/paging.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { GrantMethod } from '../definitions/grant-methods.ts';
import { isInScope, type IncidentScope } from './incidents.ts';

/** An unused grant that could not be revoked within this time is given up. */
const maxUnusedDays = 2;

/** A grant to revoke, with what it was sealed for. */
export interface QueuedGrant {
  readonly id: number;
  /** Whether no connector uses the grant any more, and no open incident revokes it. */
  readonly isUnused: boolean;
  /** Whether an incident, which may be undone by now, revokes the grant. */
  readonly isOfIncident: boolean;
  /** Whether the grant has been unused for two days. */
  readonly isOverdue: boolean;
  /** The number of attempts, including the claimed one. */
  readonly attempts: number;
  /** Whether an earlier attempt may have reached the vendor. */
  readonly mayBeRevoked: boolean;
  readonly organizationId: string;
  readonly customerId: string;
  /** Key of the connector kind. */
  readonly kind: string;
  readonly authMethod: string;
  /** The id of the connector or of the OAuth session. */
  readonly subjectId: string;
  /** The vendor account of the connector. Null if it is unknown, and for the grant of an OAuth session. */
  readonly account: string | null;
  /** Null for the grant of an OAuth session. */
  readonly grantVersion: number | null;
  /** The connector's current grant or, if it was deleted, its last one. Null if there is none. */
  readonly sealedGrant: Uint8Array | null;
}

/** A grant that no connector uses any more, with what it was sealed for. */
export interface UnusedGrant {
  readonly organizationId: string;
  readonly customerId: string;
  readonly customerName: string;
  readonly kind: string;
  /** The id of the connector or of the OAuth session. */
  readonly id: string;
  readonly sealedGrant: Uint8Array;
  /** Absent for the grant of an OAuth session. */
  readonly authMethod?: string;
  /** Absent for the grant of an OAuth session. */
  readonly grantVersion?: number;
  /** Absent for the grant of an OAuth session. */
  readonly account?: string | null;
}

/**
 * Queues the grants that come from a consent and that the vendor's API can revoke. The others stay valid: customers may use
 * the credentials that they have pasted elsewhere too. Those of a connector whose kind is not loaded are queued too, because only the
 * kind says what they are. Call this in the transaction that removes the last use of a grant.
 */
export async function queueUnusedGrants(
  transaction: Kysely<Tables>,
  methods: readonly GrantMethod[],
  grants: readonly UnusedGrant[],
): Promise<void> {
  const values = grants.flatMap(({ authMethod, grantVersion, ...grant }) => {
    const ofKind = methods.filter(({ kind }) => kind === grant.kind);
    const method =
      ofKind.length === 0
        ? authMethod
        : ofKind.find(
            ({ method, isConsent, isRevocable }) =>
              isConsent && isRevocable && method === (authMethod ?? method),
          )?.method;
    if (method === undefined) return [];
    return {
      organization_id: grant.organizationId,
      customer_id: grant.customerId,
      customer_name: grant.customerName,
      kind: grant.kind,
      auth_method: method,
      subject_id: grant.id,
      credentials_version: grantVersion ?? null,
      account: grant.account ?? null,
      connector_credentials: grantVersion === undefined ? null : grant.sealedGrant,
      session_credentials: grantVersion === undefined ? grant.sealedGrant : null,
      state: 'pending' as const,
    };
  });
  if (values.length > 0) await transaction.insertInto('grant_revocations').values(values).execute();
}

/**
 * Deletes the copy of a grant that is not revoked, unless an open incident revokes it.
 * @param reason `in_use` if a connector uses the grant, `invalid` if the vendor no longer accepts it, or `failed` if the vendor did
 * not revoke it in time.
 */
export async function dropUnusedGrant(
  db: Kysely<Tables>,
  { id }: Pick<QueuedGrant, 'id'>,
  reason: 'in_use' | 'invalid' | 'failed',
): Promise<void> {
  await deleteWithoutIncident(db, id, reason);
  await db
    .updateTable('grant_revocations')
    .set({ due_at: null, connector_credentials: null, session_credentials: null })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .where(sql<boolean>`incident_id in (select id from incidents where undone_at is not null)`)
    .execute();
}

/** Returns the overdue unused grants of kinds other than these, which no attempt gives up. */
export async function findAbandonedGrants(
  db: Kysely<Tables>,
  kinds: readonly string[],
): Promise<readonly Pick<QueuedGrant, 'id' | 'organizationId' | 'subjectId' | 'kind' | 'attempts'>[]> {
  return db
    .selectFrom('grant_revocations')
    .select(['id', 'organization_id as organizationId', 'subject_id as subjectId', 'kind', 'attempts'])
    .where('incident_id', 'is', null)
    .where(sql<boolean>`kind <> all(${[...kinds]}::text[])`)
    .where(sql<boolean>`queued_at < now() - make_interval(days => ${maxUnusedDays})`)
    .limit(100)
    .execute();
}

/** Deletes a grant of the queue, and counts it if its organization is being deleted. */
async function deleteWithoutIncident(
  db: Kysely<Tables>,
  id: number,
  outcome: 'revoked' | 'in_use' | 'invalid' | 'failed',
): Promise<void> {
  const counter = sql.id(`grants_${outcome}`);
  await sql`
    with ended as (
      delete from grant_revocations where id = ${id} and incident_id is null returning organization_id
    )
    update organization_deletions set ${counter} = ${counter} + 1
    from ended where organization_deletions.organization_id = ended.organization_id`.execute(db);
}

/** Adds the unused grants in scope to an incident, also those of an earlier one that was undone. */
export async function addUnusedGrants(
  transaction: Kysely<Tables>,
  incidentId: string,
  scope: IncidentScope,
): Promise<void> {
  await transaction
    .updateTable('grant_revocations')
    .set({ incident_id: incidentId, due_at: sql<Date>`now()` })
    .where(
      sql<boolean>`(incident_id is null or incident_id in (select id from incidents where undone_at is not null))`,
    )
    .where('state', '=', 'pending')
    .where('due_at', 'is not', null)
    .where(isInScope('grant_revocations', scope))
    .execute();
}

/** Queues the grants of all connectors in scope. */
export async function queueConnectors(
  transaction: Kysely<Tables>,
  incidentId: string,
  scope: IncidentScope,
  methods: readonly GrantMethod[],
): Promise<void> {
  const state = stateOf(
    methods.filter(({ isRevocable }) => isRevocable).map(({ kind, method }) => `${kind}/${method}`),
    sql`concat(connectors.kind, '/', connectors.auth_method)`,
  );
  await sql`
    insert into grant_revocations (incident_id, organization_id, customer_id, customer_name, kind, auth_method,
      subject_id, connector_name, credentials_version, account, state)
    select ${incidentId}, organization_id, customer_id, customers.name, kind, auth_method,
      connectors.id, connectors.name, credentials_version, account, ${state}
    from connectors
    join customers using (organization_id)
    where customers.id = connectors.customer_id and ${isInScope('connectors', scope)}
    order by connectors.created_at, connectors.id`.execute(transaction);
}

/**
 * Cancels the OAuth sessions in scope, and queues the grants that no connector has used, also those of sessions that were
 * cancelled before. Returns the number of cancelled sessions.
 */
export async function queueSessions(
  transaction: Kysely<Tables>,
  incidentId: string,
  scope: IncidentScope,
  methods: readonly GrantMethod[],
): Promise<number> {
  const hasGrant = sql<boolean>`(oauth_sessions.credentials is not null and ${isInScope('oauth_sessions', scope)})`;
  // Cancelled first: a code exchange that ends now finds a cancelled session and queues its grant, or is in the list below.
  const { numUpdatedRows } = await transaction
    .updateTable('oauth_sessions')
    .set({
      status: 'failed',
      error_code: 'connector_frozen',
      error_message: 'Connections are paused for now. Try again later',
    })
    .where('status', 'in', ['pending', 'exchanging', 'completed'])
    .where('used_by', 'is', null)
    .where(isInScope('oauth_sessions', scope))
    .executeTakeFirst();
  await insertSessions(
    transaction,
    methods,
    sql`
    join incidents on incidents.id = ${incidentId}
    where ${hasGrant}`,
    sql`oauth_sessions.credentials`,
  );
  await transaction.updateTable('oauth_sessions').set({ credentials: null }).where(hasGrant).execute();
  return Number(numUpdatedRows);
}

/** Queues the grant of an OAuth session that was cancelled or deleted while its code was being exchanged. */
export async function queueLateGrant(
  db: Kysely<Tables>,
  session: Omit<UnusedGrant, 'sealedGrant'>,
  sealedGrant: Uint8Array,
  methods: readonly GrantMethod[],
): Promise<void> {
  const ofIncidents = await insertSessions(
    db,
    methods,
    sql`
    join incidents on incidents.undone_at is null and incidents.scope <> 'application'
      and coalesce(incidents.organization_id = oauth_sessions.organization_id, true)
      and coalesce(incidents.customer_id = oauth_sessions.customer_id, true)
      and coalesce(incidents.kind = oauth_sessions.kind, true)
    where oauth_sessions.organization_id = ${session.organizationId} and oauth_sessions.id = ${session.id}`,
    sql`${sealedGrant}::bytea`,
  );
  if (ofIncidents === 0) await queueUnusedGrants(db, methods, [{ ...session, sealedGrant }]);
}

/** Returns the number of inserted rows. */
async function insertSessions(
  db: Kysely<Tables>,
  methods: readonly GrantMethod[],
  joined: RawBuilder<unknown>,
  sealedGrant: RawBuilder<unknown>,
): Promise<number> {
  const consents = methods.filter(({ isConsent }) => isConsent);
  const state = stateOf(
    consents.filter(({ isRevocable }) => isRevocable).map(({ kind }) => kind),
    sql`oauth_sessions.kind`,
  );
  const { rows } = await sql`
    insert into grant_revocations (incident_id, organization_id, customer_id, customer_name, kind, auth_method,
      subject_id, session_credentials, state)
    select incidents.id, oauth_sessions.organization_id, oauth_sessions.customer_id, customers.name,
      oauth_sessions.kind, consents.method, oauth_sessions.id, ${sealedGrant}, ${state}
    from oauth_sessions
    join customers on customers.organization_id = oauth_sessions.organization_id
      and customers.id = oauth_sessions.customer_id
    join unnest(${consents.map(({ kind }) => kind)}::text[], ${consents.map(({ method }) => method)}::text[])
      as consents (kind, method) on consents.kind = oauth_sessions.kind
    ${joined}
    returning id`.execute(db);
  return rows.length;
}

function stateOf(revocable: readonly string[], key: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`case when ${key} = any(${[...revocable]}::text[]) then 'pending' else 'vendor_cannot' end`;
}

/**
 * Claims grants of these kinds for an attempt to revoke them, in turn for each incident and kind, so that neither
 * a large incident nor a vendor that does not respond keeps the others waiting. Skips the grants that other
 * processes are claiming.
 */
export async function claimRevocations(
  db: Kysely<Tables>,
  claim: { readonly kinds: readonly string[]; readonly limit: number; readonly seconds: number },
): Promise<readonly QueuedGrant[]> {
  const { rows } = await sql<QueuedGrant>`
    with candidates as (
      select due.* from incidents
      cross join unnest(${[...claim.kinds]}::text[]) as kinds (kind)
      cross join lateral (
        select id, incident_id, kind, due_at, may_be_revoked from grant_revocations
        where incident_id = incidents.id and kind = kinds.kind and state = 'pending' and due_at <= now()
        order by due_at limit ${claim.limit}
        for update skip locked
      ) due
    ), unused as (
      select due.* from unnest(${[...claim.kinds]}::text[]) as kinds (kind)
      cross join lateral (
        select id, incident_id, kind, due_at, may_be_revoked from grant_revocations
        where incident_id is null and kind = kinds.kind and state = 'pending' and due_at <= now()
        order by due_at limit ${claim.limit}
        for update skip locked
      ) due
    ), chosen as (
      select id, may_be_revoked from (
        select id, due_at, may_be_revoked, row_number() over (partition by incident_id, kind order by due_at) as turn
        from (select * from candidates union all select * from unused) due
      ) ranked
      order by turn, due_at limit ${claim.limit}
    ), claimed as (
      update grant_revocations
      set attempts = attempts + 1, may_be_revoked = true, due_at = now() + make_interval(secs => ${claim.seconds})
      where id in (select id from chosen) and state = 'pending' and due_at <= now()
      returning *
    )
    select claimed.id, claimed.attempts, chosen.may_be_revoked as "mayBeRevoked",
      incidents.id is null or incidents.undone_at is not null as "isUnused",
      incidents.id is not null as "isOfIncident",
      claimed.queued_at < now() - make_interval(days => ${maxUnusedDays}) as "isOverdue",
      claimed.organization_id as "organizationId", claimed.customer_id as "customerId", claimed.kind,
      claimed.subject_id as "subjectId", claimed.account,
      coalesce(connectors.auth_method, claimed.auth_method) as "authMethod",
      coalesce(connectors.credentials_version, claimed.credentials_version) as "grantVersion",
      coalesce(connectors.credentials, claimed.connector_credentials, claimed.session_credentials) as "sealedGrant"
    from claimed
    join chosen using (id)
    left join incidents on incidents.id = claimed.incident_id
    left join connectors on connectors.organization_id = claimed.organization_id
      and connectors.id = claimed.subject_id and claimed.connector_credentials is null`.execute(db);
  return rows;
}

/** Records that the vendor has revoked a grant, and deletes the copy of it. */
export async function confirmRevocation(db: Kysely<Tables>, { id }: Pick<QueuedGrant, 'id'>): Promise<void> {
  await deleteWithoutIncident(db, id, 'revoked');
  await db
    .updateTable('grant_revocations')
    .set({
      state: 'confirmed',
      confirmed_at: sql<Date>`now()`,
      due_at: null,
      last_error: null,
      connector_credentials: null,
      session_credentials: null,
    })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .execute();
}

/** Records that an attempt failed or was postponed, and when to make the next one, unless the incident was undone. */
export async function delayRevocation(
  db: Kysely<Tables>,
  { id, attempts }: Pick<QueuedGrant, 'id' | 'attempts'>,
  failure: {
    readonly message: string;
    readonly mayBeRevoked: boolean;
    readonly seconds: number;
    /** Whether the attempt was postponed, so that it does not count. */
    readonly isPostponed: boolean;
  },
): Promise<void> {
  await db
    .updateTable('grant_revocations')
    .set({
      last_error: failure.message,
      attempts: failure.isPostponed ? attempts - 1 : attempts,
      may_be_revoked: failure.mayBeRevoked,
      due_at: sql<Date>`case when due_at is null then null else now() + make_interval(secs => ${failure.seconds}) end`,
    })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .where('attempts', '=', attempts)
    .execute();
}

/** Stops the pending revocations of an incident, except those of grants that no connector uses any more. */
export async function stopRevocations(transaction: Kysely<Tables>, incidentId: string): Promise<void> {
  await transaction
    .updateTable('grant_revocations')
    .set({
      due_at: sql<Date | null>`case when connector_credentials is null and session_credentials is null then null else due_at end`,
      queued_at: sql<Date>`now()`,
    })
    .where('incident_id', '=', incidentId)
    .where('state', '=', 'pending')
    .execute();
}

const position = z.tuple([z.int().nonnegative()]);

/** Returns a page of an incident's receipts. */
export async function listReceipts(
  db: Kysely<Tables>,
  incidentId: string,
  filter: { readonly state: 'pending' | 'confirmed' | 'vendor_cannot' | undefined },
  page: { readonly limit: number; readonly cursor: string | undefined },
) {
  const after = decodeCursor(page.cursor, position);
  const found = await db
    .selectFrom('grant_revocations')
    .innerJoin('organizations', 'organizations.id', 'grant_revocations.organization_id')
    .select([
      'grant_revocations.id',
      'organization_id as organizationId',
      'organizations.name as organizationName',
      'customer_id as customerId',
      'customer_name as customerName',
      'kind',
      'auth_method as authMethod',
      'subject_id as subjectId',
      'connector_name as connectorName',
      'state',
      'attempts',
      'last_error as lastError',
      'confirmed_at as confirmedAt',
    ])
    .where('incident_id', '=', incidentId)
    .$if(filter.state !== undefined, query => query.where('state', '=', filter.state ?? 'pending'))
    .$if(after !== undefined, query => query.where('grant_revocations.id', '>', after?.[0] ?? 0))
    .orderBy('grant_revocations.id')
    .limit(page.limit + 1)
    .execute();
  return toPage(found, page.limit, last => [last.id]);
}
