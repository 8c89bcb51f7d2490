import type { Connector, ManagementRight } from '@connector-auth/api';
import type { Catalog } from './flow.ts';
import { sourceOf } from './sources.ts';

/** Returns whether the token allows to change something. Unknown rights allow everything except links. */
export function isAllowed({ rights }: Catalog, right: ManagementRight): boolean {
  return rights?.management.includes(right) ?? right !== 'link';
}

/** Returns whether the token allows to reconnect the connector, and its source is still offered. */
export function canReconnect(catalog: Catalog, connector: Connector): boolean {
  return isAllowed(catalog, 'reconnect') && sourceOf(catalog, connector) !== undefined;
}
