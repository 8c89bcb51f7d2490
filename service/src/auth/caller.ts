import { ConnectorAuthError, type ActionName } from '@connector-auth/api';
import type { Kind } from '@connector-auth/connectors/kind';

/** Who is calling, as the token says. A union by kind: each member carries what that kind of token is bound to. */
export type Caller = ApplicationCaller | ScopedCaller | WidgetCaller;

/** An integrator's backend, acting in one of its organizations. */
export interface ApplicationCaller {
  readonly kind: 'application';
  readonly applicationId: string;
  readonly organizationId: string;
}

/** One customer. Whether the customer still exists is for the tenant query to find out. */
export interface ScopedCaller extends CustomerBound {
  readonly kind: 'scoped';
}

/** One customer, in a page of one origin. */
export interface WidgetCaller extends CustomerBound {
  readonly kind: 'widget';
  readonly allowedOrigin: string;
}

interface CustomerBound {
  readonly applicationId: string;
  readonly organizationId: string;
  readonly customer: { readonly id: string; readonly name: string };
  /** Keys of the kinds it may see and use; null for all. */
  readonly allowedSources: readonly string[] | null;
  readonly allowedActions: readonly ActionName[];
}

/** Whether the caller may see and use this kind of connector. */
export function maySeeSource(caller: Caller, kind: string): boolean {
  return (
    caller.kind === 'application' || caller.allowedSources === null || caller.allowedSources.includes(kind)
  );
}

/** @throws ConnectorAuthError `source_not_allowed` when the caller's token does not allow the kind. */
export function requireSource(caller: Caller, kind: Pick<Kind, 'key' | 'name'>): void {
  if (maySeeSource(caller, kind.key)) return;
  throw new ConnectorAuthError('source_not_allowed', `The token does not allow ${kind.name}`);
}

/** @throws ConnectorAuthError `action_not_allowed`. */
export function requireAction(caller: Caller, action: ActionName): void {
  if (caller.kind === 'application' || caller.allowedActions.includes(action)) return;
  throw new ConnectorAuthError(
    'action_not_allowed',
    `The token allows ${caller.allowedActions.join(', ')} only`,
  );
}
