import { connectLinkLifetimeSeconds, ConnectorAuthError } from '@connector-auth/api';
import { resolveCaller } from '../../shared/auth/caller.ts';
import type { AdminHandlers } from '../../shared/http/handler.ts';
import { findActiveApplication } from '../../shared/repositories/applications.ts';
import { findAnyConnector } from '../../shared/repositories/connectors.ts';
import type { ConnectLinksContext } from './context.ts';
import { createConnectLink } from './create.ts';

/**
 * Creates links for operators, in the name of the organization's oldest active application. Such a link gives the operator
 * nothing: the integrator's helper must confirm that the person who opens it belongs to the customer.
 */
export function connectLinkAdminRoutes(
  context: ConnectLinksContext,
): Pick<AdminHandlers, 'createReconnectLink'> {
  return {
    createReconnectLink: async ({ params, signal, audit }) => {
      const stored = await findAnyConnector(context.db, params.connector_id);
      if (stored === null) throw new ConnectorAuthError('connector_not_found', 'No connector has this id');
      const { organizationId, customerName, id } = stored;
      const application = await findActiveApplication(context.db, organizationId);
      if (application === null) {
        throw new ConnectorAuthError(
          'application_not_found',
          'The organization has no active application, in whose name links are created',
        );
      }
      const caller = resolveCaller({
        ...application,
        kind: 'application',
        organizationId,
        organizationIds: [organizationId],
        tokenId: '',
        allowedData: [],
      });
      const body = {
        customer_name: customerName,
        connector_id: id,
        expires_in: connectLinkLifetimeSeconds.max,
      };
      return createConnectLink(context, { caller, body, idempotencyKey: null, signal, audit });
    },
  };
}
