import type { Kinds } from '../catalog/kinds.ts';
import { revokeDeleted } from '../connectors/disconnect.ts';
import { findConnectorsOfCustomer } from '../connectors/store.ts';
import type { VendorAccess } from '../connectors/vendor-access.ts';
import type { Handlers } from '../http/handler.ts';
import { defaultPageSize } from '../paging.ts';
import { removeCustomer } from './customers.ts';
import { listCustomers } from './store.ts';

export function customerRoutes(
  access: VendorAccess,
  kinds: Kinds,
): Pick<Handlers, 'listCustomers' | 'deleteCustomer'> {
  const { db } = access;
  return {
    listCustomers: ({ caller, query }) =>
      listCustomers(db, caller.organizationId, {
        limit: query.limit ?? defaultPageSize,
        cursor: query.cursor,
      }),
    deleteCustomer: async ({ caller, params }) => {
      const connectors = await findConnectorsOfCustomer(db, caller.organizationId, params.name);
      await removeCustomer(db, caller.organizationId, params.name);
      await Promise.all(
        connectors.map(async stored => {
          const kind = kinds.byKey(stored.kind);
          if (kind !== null) await revokeDeleted(access, kind, stored);
        }),
      );
    },
  };
}
