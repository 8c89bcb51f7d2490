import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { application, startService, type Reply, type ScriptedService } from '../../test/scripted-service.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { endpoints, type EndpointName } from '../contract/endpoints.ts';
import { endpointExamples, exampleValues } from '../contract/examples.ts';
import { parseJson } from '../lossless-json.ts';
import { createClient, type Client } from './client.ts';

type Name = Exclude<EndpointName, 'createApplicationToken'>;
type Request<N extends Name> = (typeof endpointExamples)[N]['request'];

const { secretId, verifier } = exampleValues;

/** For every endpoint, the client's method that sends its example request. */
const calls: { readonly [N in Name]: (client: Client, request: Request<N>) => Promise<unknown> } = {
  createScopedToken: ({ tokens }, { body }) => tokens.mintScoped(body),
  createWidgetToken: ({ tokens }, { body }) => tokens.mintWidget(body),
  listOrganizations: ({ organizations }) => organizations.list(),
  getOrganization: ({ organization }) => organization.get(),
  updateOrganization: ({ organization }, { body }) => organization.update(body),
  setOrganizationLogo: ({ organization }, { body }) => organization.setLogo(body),
  deleteOrganizationLogo: ({ organization }) => organization.deleteLogo(),
  listCustomers: ({ customers }, { query }) => customers.list(query),
  deleteCustomer: ({ customers }, { params }) => customers.delete(params.name),
  revokeUser: ({ customers }, { params }) => customers.revokeUser(params.name, params.user_id),
  listAgents: ({ agents }, { query }) => agents.list(query),
  deleteAgent: ({ agents }, { params }) => agents.delete(params.id),
  listDefinitions: ({ definitions }, { query }) => definitions.list(query),
  getDefinition: ({ definitions }, { params }) => definitions.get(params.id),
  createConnector: ({ connectors }, { body, headers }) =>
    connectors.create(body, { idempotencyKey: headers?.['Idempotency-Key'] }),
  listConnectors: ({ connectors }, { query }) => connectors.list(query),
  listConnectorActivity: ({ connectors }, { params, query }) => connectors.activity(params.id, query),
  listConnectorAccounts: ({ connectors }, { params }) => connectors.accounts(params.id),
  listSessionAccounts: ({ oauth }, { params }) => oauth.accounts(params.session_id, { secretId }),
  getConnector: ({ connectors }, { params }) => connectors.get(params.id),
  updateConnector: ({ connectors }, { params, body }) => connectors.update(params.id, body),
  deleteConnector: ({ connectors }, { params }) => connectors.delete(params.id),
  restoreConnector: ({ connectors }, { params }) => connectors.restore(params.id),
  checkConnector: ({ connectors }, { params }) => connectors.check(params.id),
  initiateOAuth: ({ oauth }, { body }) => oauth.initiate(body),
  getOAuthSession: ({ oauth }, { params, query }) => oauth.session(params.session_id, { ...query, verifier }),
  cancelOAuthSession: ({ oauth }, { params }) => oauth.cancel(params.session_id),
  createConnectLink: ({ connectLinks }, { body }) => connectLinks.create(body),
  listConnectLinks: ({ connectLinks }, { query }) => connectLinks.list(query),
  getConnectLink: ({ connectLinks }, { params, query }) =>
    connectLinks.get(params.id, { waitSeconds: query?.wait_seconds }),
  deleteConnectLink: ({ connectLinks }, { params }) => connectLinks.delete(params.id),
  confirmConnectLink: ({ connectLinks }, { params, body }) => connectLinks.confirm(params.id, body),
  confirmAgentSignIn: ({ agents }, { params, body }) => agents.confirmSignIn(params.id, body),
  setOAuthCredentials: ({ oauthCredentials }, { body }) => oauthCredentials.set(body),
  getOAuthCredentialsSpec: ({ oauthCredentials }, { query }) => oauthCredentials.spec(query.connector_type),
  deleteOAuthCredentials: ({ oauthCredentials }, { params }) => oauthCredentials.delete(params.type),
  syncConnector: ({ connectors }, { params }) => connectors.sync(params.id),
  listChanges: ({ call }, { query }) => call('listChanges', { query }),
  execute: (client, { params, body }) => client.execute(params.id, body),
  createWebhook: ({ webhooks }, { body }) => webhooks.create(body),
  listWebhooks: ({ webhooks }) => webhooks.list(),
  getWebhook: ({ webhooks }, { params }) => webhooks.get(params.webhook_id),
  updateWebhook: ({ webhooks }, { params, body }) => webhooks.update(params.webhook_id, body),
  deleteWebhook: ({ webhooks }, { params }) => webhooks.delete(params.webhook_id),
  rotateWebhookSecret: ({ webhooks }, { params, body }) => webhooks.rotateSecret(params.webhook_id, body),
  testWebhook: ({ webhooks }, { params }) => webhooks.test(params.webhook_id),
  replayWebhook: ({ webhooks }, { params, body }) => webhooks.replay(params.webhook_id, body),
  listDeliveries: ({ webhooks }, { params, query }) => webhooks.deliveries(params.webhook_id, query),
  resendDelivery: ({ webhooks }, { params }) => webhooks.resend(params.webhook_id, params.event_id),
  receiveEvents: ({ webhooks }, { params, body }) => webhooks.receive(params.webhook_id, body),
};

/** An example of any endpoint. */
interface Example {
  readonly request: {
    readonly params?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, string | number>>;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
  readonly response: unknown;
}

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

  // The keys of the table are endpoint names.
  test.each(Object.keys(calls) as Name[])('%s sends the request that the contract describes', async name => {
    const endpoint: Endpoint = endpoints[name];
    const { request, response }: Example = endpointExamples[name];
    const { params = {}, query = {}, headers = {}, body } = request;
    reply = response === null ? { status: endpoint.status } : { status: endpoint.status, json: response };
    // Each call takes the request of its own endpoint.
    const call = calls[name] as (client: Client, request: unknown) => Promise<unknown>;
    expect(await call(client, request)).toEqual(response ?? undefined);
    const seen = service.requests.at(-1);
    const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, param: string) => params[param] ?? '');
    const [seenPath, search] = seen?.path.split('?') ?? [];
    expect([seen?.method, seenPath]).toEqual([endpoint.method, path]);
    const texts = Object.entries(query).map(([key, value]) => [key, String(value)]);
    expect(Object.fromEntries(new URLSearchParams(search))).toEqual(Object.fromEntries(texts));
    expect(seen?.headers['authorization']).toBe('Bearer app-1');
    for (const [header, value] of Object.entries(headers))
      expect(seen?.headers[header.toLowerCase()]).toBe(value);
    expect(seen?.headers['content-type']).toBe(body === undefined ? undefined : 'application/json');
    expect(seen?.body === '' ? undefined : parseJson(seen?.body ?? '')).toEqual(body);
  });

  test('path parameters are encoded', async () => {
    reply = { status: 204 };
    await client.customers.delete('a/b c?d#é');
    expect(service.requests.at(-1)?.path).toBe('/api/v1/customers/a%2Fb%20c%3Fd%23%C3%A9');
  });

  test('query parameters are encoded, and left out if undefined', async () => {
    const { response } = endpointExamples.listConnectors;
    reply = { json: response };
    await client.connectors.list({ customer_name: 'c&d é', connector_type: undefined });
    expect(service.requests.at(-1)?.path).toBe('/api/v1/integrations/connectors?customer_name=c%26d+%C3%A9');
  });

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
