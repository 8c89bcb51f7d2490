import type { VendorAccess } from '../credentials/connection.ts';
import type { KindRegistry } from '../definitions/registry.ts';
import type { Handlers } from '../http/handler.ts';
import { executeAction, type Search } from './execute.ts';

export function executeRoutes(
  access: VendorAccess,
  kinds: KindRegistry,
  search: Search,
): Pick<Handlers, 'execute'> {
  return {
    execute: ({ caller, params, body, signal }) =>
      executeAction(access, kinds, search, caller, params.id, body, signal),
  };
}
