import { randomUUID } from 'node:crypto';
import {
  connectLinkLifetimeSeconds,
  ConnectorAuthError,
  maxOpenConnectLinks,
  type CreateConnectLinkResponse,
} from '@connector-auth/api';
import type { Kind } from '@connector-auth/connectors/kind';
import { limitsOf, type Caller } from '../../shared/auth/caller.ts';
import { revokedError } from '../../shared/auth/denylist.ts';
import { resolveKind } from '../../shared/definitions/resolve-kind.ts';
import type { Call } from '../../shared/http/handler.ts';
import type { KeyReservation } from '../../shared/idempotency/idempotency.ts';
import { authorizeMinting } from '../../shared/repositories/applications.ts';
import type { StoredConnector } from '../../shared/repositories/connectors.ts';
import { findOrganization, type Organization } from '../../shared/repositories/organizations.ts';
import { requireConnector, type AuditedCaller } from '../../shared/tenancy/connectors.ts';
import { customerNameOf, lockCustomerOf, requireExistingCustomer } from '../../shared/tenancy/customers.ts';
import { requireEnabledKind } from '../../shared/tenancy/enabled-kinds.ts';
import { linkEndedError } from '../../shared/tenancy/links.ts';
import type { ConnectLinksContext } from './context.ts';
import { linkUrl } from './link-url.ts';
import { linkSecret } from './secrets.ts';
import { countOpenLinks, findLinkSecret, insertLink, revokeLink } from './store.ts';

type Request = Call<'createConnectLink'>['body'];

/** What a repeated request returns. The secret is not stored. */
type CreatedLink = Omit<CreateConnectLinkResponse, 'url'>;

/**
 * Creates a link, and the customer if it does not exist.
 * @throws ConnectorAuthError `management_not_allowed`; `customer_not_allowed`; `source_not_allowed`; `connector_not_found`;
 * `helper_url_missing`; `guest_links_not_allowed`; `invalid_params` for a lifetime that is not allowed; `too_many_links`; `link_revoked`; or for invalid input.
 */
export async function createConnectLink(
  context: ConnectLinksContext,
  {
    caller,
    body,
    idempotencyKey,
    signal,
    audit,
  }: Pick<Call<'createConnectLink'>, 'caller' | 'body' | 'idempotencyKey' | 'signal' | 'audit'>,
): Promise<CreateConnectLinkResponse> {
  caller.rights.requireManagement('link');
  const customerName = customerNameOf(caller, body.customer_name);
  if (customerName === undefined) throw malformed('customer_name', 'Required with an application token');
  audit({ customer: { id: caller.tenant.customerId, name: customerName } });
  await requireExistingCustomer(context.db, caller.tenant);
  const plan = await planLink(context, { caller, audit }, customerName, body);
  audit({ kind: plan.kind?.key ?? null });
  const create = (key: KeyReservation<CreatedLink> | null) => store(context, caller, plan, key);
  if (idempotencyKey === null) return withUrl(context, await create(null));
  const key = await context.idempotency.reserve<CreatedLink>({
    organizationId: caller.organizationId,
    customerName,
    route: 'createConnectLink',
    key: idempotencyKey,
    // Another token of the customer may have other limits, and must not get this link.
    body: { ...body, limits: limitsOf(caller) },
    signal,
  });
  if (key.status === 'completed') return withUrl(context, key.response);
  try {
    return withUrl(context, await create(key));
  } catch (error) {
    await key.release();
    throw error;
  }
}

/** A validated request. */
interface Plan {
  readonly customerName: string;
  /** Null if the person chooses the source. */
  readonly kind: Kind | null;
  readonly target: StoredConnector | null;
  readonly request: Request;
}

async function planLink(
  context: ConnectLinksContext,
  { caller, audit }: AuditedCaller,
  customerName: string,
  request: Request,
): Promise<Plan> {
  const { db, kinds } = context;
  const named = resolveKind(kinds, { connector_type: request.connector_type });
  if (named !== null) caller.rights.requireSource(named);
  const organization = await findOrganization(db, caller.organizationId);
  requireAudience(organization, caller, request);
  requireLifetime(organization, request);
  if (request.connector_id === undefined) {
    if (named !== null) await requireEnabledKind(db, caller.tenant, named);
    return { customerName, kind: named, target: null, request };
  }
  const { stored, kind } = await requireConnector(context, { caller, audit }, request.connector_id, 'use');
  if (stored.customerName !== customerName)
    throw new ConnectorAuthError('connector_not_found', 'This customer has no connector with this id');
  if (named !== null && named !== kind) throw malformed('connector_id', `This connector is for ${kind.name}`);
  if (request.audience === 'guest' && stored.account === null) {
    throw new ConnectorAuthError(
      'guest_links_not_allowed',
      `${kind.name} does not report the account of this connector, so a guest could replace it: omit audience`,
    );
  }
  return { customerName, kind, target: stored, request };
}

function requireAudience(
  organization: Organization,
  caller: Caller,
  { audience = 'customer', connector_id }: Request,
): void {
  if (audience === 'customer') {
    if (organization.connect_helper_url !== null) return;
    throw new ConnectorAuthError(
      'helper_url_missing',
      "Register where the integrator's helper is mounted: set connect_helper_url of the organization in the console, with PATCH /api/v1/organization or with BOOTSTRAP_HELPER_URL",
    );
  }
  if (organization.guest_connect_links && caller.kind !== 'widget') {
    // The creator of a link for a guest can also accept it.
    return caller.rights.requireManagement(connector_id === undefined ? 'create' : 'reconnect');
  }
  throw new ConnectorAuthError(
    'guest_links_not_allowed',
    organization.guest_connect_links
      ? 'A widget token can create links only for its customer: omit audience'
      : 'Set guest_connect_links of the organization, or omit audience',
  );
}

function requireLifetime({ long_connect_links: areLong }: Organization, { expires_in = 0 }: Request): void {
  const { max } = connectLinkLifetimeSeconds;
  if (areLong || expires_in <= max) return;
  const message = `Must be at most ${max}, unless long_connect_links of the organization is set`;
  throw ConnectorAuthError.invalid('invalid_params', [{ path: 'expires_in', message }]);
}

async function store(
  { db, signingKeys }: ConnectLinksContext,
  caller: Caller,
  { customerName, kind, target, request }: Plan,
  key: KeyReservation<CreatedLink> | null,
): Promise<CreatedLink> {
  const { organizationId, applicationId } = caller;
  const id = randomUUID();
  const created = await db.transaction().execute(async transaction => {
    const customerId = await lockCustomerOf(transaction, caller.tenant, customerName);
    // Another process may have revoked the caller's token a moment ago, and the link must not outlive it.
    if ((await authorizeMinting(transaction, caller)) === null) throw revokedError();
    const open = await countOpenLinks({ db: transaction, signingKeys }, organizationId, customerId);
    if (open >= maxOpenConnectLinks) {
      throw new ConnectorAuthError(
        'too_many_links',
        `This customer already has ${maxOpenConnectLinks} open links: revoke some, or wait until they expire`,
      );
    }
    const { expiresAt } = await insertLink(transaction, {
      ...limitsOf(caller),
      organizationId,
      id,
      customerId,
      applicationId,
      userId: caller.agent?.userId ?? null,
      kind: kind?.key ?? null,
      targetId: target?.id ?? null,
      audience: request.audience ?? 'customer',
      inviter: request.inviter ?? null,
      secret: linkSecret(signingKeys[0], id),
      lifetimeSeconds: request.expires_in ?? connectLinkLifetimeSeconds.default,
    });
    const created = { id, expires_at: expiresAt.toISOString() };
    await key?.commit(transaction, created);
    return created;
  });
  // A revocation during the transaction did not see the link. A later one ends the link itself.
  if ((await authorizeMinting(db, caller)) !== null) return created;
  await revokeLink(db, { organizationId, id });
  throw revokedError();
}

async function withUrl(
  context: ConnectLinksContext,
  { id, expires_at }: CreatedLink,
): Promise<CreateConnectLinkResponse> {
  const secret = await findLinkSecret(context, id);
  if (secret === undefined) throw linkEndedError('revoked');
  return { id, url: linkUrl(context.publicUrl, id, secret), expires_at };
}

function malformed(path: string, message: string): ConnectorAuthError {
  return ConnectorAuthError.invalid('malformed_request', [{ path, message }]);
}
