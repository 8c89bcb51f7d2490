import type { ManagementRight } from '@connector-auth/api';
import type { Catalog } from './flow.ts';

/** Returns whether the token allows to change something. Unknown rights allow everything. */
export function isAllowed({ rights }: Catalog, right: ManagementRight): boolean {
  return rights?.management.includes(right) ?? true;
}
