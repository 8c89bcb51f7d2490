import type { Kysely } from 'kysely';
import type { Credentials } from '../credentials/credentials.ts';
import { defaultPageSize } from '../database/paging.ts';
import type { Tables } from '../database/tables.ts';
import type { KindRegistry } from '../definitions/registry.ts';
import type { Handlers } from '../http/handler.ts';
import type { Log } from '../log/log.ts';
import { findConnectorsOfCustomer } from '../repositories/connectors.ts';
import { listCustomers } from '../repositories/customers.ts';
import type { Revocations } from '../revocations/revocations.ts';
import { removeCustomer } from './delete.ts';

export interface CustomersContext {
  readonly db: Kysely<Tables>;
  readonly kinds: KindRegistry;
  readonly credentials: Credentials;
  readonly revocations: Revocations;
  readonly log: Log;
}

export function customerRoutes({
  db,
  kinds,
  credentials,
  revocations,
  log,
}: CustomersContext): Pick<Handlers, 'listCustomers' | 'deleteCustomer'> {
  return {
    listCustomers: ({ caller, query }) =>
      listCustomers(db, caller.organizationId, {
        limit: query.limit ?? defaultPageSize,
        cursor: query.cursor,
      }),
    deleteCustomer: async ({ caller, params, requestId, audit }) => {
      audit({ customer: { id: null, name: params.name } });
      const connectors = await findConnectorsOfCustomer(db, caller.organizationId, params.name);
      const customerId = await removeCustomer(revocations, caller.organizationId, params.name);
      audit({ customer: { id: customerId, name: params.name }, targetId: customerId });
      log.info('customer_deleted', {
        request_id: requestId,
        application_id: caller.applicationId,
        organization_id: caller.organizationId,
        customer_id: customerId,
        connectors: connectors.length,
      });
      await Promise.all(
        connectors.map(async stored => {
          const kind = kinds.byKey(stored.kind);
          if (kind !== null) await credentials.revoke(kind, stored);
        }),
      );
    },
  };
}
