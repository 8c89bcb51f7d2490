import { ConnectorAuthError } from '@connector-auth/api';
import type { AdminCustomer } from '@connector-auth/api/admin';
import { limitPerMinute } from '../../platform/concurrency/rate-limit.ts';
import { defaultPageSize } from '../../platform/database/paging.ts';
import type { Needs } from '../../shared/core.ts';
import type { Feature } from '../../shared/feature.ts';
import {
  findListedCustomer,
  listAllCustomers,
  type ListedCustomer,
} from '../../shared/repositories/all-customers.ts';
import { findAnyCustomer, listCustomers, type CustomerRef } from '../../shared/repositories/customers.ts';
import type { CustomersContext } from './context.ts';
import { removeCustomer } from './delete.ts';
import { revokeCustomerTokens } from './revoke-tokens.ts';

export function customers(context: CustomersContext & Needs<'clock'>) {
  const { db, revocations, clock } = context;
  // Limits each application, because every deletion is kept in the list of revoked tokens.
  const deletions = limitPerMinute('customer-deletions', 300, clock);
  return {
    handlers: {
      listCustomers: ({ caller, query }) =>
        listCustomers(db, caller.organizationId, {
          limit: query.limit ?? defaultPageSize,
          cursor: query.cursor,
        }),
      deleteCustomer: async ({ caller, params, requestId, reportLimit, audit }) => {
        audit({ customer: { id: null, name: params.name } });
        reportLimit(deletions.take(caller.applicationId));
        const id = await removeCustomer(context, { caller, requestId }, caller.organizationId, params.name);
        audit({ customer: { id, name: params.name } });
      },
    },
    adminHandlers: {
      listCustomers: async ({ query }) => {
        const { rows, meta } = await listAllCustomers(db, query.organization_id, query);
        return { data: rows.map(toResponse), meta };
      },

      getCustomer: async ({ params }) => {
        const customer = await findListedCustomer(db, params.customer_id);
        if (customer === null) throw notFound();
        return toResponse(customer);
      },

      revokeCustomerTokens: async ({ params, audit }) => {
        const { organizationId, name } = await requireAnyCustomer(context, params.customer_id);
        audit({ organizationId, customer: { id: params.customer_id, name } });
        await revokeCustomerTokens(revocations, organizationId, name);
      },

      deleteCustomer: async ({ caller, params, requestId, audit }) => {
        const { organizationId, name } = await requireAnyCustomer(context, params.customer_id);
        audit({ organizationId, customer: { id: params.customer_id, name } });
        await removeCustomer(context, { caller, requestId }, organizationId, name);
      },
    },
  } satisfies Feature;
}

async function requireAnyCustomer({ db }: CustomersContext, id: string): Promise<CustomerRef> {
  const customer = await findAnyCustomer(db, id);
  if (customer !== null) return customer;
  throw notFound();
}

function notFound(): ConnectorAuthError {
  return new ConnectorAuthError('customer_not_found', 'No customer has this id');
}

function toResponse(customer: ListedCustomer): AdminCustomer {
  const { id, name, organizationId, organizationName, connectors, createdAt } = customer;
  return {
    id,
    name,
    organization: { id: organizationId, name: organizationName },
    connectors,
    created_at: createdAt.toISOString(),
  };
}
