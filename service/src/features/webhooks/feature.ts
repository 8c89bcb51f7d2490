import {
  ConnectorAuthError,
  type CreateWebhookRequest,
  type ReceiveEventsRequest,
  type ReplayRequest,
  type RotateWebhookSecretRequest,
  type UpdateWebhookRequest,
  type WebhookDelivery,
} from '@connector-auth/api';
import type { LimitUsage } from '../../platform/concurrency/limit-error.ts';
import { limitPerMinute } from '../../platform/concurrency/rate-limit.ts';
import { defaultPageSize } from '../../platform/database/paging.ts';
import { limitWaitingRequests } from '../../platform/notifications/long-poll.ts';
import { topics } from '../../platform/notifications/topics.ts';
import type { Needs } from '../../shared/core.ts';
import type { Feature } from '../../shared/feature.ts';
import { findOrganizationNames } from '../../shared/repositories/organizations.ts';
import { receiveEvents } from './receive.ts';
import { deleteWebhook, insertTestEvent, listWebhooks } from './store.ts';
import {
  createWebhook,
  editWebhook,
  notFound,
  readDeliveries,
  requireWebhook,
  resend,
  rotateSecret,
  selectionOf,
  toWebhook,
} from './webhooks.ts';
import { createMeasures, startWebhookWorker, type WebhookServices } from './worker.ts';

interface WithBody<Body> {
  readonly body: Body;
}
interface OfWebhook {
  readonly params: { readonly webhook_id: string };
  readonly reportLimit: (usage: LimitUsage) => void;
  readonly signal: AbortSignal;
}
interface OfDelivery extends OfWebhook {
  readonly params: { readonly webhook_id: string; readonly event_id: string };
}
interface WithQuery {
  readonly query: {
    readonly state?: WebhookDelivery['state'] | undefined;
    readonly limit?: number | undefined;
    readonly cursor?: string | undefined;
  };
}

export function webhooks({
  metrics,
  longPolls,
  ...core
}: Omit<WebhookServices, 'measures'> & Needs<'metrics' | 'longPolls'>) {
  const context = {
    ...core,
    ...longPolls,
    waitingRequests: limitWaitingRequests('organization'),
    measures: createMeasures(metrics),
  };
  const { db, notifications, clock } = context;
  // Limits what makes the service send requests.
  const sends = limitPerMinute('webhook-requests', 60, clock);

  /** The operations for one contract, whose calls name the organization in their own way. */
  const handlersFor = <OfOrganization>(
    organizationOf: (call: OfOrganization) => string | Promise<string>,
  ) => {
    const refOf = async (call: OfOrganization & OfWebhook) => ({
      organizationId: await organizationOf(call),
      id: call.params.webhook_id,
    });
    /** Counts a request that sends events, and wakes the workers after it. */
    const sending = async <Result>(
      call: OfOrganization & OfWebhook,
      work: (ref: Awaited<ReturnType<typeof refOf>>) => Promise<Result>,
    ): Promise<Result> => {
      const webhook = await refOf(call);
      call.reportLimit(sends.take(webhook.organizationId));
      const result = await work(webhook);
      await notifications.notify(topics.webhooksDue);
      return result;
    };
    return {
      createWebhook: async (call: OfOrganization & WithBody<CreateWebhookRequest>) =>
        createWebhook(context, await organizationOf(call), call.body),
      listWebhooks: async (call: OfOrganization) => {
        const stored = await listWebhooks(db, await organizationOf(call));
        return { data: stored.map(toWebhook) };
      },
      getWebhook: async (call: OfOrganization & OfWebhook) =>
        toWebhook(await requireWebhook(db, await refOf(call))),
      updateWebhook: (call: OfOrganization & OfWebhook & WithBody<UpdateWebhookRequest>) =>
        sending(call, webhook => editWebhook(context, webhook, call.body)),
      deleteWebhook: async (call: OfOrganization & OfWebhook) => {
        if (!(await deleteWebhook(db, await refOf(call)))) notFound();
      },
      rotateWebhookSecret: async (call: OfOrganization & OfWebhook & WithBody<RotateWebhookSecretRequest>) =>
        rotateSecret(context, await refOf(call), call.body.previous_hours),
      testWebhook: (call: OfOrganization & OfWebhook) =>
        sending(call, async webhook => {
          await requireWebhook(db, webhook);
          return { event_id: await insertTestEvent(db, webhook) };
        }),
      replayWebhook: (call: OfOrganization & OfWebhook & WithBody<ReplayRequest>) =>
        sending(call, async webhook => ({ events: await resend(context, webhook, selectionOf(call.body)) })),
      listDeliveries: async (call: OfOrganization & OfWebhook & WithQuery) => {
        const { state, limit = defaultPageSize, cursor } = call.query;
        return readDeliveries(context, await refOf(call), state, { limit, cursor });
      },
      receiveEvents: async (call: OfOrganization & OfWebhook & WithBody<ReceiveEventsRequest>) =>
        receiveEvents(context, await refOf(call), call.body, call.signal),
      resendDelivery: (call: OfOrganization & OfDelivery) =>
        sending(call, async webhook => {
          await resend(context, webhook, { onlyEvent: call.params.event_id });
        }),
    };
  };

  return {
    handlers: handlersFor(
      (call: { readonly caller: { readonly organizationId: string } }) => call.caller.organizationId,
    ),
    adminHandlers: handlersFor(async (call: { readonly params: { readonly organization_id: string } }) => {
      const { organization_id: id } = call.params;
      if ((await findOrganizationNames(db, [id])).has(id)) return id;
      throw new ConnectorAuthError('organization_not_found', 'No organization has this id');
    }),
    start: () => startWebhookWorker(context),
  } satisfies Feature;
}
