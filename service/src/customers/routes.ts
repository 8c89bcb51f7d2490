import type { Kysely } from 'kysely';
import type { Handlers } from '../http/handler.ts';
import { defaultPageSize } from '../paging.ts';
import type { Tables } from '../storage/tables.ts';
import { removeCustomer } from './customers.ts';
import { listCustomers } from './store.ts';

export function customerRoutes(db: Kysely<Tables>): Pick<Handlers, 'listCustomers' | 'deleteCustomer'> {
  return {
    listCustomers: ({ caller, query }) =>
      listCustomers(db, caller.organizationId, {
        limit: query.limit ?? defaultPageSize,
        cursor: query.cursor,
      }),
    deleteCustomer: ({ caller, params }) => removeCustomer(db, caller.organizationId, params.name),
  };
}
