import { randomUUID } from 'node:crypto';
import { ConnectorAuthError, type Connector, type Language } from '@connector-auth/api';
import { parseGrant, parseSettings, type Grant, type Kind } from '@connector-auth/connectors/kind';
import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import { topics } from '../../platform/notifications/topics.ts';
import { limitsOf, type Caller } from '../../shared/auth/caller.ts';
import type { VerifiedGrant } from '../../shared/credentials/verify.ts';
import type { KindRegistry } from '../../shared/definitions/registry.ts';
import { requireKind, type KindNames } from '../../shared/definitions/resolve-kind.ts';
import { searchableEntities } from '../../shared/definitions/searchable-entities.ts';
import type { Call } from '../../shared/http/handler.ts';
import type { KeyReservation } from '../../shared/idempotency/idempotency.ts';
import {
  invalidSecretError,
  requireOwnAccess,
  reserveSecret,
  type SecretReservation,
} from '../../shared/oauth-sessions/redeem.ts';
import {
  countConnectors,
  findConnector,
  insertConnector,
  type StoredConnector,
} from '../../shared/repositories/connectors.ts';
import { findCustomer } from '../../shared/repositories/customers.ts';
import { addEntities } from '../../shared/repositories/sync-state.ts';
import { customerNameOf, lockCustomerOf, requireExistingCustomer } from '../../shared/tenancy/customers.ts';
import { requireEnabledKind } from '../../shared/tenancy/enabled-kinds.ts';
import { requireNoIncident } from '../../shared/tenancy/incidents.ts';
import { notifyLinkUsed, requireLiveLink, spendOwnLink } from '../../shared/tenancy/links.ts';
import { toRecord } from './connector-response.ts';
import type { ConnectorsContext } from './context.ts';
import { logConnectorEvent } from './events.ts';
import { settingsOfNew } from './settings.ts';
import { verifyCredentials } from './verify.ts';

export interface Creation extends KindNames {
  readonly customer_name?: string | undefined;
  readonly name: string;
  readonly credentials?: Readonly<Record<string, unknown>> | undefined;
  readonly server_side_oauth_secret_id?: string | undefined;
  readonly replication_config?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Creates a connector after the vendor has accepted its credentials. Stores nothing if any step fails, not
 * even the customer. Returns the same connector when a request is repeated with the same idempotency key or
 * secret id.
 * @throws ConnectorAuthError `management_not_allowed`; `source_not_allowed`; for invalid input; `secret_id_invalid`;
 * `credentials_refused`; `connector_frozen` if an open incident covers it; or an error for a vendor failure.
 */
export async function createConnector(
  context: ConnectorsContext,
  caller: Caller,
  request: Creation,
  options: Pick<Call<'createConnector'>, 'language' | 'idempotencyKey' | 'signal' | 'reportLimit' | 'audit'>,
): Promise<Connector> {
  caller.rights.requireManagement('create');
  const plan = { ...planCreation(context.kinds, caller, request), language: options.language };
  const { customerId, linkId: targetId } = caller.tenant;
  options.audit({ customer: { id: customerId, name: plan.customerName }, kind: plan.kind.key, targetId });
  const connector = await createOnce(context, caller, plan, { ...options, request });
  options.audit({ connectorId: connector.id });
  return connector;
}

async function createOnce(
  context: ConnectorsContext,
  caller: Caller,
  plan: Plan,
  options: Pick<Call<'createConnector'>, 'idempotencyKey' | 'signal' | 'reportLimit'> & {
    readonly request: Creation;
  },
): Promise<Connector> {
  const { idempotencyKey, request, signal, reportLimit } = options;
  await requireExistingCustomer(context.db, caller.tenant);
  if (idempotencyKey === null) return create(context, caller, plan, { key: null, signal, reportLimit });
  const key = await context.idempotency.reserve<Connector>({
    organizationId: caller.organizationId,
    customerName: plan.customerName,
    route: 'createConnector',
    key: idempotencyKey,
    // Another token of the customer may have other limits, and must not get this connector.
    body: { ...request, limits: limitsOf(caller), linkId: caller.tenant.linkId },
    signal,
  });
  if (key.status === 'completed') return key.response;
  try {
    return await create(context, caller, plan, { key, signal, reportLimit });
  } catch (error) {
    await key.release();
    throw error;
  }
}

/** A validated request, with its customer, connector kind and source of the credentials. */
interface Plan {
  readonly customerName: string;
  readonly kind: Kind;
  readonly name: string;
  /** The language of the response. */
  readonly language: Language;
  readonly from:
    | { readonly grant: Grant }
    | { readonly secretId: string; readonly settings: Grant['settings'] };
}

interface Attempt extends Pick<Call<'createConnector'>, 'signal' | 'reportLimit'> {
  readonly key: KeyReservation<Connector> | null;
}

function planCreation(kinds: KindRegistry, caller: Caller, request: Creation): Omit<Plan, 'language'> {
  const customerName = customerNameOf(caller, request.customer_name);
  if (customerName === undefined) throw invalid('customer_name', 'Required with an application token');
  const kind = requireKind(kinds, request);
  caller.rights.requireSource(kind);
  const { credentials, server_side_oauth_secret_id: secretId } = request;
  const settings = settingsOfNew(caller, kind, request.replication_config);
  const subject = { customerName, kind, name: request.name };
  if (credentials !== undefined && secretId !== undefined)
    throw invalid('credentials', 'Provide credentials or server_side_oauth_secret_id, not both');
  if (credentials !== undefined)
    return { ...subject, from: { grant: parseGrant(kind, credentials, settings) } };
  if (secretId !== undefined)
    return { ...subject, from: { secretId, settings: parseSettings(kind, settings) } };
  throw invalid('credentials', 'Provide credentials or server_side_oauth_secret_id');
}

async function create(
  context: ConnectorsContext,
  caller: Caller,
  plan: Plan,
  attempt: Attempt,
): Promise<Connector> {
  const { from } = plan;
  if ('grant' in from) return verifyAndStore(context, caller, plan, { ...attempt, grant: from.grant });
  const { tenant } = caller;
  const { kind, customerName } = plan;
  const customerId =
    tenant.customerId ?? (await findCustomer(context.db, tenant.organizationId, customerName));
  const presentation = { ...tenant, customerId, kind, secretId: from.secretId, targetId: null };
  const secret = await reserveSecret(context.secrets, presentation);
  if (secret.status === 'redeemed')
    return respondAgain(context, caller, plan, { ...secret, key: attempt.key });
  try {
    const grant = { ...secret.grant, settings: from.settings };
    return await verifyAndStore(context, caller, plan, { ...attempt, grant, secret });
  } finally {
    await secret.release();
  }
}

/** Returns the connector for which the secret id was redeemed. */
async function respondAgain(
  context: ConnectorsContext,
  caller: Caller,
  { kind, language }: Plan,
  { connectorId, key }: { readonly connectorId: string; readonly key: Attempt['key'] },
): Promise<Connector> {
  const stored = await findConnector(context.db, caller.tenant, connectorId);
  if (stored === null) throw invalidSecretError('the connector that it created was deleted');
  requireOwnAccess(stored, caller.access);
  const connector = await toRecord(context, kind, stored, language);
  await key?.commit(context.db, connector);
  return connector;
}

async function verifyAndStore(
  context: ConnectorsContext,
  caller: Caller,
  plan: Plan,
  attempt: Attempt & { readonly grant: Grant; readonly secret?: SecretReservation },
): Promise<Connector> {
  const { db, notifications, log } = context;
  const { grant, secret, key, signal, reportLimit } = attempt;
  const { tenant, link } = caller;
  await requireLiveLink(db, link);
  await requireEnabledKind(db, tenant, plan.kind);
  await requireRoom(db, context, caller, plan.customerName);
  const verified = await verifyCredentials(
    context,
    { ...tenant, link, customerName: plan.customerName },
    { kind: plan.kind, grant },
    { knownAs: null, signal, saveRenewed: secret?.replaceGrant, reportLimit },
  );
  const { stored, connector } = await db.transaction().execute(async transaction => {
    const created = await store({ ...context, db: transaction }, caller, plan, verified);
    await secret?.commit(transaction, created.connector);
    await key?.commit(transaction, created.connector);
    await spendOwnLink(transaction, link, created.connector.id);
    return created;
  });
  logConnectorEvent(log, 'connector_created', caller, stored);
  await notifications.notify(topics.syncDue);
  await notifyLinkUsed(notifications, link);
  return connector;
}

async function store(
  context: ConnectorsContext,
  caller: Caller,
  { customerName, kind, name, language }: Plan,
  { grant, account }: VerifiedGrant,
): Promise<{ stored: StoredConnector; connector: Connector }> {
  const { db, credentials } = context;
  const { organizationId } = caller;
  // The customer may have been deleted while the credentials were being verified.
  const customerId = await lockCustomerOf(db, caller.tenant, customerName);
  await requireNoIncident(db, { organizationId, customerId, kind: kind.key });
  await requireRoom(db, context, caller, customerName);
  const row = { organizationId, id: randomUUID(), customerId, kind: kind.key };
  await insertConnector(db, {
    ...row,
    name,
    authMethod: grant.method,
    sealedGrant: credentials.seal(row, 1, grant),
    account,
    settings: kind.settings && grant.settings,
    access: caller.access ?? 'write',
  });
  await addEntities(db, row, searchableEntities(kind));
  const stored = await findConnector(db, { organizationId, customerId }, row.id);
  if (stored === null) throw new Error('The connector was not found in the transaction that stored it');
  return { stored, connector: await toRecord(context, kind, stored, language) };
}

/**
 * Throws if the customer has the maximum number of connectors. Called before the vendor is called, and again
 * while the customer is locked.
 */
export async function requireRoom(
  db: Kysely<Tables>,
  { connectorsPerCustomer: max }: ConnectorsContext,
  { organizationId }: Caller,
  customerName: string,
): Promise<void> {
  if ((await countConnectors(db, organizationId, customerName)) < max) return;
  throw new ConnectorAuthError(
    'too_many_connectors',
    `This customer already has ${max} connectors. Disconnect one, or ask the operator of the service to raise CONNECTORS_PER_CUSTOMER`,
  );
}

function invalid(path: string, message: string): ConnectorAuthError {
  return ConnectorAuthError.invalid('malformed_request', [{ path, message }]);
}
