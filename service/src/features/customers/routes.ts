import type { RateLimit } from '../../platform/concurrency/rate-limit.ts';
import { defaultPageSize } from '../../platform/database/paging.ts';
import type { Handlers } from '../../shared/http/handler.ts';
import { listCustomers } from '../../shared/repositories/customers.ts';
import type { CustomersContext } from './context.ts';
import { removeCustomer } from './delete.ts';

/** @param deletions limits each application's deletions, because every one is kept in the list of revoked tokens. */
export function customerRoutes(
  context: CustomersContext,
  deletions: RateLimit,
): Pick<Handlers, 'listCustomers' | 'deleteCustomer'> {
  return {
    listCustomers: ({ caller, query }) =>
      listCustomers(context.db, caller.organizationId, {
        limit: query.limit ?? defaultPageSize,
        cursor: query.cursor,
      }),
    deleteCustomer: async ({ caller, params, requestId, reportLimit, audit }) => {
      audit({ customer: { id: null, name: params.name } });
      reportLimit(deletions.take(caller.applicationId));
      const id = await removeCustomer(context, { caller, requestId }, caller.organizationId, params.name);
      audit({ customer: { id, name: params.name } });
    },
  };
}
