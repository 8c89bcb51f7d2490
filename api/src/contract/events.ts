import { z } from 'zod';
import { agent as listedAgent } from './agents.ts';
import { timestamp, uuid } from './names.ts';

/** The minimum time between two events `records.changed` of a connector. */
export const recordsChangedSeconds = 10;

/** One event. Types, documentation, OpenAPI, console and tests derive from it. */
interface EventDeclaration {
  /** When the event is sent. */
  readonly summary: string;
  readonly data: z.ZodObject;
  /** An example of `data`. */
  readonly example: object;
}

/** Checks each example against its schema, and preserves the exact types. */
function defineEvents<const Declared extends Readonly<Record<string, EventDeclaration>>>(
  declared: Declared & { readonly [Name in keyof Declared]: { readonly example: ExampleOf<Declared[Name]> } },
): Declared {
  return declared;
}
type ExampleOf<E extends EventDeclaration> = z.input<E['data']>;

const organization = { organization_id: uuid };

const connector = z.object({
  ...organization,
  connector_id: uuid,
  customer_name: z.string(),
  connector_type: z.string(),
});
const ofConnector = connector.extend({ name: z.string().meta({ description: 'The name of the connector' }) });

const synced = connector.extend({ entity: z.string() });
const cursor = z.string().nullable().meta({
  description:
    'Where to start reading changes to find these; null if the change feed does not go back that far any more, or the database was restored',
});
const failure = z.string().meta({ description: 'The code of the error, such as `vendor_failed`' });

const incident = z.object({
  ...organization,
  incident_id: uuid,
  scope: z.enum(['organization', 'kind', 'application', 'customer']),
  customer_name: z.string().nullable().meta({ description: 'The customer, if the incident is about one' }),
  connector_type: z.string().nullable().meta({ description: 'The source, if the incident is about one' }),
});

const agent = z.object({
  ...organization,
  agent_id: uuid,
  ...listedAgent.pick({ customer_name: true, user: true, client: true, scopes: true }).shape,
});

const anOrganization = { organization_id: '0b8f5c1e-7a43-4b52-9d0e-2f1f6c3a9d71' };
const aConnector = {
  ...anOrganization,
  connector_id: '3f2b1c7e-5a0d-4b6f-9c1e-8d2a7f4b6c10',
  customer_name: 'acme',
  connector_type: 'granola',
};
const aNamedConnector = { ...aConnector, name: 'Meeting notes' };
const aSync = { ...aConnector, entity: 'notes' };
const aCursor = { cursor: 'eyJhbGciOi…' };
const anIncident = {
  ...anOrganization,
  incident_id: 'fd87a620-8e61-42b0-a0bc-e4927cf3b7d6',
  scope: 'kind',
  customer_name: null,
  connector_type: 'granola',
} as const;

const anAgent = {
  ...anOrganization,
  agent_id: '9a41e6c0-7f25-4d8b-b3c4-52e8d01f96a7',
  customer_name: 'acme',
  user: { id: 'user-4711', name: 'Ana Silva' },
  client: { id: 'https://chat.example.com/client.json', name: 'Chat', host: 'chat.example.com' },
  scopes: ['read', 'search'],
} as const;

/** The events that webhooks receive. Names are stable; members are only added. */
export const events = defineEvents({
  'connector.connected': {
    summary: 'A customer has connected a source',
    data: ofConnector,
    example: aNamedConnector,
  },
  'connector.reconnected': {
    summary: 'A connector has new credentials, and works',
    data: ofConnector,
    example: aNamedConnector,
  },
  'connector.needs_reauth': {
    summary: 'The vendor no longer accepts the credentials: send the customer a link to reconnect',
    data: ofConnector.extend({
      reconnect: connector
        .pick({ customer_name: true, connector_id: true })
        .meta({ description: 'The body for `POST /api/v1/integrations/connect-links`' }),
    }),
    example: {
      ...aNamedConnector,
      reconnect: { customer_name: aConnector.customer_name, connector_id: aConnector.connector_id },
    },
  },
  'connector.disabled': {
    summary: 'An operator has disabled a connector',
    data: ofConnector,
    example: aNamedConnector,
  },
  'connector.frozen': {
    summary: 'An incident has frozen a connector',
    data: ofConnector,
    example: aNamedConnector,
  },
  'connector.restored': {
    summary: 'A connector works again, with the same credentials',
    data: ofConnector,
    example: aNamedConnector,
  },
  'connector.disconnected': {
    summary: 'A connector was disconnected, or deleted with its customer',
    data: ofConnector,
    example: aNamedConnector,
  },
  'sync.first_data': {
    summary: 'The first records of an entity can be searched; older ones follow',
    data: synced.extend({ cursor }),
    example: { ...aSync, ...aCursor },
  },
  'sync.finished': {
    summary: 'A sync run has finished and has changed records',
    data: synced.extend({
      cursor,
      records: z.int().meta({ description: 'How many records `search` finds' }),
    }),
    example: { ...aSync, ...aCursor, records: 1240 },
  },
  'sync.failing': {
    summary: 'Syncing an entity has failed three times in a row, and is retried',
    data: synced.extend({ error_code: failure }),
    example: { ...aSync, error_code: 'vendor_failed' },
  },
  'sync.recovered': {
    summary: 'Syncing an entity works again after `sync.failing`',
    data: synced,
    example: aSync,
  },
  'records.changed': {
    summary: `Records of a connector have changed, or it was disconnected; for each connector at most once in ${recordsChangedSeconds} seconds`,
    data: connector.extend({
      customer_name: z.string().nullable().meta({ description: 'Null if the customer was deleted' }),
      cursor,
    }),
    example: { ...aConnector, ...aCursor },
  },
  'link.used': {
    summary: 'A person has connected or reconnected a source with a connect link',
    data: connector.extend({ link_id: uuid }),
    example: { ...aConnector, link_id: '6f0d2b9a-84c1-4e3d-b7a5-1c9e0f2d7a68' },
  },
  'agent.authorized': {
    summary: "A person has allowed an app or agent to use a customer's data, or changed what it can do",
    data: agent,
    example: { ...anAgent, scopes: [...anAgent.scopes] },
  },
  'agent.revoked': {
    summary: 'An app or agent was ended before its time, or its customer was deleted',
    data: agent,
    example: { ...anAgent, scopes: [...anAgent.scopes] },
  },
  'incident.declared': {
    summary: 'An operator has declared an incident: connectors are frozen, or tokens revoked',
    data: incident,
    example: anIncident,
  },
  'incident.undone': {
    summary: 'An operator has undone an incident',
    data: incident,
    example: anIncident,
  },
  'webhook.test': {
    summary: 'Someone has requested a test event for this webhook',
    data: z.object({ ...organization, webhook_id: uuid }),
    example: { ...anOrganization, webhook_id: 'c3f6a1d8-0b72-4e59-9a84-6d1e5f20b7c3' },
  },
});

export type EventName = keyof typeof events;

/** The names of all events. */
export const eventNames = Object.keys(events) as [EventName, ...EventName[]];

/** The body of a request to a webhook. Its id is in the header `webhook-id`. */
export type EventOf<Name extends EventName> = {
  readonly [N in Name]: {
    readonly type: N;
    /** When it happened. */
    readonly timestamp: string;
    readonly data: z.output<(typeof events)[N]['data']>;
  };
}[Name];
/** Any event. `type` determines the type of `data`. */
export type WebhookEvent = EventOf<EventName>;

/** Returns the schema of an event's body. */
export function eventSchema(name: EventName): z.ZodObject {
  return z.object({ type: z.literal(name), timestamp, data: events[name].data });
}
