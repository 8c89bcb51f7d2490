import type { z } from 'zod';
import type { endpoints, EndpointName } from './endpoints.ts';
import { events } from './events.ts';

/** A request to an endpoint as callers write it, with query parameters before they become text. */
export type ExampleRequest<E> = Input<E, 'params'> &
  Input<E, 'body'> &
  Query<E> & { readonly headers?: Readonly<Record<string, string>> };

type Input<E, Name extends string> =
  E extends Readonly<Record<Name, infer Schema extends z.ZodType>>
    ? { readonly [N in Name]: z.input<Schema> }
    : { readonly [N in Name]?: never };

type Query<E> = E extends { readonly query: infer Schema extends z.ZodType }
  ? Optional<'query', Defined<z.output<Schema>>>
  : { readonly query?: never };
type Optional<Name extends string, T> = object extends T
  ? { readonly [N in Name]?: T }
  : { readonly [N in Name]: T };
type Defined<T> = { readonly [N in keyof T]: Exclude<T[N], undefined> };

/** A request to an endpoint with its response. */
interface Example<E> {
  readonly request: ExampleRequest<E>;
  readonly response: E extends { readonly response: infer Schema extends z.ZodType }
    ? z.output<Schema>
    : null;
}

/** What the requests refer to. The reference shows shell variables instead, and tests use objects of their own. */
export const exampleValues = {
  clientId: 'acme-backend',
  clientSecret: 'q8Yx…',
  connectorId: '3f2b1c7e-5a0d-4b6f-9c1e-8d2a7f4b6c10',
  linkId: '6f0d2b9a-84c1-4e3d-b7a5-1c9e0f2d7a68',
  linkCode: 'm4Tz…',
  signInId: 'Qk7w9cVb2nXr4sLp',
  signInCode: 'p7Xc…',
  sessionId: 'b6a1d3f4-2c8e-4f70-8a95-6e1d0c7b3a52',
  secretId: 'Zk3vQ8mT2xLw7Rb1',
  // The pair of RFC 7636, appendix B.
  verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  redirectUrl: 'https://app.example.com/connected',
  webhookId: 'c3f6a1d8-0b72-4e59-9a84-6d1e5f20b7c3',
  eventId: '4e7b92c1-6d0f-4a35-8c19-f2a7d3e6b580',
  agentId: '9a41e6c0-7f25-4d8b-b3c4-52e8d01f96a7',
};
const { connectorId, linkId, sessionId, verifier, secretId } = exampleValues;

const granolaId = '9023923c-002f-4131-9554-3ebdf56540a4';
const organizationId = '0b8f5c1e-7a43-4b52-9d0e-2f1f6c3a9d71';
const at = '2026-11-20T09:30:00.000Z';
const expires = '2026-11-20T09:40:00.000Z';
const token = 'eyJhbGciOi…';
const onConnector = { params: { id: connectorId } };
const onLink = { params: { id: linkId } };
const onWebhook = { params: { webhook_id: exampleValues.webhookId } };
const onEvent = { params: { ...onWebhook.params, event_id: exampleValues.eventId } };
const onSession = { params: { session_id: sessionId } };
const lastPage = { cursor: null, has_more: false };

const link = {
  id: linkId,
  connector_type: 'gong',
  audience: 'customer' as const,
  inviter: null,
  expires_at: expires,
  created_at: at,
};

const organization = {
  id: organizationId,
  name: 'Acme Analytics',
  logo_url: null,
  support_url: 'https://acme.example/support',
  sync_interval_minutes: null,
  default_sync_interval_minutes: 60,
  connect_helper_url: 'https://app.example.com/connector-auth',
  guest_connect_links: false,
  long_connect_links: false,
  agent_sign_in: false,
  brand_color: null,
};

const webhook = {
  id: exampleValues.webhookId,
  url: 'https://app.example.com/connector-auth/events',
  description: null,
  events: null,
  status: 'active' as const,
  disabled_reason: null,
  failing_since: null,
  disabled_at: null,
  previous_secret_expires_at: null,
  created_at: at,
  updated_at: at,
};
const webhookWithSecret = { ...webhook, secret: 'whsec_MfKQ…' };

const connector = {
  id: connectorId,
  name: 'Meeting notes',
  customer_name: 'acme',
  connector_type: 'granola',
  definition_id: granolaId,
  auth_method: 'api_key',
  status: 'active' as const,
  replication_config: null,
  sync: {
    status: 'ready' as const,
    entities: {
      notes: {
        state: 'done' as const,
        records: 342,
        last_synced_at: at,
        last_error: null,
        last_error_code: null,
      },
    },
  },
  created_at: at,
  updated_at: at,
};

const definition = {
  sourceDefinitionId: granolaId,
  name: 'Granola',
  iconUrl: 'https://connect.example.com/icons/granola.svg',
  supportLevel: 'certified' as const,
  connectorType: 'granola',
  description: 'Meeting notes and transcripts',
};

const accounts = {
  accounts: [
    {
      id: '6120459183',
      name: 'Acme – Search',
      detail: '612-045-9183 · USD',
      selectable: true,
      reason: null,
    },
    {
      id: '7315520048',
      name: 'Acme – Archive',
      detail: '731-552-0048 · USD',
      selectable: false,
      reason: 'This account is cancelled',
    },
  ],
  is_complete: true,
  selected: null,
  daily_requests_per_account: 600,
};

const minted = { token, token_type: 'bearer' as const, expires_in: 1200, customer_name: 'acme' };

const oauthApp = {
  connector_type: 'gong',
  definition_id: '32382e40-3b49-4b99-9c5c-4076501914e7',
};

/** One example of each endpoint. Each request succeeds for an allowed caller if what it refers to exists. */
export const endpointExamples: { readonly [N in EndpointName]: Example<(typeof endpoints)[N]> } = {
  createApplicationToken: {
    request: { body: { client_id: exampleValues.clientId, client_secret: exampleValues.clientSecret } },
    response: {
      access_token: token,
      token_type: 'bearer',
      expires_in: 900,
      organization_id: organizationId,
    },
  },
  createScopedToken: {
    request: {
      body: { customer_name: 'acme', allowed_sources: ['granola'], allowed_actions: ['list', 'get'] },
    },
    response: minted,
  },
  createWidgetToken: {
    request: {
      body: {
        customer_name: 'acme',
        customer_display_name: 'Acme Inc.',
        allowed_origin: 'https://app.example.com',
      },
    },
    response: { ...minted, allowed_origin: 'https://app.example.com' },
  },
  listOrganizations: { request: {}, response: { data: [{ id: organizationId, name: 'Acme' }] } },
  getOrganization: { request: {}, response: organization },
  updateOrganization: {
    request: { body: { name: 'Acme Analytics', sync_interval_minutes: 15 } },
    response: { ...organization, sync_interval_minutes: 15 },
  },
  setOrganizationLogo: {
    request: {
      body: {
        image:
          'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
      },
    },
    response: { ...organization, logo_url: 'https://connect.example.com/logos/0b8f5c1e' },
  },
  deleteOrganizationLogo: { request: {}, response: null },
  listCustomers: {
    request: { query: { limit: 100 } },
    response: {
      data: [{ id: '5d0c9a36-31b7-4f6e-8d1c-70b9a5c4e210', name: 'acme', created_at: at }],
      meta: lastPage,
    },
  },
  deleteCustomer: { request: { params: { name: 'acme' } }, response: null },
  revokeUser: { request: { params: { name: 'acme', user_id: 'user-4711' } }, response: null },
  listAgents: {
    request: { query: { customer_name: 'acme' } },
    response: {
      data: [
        {
          id: exampleValues.agentId,
          client: { id: 'https://chat.example.com/client.json', name: 'Chat', host: 'chat.example.com' },
          customer_name: 'acme',
          user: { id: 'user-4711', name: 'Ana Silva' },
          scopes: ['read', 'search'],
          allowed_sources: null,
          authorized_at: at,
          last_used_at: at,
          expires_at: '2026-12-20T09:30:00.000Z',
        },
      ],
      meta: lastPage,
    },
  },
  deleteAgent: { request: { params: { id: exampleValues.agentId } }, response: null },
  listDefinitions: { request: {}, response: { definitions: [definition] } },
  getDefinition: {
    request: { params: { id: granolaId } },
    response: {
      ...definition,
      auth_methods: [
        {
          id: 'api_key',
          type: 'credentials',
          title: 'API key',
          description: null,
          help_url: null,
          schema: {
            type: 'object',
            properties: { api_key: { type: 'string', title: 'API key', writeOnly: true } },
            required: ['api_key'],
            additionalProperties: false,
          },
        },
      ],
      replication_schema: null,
    },
  },
  createConnector: {
    request: {
      headers: { 'Idempotency-Key': '5f1c0a52-7f0e-4a0e-9a53-0a6f6b1d8d11' },
      body: {
        customer_name: 'acme',
        connector_type: 'granola',
        name: 'Meeting notes',
        credentials: { api_key: 'grn_sandbox_demo' },
      },
    },
    response: connector,
  },
  listConnectors: {
    request: { query: { customer_name: 'acme', limit: 100 } },
    response: { data: [connector], meta: lastPage },
  },
  getConnector: { request: onConnector, response: connector },
  updateConnector: {
    request: { ...onConnector, body: { name: 'Notes of the sales team' } },
    response: { ...connector, name: 'Notes of the sales team' },
  },
  deleteConnector: { request: onConnector, response: null },
  restoreConnector: { request: onConnector, response: connector },
  checkConnector: {
    request: onConnector,
    response: { status: 'healthy', error: null, checked_entity: 'notes', checked_action: 'list' },
  },
  listConnectorActivity: {
    request: { ...onConnector, query: { limit: 100 } },
    response: {
      data: [{ id: '1042', at, actor: 'sync', action: 'sync', entity: 'notes', outcome: 'ok', records: 12 }],
      meta: lastPage,
    },
  },
  listChanges: {
    request: { query: { cursor: 'now' } },
    response: {
      changes: [
        {
          connector_id: connectorId,
          customer_name: 'acme',
          connector_type: 'granola',
          entity: 'notes',
          id: 'not_20260131',
          operation: 'upsert',
          record: { id: 'not_20260131', title: 'Weekly sync' },
          changed_at: at,
        },
      ],
      cursor: 'eyJhbGciOi…',
      has_more: false,
      horizon_age_seconds: 0,
    },
  },
  listConnectorAccounts: { request: onConnector, response: { ...accounts, selected: ['6120459183'] } },
  initiateOAuth: {
    request: {
      body: {
        customer_name: 'acme',
        connector_type: 'gong',
        redirect_url: exampleValues.redirectUrl,
        challenge: exampleValues.challenge,
      },
    },
    response: {
      consent_url: `https://connect.example.com/oauth/start/${sessionId}`,
      session_id: sessionId,
      expires_at: expires,
    },
  },
  getOAuthSession: {
    request: { ...onSession, query: { wait: 25 }, headers: { 'X-OAuth-Verifier': verifier } },
    response: {
      session_id: sessionId,
      connector_type: 'gong',
      status: 'completed',
      expires_at: expires,
      secret_id: secretId,
      connector_id: null,
      error: null,
    },
  },
  listSessionAccounts: {
    request: { ...onSession, headers: { 'X-OAuth-Secret-Id': secretId } },
    response: accounts,
  },
  cancelOAuthSession: { request: onSession, response: null },
  createConnectLink: {
    request: { body: { customer_name: 'acme', connector_type: 'gong', expires_in: 3600 } },
    response: {
      id: linkId,
      url: `https://connect.example.com/connect/${linkId}#q3Zx…`,
      expires_at: expires,
    },
  },
  listConnectLinks: {
    request: { query: { customer_name: 'acme', connector_type: 'gong' } },
    response: { data: [{ ...link, status: 'open', connector_id: null }], meta: lastPage },
  },
  getConnectLink: {
    request: { ...onLink, query: { wait_seconds: 25 } },
    response: { ...link, status: 'used', connector_id: connectorId },
  },
  deleteConnectLink: { request: onLink, response: null },
  confirmConnectLink: {
    request: { ...onLink, body: { code: exampleValues.linkCode, customer_name: 'acme' } },
    response: { return_url: `https://connect.example.com/connect/${linkId}#return=…` },
  },
  confirmAgentSignIn: {
    request: {
      params: { id: exampleValues.signInId },
      body: {
        code: exampleValues.signInCode,
        customer_name: 'acme',
        customer_display_name: 'Acme Inc.',
        user: { id: 'user-4711', name: 'Ana Silva' },
        allowed_scopes: ['read', 'search'],
      },
    },
    response: {
      return_url: `https://connect.example.com/agents/sign-in/${exampleValues.signInId}?return=…`,
    },
  },
  setOAuthCredentials: {
    request: {
      body: {
        connector_type: 'gong',
        configuration: { client_id: 'gong-app', client_secret: 'gong-app-secret' },
      },
    },
    response: { ...oauthApp, client_id: 'gong-app', updated_at: at },
  },
  getOAuthCredentialsSpec: {
    request: { query: { connector_type: 'gong' } },
    response: {
      ...oauthApp,
      redirect_url: 'https://connect.example.com/oauth/callback/gong',
      schema: {
        type: 'object',
        properties: { client_id: { type: 'string' }, client_secret: { type: 'string', writeOnly: true } },
        required: ['client_id', 'client_secret'],
      },
    },
  },
  deleteOAuthCredentials: { request: { params: { type: 'gong' } }, response: null },
  syncConnector: {
    request: onConnector,
    response: {
      ...connector,
      sync: {
        status: 'ready',
        entities: {
          notes: {
            state: 'waiting',
            records: 342,
            last_synced_at: at,
            last_error: null,
            last_error_code: null,
          },
        },
      },
    },
  },
  execute: {
    request: { ...onConnector, body: { entity: 'notes', action: 'list', params: { page_size: 1 } } },
    response: {
      result: [{ id: 'not_a1b2c3d4e5f6g7', object: 'note', title: 'Quarterly review' }],
      connector_metadata: { cursor: 'b2Zmc2V0OjI…', has_more: true },
    },
  },
  createWebhook: { request: { body: { url: webhook.url } }, response: webhookWithSecret },
  listWebhooks: { request: {}, response: { data: [webhook] } },
  getWebhook: { request: onWebhook, response: webhook },
  updateWebhook: {
    request: { ...onWebhook, body: { events: ['connector.needs_reauth', 'connector.disconnected'] } },
    response: { ...webhook, events: ['connector.needs_reauth', 'connector.disconnected'] },
  },
  deleteWebhook: { request: onWebhook, response: null },
  rotateWebhookSecret: {
    request: { ...onWebhook, body: { previous_hours: 24 } },
    response: { ...webhookWithSecret, previous_secret_expires_at: expires },
  },
  testWebhook: { request: onWebhook, response: { event_id: exampleValues.eventId } },
  replayWebhook: { request: { ...onWebhook, body: { since: at } }, response: { events: 12 } },
  receiveEvents: {
    request: {
      ...onWebhook,
      body: { responses: [{ event_id: exampleValues.eventId, status: 204, text: '' }], wait_seconds: 0 },
    },
    response: {
      events: [
        {
          id: '7d0c9a4e-52b1-4f86-a3de-1b6f8c2e9054',
          type: 'link.used',
          headers: {
            'content-type': 'application/json',
            'webhook-id': '7d0c9a4e-52b1-4f86-a3de-1b6f8c2e9054',
            'webhook-timestamp': '1795167000',
            'webhook-signature': 'v1,K5oZ…',
          },
          body: JSON.stringify({ type: 'link.used', timestamp: at, data: events['link.used'].example }),
        },
      ],
    },
  },
  listDeliveries: {
    request: { ...onWebhook, query: { state: 'failed' } },
    response: {
      data: [
        {
          event_id: exampleValues.eventId,
          type: 'link.used',
          body: { type: 'link.used', timestamp: at, data: events['link.used'].example },
          state: 'failed',
          attempts: 8,
          next_attempt_at: null,
          last_attempt_at: at,
          last_status: 500,
          last_response: 'Internal Server Error',
          created_at: at,
        },
      ],
      meta: lastPage,
    },
  },
  resendDelivery: { request: onEvent, response: null },
};
