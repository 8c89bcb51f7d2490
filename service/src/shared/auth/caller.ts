import { actionNames, managementRights, type AccessLevel, type TokenKind } from '@connector-auth/api';
import { Rights, type ReplicationDefaults } from './rights.ts';
import type { ApplicationContent, ScopedContent, TokenIdentity, WidgetContent } from './token-signer.ts';

/** The authenticated caller of a request. Its token is resolved once, and functions take the parts that they need. */
export type Caller = ApplicationCaller | ScopedCaller | WidgetCaller;

/** An integrator's backend, acting for one of its organizations. */
export interface ApplicationCaller extends CallerOf<'application'> {
  readonly customer: null;
}

/**
 * A backend acting for one customer. Tenant queries detect whether the customer has been deleted since the
 * token was issued.
 */
export interface ScopedCaller extends CallerOf<'scoped'> {
  readonly customer: CallerCustomer;
}

/** A page on one origin, acting for one customer. */
export interface WidgetCaller extends CallerOf<'widget'> {
  readonly customer: CallerCustomer;
  readonly allowedOrigin: string;
}

interface CallerOf<K extends TokenKind> extends TokenIdentity {
  readonly kind: K;
  readonly organizationId: string;
  readonly tenant: Required<Tenant>;
  /** The agent that the token was issued to, if a person has allowed one. */
  readonly agent: AgentRef | null;
  /** The connect link that the token belongs to, if any. The token sees and changes only what the link is for. */
  readonly link: LinkRef | null;
  /**
   * The access of the connectors that the token creates or reconnects. Null for application tokens: their new connectors have
   * write access, and reconnected ones keep theirs.
   */
  readonly access: AccessLevel | null;
  readonly rights: Rights;
  readonly replicationDefaults: ReplicationDefaults;
}

type CallerCustomer = ScopedContent['customer'];

/**
 * The scope of a query: one customer or, if `customerId` is null, all customers of an organization. Every
 * query filters by its tenant first.
 */
export interface Tenant {
  readonly organizationId: string;
  readonly customerId: string | null;
  /** Limits the scope to the connector that a connect link re-authenticates or has created. */
  readonly linkId?: string | null;
}

/** An agent, as the audit log names it, and the person it acts for. */
export interface AgentRef {
  readonly id: string;
  /** The client's host, or what it is called, and the person's name. */
  readonly name: string;
  readonly userId: string;
}

/** Identifies a connect link. */
export interface LinkRef {
  readonly organizationId: string;
  readonly id: string;
}

/** The rights of an application token, apart from the data that it can read. */
const allRights = { allowedSources: null, allowedActions: actionNames, allowedManagement: managementRights };

/** Resolves a verified token into the caller. An application token also needs one of its organizations. */
export function resolveCaller(
  token: ScopedContent | WidgetContent | (ApplicationContent & { readonly organizationId: string }),
): Caller {
  const { applicationId, organizationId, tokenId, issuedAtUs } = token;
  const identity = { applicationId, organizationId, tokenId, issuedAtUs };
  if (token.kind === 'application') {
    const { kind, allowedData } = token;
    const tenant = { organizationId, customerId: null, linkId: null };
    const rights = new Rights({ ...allRights, allowedData }, null);
    return {
      ...identity,
      kind,
      customer: null,
      tenant,
      agent: null,
      link: null,
      access: null,
      rights,
      replicationDefaults: {},
    };
  }
  const { customer, access, replicationDefaults } = token;
  const linkId = token.kind === 'widget' ? token.linkId : null;
  const bound = {
    ...identity,
    customer,
    tenant: { organizationId, customerId: customer.id, linkId },
    agent: null,
    link: linkId === null ? null : { organizationId, id: linkId },
    access,
    rights: new Rights(token, token.kind === 'widget' ? replicationDefaults : null),
    replicationDefaults,
  };
  if (token.kind === 'scoped') return { ...bound, kind: token.kind };
  return { ...bound, kind: token.kind, allowedOrigin: token.allowedOrigin };
}

/** Restricts the caller of an application to one customer. */
export function restrictToCustomer(caller: ApplicationCaller, customer: CallerCustomer): ScopedCaller {
  const tenant = { ...caller.tenant, customerId: customer.id };
  return { ...caller, kind: 'scoped', customer, tenant, access: 'write' };
}

/** Returns the limits of a caller's token that apply to what it connects. */
export function limitsOf({ rights, access, replicationDefaults }: Caller) {
  return { allowedSources: rights.granted.allowedSources, access, replicationDefaults };
}

/**
 * Returns the key for the limits of a caller's customer. A connect link has limits of its own, so that its page
 * cannot use up those of the customer.
 */
export function limitKeyOf(
  { organizationId, link }: Pick<Caller, 'organizationId' | 'link'>,
  customerName: string,
): string {
  return link === null ? `${organizationId} ${customerName}` : `link ${link.id}`;
}
