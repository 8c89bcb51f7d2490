import { randomUUID } from 'node:crypto';
import { adminEndpoints, type AdminEndpointName } from '@connector-auth/api/admin';
import { expect } from 'vitest';
import type { Database } from '../src/platform/database/database.ts';
import { addAgent } from './agents.ts';
import { addWebhook } from './callers.ts';
import { setOwnApp } from './consent.ts';
import { goodKey, type AdminSubject } from './example-requests.ts';
import { createKey, signIn } from './operator.ts';
import { firstKind, secondKind } from './second-kind.ts';
import { adminToken, type TestService } from './test-service.ts';

/** The headers of each kind of caller. */
export type CallerHeaders = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** An organization with an application, a customer and a connector, admin keys and an incident. */
export interface AdminWorld extends AdminSubject {
  readonly callers: CallerHeaders;
}

// `adminEndpoints` has exactly these keys.
export const adminNames = Object.keys(adminEndpoints) as AdminEndpointName[];

const pageOrigin = 'https://app.example';

const replaced = [
  'grant_revocations',
  'incidents',
  'admin_keys',
  'admin_sessions',
  'organization_deletions',
  'organizations',
  'applications',
] as const;

/** Recreates all objects. */
export async function makeAdminWorld(service: TestService, database: Database): Promise<AdminWorld> {
  const { kysely } = database;
  // Lets the rate limits refill.
  service.advance(60_000);
  for (const table of replaced) {
    await kysely.deleteFrom(table).execute();
  }
  const application = await service.addApplication('own', ['Own']);
  const [organizationId = ''] = application.organizationIds;
  const token = await service.tokenOf(application);
  await setOwnApp(service, token);
  await kysely
    .updateTable('organizations')
    .set({ connect_helper_url: `${pageOrigin}/connector-auth` })
    .execute();
  const connector = await service.ask('POST', '/api/v1/integrations/connectors', {
    token,
    body: {
      customer_name: 'acme',
      connector_type: firstKind.key,
      name: 'Notes',
      credentials: { api_key: goodKey },
    },
  });
  expect(connector.status, connector.text).toBe(201);
  const callers = {
    ...(await makeOperators(service, database)),
    application: bearer(token),
    scoped: bearer(await service.customerToken(token, { customer_name: 'acme' })),
    widget: bearer(await service.customerToken(token, { customer_name: 'acme', allowed_origin: pageOrigin })),
  };
  const { id: applicationId } = await kysely
    .selectFrom('applications')
    .select('id')
    .where('client_id', '=', 'own')
    .executeTakeFirstOrThrow();
  const { id: secretId } = await kysely
    .selectFrom('application_secrets')
    .select('id')
    .where('application_id', '=', applicationId)
    .executeTakeFirstOrThrow();
  const { id: customerId } = await kysely
    .selectFrom('customers')
    .select('id')
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  const { id: sessionId } = await kysely
    .selectFrom('admin_sessions')
    .select('id')
    .where('admin_token_hash', 'is not', null)
    .executeTakeFirstOrThrow();
  const deletedOrganizationId = randomUUID();
  await kysely
    .insertInto('organization_deletions')
    .values({ organization_id: deletedOrganizationId, requested_by: null, finished_at: new Date() })
    .execute();
  return {
    callers,
    organizationId,
    deletedOrganizationId,
    applicationId,
    secretId,
    customerId,
    connectorId: connector.body.id,
    agentId: await addAgent(database, organizationId),
    keyId: (await createKey(service)).id,
    sessionId,
    incidentId: await declareIncident(service),
    ...(await addWebhook(service, token)),
  };
}

/** Creates a key or session for each kind of operator. */
async function makeOperators(service: TestService, { kysely }: Database): Promise<CallerHeaders> {
  const [read, write] = [await createKey(service, { access: 'read' }), await createKey(service)];
  const [expired, deleted] = [await createKey(service), await createKey(service)];
  const expiredSession = await signIn(service, expired.key);
  const deletedSession = await signIn(service, deleted.key);
  await kysely
    .updateTable('admin_keys')
    .set({ expires_at: new Date(0) })
    .where('id', '=', expired.id)
    .execute();
  await service.ask('DELETE', `/api/v1/admin/keys/${deleted.id}`, { token: adminToken });
  const endedSession = await signIn(service, write.key);
  await kysely
    .updateTable('admin_sessions')
    .set({ expires_at: new Date(0) })
    .where('key_id', '=', write.id)
    .execute();
  const signedOut = await signIn(service, write.key);
  await service.ask('DELETE', '/api/v1/admin/session', { headers: signedOut });
  return {
    ADMIN_TOKEN: bearer(adminToken),
    'read key': bearer(read.key),
    'write key': bearer(write.key),
    'expired key': bearer(expired.key),
    'deleted key': bearer(deleted.key),
    'read session': await signIn(service, read.key),
    'write session': await signIn(service, write.key),
    'session of ADMIN_TOKEN': await signIn(service, adminToken),
    'expired session': endedSession,
    'ended session': signedOut,
    'session of an expired key': expiredSession,
    'session of a deleted key': deletedSession,
  };
}

/** Declares an incident that concerns nothing else in the tests. */
async function declareIncident(service: TestService): Promise<string> {
  const { body } = await service.ask('POST', '/api/v1/admin/incidents', {
    token: adminToken,
    body: { kind: secondKind.key },
  });
  return body.id;
}

function bearer(token: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}` };
}
