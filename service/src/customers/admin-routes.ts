import { ConnectorAuthError } from '@connector-auth/api';
import type { AdminHandlers } from '../http/handler.ts';
import { listAllCustomers } from '../repositories/all-customers.ts';
import { findAnyCustomer, type CustomerRef } from '../repositories/customers.ts';
import type { CustomersContext } from './context.ts';
import { removeCustomer } from './delete.ts';
import { revokeCustomerTokens } from './revoke-tokens.ts';

type Names = 'listCustomers' | 'revokeCustomerTokens' | 'deleteCustomer';

export function customerAdminRoutes(context: CustomersContext): Pick<AdminHandlers, Names> {
  const { db, revocations } = context;
  return {
    listCustomers: async ({ query }) => {
      const { rows, meta } = await listAllCustomers(db, query.organization_id, query);
      const data = rows.map(({ id, name, organizationId, organizationName, connectors, createdAt }) => ({
        id,
        name,
        organization: { id: organizationId, name: organizationName },
        connectors,
        created_at: createdAt.toISOString(),
      }));
      return { data, meta };
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
  };
}

async function requireAnyCustomer({ db }: CustomersContext, id: string): Promise<CustomerRef> {
  const customer = await findAnyCustomer(db, id);
  if (customer !== null) return customer;
  throw new ConnectorAuthError('customer_not_found', 'No customer has this id');
}
