import { randomUUID } from 'node:crypto';
import { agentSignInCodeLifetimeSeconds, type AgentScope, type DataRight } from '@connector-auth/api';
import { sql, type Kysely, type NotNull } from 'kysely';
import { hashOf, randomSecret } from '../../../platform/crypto/random-secret.ts';
import type { Tables } from '../../../platform/database/tables.ts';
import { isAgentLive } from '../../../shared/repositories/agents.ts';
import { authorizeMinting } from '../../../shared/repositories/applications.ts';
import { isPresent } from '../../../shared/repositories/connectors.ts';
import { lockCustomer } from '../../../shared/repositories/customers.ts';
import { revokeAgent } from '../../../shared/repositories/revocations.ts';
import type { AgentRequest } from '../authorization-server/authorization-server.ts';

/** Identifies a sign-in: a browser between a client's request and the decision of a person. */
export interface SignInRef {
  readonly organizationId: string;
  readonly id: string;
}

/** Who signs in, and what the integrator lets this person allow. */
export interface Confirmation {
  readonly applicationId: string;
  readonly customerId: string;
  readonly userId: string;
  readonly userName: string;
  readonly allowedScopes: readonly AgentScope[];
  /** Keys of kinds. Null allows all. */
  readonly allowedSources: readonly string[] | null;
  readonly allowedData: readonly DataRight[];
}

/** The confirmation of a browser that has come back from the helper. */
export interface ConfirmedSignIn extends Confirmation {
  readonly customerDisplayName: string | null;
  /** Differs from that of any other confirmation of the sign-in. */
  readonly confirmedAt: Date;
}

/**
 * How long a person can decide after the helper has confirmed who they are. They may have signed out since, or lost the
 * access to the customer.
 */
const confirmationMinutes = 30;

const inCodeLifetime = sql<Date>`now() + make_interval(secs => ${sql.lit(agentSignInCodeLifetimeSeconds)})`;
const isInTime = sql<boolean>`agent_sign_ins.expires_at > clock_timestamp()`;

/** Returns a new code with which the helper confirms who signs in. Ends the sign-in's previous codes and confirmation. */
export async function issueCode(db: Kysely<Tables>, { organizationId, id }: SignInRef): Promise<string> {
  const code = randomSecret();
  const values = {
    code_hash: hashOf(code),
    return_hash: null,
    confirmed_at: null,
    expires_at: inCodeLifetime,
  };
  await db
    .insertInto('agent_sign_ins')
    .values({ organization_id: organizationId, id, ...values })
    .onConflict(conflict => conflict.columns(['organization_id', 'id']).doUpdateSet(values))
    .execute();
  return code;
}

/**
 * Stores whom the helper has confirmed. Returns the code with which the browser of the sign-in, and no other, confirms
 * that it has come back. Returns null if the code is another one, has expired or was already used.
 */
export async function takeCode(
  db: Kysely<Tables>,
  { organizationId, id }: SignInRef,
  code: string,
  confirmation: Confirmation,
): Promise<string | null> {
  const returnCode = randomSecret();
  const { numUpdatedRows } = await signInRow(db, { organizationId, id })
    .where('code_hash', '=', hashOf(code))
    .set({
      code_hash: null,
      return_hash: hashOf(returnCode),
      application_id: confirmation.applicationId,
      customer_id: confirmation.customerId,
      user_id: confirmation.userId,
      user_name: confirmation.userName,
      allowed_scopes: confirmation.allowedScopes,
      allowed_sources: confirmation.allowedSources,
      allowed_data: confirmation.allowedData,
      confirmed_at: null,
      expires_at: inCodeLifetime,
    })
    .executeTakeFirst();
  return numUpdatedRows > 0n ? returnCode : null;
}

/** Confirms the browser of a sign-in with its return code. Returns false if it is another one, expired or already used. */
export async function takeReturnCode(db: Kysely<Tables>, signIn: SignInRef, code: string): Promise<boolean> {
  const { numUpdatedRows } = await signInRow(db, signIn)
    .where('return_hash', '=', hashOf(code))
    .set({
      return_hash: null,
      confirmed_at: sql<Date>`now()`,
      expires_at: sql<Date>`now() + make_interval(mins => ${sql.lit(confirmationMinutes)})`,
    })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends a return code that came to another browser than that of its sign-in, so that it cannot be brought there. */
export async function endReturnCode(db: Kysely<Tables>, id: string, code: string): Promise<void> {
  await db
    .updateTable('agent_sign_ins')
    .where('id', '=', id)
    .where('return_hash', '=', hashOf(code))
    .set({ return_hash: null })
    .execute();
}

/** Returns whom the helper has confirmed, if the browser has come back. */
export async function findConfirmed(
  db: Kysely<Tables>,
  { organizationId, id }: SignInRef,
): Promise<ConfirmedSignIn | null> {
  const row = await confirmedRow(db, { organizationId, id })
    .innerJoin('customers', join =>
      join
        .onRef('customers.organization_id', '=', 'agent_sign_ins.organization_id')
        .onRef('customers.id', '=', 'agent_sign_ins.customer_id'),
    )
    .select('customers.display_name as customerDisplayName')
    .executeTakeFirst();
  return row ?? null;
}

function confirmedRow(db: Kysely<Tables>, { organizationId, id }: SignInRef) {
  return (
    db
      .selectFrom('agent_sign_ins')
      .where('agent_sign_ins.organization_id', '=', organizationId)
      .where('agent_sign_ins.id', '=', id)
      .where('confirmed_at', 'is not', null)
      .where(isInTime)
      .select([
        'application_id as applicationId',
        'agent_sign_ins.customer_id as customerId',
        'user_id as userId',
        'user_name as userName',
        'allowed_scopes as allowedScopes',
        'allowed_sources as allowedSources',
        'allowed_data as allowedData',
        'confirmed_at as confirmedAt',
        'agent_sign_ins.created_at as createdAt',
      ])
      // A confirmed sign-in has them all.
      .$narrowType<Record<Exclude<keyof Confirmation, 'allowedSources'> | 'confirmedAt', NotNull>>()
  );
}

/** Returns the kinds that a customer has connected, in alphabetical order, and whether a connector of it may change data. */
export async function listConnectedKinds(
  db: Kysely<Tables>,
  organizationId: string,
  customerId: string,
): Promise<{ key: string; mayWrite: boolean }[]> {
  return db
    .selectFrom('connectors')
    .select(['kind as key', sql<boolean>`bool_or(access = 'write')`.as('mayWrite')])
    .where('organization_id', '=', organizationId)
    .where('customer_id', '=', customerId)
    .where(isPresent)
    .groupBy('kind')
    .orderBy('kind')
    .execute();
}

/** What a person has allowed the same client at the same resource before. */
export interface EarlierConsent {
  readonly scopes: readonly AgentScope[];
  readonly allowedSources: readonly string[] | null;
  /** For how many days. */
  readonly days: number;
}

/** Returns what the person of a sign-in has allowed the client before, also if that has expired. Null if it was revoked. */
export async function findEarlierConsent(
  db: Kysely<Tables>,
  { organizationId, client, resource }: Pick<AgentRequest, 'organizationId' | 'client' | 'resource'>,
  { customerId, userId }: Confirmation,
): Promise<EarlierConsent | null> {
  const row = await db
    .selectFrom('agents')
    .select([
      'scopes',
      'allowed_sources as allowedSources',
      'authorized_at as authorizedAt',
      'expires_at as expiresAt',
    ])
    .where('organization_id', '=', organizationId)
    .where('customer_id', '=', customerId)
    .where('user_id', '=', userId)
    .where('client_id', '=', client.id)
    .where('resource', '=', resource)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { scopes, allowedSources, authorizedAt, expiresAt } = row;
  // A day can have 23 or 25 hours.
  const days = Math.round((expiresAt.getTime() - authorizedAt.getTime()) / 86_400_000);
  return { scopes, allowedSources, days };
}

/** What a person allows a client. */
export interface Consent {
  readonly client: { readonly id: string; readonly name: string | null; readonly host: string | null };
  readonly resource: string;
  readonly scopes: readonly AgentScope[];
  readonly allowedSources: readonly string[] | null;
  readonly days: number;
}

/**
 * Stores what the person of a sign-in allows, in place of what the same person has allowed the same client before. If it is
 * more, the agent ends with its tokens, and there is a new one. Returns the id of the agent, or null if the confirmation has
 * ended, or the customer or the application's right to act for it.
 * @param confirmedAt that of the confirmation which the person has seen.
 */
export async function storeConsent(
  db: Kysely<Tables>,
  { organizationId, id }: SignInRef,
  confirmedAt: Date,
  { client, resource, scopes, allowedSources, days }: Consent,
): Promise<string | null> {
  const stored = await db.transaction().execute(async transaction => {
    const confirmed = confirmedRow(transaction, { organizationId, id }).where(
      'confirmed_at',
      '=',
      confirmedAt,
    );
    const seen = await confirmed.executeTakeFirst();
    // In the order in which the deletion of a customer locks them.
    if (seen === undefined || !(await lockCustomer(transaction, organizationId, seen.customerId)))
      return null;
    const signIn = await confirmed.forUpdate('agent_sign_ins').executeTakeFirst();
    if (signIn === undefined) return null;
    const { applicationId, customerId, userId, createdAt } = signIn;
    const token = {
      kind: 'application' as const,
      applicationId,
      organizationId,
      customer: { id: customerId },
      // Its token was used after this.
      issuedAtUs: createdAt.getTime() * 1000,
    };
    if ((await authorizeMinting(transaction, token)) === null) return null;
    const earlier = sql<boolean>`organization_id = ${organizationId} and customer_id = ${customerId}
      and user_id = ${userId} and client_id = ${client.id} and resource = ${resource}`;
    // Another device can use the same client, and its tokens must not get more than was allowed for them.
    await transaction
      .updateTable('agents')
      .set({ revoked_at: sql<Date>`now()` })
      .where(earlier)
      .where('revoked_at', 'is', null)
      .where(sql<boolean>`not (${coversConsent(allowedSources, signIn.allowedData, days)})`)
      .execute();
    await transaction
      .deleteFrom('agents')
      .where(earlier)
      .where(sql<boolean>`not ${isAgentLive}`)
      .execute();
    const values = {
      application_id: applicationId,
      user_name: signIn.userName,
      client_name: client.name,
      client_host: client.host,
      scopes,
      allowed_scopes: signIn.allowedScopes,
      allowed_sources: allowedSources,
      allowed_data: signIn.allowedData,
      authorized_at: sql<Date>`now()`,
      last_used_at: sql<Date>`now()`,
      expires_at: sql<Date>`now() + make_interval(days => ${days})`,
    };
    const { id: agentId } = await transaction
      .insertInto('agents')
      .values({
        organization_id: organizationId,
        id: randomUUID(),
        customer_id: customerId,
        user_id: userId,
        client_id: client.id,
        resource,
        ...values,
      })
      .onConflict(conflict =>
        conflict
          .columns(['organization_id', 'customer_id', 'user_id', 'client_id', 'resource'])
          .doUpdateSet(values),
      )
      .returning('id')
      .executeTakeFirstOrThrow();
    return { agentId, token };
  });
  if (stored === null) return null;
  // A revocation during the transaction did not see the agent. A later one ends the agent itself.
  if ((await authorizeMinting(db, stored.token)) !== null) return stored.agentId;
  await revokeAgent(db, { organizationId, id: stored.agentId });
  return null;
}

/** Whether an agent may use these sources and data, and for as long after its consent. */
function coversConsent(sources: readonly string[] | null, data: readonly DataRight[], days: number) {
  return sql<boolean>`(allowed_sources is null or coalesce(allowed_sources @> ${sources}::text[], false))
    and allowed_data @> ${data}::text[]
    and round(extract(epoch from expires_at - authorized_at) / 86400) >= ${days}`;
}

export async function deleteSignIn(db: Kysely<Tables>, { organizationId, id }: SignInRef): Promise<void> {
  await db
    .deleteFrom('agent_sign_ins')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

function signInRow(db: Kysely<Tables>, { organizationId, id }: SignInRef) {
  return db
    .updateTable('agent_sign_ins')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where(isInTime);
}
