import { z } from 'zod';
import { isLoopback } from '../origin.ts';
import type { ProblemCode } from '../problem.ts';
import type { Endpoint } from './endpoint.ts';
import { eventNames } from './events.ts';
import { readable, timestamp, uuid } from './names.ts';
import { pageMeta, pageQuery } from './paging.ts';
import { rule } from './rule.ts';

/** The maximum number of webhooks of an organization. */
export const maxWebhooks = 20;
/** How long events and deliveries are kept. */
export const eventHistoryDays = 30;
/** A webhook that has failed for this long is switched off. */
export const maxFailureDays = 5;
/** How many hours a replaced secret still signs events, next to the new one. */
export const previousSecretHours = { default: 24, max: 168 } as const;

/** Returns whether a webhook's URL says that its events are fetched with `receiveEvents`: `listen:` and a name. */
export function isListenUrl(url: string): boolean {
  return /^listen:[\w.-]{1,100}$/.test(url);
}

/** Returns whether events can be sent to a URL: https, or http on a loopback host, without user and fragment. */
function isWebhookUrl(text: string): boolean {
  if (isListenUrl(text)) return true;
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '' || text.includes('#')) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}

const url = z
  .string()
  .max(500)
  .refine(isWebhookUrl, 'Must be an https URL, or http on a loopback host, without user and fragment')
  .meta({
    description:
      'Where events are sent. http is only for a service on the same machine; redirects are not followed. `listen:` and a name, such as `listen:laptop`, sends nothing: `receiveEvents` returns the events',
    examples: ['https://app.example.com/connector-auth/events'],
  });
const description = readable(z.string().max(200).regex(/\S/, 'Must not be blank')).nullable();
const chosenEvents = z
  .array(z.enum(eventNames))
  .min(1)
  .nullable()
  .meta({ description: 'The events to send; null means all, also future ones', examples: [null] });

export const webhook = z.object({
  id: uuid,
  url: z.string(),
  description: z.string().nullable(),
  events: chosenEvents,
  status: z.enum(['active', 'failing', 'disabled']).meta({
    description: `\`failing\` since the last event was accepted; \`disabled\` receives nothing until it is enabled`,
  }),
  disabled_reason: z
    .enum(['caller', 'failing', 'gone'])
    .nullable()
    .meta({
      description: `By a caller, because it had failed for ${maxFailureDays} days, or because it responded 410 (Gone)`,
    }),
  failing_since: timestamp
    .nullable()
    .meta({ description: 'When the first attempt after the last accepted event failed' }),
  disabled_at: timestamp.nullable(),
  previous_secret_expires_at: timestamp.nullable().meta({
    description: 'Until then, events are also signed with the previous secret',
  }),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Webhook = z.infer<typeof webhook>;

/** A webhook and its secret, which only the responses that create it contain. */
export const webhookWithSecret = webhook.extend({
  secret: z.string().meta({ description: 'Verifies signatures; starts with `whsec_`' }),
});
export type WebhookWithSecret = z.infer<typeof webhookWithSecret>;

export const listWebhooksResponse = z.object({ data: z.array(webhook) });
export type ListWebhooksResponse = z.infer<typeof listWebhooksResponse>;

export const createWebhookRequest = z.strictObject({
  url,
  description: description.optional(),
  events: chosenEvents.optional(),
});
export type CreateWebhookRequest = z.input<typeof createWebhookRequest>;

export const updateWebhookRequest = z
  .strictObject({
    url: url.optional(),
    description: description.optional(),
    events: chosenEvents.optional(),
    enabled: z.boolean().optional().meta({
      description: 'False sends nothing more; true sends new events. Replay those in between',
    }),
  })
  .refine(
    changes => Object.values(changes).some(value => value !== undefined),
    rule('Set at least one property'),
  );
export type UpdateWebhookRequest = z.input<typeof updateWebhookRequest>;

export const rotateWebhookSecretRequest = z.strictObject({
  previous_hours: z
    .int()
    .min(0)
    .max(previousSecretHours.max)
    .optional()
    .meta({
      description: `How long the previous secret signs events, too; ${previousSecretHours.default} if omitted. 0 if it has leaked`,
    }),
});
export type RotateWebhookSecretRequest = z.input<typeof rotateWebhookSecretRequest>;

/** An event that was sent or is to be sent to a webhook. */
const webhookDelivery = z.object({
  event_id: uuid.meta({ description: 'The `webhook-id` of each attempt' }),
  type: z.enum(eventNames),
  body: z.record(z.string(), z.unknown()).meta({ description: 'What is sent' }),
  state: z.enum(['pending', 'delivered', 'failed']),
  attempts: z.int(),
  next_attempt_at: timestamp.nullable(),
  last_attempt_at: timestamp.nullable(),
  last_status: z.int().nullable().meta({ description: 'The HTTP status; null if there was no response' }),
  last_response: z
    .string()
    .nullable()
    .meta({ description: 'The first kilobyte of the response, or why there was none' }),
  created_at: timestamp,
});
export type WebhookDelivery = z.infer<typeof webhookDelivery>;

const listDeliveriesQuery = z.strictObject({
  state: webhookDelivery.shape.state.optional(),
  ...pageQuery,
});
export const listDeliveriesResponse = z.object({ data: z.array(webhookDelivery), meta: pageMeta });
export type ListDeliveriesResponse = z.infer<typeof listDeliveriesResponse>;

export const replayRequest = z
  .strictObject({
    since: timestamp
      .optional()
      .meta({ description: 'The time of the first event; that of the webhook if omitted' }),
    after_event: uuid.optional().meta({ description: 'The last event that was received' }),
    include_delivered: z
      .boolean()
      .optional()
      .meta({ description: 'Also send events again that were delivered' }),
  })
  .refine(
    ({ since, after_event }) => since === undefined || after_event === undefined,
    rule('Provide since or after_event, not both', 'since'),
  );
export type ReplayRequest = z.input<typeof replayRequest>;

export const replayResponse = z.object({ events: z.int().meta({ description: 'How many events are sent' }) });
export type ReplayResponse = z.infer<typeof replayResponse>;

/** The maximum number of events in a response to `receiveEvents`. */
export const maxReceivedEvents = 10;

export const receiveEventsRequest = z.strictObject({
  responses: z
    .array(
      z.strictObject({
        event_id: uuid,
        status: z.int().min(100).max(599).nullable().meta({
          description:
            'The HTTP status; null if there was no response. From 200 to 299, the event is delivered',
        }),
        text: z.string().max(1_000).meta({
          description: 'The beginning of the response, or why there was none',
        }),
      }),
    )
    .max(maxReceivedEvents)
    .optional()
    .meta({ description: 'How your server responded to the events of the previous response' }),
  limit: z
    .int()
    .min(0)
    .max(maxReceivedEvents)
    .optional()
    .meta({
      description: `Maximum number of events, ${maxReceivedEvents} if omitted; 0 only reports the responses`,
    }),
  wait_seconds: z.int().min(0).max(30).optional().meta({
    description: 'How long to wait for an event if there is none yet. Default: 0',
  }),
});
export type ReceiveEventsRequest = z.input<typeof receiveEventsRequest>;

export const receiveEventsResponse = z.object({
  events: z.array(
    z.object({
      id: uuid,
      type: z.enum(eventNames),
      headers: z.record(z.string(), z.string()).meta({
        description: 'The headers to send, with the signature. It expires after five minutes',
      }),
      body: z.string().meta({ description: 'The body to send, which is signed as it is' }),
    }),
  ),
});
export type ReceiveEventsResponse = z.infer<typeof receiveEventsResponse>;

export const testWebhookResponse = z.object({ event_id: uuid });
export type TestWebhookResponse = z.infer<typeof testWebhookResponse>;

/**
 * Returns the endpoints for an organization's webhooks, for one contract.
 * @param owner who calls them, and the path's parameters of the organization, if there are any.
 * @param params the path's parameters of a webhook and of a delivery.
 * @param isDetailed whether each endpoint lists its error codes, instead of statuses.
 */
export function webhookEndpoints<
  const Path extends `/api/v1/${string}`,
  const Owner extends Pick<Endpoint, 'callers' | 'params'>,
  Webhook extends z.ZodObject,
  Delivery extends z.ZodObject,
>(
  path: Path,
  owner: Owner,
  params: { readonly webhook: Webhook; readonly delivery: Delivery },
  isDetailed: boolean,
) {
  const ofWebhook = { callers: owner.callers as Owner['callers'], params: params.webhook };
  const ofDelivery = { ...ofWebhook, params: params.delivery };
  const tag = 'Webhooks';
  const failing = (...errors: readonly ProblemCode[]): Pick<Endpoint, 'errors' | 'problems'> =>
    isDetailed ? { errors } : { problems: [409, 422] };
  return {
    createWebhook: {
      ...owner,
      ...failing('too_many_webhooks', 'invalid_params'),
      method: 'POST',
      path,
      tag,
      summary: 'Create a webhook, to which events are sent; the response contains its secret',
      audit: 'webhook.created',
      body: createWebhookRequest,
      retryable: false,
      status: 201,
      response: webhookWithSecret,
    },
    listWebhooks: {
      ...owner,
      ...failing(),
      method: 'GET',
      path,
      tag,
      summary: 'List webhooks, oldest first',
      response: listWebhooksResponse,
    },
    getWebhook: {
      ...ofWebhook,
      ...failing('webhook_not_found'),
      method: 'GET',
      path: `${path}/{webhook_id}`,
      tag,
      summary: 'Get a webhook',
      response: webhook,
    },
    updateWebhook: {
      ...ofWebhook,
      ...failing('webhook_not_found', 'invalid_params'),
      method: 'PATCH',
      path: `${path}/{webhook_id}`,
      tag,
      summary: 'Change the URL, description or events of a webhook, or disable or enable it',
      audit: 'webhook.updated',
      body: updateWebhookRequest,
      response: webhook,
    },
    deleteWebhook: {
      ...ofWebhook,
      ...failing('webhook_not_found'),
      method: 'DELETE',
      path: `${path}/{webhook_id}`,
      tag,
      summary: 'Delete a webhook and its deliveries',
      audit: 'webhook.deleted',
      isRevoking: true,
      response: null,
    },
    rotateWebhookSecret: {
      ...ofWebhook,
      ...failing('webhook_not_found'),
      method: 'POST',
      path: `${path}/{webhook_id}/rotate-secret`,
      tag,
      summary: 'Replace the secret; both sign events until the previous one expires',
      audit: 'webhook.secret_rotated',
      body: rotateWebhookSecretRequest,
      retryable: false,
      response: webhookWithSecret,
    },
    testWebhook: {
      ...ofWebhook,
      ...failing('webhook_not_found'),
      method: 'POST',
      path: `${path}/{webhook_id}/test`,
      tag,
      summary: 'Send the event `webhook.test`',
      audit: 'webhook.tested',
      retryable: false,
      response: testWebhookResponse,
    },
    replayWebhook: {
      ...ofWebhook,
      ...failing('webhook_not_found', 'event_not_found'),
      method: 'POST',
      path: `${path}/{webhook_id}/replay`,
      tag,
      summary: 'Send the events that were not delivered, from a time or an event on, with the same ids',
      audit: 'webhook.replayed',
      body: replayRequest,
      retryable: true,
      response: replayResponse,
    },
    listDeliveries: {
      ...ofWebhook,
      ...failing('webhook_not_found'),
      method: 'GET',
      path: `${path}/{webhook_id}/deliveries`,
      tag,
      summary: `List the deliveries of the last ${eventHistoryDays} days, newest first`,
      query: listDeliveriesQuery,
      response: listDeliveriesResponse,
    },
    receiveEvents: {
      ...ofWebhook,
      ...failing('webhook_not_found', 'invalid_params'),
      method: 'POST',
      path: `${path}/{webhook_id}/receive`,
      tag,
      summary:
        'Receive the next events of a webhook whose URL starts with `listen:`, and report the responses to the previous ones; `wait_seconds` long-polls',
      // Listeners poll it. Like the attempts of the service, theirs are in the list of deliveries.
      audit: null,
      body: receiveEventsRequest,
      retryable: true,
      response: receiveEventsResponse,
    },
    resendDelivery: {
      ...ofDelivery,
      ...failing('webhook_not_found', 'event_not_found'),
      method: 'POST',
      path: `${path}/{webhook_id}/deliveries/{event_id}/resend`,
      tag,
      summary: 'Send an event again now, with the same id',
      audit: 'webhook.event_resent',
      retryable: true,
      response: null,
    },
  } as const;
}
