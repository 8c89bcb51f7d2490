import { ConnectorAuthError } from '@connector-auth/api';
import type { Kysely } from 'kysely';
import type { AuditDetails } from '../../platform/audit-log/entry.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { AdminHandlers, Handlers } from '../../shared/http/handler.ts';
import { findAnyCustomer, findCustomer } from '../../shared/repositories/customers.ts';
import { revokeAgentOf, revokeAgents, revokeLinks } from '../../shared/repositories/revocations.ts';
import { customerNameOf, requireExistingCustomer } from '../../shared/tenancy/customers.ts';
import { findAgent, findAnyAgent, listAgents, type FoundAgent } from './store.ts';

export function agentRoutes(db: Kysely<Tables>): Pick<Handlers, 'listAgents' | 'deleteAgent' | 'revokeUser'> {
  return {
    listAgents: async ({ caller, query }) => {
      const { tenant, link } = caller;
      const customerName = customerNameOf(caller, query.customer_name);
      // A person who opens a connect link need not belong to the customer.
      const page =
        link === null
          ? await listAgents(db, tenant, customerName, query)
          : { data: [], meta: { cursor: null, has_more: false } };
      if (page.data.length === 0) await requireExistingCustomer(db, tenant);
      return page;
    },

    deleteAgent: async ({ caller, params, audit }) => {
      const { tenant, rights, link } = caller;
      rights.requireManagement('delete');
      const agent = link === null ? await findAgent(db, tenant, params.id) : null;
      if (agent === null) await requireExistingCustomer(db, tenant);
      await end(db, agent, audit);
    },

    revokeUser: async ({ caller: { organizationId }, params: { name, user_id: userId }, audit }) => {
      audit({ customer: { id: null, name } });
      await db.transaction().execute(async transaction => {
        const customerId = await findCustomer(transaction, organizationId, name);
        if (customerId === null) {
          throw new ConnectorAuthError(
            'customer_not_found',
            'The organization has no customer with this name',
          );
        }
        audit({ customer: { id: customerId, name } });
        const person = { organizationId, customerId, userId };
        await revokeAgents(transaction, person);
        await revokeLinks(transaction, person);
      });
    },
  };
}

export function agentAdminRoutes(db: Kysely<Tables>): Pick<AdminHandlers, 'listAgents' | 'deleteAgent'> {
  return {
    listAgents: async ({ params, query }) => {
      const customer = await findAnyCustomer(db, params.customer_id);
      if (customer === null) throw new ConnectorAuthError('customer_not_found', 'No customer has this id');
      const { organizationId, id: customerId } = customer;
      return listAgents(db, { organizationId, customerId }, undefined, query);
    },

    deleteAgent: async ({ params, audit }) => end(db, await findAnyAgent(db, params.agent_id), audit),
  };
}

async function end(
  db: Kysely<Tables>,
  agent: FoundAgent | null,
  audit: (details: AuditDetails) => void,
): Promise<void> {
  if (agent === null) throw new ConnectorAuthError('agent_not_found', 'No agent has this id');
  const { organizationId, id, customerId, customerName, isRevoked } = agent;
  audit({ organizationId, customer: { id: customerId, name: customerName }, targetId: id });
  // Others of the organization who sign in have to start again, which must not be repeated without need.
  if (!isRevoked) await revokeAgentOf(db, agent);
}
