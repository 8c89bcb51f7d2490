import type { Kinds } from '../catalog/kinds.ts';
import type { VendorAccess } from '../connectors/vendor-access.ts';
import type { Handlers } from '../http/handler.ts';
import type { Searching } from '../search/searching.ts';
import { executeAction } from './execute.ts';

export function executeRoutes(
  access: VendorAccess,
  kinds: Kinds,
  search: Searching,
): Pick<Handlers, 'execute'> {
  return {
    execute: ({ caller, params, body, signal }) =>
      executeAction(access, kinds, search, caller, params.id, body, signal),
  };
}
