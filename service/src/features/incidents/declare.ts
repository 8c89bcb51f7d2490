import { randomUUID } from 'node:crypto';
import { ConnectorAuthError } from '@connector-auth/api';
import type { DeclareIncidentRequest, Incident } from '@connector-auth/api/admin';
import type { Kysely, Transaction } from 'kysely';
import type { AuditDetails } from '../../platform/audit-log/entry.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { topics } from '../../platform/notifications/topics.ts';
import type { AdminCaller } from '../../shared/auth/admin-caller.ts';
import { grantMethods } from '../../shared/definitions/grant-methods.ts';
import type { KindRegistry } from '../../shared/definitions/registry.ts';
import { resolveKind } from '../../shared/definitions/resolve-kind.ts';
import {
  expireSecrets,
  findApplication,
  lockApplication,
  setDisabled,
  setManager,
} from '../../shared/repositories/applications.ts';
import { findCustomer } from '../../shared/repositories/customers.ts';
import {
  addUnusedGrants,
  queueConnectors,
  queueSessions,
} from '../../shared/repositories/grant-revocations.ts';
import {
  countFrozen,
  findIncident,
  freezeConnectors,
  insertIncident,
  lockIncidents,
  type IncidentScope,
} from '../../shared/repositories/incidents.ts';
import { findOrganizationName } from '../../shared/repositories/organizations.ts';
import type { Revoke } from '../../shared/revocations/revocations.ts';
import type { IncidentsContext } from './context.ts';

/**
 * Declares an incident in one transaction: revokes the tokens in scope, freezes the connectors, cancels the OAuth
 * sessions, and queues all grants for revocation at their vendors. All processes reject tokens and connectors
 * within a second.
 *
 * | scope | tokens | connectors, sessions and grants | while it is open |
 * |---|---|---|---|
 * | organization, customer | all of its tokens | all of its | no connector can be created in the scope |
 * | kind | none | all of the kind | no connector of the kind can be created |
 * | application | all of its tokens and its client secrets | none | the application is disabled |
 * @throws ConnectorAuthError `organization_not_found`, `customer_not_found`, `application_not_found`,
 * `unknown_connector_type`.
 */
export async function declareIncident(
  context: IncidentsContext,
  caller: AdminCaller,
  request: DeclareIncidentRequest,
  audit: (details: AuditDetails) => void,
): Promise<Incident> {
  const { db, kinds, revocations, notifications, log } = context;
  const id = randomUUID();
  const methods = grantMethods(kinds);
  const { scope, sessions } = await revocations.run(async (transaction, revoke) => {
    const scope = await findScope(transaction, kinds, request);
    await lockIncidents(transaction);
    await revokeTokens(transaction, scope, revoke);
    await insertIncident(transaction, {
      ...scope,
      id,
      reason: request.reason ?? null,
      declaredBy: caller.name,
    });
    await freezeConnectors(transaction, id, scope);
    await queueConnectors(transaction, id, scope, methods);
    const sessions = await queueSessions(transaction, id, scope, methods);
    await addUnusedGrants(transaction, id, scope);
    await countFrozen(transaction, id);
    return { scope, sessions };
  });
  const { organizationId, customerId, kind, applicationId, target } = scope;
  audit({ organizationId, kind, applicationId });
  if (customerId !== null) audit({ customer: { id: customerId, name: target } });
  await notifications.notify(topics.revocationsDue);
  const incident = await findIncident(db, id);
  if (incident === null) throw new Error('The incident was not found after it was stored');
  log.warn('incident_declared', {
    incident_id: id,
    scope: scope.scope,
    organization_id: scope.organizationId,
    customer_id: scope.customerId,
    kind: scope.kind,
    application_id: scope.applicationId,
    admin_key_id: caller.keyId,
    connectors: incident.frozen_connectors,
    sessions,
  });
  return incident;
}

const anything = { organizationId: null, customerId: null, kind: null, applicationId: null };

async function findScope(
  db: Kysely<Tables>,
  kinds: KindRegistry,
  request: DeclareIncidentRequest,
): Promise<IncidentScope> {
  const { organization, kind: kindName, application: applicationId, customer } = request;
  if (organization !== undefined) {
    const target = await requireOrganization(db, organization);
    return { ...anything, scope: 'organization', organizationId: organization, target };
  }
  if (customer !== undefined) {
    await requireOrganization(db, customer.organization);
    const customerId = await findCustomer(db, customer.organization, customer.name);
    if (customerId === null) {
      throw new ConnectorAuthError('customer_not_found', 'The organization has no customer with this name');
    }
    const target = customer.name;
    return { ...anything, scope: 'customer', organizationId: customer.organization, customerId, target };
  }
  if (applicationId !== undefined) {
    const application = await findApplication(db, { id: applicationId });
    if (application === null) {
      throw new ConnectorAuthError('application_not_found', 'No application has this id');
    }
    return { ...anything, scope: 'application', applicationId, target: application.clientId };
  }
  const kind = resolveKind(kinds, { connector_type: kindName });
  if (kind === null) throw new Error('The contract requires a scope');
  return { ...anything, scope: 'kind', kind: kind.key, target: kind.name };
}

async function requireOrganization(db: Kysely<Tables>, id: string): Promise<string> {
  const name = await findOrganizationName(db, id);
  if (name !== null) return name;
  throw new ConnectorAuthError('organization_not_found', 'No organization has this id');
}

async function revokeTokens(
  transaction: Transaction<Tables>,
  { scope, organizationId, customerId, applicationId }: IncidentScope,
  revoke: Revoke,
): Promise<void> {
  if (scope === 'organization' && organizationId !== null) await revoke({ organizationId });
  if (scope === 'customer' && organizationId !== null && customerId !== null) {
    await revoke({ organizationId, customerId });
  }
  if (scope === 'application' && applicationId !== null) {
    await lockApplication(transaction, applicationId);
    // Otherwise, the next start with the same BOOTSTRAP_ variables would enable the leaked secret again.
    await setManager(transaction, applicationId, 'operator');
    await setDisabled(transaction, applicationId, true);
    await expireSecrets(transaction, applicationId);
    await revoke({ applicationId });
  }
}
