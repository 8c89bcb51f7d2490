import { customerTokenLifetimeSeconds } from '@connector-auth/api';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import type { Revocation, TokenFilter } from '../auth/denylist.ts';

/**
 * Revokes the matching tokens that have been issued so far, and ends the connect links that were created with them, and the
 * agents that people have allowed so far.
 * Other transactions see the old state until this one commits, so revoke again after committing the change that prevents new tokens.
 */
export async function insertRevocation(db: Kysely<Tables>, filter: TokenFilter): Promise<void> {
  const { organizationId, kind, applicationId, customerId } = filter;
  await db
    .insertInto('token_revocations')
    .values({
      organization_id: organizationId ?? null,
      token_kind: kind ?? null,
      application_id: applicationId ?? null,
      customer_id: customerId ?? null,
      not_before: sql<Date>`clock_timestamp()`,
    })
    .onConflict(conflict =>
      conflict
        .columns(['organization_id', 'token_kind', 'application_id', 'customer_id'])
        .doUpdateSet({ not_before: sql`greatest(token_revocations.not_before, excluded.not_before)` }),
    )
    .execute();
  await revokeLinks(db, filter);
  await revokeAgents(db, filter);
}

/** Whose links and agents end. An omitted property matches any value. */
type HolderFilter = {
  readonly [Name in 'organizationId' | 'applicationId' | 'customerId' | 'userId']?: string | undefined;
};

/** Revokes the unused connect links, of a person only those that their agents have asked for. */
export async function revokeLinks(db: Kysely<Tables>, holder: HolderFilter): Promise<void> {
  await db
    .updateTable('connect_links')
    .set({ revoked_at: sql<Date>`now()` })
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where(isOf(holder))
    .execute();
}

/** Ends agents, and sign-ins that are under way. Sign-ins first: one that ends meanwhile has then stored its agent. */
export async function revokeAgents(db: Kysely<Tables>, holder: HolderFilter): Promise<void> {
  await endSignIns(db, holder);
  await endAgents(db, isOf(holder));
}

/**
 * Ends sign-ins, and the codes of those whose person is not known yet: a helper may have asked for the person before the
 * revocation. It asks again with the next code. The codes first: one that is used meanwhile has then stored its person.
 */
async function endSignIns(db: Kysely<Tables>, holder: HolderFilter): Promise<void> {
  const { organizationId } = holder;
  await db
    .updateTable('agent_sign_ins')
    .set({ code_hash: null })
    .where('code_hash', 'is not', null)
    .where(isOf({ organizationId }))
    .execute();
  await db.deleteFrom('agent_sign_ins').where(isOf(holder)).execute();
}

/** What a person has allowed a client. */
interface PersonsClient {
  readonly organizationId: string;
  readonly customerId: string;
  readonly userId: string;
  readonly clientId: string;
  readonly resource: string;
}

/**
 * Ends the agent of a person and a client, and the person's sign-ins that are under way. One of them may have replaced the
 * agent meanwhile, so its id does not decide.
 */
export async function revokeAgentOf(
  db: Kysely<Tables>,
  { organizationId, customerId, userId, clientId, resource }: PersonsClient,
): Promise<void> {
  const person = { organizationId, customerId, userId };
  await endSignIns(db, person);
  await endAgents(db, sql`${isOf(person)} and client_id = ${clientId} and resource = ${resource}`);
}

/** Ends one agent. Only the authorization server, which verifies the client, may omit the organization. */
export async function revokeAgent(
  db: Kysely<Tables>,
  { organizationId, id }: Pick<HolderFilter, 'organizationId'> & { readonly id: string },
): Promise<void> {
  await endAgents(db, sql`${isOf({ organizationId })} and id = ${id}`);
}

async function endAgents(db: Kysely<Tables>, condition: RawBuilder<boolean>): Promise<void> {
  await db
    .updateTable('agents')
    .set({ revoked_at: sql<Date>`now()` })
    .where(condition)
    .where('revoked_at', 'is', null)
    .execute();
}

function isOf({ organizationId, applicationId, customerId, userId }: HolderFilter): RawBuilder<boolean> {
  const values = {
    organization_id: organizationId,
    application_id: applicationId,
    customer_id: customerId,
    user_id: userId,
  };
  const conditions = Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

/**
 * Returns the revocations.
 * @param sinceUs leaves out those before this time of the database, in microseconds.
 */
export async function listRevocations(db: Kysely<Tables>, sinceUs: number): Promise<Revocation[]> {
  const rows = await db
    .selectFrom('token_revocations')
    .select(['organization_id', 'token_kind', 'application_id', 'customer_id'])
    .select(microseconds(sql`not_before`).as('not_before_us'))
    .where('not_before', '>=', sql<Date>`to_timestamp(${sinceUs}::double precision / 1000000)`)
    .execute();
  return rows.map(row => ({
    ...(row.organization_id === null ? {} : { organizationId: row.organization_id }),
    ...(row.token_kind === null ? {} : { kind: row.token_kind }),
    ...(row.application_id === null ? {} : { applicationId: row.application_id }),
    ...(row.customer_id === null ? {} : { customerId: row.customer_id }),
    notBeforeUs: row.not_before_us,
  }));
}

/** Deletes the revocations whose tokens have expired, five minutes later. */
export async function deleteOldRevocations(db: Kysely<Tables>): Promise<void> {
  await db
    .deleteFrom('token_revocations')
    .where(
      'not_before',
      '<',
      sql<Date>`clock_timestamp() - make_interval(secs => ${customerTokenLifetimeSeconds + 300})`,
    )
    .execute();
}

/**
 * Returns an SQL expression for the issue time of a token, in microseconds: the start of the statement, so it is
 * earlier than a revocation that the statement does not see, and later than every revocation that it sees.
 */
export function tokenIssueTime(): RawBuilder<number> {
  return microseconds(
    sql`greatest(
      statement_timestamp(),
      (select max(not_before) from token_revocations) + interval '1 microsecond'
    )`,
  );
}

/** Returns an SQL condition for whether a token with these properties was revoked. */
export function isRevoked(
  token: Required<Omit<TokenFilter, 'customerId'>> & {
    readonly customer?: { readonly id: string } | null;
    readonly issuedAtUs: number;
  },
): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from token_revocations
    where (organization_id is null or organization_id = ${token.organizationId})
      and (token_kind is null or token_kind = ${token.kind})
      and (application_id is null or application_id = ${token.applicationId})
      and (customer_id is null or customer_id = ${token.customer?.id ?? null}::uuid)
      and ${microseconds(sql`not_before`)} >= ${token.issuedAtUs}
  )`;
}

function microseconds(time: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`(extract(epoch from ${time}) * 1000000)::bigint`;
}
