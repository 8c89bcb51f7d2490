import { randomUUID } from 'node:crypto';
import type { AgentScope } from '@connector-auth/api';
import { sql, type Insertable } from 'kysely';
import { hashOf, randomSecret } from '../src/platform/crypto/random-secret.ts';
import type { Database } from '../src/platform/database/database.ts';
import type { Tables } from '../src/platform/database/tables.ts';

/** Stores an agent of a customer, as if a person had authorized it, and returns its id. */
export async function addAgent(
  { kysely }: Pick<Database, 'kysely'>,
  organizationId: string,
  { customer = 'acme', ...more }: Partial<Insertable<Tables['agents']>> & { readonly customer?: string } = {},
): Promise<string> {
  const id = randomUUID();
  const { customer_id, application_id } = await kysely
    .selectFrom('customers')
    .innerJoin('application_organizations', join =>
      join.onRef('application_organizations.organization_id', '=', 'customers.organization_id'),
    )
    .select(['customers.id as customer_id', 'application_organizations.application_id'])
    .where('customers.organization_id', '=', organizationId)
    .where('customers.name', '=', customer)
    .orderBy('application_id')
    .executeTakeFirstOrThrow();
  await kysely
    .insertInto('agents')
    .values({
      organization_id: organizationId,
      id,
      customer_id,
      application_id,
      user_id: 'user-4711',
      user_name: 'Ana Silva',
      client_id: `https://chat.example/${id}`,
      client_name: 'Chat',
      client_host: 'chat.example',
      resource: `https://service.example/mcp/${organizationId}`,
      scopes: ['read', 'search'],
      allowed_scopes: ['read', 'search', 'write', 'connect'],
      allowed_sources: null,
      allowed_data: [],
      expires_at: new Date(Date.now() + 30 * 24 * 60 * 60_000),
      ...more,
    })
    .execute();
  return id;
}

/** An agent that a person has allowed, and one of its access tokens. */
export interface TestAgent {
  readonly id: string;
  readonly token: string;
}

/** Stores an agent with a token, as the authorization server does when a person has allowed it. */
export async function addSignedInAgent(
  database: Pick<Database, 'kysely'>,
  agent: {
    readonly organizationId: string;
    readonly customer: string;
    readonly resource: string;
    readonly scopes?: readonly AgentScope[];
    readonly allowedScopes?: readonly AgentScope[];
    readonly clientId?: string;
    readonly userId?: string;
  },
): Promise<TestAgent> {
  const { organizationId, customer, resource, scopes = ['read', 'search'] } = agent;
  const id = await addAgent(database, organizationId, {
    customer,
    resource,
    scopes,
    allowed_scopes: agent.allowedScopes ?? scopes,
    client_id: agent.clientId ?? 'https://claude.ai/client.json',
    client_name: 'Claude',
    client_host: 'claude.ai',
    user_id: agent.userId ?? `user-${randomUUID()}`,
    expires_at: new Date(Date.now() + 180 * 24 * 60 * 60_000),
  });
  return { id, token: await addAgentToken(database, id, scopes) };
}

/** Stores an access token of an agent, and returns it. */
export async function addAgentToken(
  { kysely }: Pick<Database, 'kysely'>,
  agentId: string,
  scopes: readonly AgentScope[],
): Promise<string> {
  const token = randomSecret();
  await kysely
    .insertInto('authorization_records')
    .values({
      model: 'AccessToken',
      key: hashOf(token).toString('base64url'),
      agent_id: agentId,
      scopes,
      payload: Buffer.from('sealed'),
      consumed_at: null,
      expires_at: sql<Date>`now() + interval '20 minutes'`,
    })
    .execute();
  return token;
}
