import {
  ConnectorAuthError,
  isListenUrl,
  maxReceivedEvents,
  type EventName,
  type ReceiveEventsRequest,
  type ReceiveEventsResponse,
} from '@connector-auth/api';
import { longPoll, type LongPollContext } from '../../platform/notifications/long-poll.ts';
import { topics } from '../../platform/notifications/topics.ts';
import { createMessage, keptResponse } from './message.ts';
import { openSecrets } from './secrets.ts';
import { findPending, takeDeliveries, type Delivery, type WebhookRef } from './store.ts';
import { requireWebhook } from './webhooks.ts';
import { attemptOf, readyBody, recordAttempt, takeSeconds, type WebhookServices } from './worker.ts';

/**
 * Records the responses to events that were received before, and returns the next ones, which are due again after a minute.
 * @throws ConnectorAuthError `webhook_not_found`; `invalid_params` if the service itself sends the webhook's events.
 */
export async function receiveEvents(
  context: WebhookServices & LongPollContext,
  webhook: WebhookRef,
  { responses = [], limit = maxReceivedEvents, wait_seconds: waitSeconds = 0 }: ReceiveEventsRequest,
  signal: AbortSignal,
): Promise<ReceiveEventsResponse> {
  const { db, sealer, clock } = context;
  const stored = await requireWebhook(db, webhook);
  if (!isListenUrl(stored.url)) {
    const message = 'Only the events of a webhook whose URL starts with `listen:` can be received';
    throw ConnectorAuthError.invalid('invalid_params', [{ path: 'webhook_id', message }]);
  }
  const pending =
    responses.length === 0
      ? []
      : await findPending(
          db,
          webhook,
          responses.map(({ event_id }) => event_id),
        );
  for (const delivery of pending) {
    const given = responses.find(({ event_id }) => event_id === delivery.eventId);
    if (given === undefined) continue;
    const text = keptResponse(given.text, openSecrets(sealer, stored, clock.now()), '');
    await recordAttempt(context, delivery, attemptOf(delivery, given.status, text));
  }
  const taken = await longPoll(context, topics.webhooksDue, {
    read: async () => {
      const deliveries = await takeDeliveries(db, webhook, { limit, seconds: takeSeconds });
      const ready: { readonly delivery: Delivery; readonly body: string }[] = [];
      for (const delivery of deliveries) {
        const body = await readyBody(context, delivery);
        if (body !== null) ready.push({ delivery, body });
      }
      return ready;
    },
    isSettled: ({ length }) => length > 0 || limit === 0,
    waiterOf: () => webhook.organizationId,
    waitSeconds,
    signal,
  });
  const now = clock.now();
  const secrets = openSecrets(sealer, stored, now);
  const events = taken.map(({ delivery, body }) => ({
    id: delivery.eventId,
    // Triggers insert only the types of the contract.
    type: delivery.type as EventName,
    ...createMessage(delivery.eventId, body, secrets, now),
  }));
  return { events };
}
