import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { application, startService, type Reply, type ScriptedService } from '../../test/scripted-service.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { endpoints, type EndpointName } from '../contract/endpoints.ts';
import { parseJson } from '../lossless-json.ts';
import { createClient, type Client } from './client.ts';

const id = '7d9f3a52-1c6e-4c0b-9a53-0a6f6b1d8d11';
const connector = {
  id,
  name: 'Notes',
  customer_name: 'acme',
  connector_type: 'granola',
  definition_id: id,
  auth_method: 'api_key',
  status: 'active',
  replication_config: null,
  sync: { status: 'none', entities: {} },
  created_at: '2026-11-21T10:00:00Z',
  updated_at: '2026-11-21T10:00:00Z',
};
const definition = {
  sourceDefinitionId: id,
  name: 'Granola',
  iconUrl: 'https://connectors.example.com/icons/granola.svg',
  supportLevel: 'certified',
  connectorType: 'granola',
  description: 'Meeting notes',
};
const lastPage = { cursor: null, has_more: false };
const scopedToken = { token: 's', token_type: 'bearer', expires_in: 1200, customer_name: 'acme' };

/** For every endpoint: a call, the path and body that must arrive, and a valid response. */
interface Example {
  call: (client: Client) => Promise<unknown>;
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  response: unknown;
}
const organization = {
  id,
  name: 'Acme',
  logo_url: null,
  support_url: 'https://acme.example/support',
  sync_interval_minutes: 15,
  default_sync_interval_minutes: 60,
  connect_helper_url: null,
  guest_connect_links: false,
};
const accounts = { accounts: [], is_complete: true, selected: null, daily_requests_per_account: null };
const verifier = 'v'.repeat(43);
const session = {
  session_id: id,
  connector_type: 'gong',
  status: 'completed',
  expires_at: '2026-11-21T10:10:00Z',
  secret_id: 's',
  connector_id: null,
  error: null,
};
const examples: Record<Exclude<EndpointName, 'createApplicationToken'>, Example> = {
  createScopedToken: {
    call: client => client.tokens.mintScoped({ customer_name: 'acme', allowed_actions: ['list'] }),
    path: '/api/v1/account/applications/scoped-token',
    body: { customer_name: 'acme', allowed_actions: ['list'] },
    response: scopedToken,
  },
  createWidgetToken: {
    call: client => client.tokens.mintWidget({ customer_name: 'acme', allowed_origin: 'https://a.example' }),
    path: '/api/v1/account/applications/widget-token',
    body: { customer_name: 'acme', allowed_origin: 'https://a.example' },
    response: { ...scopedToken, allowed_origin: 'https://a.example' },
  },
  listOrganizations: {
    call: client => client.organizations.list(),
    path: '/api/v1/organizations',
    response: { data: [{ id, name: 'Acme' }] },
  },
  getOrganization: {
    call: client => client.organization.get(),
    path: '/api/v1/organization',
    response: organization,
  },
  updateOrganization: {
    call: client => client.organization.update({ sync_interval_minutes: 15 }),
    path: '/api/v1/organization',
    body: { sync_interval_minutes: 15 },
    response: organization,
  },
  setOrganizationLogo: {
    call: client => client.organization.setLogo({ image: 'iVBORw==' }),
    path: '/api/v1/organization/logo',
    body: { image: 'iVBORw==' },
    response: organization,
  },
  deleteOrganizationLogo: {
    call: client => client.organization.deleteLogo(),
    path: '/api/v1/organization/logo',
    response: undefined,
  },
  listCustomers: {
    call: client => client.customers.list({ limit: 10, cursor: 'c&d' }),
    path: '/api/v1/customers?limit=10&cursor=c%26d',
    response: { data: [{ id, name: 'acme', created_at: '2026-11-21T10:00:00Z' }], meta: lastPage },
  },
  deleteCustomer: {
    call: client => client.customers.delete('a/b c?d#é'),
    path: '/api/v1/customers/a%2Fb%20c%3Fd%23%C3%A9',
    response: undefined,
  },
  listDefinitions: {
    call: client => client.definitions.list({ name: 'gran' }),
    path: '/api/v1/integrations/definitions/sources?name=gran',
    response: { definitions: [definition] },
  },
  getDefinition: {
    call: client => client.definitions.get(id),
    path: `/api/v1/integrations/definitions/sources/${id}`,
    response: { ...definition, auth_methods: [], replication_schema: null },
  },
  createConnector: {
    call: client =>
      client.connectors.create({
        customer_name: 'acme',
        connector_type: 'granola',
        name: 'Notes',
        credentials: { api_key: 'k' },
      }),
    path: '/api/v1/integrations/connectors',
    body: { customer_name: 'acme', connector_type: 'granola', name: 'Notes', credentials: { api_key: 'k' } },
    response: connector,
  },
  listConnectors: {
    call: client => client.connectors.list({ customer_name: 'acme', connector_type: undefined }),
    path: '/api/v1/integrations/connectors?customer_name=acme',
    response: { data: [connector], meta: lastPage },
  },
  listConnectorActivity: {
    call: client => client.connectors.activity(id, { limit: 10 }),
    path: `/api/v1/integrations/connectors/${id}/activity?limit=10`,
    response: { data: [], meta: lastPage },
  },
  listConnectorAccounts: {
    call: client => client.connectors.accounts(id),
    path: `/api/v1/integrations/connectors/${id}/accounts`,
    response: accounts,
  },
  listSessionAccounts: {
    call: client => client.oauth.accounts(id, { verifier }),
    path: `/api/v1/integrations/connectors/oauth/sessions/${id}/accounts`,
    headers: { 'x-oauth-verifier': verifier },
    response: accounts,
  },
  getConnector: {
    call: client => client.connectors.get(id),
    path: `/api/v1/integrations/connectors/${id}`,
    response: connector,
  },
  updateConnector: {
    call: client => client.connectors.update(id, { name: 'New' }),
    path: `/api/v1/integrations/connectors/${id}`,
    body: { name: 'New' },
    response: connector,
  },
  deleteConnector: {
    call: client => client.connectors.delete(id),
    path: `/api/v1/integrations/connectors/${id}`,
    response: undefined,
  },
  checkConnector: {
    call: client => client.connectors.check(id),
    path: `/api/v1/integrations/connectors/${id}/check`,
    response: { status: 'healthy', error: null, checked_entity: 'notes', checked_action: 'list' },
  },
  initiateOAuth: {
    call: client =>
      client.oauth.initiate({ connector_type: 'gong', redirect_url: 'https://app.example/connected' }),
    path: '/api/v1/integrations/connectors/oauth/initiate',
    body: { connector_type: 'gong', redirect_url: 'https://app.example/connected' },
    response: {
      consent_url: 'https://connectors.example.com/oauth/start/1',
      session_id: id,
      expires_at: '2026-11-21T10:10:00Z',
    },
  },
  getOAuthSession: {
    call: client => client.oauth.session(id, { wait: 25, verifier }),
    path: `/api/v1/integrations/connectors/oauth/sessions/${id}?wait=25`,
    headers: { 'x-oauth-verifier': verifier },
    response: session,
  },
  cancelOAuthSession: {
    call: client => client.oauth.cancel(id),
    path: `/api/v1/integrations/connectors/oauth/sessions/${id}`,
    response: undefined,
  },
  createConnectLink: {
    call: client => client.connectLinks.create({ customer_name: 'acme', connector_type: 'gong' }),
    path: '/api/v1/integrations/connect-links',
    body: { customer_name: 'acme', connector_type: 'gong' },
    response: {
      id,
      url: `https://connectors.example.com/connect/${id}#s`,
      expires_at: '2026-11-21T11:00:00Z',
    },
  },
  getConnectLink: {
    call: client => client.connectLinks.get(id, { waitSeconds: 25 }),
    path: `/api/v1/integrations/connect-links/${id}?wait_seconds=25`,
    response: {
      id,
      status: 'open',
      connector_type: 'gong',
      connector_id: null,
      audience: 'customer',
      expires_at: '2026-11-21T11:00:00Z',
      created_at: '2026-11-21T10:00:00Z',
    },
  },
  deleteConnectLink: {
    call: client => client.connectLinks.delete(id),
    path: `/api/v1/integrations/connect-links/${id}`,
    response: undefined,
  },
  confirmConnectLink: {
    call: client => client.connectLinks.confirm(id, { code: 'c', customer_name: 'acme' }),
    path: `/api/v1/integrations/connect-links/${id}/confirm`,
    body: { code: 'c', customer_name: 'acme' },
    response: { return_url: `https://connectors.example.com/connect/${id}#return=r` },
  },
  setOAuthCredentials: {
    call: client =>
      client.oauthCredentials.set({ connector_type: 'gong', configuration: { client_id: 'c' } }),
    path: '/api/v1/oauth/credentials',
    body: { connector_type: 'gong', configuration: { client_id: 'c' } },
    response: {
      connector_type: 'gong',
      definition_id: id,
      client_id: 'c',
      updated_at: '2026-11-21T10:00:00Z',
    },
  },
  getOAuthCredentialsSpec: {
    call: client => client.oauthCredentials.spec('tiktok marketing'),
    path: '/api/v1/oauth/credentials/spec?connector_type=tiktok+marketing',
    response: {
      connector_type: 'tiktok-marketing',
      definition_id: id,
      redirect_url: 'https://connectors.example.com/oauth/callback',
      schema: { type: 'object' },
    },
  },
  deleteOAuthCredentials: {
    call: client => client.oauthCredentials.delete('tiktok marketing'),
    path: '/api/v1/oauth/credentials/connector_type/tiktok%20marketing',
    response: undefined,
  },
  syncConnector: {
    call: client => client.connectors.sync(id),
    path: `/api/v1/integrations/connectors/${id}/sync`,
    response: connector,
  },
  execute: {
    call: client => client.execute(id, { entity: 'notes', action: 'list', params: { page_size: 1 } }),
    path: `/api/v1/integrations/connectors/${id}/execute`,
    body: { entity: 'notes', action: 'list', params: { page_size: 1 } },
    response: { result: [{ id: 'n' }], connector_metadata: { has_more: false } },
  },
};

describe('client methods', () => {
  let service: ScriptedService;
  let client: Client;
  let reply: Reply;
  beforeAll(async () => {
    service = await startService(() => reply);
    client = createClient({ ...application, baseUrl: service.baseUrl });
  });
  afterAll(() => service.close());
  beforeEach(() => {
    reply = 'drop';
  });

  test.each(Object.entries<Example>(examples))(
    '%s sends the request that the contract describes',
    async (name, { call, path, body, headers = {}, response }) => {
      // The keys of the table are endpoint names.
      const endpoint: Endpoint = endpoints[name as EndpointName];
      reply =
        response === undefined ? { status: endpoint.status } : { status: endpoint.status, json: response };
      expect(await call(client)).toEqual(response);
      const seen = service.requests.at(-1);
      expect(seen).toMatchObject({ method: endpoint.method, path });
      expect(seen?.headers).toMatchObject({ authorization: 'Bearer app-1', ...headers });
      expect(seen?.headers['content-type']).toBe(body === undefined ? undefined : 'application/json');
      expect(seen?.body === '' ? undefined : parseJson(seen?.body ?? '')).toEqual(body);
    },
  );

  test('the client requests one application token for all calls', () => {
    expect(service.tokenRequests).toHaveLength(1);
    const [seen] = service.tokenRequests;
    expect(seen).toMatchObject({ method: 'POST', path: endpoints.createApplicationToken.path });
    expect(seen?.headers.authorization).toBeUndefined();
    expect(parseJson(seen?.body ?? '')).toEqual({
      client_id: application.clientId,
      client_secret: application.clientSecret,
    });
  });
});
