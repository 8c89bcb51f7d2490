import type { Kysely } from 'kysely';
import type { Credentials } from '../credentials/credentials.ts';
import { defaultPageSize } from '../database/paging.ts';
import type { Tables } from '../database/tables.ts';
import type { KindRegistry } from '../definitions/registry.ts';
import type { Handlers } from '../http/handler.ts';
import { findConnectorsOfCustomer } from '../repositories/connectors.ts';
import { listCustomers } from '../repositories/customers.ts';
import { removeCustomer } from './delete.ts';

export function customerRoutes(
  db: Kysely<Tables>,
  kinds: KindRegistry,
  credentials: Credentials,
): Pick<Handlers, 'listCustomers' | 'deleteCustomer'> {
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
          if (kind !== null) await credentials.revoke(kind, stored);
        }),
      );
    },
  };
}
