import type { ListActivityResponse } from '../contract/activity.ts';
import type {
  Agent,
  ConfirmAgentSignInRequest,
  ConfirmAgentSignInResponse,
  ListAgentsResponse,
} from '../contract/agents.ts';
import type { ListDefinitionsResponse, SourceDefinitionDetail } from '../contract/catalog.ts';
import type {
  ConfirmConnectLinkRequest,
  ConfirmConnectLinkResponse,
  ConnectLink,
  CreateConnectLinkRequest,
  CreateConnectLinkResponse,
  ListConnectLinksResponse,
} from '../contract/connect-links.ts';
import type {
  CheckResponse,
  Connector,
  CreateConnectorRequest,
  ListAccountsResponse,
  ListConnectorsResponse,
  UpdateConnectorRequest,
} from '../contract/connectors.ts';
import type { Customer, ListCustomersResponse } from '../contract/customers.ts';
import type { ExecuteRequest, ExecuteResponse } from '../contract/execute.ts';
import type {
  InitiateOAuthRequest,
  InitiateOAuthResponse,
  OAuthCredentials,
  OAuthCredentialsSpec,
  OAuthSession,
  SetOAuthCredentialsRequest,
} from '../contract/oauth.ts';
import type {
  ListOrganizationsResponse,
  Organization,
  SetLogoRequest,
  UpdateOrganizationRequest,
} from '../contract/organization.ts';
import type {
  ScopedTokenRequest,
  ScopedTokenResponse,
  WidgetTokenRequest,
  WidgetTokenResponse,
} from '../contract/tokens.ts';
import type {
  CreateWebhookRequest,
  ListDeliveriesResponse,
  ListWebhooksResponse,
  ReceiveEventsRequest,
  ReceiveEventsResponse,
  ReplayRequest,
  ReplayResponse,
  RotateWebhookSecretRequest,
  TestWebhookResponse,
  UpdateWebhookRequest,
  Webhook,
  WebhookWithSecret,
} from '../contract/webhooks.ts';
import {
  createCall,
  createSend,
  type Call,
  type CallOptions,
  type IdempotentCallOptions,
  type Send,
} from './caller.ts';
import { followChanges, type FollowedChange, type FollowOptions, type ListChangesQuery } from './changes.ts';
import type { EndpointInput } from './messages.ts';
import {
  parseClientOptions,
  parseCustomerClientOptions,
  type ClientOptions,
  type CustomerClientOptions,
} from './options.ts';
import { eachItem } from './pages.ts';
import { fixedToken, renewingToken, type TokenSource } from './renewing-token.ts';
import type { Connection } from './sender.ts';

/** Filter and paging parameters for a list of connectors. */
export type ListConnectorsQuery = EndpointInput<'listConnectors'>['query'];
/** Paging parameters for a list of customers. */
export type ListCustomersQuery = EndpointInput<'listCustomers'>['query'];
/** Paging parameters for a connector's activity. */
export type ListActivityQuery = EndpointInput<'listConnectorActivity'>['query'];
/** Filter and paging parameters for a list of connect links. */
export type ListConnectLinksQuery = EndpointInput<'listConnectLinks'>['query'];
/** Filter and paging parameters for a list of agents. */
export type ListAgentsQuery = EndpointInput<'listAgents'>['query'];
/** Filter and paging parameters for a webhook's deliveries. */
export type ListDeliveriesQuery = EndpointInput<'listDeliveries'>['query'];
/** Filter for the catalog. */
export type ListDefinitionsQuery = EndpointInput<'listDefinitions'>['query'];
/**
 * Restrictions on a customer's token: connector kinds (default: all), actions (default: the read-only ones),
 * management rights (default: all, or none if actions are listed), additional data (default: none), and the access and
 * default settings of the connectors that it creates.
 */
export type TokenLimits = Pick<
  ScopedTokenRequest,
  | 'allowed_sources'
  | 'allowed_actions'
  | 'allowed_management'
  | 'allowed_data'
  | 'access'
  | 'replication_defaults'
>;

/** Operations that any token can use. Methods reject only with a `ConnectorAuthError`. */
export interface CustomerClient {
  readonly definitions: {
    readonly list: (query?: ListDefinitionsQuery, options?: CallOptions) => Promise<ListDefinitionsResponse>;
    /** `language` is that of the words for users, such as `de`. Default: English. */
    readonly get: (
      id: string,
      options?: CallOptions & { readonly language?: string | undefined },
    ) => Promise<SourceDefinitionDetail>;
  };
  readonly connectors: {
    readonly create: (request: CreateConnectorRequest, options?: IdempotentCallOptions) => Promise<Connector>;
    readonly list: (query?: ListConnectorsQuery, options?: CallOptions) => Promise<ListConnectorsResponse>;
    /** Iterates over all matching connectors. `timeoutMs` applies to each page. */
    readonly all: (
      query?: Omit<ListConnectorsQuery, 'cursor'>,
      options?: CallOptions,
    ) => AsyncGenerator<Connector, void>;
    readonly get: (id: string, options?: CallOptions) => Promise<Connector>;
    readonly update: (
      id: string,
      request: UpdateConnectorRequest,
      options?: CallOptions,
    ) => Promise<Connector>;
    /** Deletes a connector. With `undoSeconds`, it can be restored for that time, in which it cannot be used. */
    readonly delete: (
      id: string,
      options?: CallOptions & { readonly undoSeconds?: number | undefined },
    ) => Promise<void>;
    /** Undoes a deletion within its `undoSeconds`. */
    readonly restore: (id: string, options?: CallOptions) => Promise<Connector>;
    readonly check: (id: string, options?: CallOptions) => Promise<CheckResponse>;
    /** Starts a sync of the searchable records. The connector's `sync` field reports the progress. */
    readonly sync: (id: string, options?: CallOptions) => Promise<Connector>;
    /** Lists who used or changed the connector, newest first. */
    readonly activity: (
      id: string,
      query?: ListActivityQuery,
      options?: CallOptions,
    ) => Promise<ListActivityResponse>;
    /** Lists the accounts that the connector can sync. Their ids are for `replication_config`. */
    readonly accounts: (id: string, options?: CallOptions) => Promise<ListAccountsResponse>;
  };
  /** Server-side OAuth. After the user's consent, pass the `secret_id` to `connectors.create`. */
  readonly oauth: {
    readonly initiate: (
      request: InitiateOAuthRequest,
      options?: CallOptions,
    ) => Promise<InitiateOAuthResponse>;
    /** Returns the status of an OAuth session; long-polls for up to `wait` seconds while it is pending. */
    readonly session: (
      sessionId: string,
      look?: { readonly wait?: number | undefined; readonly verifier?: string | undefined },
      options?: CallOptions,
    ) => Promise<OAuthSession>;
    /** Lists the accounts that the grant of a completed session can see, so that the user can choose. */
    readonly accounts: (
      sessionId: string,
      secret: { readonly verifier: string } | { readonly secretId: string },
      options?: CallOptions,
    ) => Promise<ListAccountsResponse>;
    readonly cancel: (sessionId: string, options?: CallOptions) => Promise<void>;
  };
  /** Links with which a person connects a source in a browser. */
  readonly connectLinks: {
    readonly create: (
      request: CreateConnectLinkRequest,
      options?: IdempotentCallOptions,
    ) => Promise<CreateConnectLinkResponse>;
    /** Lists the links that can still be used, newest first. */
    readonly list: (
      query?: ListConnectLinksQuery,
      options?: CallOptions,
    ) => Promise<ListConnectLinksResponse>;
    /** Returns a link's status; long-polls for up to `waitSeconds` until it changes. */
    readonly get: (
      id: string,
      options?: CallOptions & { readonly waitSeconds?: number | undefined },
    ) => Promise<ConnectLink>;
    /** Revokes a link. */
    readonly delete: (id: string, options?: CallOptions) => Promise<void>;
  };
  /** The apps and agents that people have authorized in their chat clients. */
  readonly agents: {
    readonly list: (query?: ListAgentsQuery, options?: CallOptions) => Promise<ListAgentsResponse>;
    /** Iterates over all agents. `timeoutMs` applies to each page. */
    readonly all: (
      query?: Omit<ListAgentsQuery, 'cursor'>,
      options?: CallOptions,
    ) => AsyncGenerator<Agent, void>;
    /** Ends an agent. */
    readonly delete: (id: string, options?: CallOptions) => Promise<void>;
  };
  /**
   * Follows the changes of records, in order, from a cursor or from `now`: `for await (const change of client.changes({ cursor }))`.
   * Ends when `signal` aborts, with the error `aborted`. Fails with `cursor_expired` if the cursor is too old: read all records again then.
   * @typeParam Records the types of the records by entity, such as `SearchRecords<typeof Granola>`.
   */
  readonly changes: <Records extends object = Readonly<Record<string, unknown>>>(
    query: Omit<ListChangesQuery, 'wait_seconds'>,
    options?: FollowOptions,
  ) => AsyncGenerator<FollowedChange<Records>, void>;
  /** Runs an action. Integers outside the safe range are `bigint`, in requests and responses. */
  readonly execute: (
    connectorId: string,
    request: ExecuteRequest,
    options?: CallOptions,
  ) => Promise<ExecuteResponse>;
  /** Calls an endpoint by its name in the contract. All other methods use this one. */
  readonly call: Call;
  /** Sends a request and returns the unread response, e.g. to stream it through a proxy. */
  readonly send: Send;
}

/** Operations that an application can use, for all customers of its organization. */
export interface Client extends CustomerClient {
  readonly tokens: {
    readonly mintScoped: (request: ScopedTokenRequest, options?: CallOptions) => Promise<ScopedTokenResponse>;
    readonly mintWidget: (request: WidgetTokenRequest, options?: CallOptions) => Promise<WidgetTokenResponse>;
  };
  /** The organizations of the application, for `organizationId`. */
  readonly organizations: {
    readonly list: (options?: CallOptions) => Promise<ListOrganizationsResponse>;
  };
  /** The application's organization: what users see of it, and its sync interval. */
  readonly organization: {
    readonly get: (options?: CallOptions) => Promise<Organization>;
    readonly update: (request: UpdateOrganizationRequest, options?: CallOptions) => Promise<Organization>;
    readonly setLogo: (request: SetLogoRequest, options?: CallOptions) => Promise<Organization>;
    readonly deleteLogo: (options?: CallOptions) => Promise<void>;
  };
  readonly connectLinks: CustomerClient['connectLinks'] & {
    /** Confirms which customer is signed in where a link was opened. The integrator's helper calls it. */
    readonly confirm: (
      id: string,
      request: ConfirmConnectLinkRequest,
      options?: CallOptions,
    ) => Promise<ConfirmConnectLinkResponse>;
  };
  readonly agents: CustomerClient['agents'] & {
    /** Confirms which person signs in. The integrator's helper calls it. */
    readonly confirmSignIn: (
      id: string,
      request: ConfirmAgentSignInRequest,
      options?: CallOptions,
    ) => Promise<ConfirmAgentSignInResponse>;
  };
  readonly customers: {
    readonly list: (query?: ListCustomersQuery, options?: CallOptions) => Promise<ListCustomersResponse>;
    /** Iterates over all customers. `timeoutMs` applies to each page. */
    readonly all: (
      query?: Omit<ListCustomersQuery, 'cursor'>,
      options?: CallOptions,
    ) => AsyncGenerator<Customer, void>;
    readonly delete: (name: string, options?: CallOptions) => Promise<void>;
    /** Ends all agents that a person of the customer has authorized. */
    readonly revokeUser: (name: string, userId: string, options?: CallOptions) => Promise<void>;
  };
  /** The organization's own OAuth apps, one per connector kind. */
  readonly oauthCredentials: {
    readonly set: (request: SetOAuthCredentialsRequest, options?: CallOptions) => Promise<OAuthCredentials>;
    readonly spec: (connectorType: string, options?: CallOptions) => Promise<OAuthCredentialsSpec>;
    readonly delete: (connectorType: string, options?: CallOptions) => Promise<void>;
  };
  /** Where the organization's events are sent. */
  readonly webhooks: {
    /** The response contains the secret, which no later response does. */
    readonly create: (request: CreateWebhookRequest, options?: CallOptions) => Promise<WebhookWithSecret>;
    readonly list: (options?: CallOptions) => Promise<ListWebhooksResponse>;
    readonly get: (id: string, options?: CallOptions) => Promise<Webhook>;
    readonly update: (id: string, request: UpdateWebhookRequest, options?: CallOptions) => Promise<Webhook>;
    readonly delete: (id: string, options?: CallOptions) => Promise<void>;
    readonly rotateSecret: (
      id: string,
      request?: RotateWebhookSecretRequest,
      options?: CallOptions,
    ) => Promise<WebhookWithSecret>;
    readonly test: (id: string, options?: CallOptions) => Promise<TestWebhookResponse>;
    readonly replay: (id: string, request: ReplayRequest, options?: CallOptions) => Promise<ReplayResponse>;
    readonly deliveries: (
      id: string,
      query?: ListDeliveriesQuery,
      options?: CallOptions,
    ) => Promise<ListDeliveriesResponse>;
    readonly resend: (id: string, eventId: string, options?: CallOptions) => Promise<void>;
    /** Receives the events of a webhook whose URL starts with `listen:`, and reports the previous responses. */
    readonly receive: (
      id: string,
      request: ReceiveEventsRequest,
      options?: CallOptions,
    ) => Promise<ReceiveEventsResponse>;
  };
  /**
   * Returns a client with the privileges of a scoped token for one customer. The client mints and replaces
   * the token itself, so reuse it for all of that customer's requests. Creates the customer if needed.
   */
  readonly forCustomer: (name: string, limits?: TokenLimits) => CustomerClient;
}

/**
 * Creates a client that authenticates as an application. The client connects on its first call and does not
 * have to be closed.
 * @throws TypeError that lists every invalid option.
 */
export function createClient(options: ClientOptions): Client {
  const { clientId, clientSecret, allowedData, connection } = parseClientOptions(options);
  const callWithoutToken = createCall(connection, null);
  const applicationToken = renewingToken(async () => {
    const { access_token, expires_in } = await callWithoutToken('createApplicationToken', {
      headers: {},
      body: {
        client_id: clientId,
        client_secret: clientSecret,
        ...(allowedData === undefined ? {} : { allowed_data: [...allowedData] }),
      },
    });
    return { token: access_token, expiresInSeconds: expires_in };
  }, connection.clock);
  const client = clientWith(connection, applicationToken);
  const { call } = client;

  const tokens: Client['tokens'] = {
    mintScoped: (request, options) => call('createScopedToken', { body: request }, options),
    mintWidget: (request, options) => call('createWidgetToken', { body: request }, options),
  };
  const organizations: Client['organizations'] = {
    list: options => call('listOrganizations', {}, options),
  };
  const organization: Client['organization'] = {
    get: options => call('getOrganization', {}, options),
    update: (request, options) => call('updateOrganization', { body: request }, options),
    setLogo: (request, options) => call('setOrganizationLogo', { body: request }, options),
    deleteLogo: options => call('deleteOrganizationLogo', {}, options),
  };
  const customers: Client['customers'] = {
    list: (query = {}, options) => call('listCustomers', { query }, options),
    all: (query, options) => eachItem(cursor => customers.list({ ...query, cursor }, options)),
    delete: (name, options) => call('deleteCustomer', { params: { name } }, options),
    revokeUser: (name, user_id, options) => call('revokeUser', { params: { name, user_id } }, options),
  };
  const oauthCredentials: Client['oauthCredentials'] = {
    set: (request, options) => call('setOAuthCredentials', { body: request }, options),
    spec: (type, options) => call('getOAuthCredentialsSpec', { query: { connector_type: type } }, options),
    delete: (type, options) => call('deleteOAuthCredentials', { params: { type } }, options),
  };
  const webhooks: Client['webhooks'] = {
    create: (request, options) => call('createWebhook', { body: request }, options),
    list: options => call('listWebhooks', {}, options),
    get: (webhook_id, options) => call('getWebhook', { params: { webhook_id } }, options),
    update: (webhook_id, request, options) =>
      call('updateWebhook', { params: { webhook_id }, body: request }, options),
    delete: (webhook_id, options) => call('deleteWebhook', { params: { webhook_id } }, options),
    rotateSecret: (webhook_id, request = {}, options) =>
      call('rotateWebhookSecret', { params: { webhook_id }, body: request }, options),
    test: (webhook_id, options) => call('testWebhook', { params: { webhook_id } }, options),
    replay: (webhook_id, request, options) =>
      call('replayWebhook', { params: { webhook_id }, body: request }, options),
    deliveries: (webhook_id, query = {}, options) =>
      call('listDeliveries', { params: { webhook_id }, query }, options),
    resend: (webhook_id, event_id, options) =>
      call('resendDelivery', { params: { webhook_id, event_id } }, options),
    receive: (webhook_id, request, options) =>
      call('receiveEvents', { params: { webhook_id }, body: request }, options),
  };
  return {
    ...client,
    connectLinks: {
      ...client.connectLinks,
      confirm: (id, request, options) =>
        call('confirmConnectLink', { params: { id }, body: request }, options),
    },
    agents: {
      ...client.agents,
      confirmSignIn: (id, request, options) =>
        call('confirmAgentSignIn', { params: { id }, body: request }, options),
    },
    tokens,
    organizations,
    organization,
    customers,
    oauthCredentials,
    webhooks,
    forCustomer(name, limits) {
      const scopedToken = renewingToken(async () => {
        const { token, expires_in } = await tokens.mintScoped({ customer_name: name, ...limits });
        return { token, expiresInSeconds: expires_in };
      }, connection.clock);
      return clientWith(connection, scopedToken);
    },
  };
}

/**
 * Creates a client for one customer from an existing scoped token. The client stops working when the token
 * expires.
 * @throws TypeError that lists every invalid option.
 */
export function createCustomerClient(options: CustomerClientOptions): CustomerClient {
  const { token, connection } = parseCustomerClientOptions(options);
  return clientWith(connection, fixedToken(token));
}

function clientWith(connection: Connection, token: TokenSource): CustomerClient {
  const call = createCall(connection, token);
  const connectors: CustomerClient['connectors'] = {
    create: (request, options) => call('createConnector', { body: request }, options),
    list: (query = {}, options) => call('listConnectors', { query }, options),
    all: (query, options) => eachItem(cursor => connectors.list({ ...query, cursor }, options)),
    get: (id, options) => call('getConnector', { params: { id } }, options),
    update: (id, request, options) => call('updateConnector', { params: { id }, body: request }, options),
    delete: (id, { undoSeconds: undo_seconds, ...options } = {}) =>
      call('deleteConnector', { params: { id }, query: { undo_seconds } }, options),
    restore: (id, options) => call('restoreConnector', { params: { id } }, options),
    check: (id, options) => call('checkConnector', { params: { id } }, options),
    sync: (id, options) => call('syncConnector', { params: { id } }, options),
    activity: (id, query = {}, options) => call('listConnectorActivity', { params: { id }, query }, options),
    accounts: (id, options) => call('listConnectorAccounts', { params: { id } }, options),
  };
  const agents: CustomerClient['agents'] = {
    list: (query = {}, options) => call('listAgents', { query }, options),
    all: (query, options) => eachItem(cursor => agents.list({ ...query, cursor }, options)),
    delete: (id, options) => call('deleteAgent', { params: { id } }, options),
  };
  return {
    definitions: {
      list: (query = {}, options) => call('listDefinitions', { query }, options),
      get: (id, { language, ...options } = {}) =>
        call('getDefinition', { params: { id }, query: { language } }, options),
    },
    connectors,
    oauth: {
      initiate: (request, options) => call('initiateOAuth', { body: request }, options),
      session: (session_id, { wait, verifier } = {}, options) =>
        call(
          'getOAuthSession',
          { params: { session_id }, query: { wait }, headers: { 'x-oauth-verifier': verifier } },
          options,
        ),
      accounts: (session_id, secret, options) =>
        call(
          'listSessionAccounts',
          {
            params: { session_id },
            headers:
              'verifier' in secret
                ? { 'x-oauth-verifier': secret.verifier }
                : { 'x-oauth-secret-id': secret.secretId },
          },
          options,
        ),
      cancel: (session_id, options) => call('cancelOAuthSession', { params: { session_id } }, options),
    },
    connectLinks: {
      create: (request, options) => call('createConnectLink', { body: request }, options),
      list: (query = {}, options) => call('listConnectLinks', { query }, options),
      get: (id, { waitSeconds, ...options } = {}) =>
        call('getConnectLink', { params: { id }, query: { wait_seconds: waitSeconds } }, options),
      delete: (id, options) => call('deleteConnectLink', { params: { id } }, options),
    },
    agents,
    changes: (query, options) =>
      followChanges((page, callOptions) => call('listChanges', { query: page }, callOptions), query, options),
    execute: (id, request, options) => call('execute', { params: { id }, body: request }, options),
    call,
    send: createSend(connection, token),
  };
}
