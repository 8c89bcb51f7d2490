import type { Connector, ManagementRight } from '@connector-auth/api';
import type { Catalog } from './flow.ts';
import { sourceOf } from './sources.ts';

/** Returns whether the token allows to change something. Unknown rights allow everything except links. */
export function isAllowed({ rights }: Catalog, right: ManagementRight): boolean {
  return rights?.management.includes(right) ?? right !== 'link';
}

/** Returns whether the user can reconnect the connector, if only by a link, and its source is still offered. */
export function canReconnect(catalog: Catalog, connector: Connector): boolean {
  return (
    (isAllowed(catalog, 'reconnect') || isAllowed(catalog, 'link')) &&
    sourceOf(catalog, connector) !== undefined
  );
}

/** Returns whether the user can switch a connector to another account. Services that do not say so allow it. */
export function canReplaceAccount({ rights }: Catalog): boolean {
  return rights?.replace_account ?? true;
}

/** Returns whether the user can send a link, but cannot connect the source or reconnect `target`. */
export function canOnlySendLink(catalog: Catalog, target: Connector | null): boolean {
  return isAllowed(catalog, 'link') && !isAllowed(catalog, target ? 'reconnect' : 'create');
}
