import { defaultPageSize } from '../database/paging.ts';
import type { Handlers } from '../http/handler.ts';
import { listCustomers } from '../repositories/customers.ts';
import type { CustomersContext } from './context.ts';
import { removeCustomer } from './delete.ts';

export function customerRoutes(
  context: CustomersContext,
): Pick<Handlers, 'listCustomers' | 'deleteCustomer'> {
  return {
    listCustomers: ({ caller, query }) =>
      listCustomers(context.db, caller.organizationId, {
        limit: query.limit ?? defaultPageSize,
        cursor: query.cursor,
      }),
    deleteCustomer: ({ caller, params, requestId, audit }) => {
      audit({ customer: { id: null, name: params.name } });
      return removeCustomer(context, { caller, requestId }, caller.organizationId, params.name);
    },
  };
}
