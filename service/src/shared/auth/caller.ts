import {
  ConnectorAuthError,
  type AccessLevel,
  type ActionName,
  type DataRight,
  type ManagementRight,
} from '@connector-auth/api';
import type { Kind } from '@connector-auth/connectors/kind';

/** The authenticated caller. The type depends on the kind of token. */
export type Caller = ApplicationCaller | ScopedCaller | WidgetCaller;

/** An integrator's backend, acting for one of its organizations. */
export interface ApplicationCaller {
  readonly kind: 'application';
  readonly applicationId: string;
  readonly organizationId: string;
  /** Identifies the token in the audit log. Null in tokens from earlier versions. */
  readonly tokenId: string | null;
  /** When the token was issued, by the database's clock, in microseconds since the Unix epoch. */
  readonly issuedAtUs: number;
  readonly allowedData: readonly DataRight[];
}

/**
 * A backend acting for one customer. Tenant queries detect whether the customer has been deleted since the
 * token was issued.
 */
export interface ScopedCaller extends CustomerBound {
  readonly kind: 'scoped';
}

/** A page on one origin, acting for one customer. */
export interface WidgetCaller extends CustomerBound {
  readonly kind: 'widget';
  readonly allowedOrigin: string;
  /** The connect link that the page belongs to. The token sees and changes only what the link is for. */
  readonly linkId: string | null;
}

/** Identifies a connect link. */
export interface LinkRef {
  readonly organizationId: string;
  readonly id: string;
}

interface CustomerBound {
  readonly applicationId: string;
  readonly organizationId: string;
  /** Identifies the token in the audit log. Null in tokens from earlier versions. */
  readonly tokenId: string | null;
  /** When the token was issued, by the database's clock, in microseconds since the Unix epoch. */
  readonly issuedAtUs: number;
  readonly customer: { readonly id: string; readonly name: string };
  /** Keys of the allowed connector kinds, or null if all are allowed. */
  readonly allowedSources: readonly string[] | null;
  readonly allowedActions: readonly ActionName[];
  readonly allowedManagement: readonly ManagementRight[];
  readonly allowedData: readonly DataRight[];
  /** The access of the connectors that the token creates or reconnects. */
  readonly access: AccessLevel;
  readonly replicationDefaults: ReplicationDefaults;
}

/**
 * Settings for new connectors, by the key of their kind. The settings in a request take precedence, except those of a page,
 * which cannot set what its token fixes.
 */
export type ReplicationDefaults = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export function maySeeSource(caller: Caller, kind: string): boolean {
  return (
    caller.kind === 'application' || caller.allowedSources === null || caller.allowedSources.includes(kind)
  );
}

/** Throws `source_not_allowed` if the token does not allow the kind. */
export function requireSource(caller: Caller, kind: Pick<Kind, 'key' | 'name'>): void {
  if (maySeeSource(caller, kind.key)) return;
  throw new ConnectorAuthError('source_not_allowed', `The token does not allow ${kind.name}`);
}

/** Throws `action_not_allowed` if the token does not allow the action. */
export function requireAction(caller: Caller, action: ActionName): void {
  if (caller.kind === 'application' || caller.allowedActions.includes(action)) return;
  throw new ConnectorAuthError(
    'action_not_allowed',
    caller.allowedActions.length === 0
      ? 'The token allows no actions'
      : `The token allows only ${caller.allowedActions.join(', ')}`,
  );
}

/**
 * Returns the access of the connectors that a caller creates. For a reconnected one, application tokens leave the access
 * unchanged.
 */
export function accessOf(caller: Caller): AccessLevel {
  return caller.kind === 'application' ? 'write' : caller.access;
}

/** Returns the limits of a caller's token that apply to what it connects. */
export function limitsOf(
  caller: Caller,
): Pick<CustomerBound, 'allowedSources' | 'replicationDefaults'> & { readonly access: AccessLevel | null } {
  if (caller.kind === 'application') return { allowedSources: null, access: null, replicationDefaults: {} };
  const { allowedSources, access, replicationDefaults } = caller;
  return { allowedSources, access, replicationDefaults };
}

/** Returns the settings that the token of a page fixes for connectors of a kind. */
export function settingsFixedFor(caller: Caller, { key }: Pick<Kind, 'key'>): readonly string[] {
  return caller.kind === 'widget' ? Object.keys(caller.replicationDefaults[key] ?? {}) : [];
}

/** Returns the connect link that a caller's token belongs to, or null if it belongs to none. */
export function linkOf(caller: Caller): LinkRef | null {
  if (caller.kind !== 'widget' || caller.linkId === null) return null;
  return { organizationId: caller.organizationId, id: caller.linkId };
}

/**
 * Returns the key for the limits of a caller's customer. A connect link has limits of its own, so that its page
 * cannot use up those of the customer.
 */
export function limitKeyOf(caller: Caller, customerName: string): string {
  const link = linkOf(caller);
  return link === null ? `${caller.organizationId} ${customerName}` : `link ${link.id}`;
}

/** Throws `management_not_allowed` if the token does not include the right. */
export function requireManagement(caller: Caller, right: ManagementRight): void {
  if (caller.kind === 'application' || caller.allowedManagement.includes(right)) return;
  throw new ConnectorAuthError(
    'management_not_allowed',
    `The token does not allow ${right}: request a token whose allowed_management includes it`,
  );
}
