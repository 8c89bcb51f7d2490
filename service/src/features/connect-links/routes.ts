import type { ConnectLink } from '@connector-auth/api';
import { defaultPageSize } from '../../platform/database/paging.ts';
import { longPoll } from '../../platform/notifications/long-poll.ts';
import { topics } from '../../platform/notifications/topics.ts';
import { resolveKind } from '../../shared/definitions/resolve-kind.ts';
import type { Handlers } from '../../shared/http/handler.ts';
import { customerNameOf, requireExistingCustomer } from '../../shared/tenancy/customers.ts';
import type { SharedRateLimit } from '../../shared/vendor-limits/shared-rate-limit.ts';
import { confirmConnectLink } from './confirm.ts';
import type { ConnectLinksContext } from './context.ts';
import { createConnectLink } from './create.ts';
import { requireLink } from './require-link.ts';
import { listOpenLinks, revokeLink, type StoredLink } from './store.ts';

type Names =
  | 'createConnectLink'
  | 'listConnectLinks'
  | 'getConnectLink'
  | 'deleteConnectLink'
  | 'confirmConnectLink';

export function connectLinkRoutes(
  context: ConnectLinksContext,
  limitByCustomer: SharedRateLimit,
): Pick<Handlers, Names> {
  return {
    createConnectLink: async call => {
      const { caller, body, reportLimit } = call;
      // Checked before the limit, so that a token without the right cannot use it up.
      caller.rights.requireManagement('link');
      const customerName = customerNameOf(caller, body.customer_name);
      reportLimit(await limitByCustomer.take(`${caller.organizationId} ${customerName ?? ''}`));
      return createConnectLink(context, call);
    },

    listConnectLinks: async ({ caller, query }) => {
      const { tenant, rights } = caller;
      rights.requireManagement('link');
      const kind = resolveKind(context.kinds, query);
      if (kind !== null) rights.requireSource(kind);
      const { links, meta } = await listOpenLinks(
        context,
        tenant,
        {
          customerName: customerNameOf(caller, query.customer_name),
          kind: kind?.key,
          allowedSources: rights.granted.allowedSources,
        },
        { limit: query.limit ?? defaultPageSize, cursor: query.cursor },
      );
      if (links.length === 0) await requireExistingCustomer(context.db, tenant);
      return { data: links.map(toResponse), meta };
    },

    getConnectLink: async ({ caller, params, query, signal, audit }) => {
      caller.rights.requireManagement('link');
      let first: StoredLink['status'] | null = null;
      const link = await longPoll(context, topics.link(params.id), {
        read: () => requireLink(context, { caller, audit }, params.id),
        isSettled: ({ status }) =>
          status !== (first ??= status) || (status !== 'open' && status !== 'confirmed'),
        waiterOf: ({ customerId }) => customerId,
        waitSeconds: query.wait_seconds ?? 0,
        signal,
      });
      return toResponse(link);
    },

    deleteConnectLink: async ({ caller, params, audit }) => {
      caller.rights.requireManagement('link');
      const link = await requireLink(context, { caller, audit }, params.id);
      if (await revokeLink(context.db, link)) await context.notifications.notify(topics.link(link.id));
    },

    confirmConnectLink: call => confirmConnectLink(context, call),
  };
}

function toResponse(link: StoredLink): ConnectLink {
  return {
    id: link.id,
    status: link.status,
    connector_type: link.kind,
    connector_id: link.connectorId ?? link.targetId,
    audience: link.audience,
    inviter: link.inviter,
    expires_at: link.expiresAt.toISOString(),
    created_at: link.createdAt.toISOString(),
  };
}
