import { z } from 'zod';
import { listDefinitionsQuery, listDefinitionsResponse, sourceDefinitionDetail } from './catalog.ts';
import {
  checkResponse,
  connector,
  createConnectorRequest,
  listConnectorsQuery,
  listConnectorsResponse,
  updateConnectorRequest,
} from './connectors.ts';
import { listCustomersQuery, listCustomersResponse } from './customers.ts';
import { executeRequest, executeResponse } from './execute.ts';
import { customerName, uuid } from './names.ts';
import {
  initiateOAuthRequest,
  initiateOAuthResponse,
  oauthCredentials,
  oauthCredentialsParams,
  oauthCredentialsSpec,
  oauthCredentialsSpecQuery,
  oauthSession,
  oauthSessionHeaders,
  oauthSessionParams,
  oauthSessionQuery,
  setOAuthCredentialsRequest,
} from './oauth.ts';
import { organization, updateOrganizationRequest } from './organization.ts';
import {
  applicationTokenRequest,
  applicationTokenResponse,
  scopedTokenRequest,
  scopedTokenResponse,
  widgetTokenRequest,
  widgetTokenResponse,
} from './tokens.ts';

/** The kinds of token, from the widest to the narrowest. */
export const tokenKinds = ['application', 'scoped', 'widget'] as const;
export type TokenKind = (typeof tokenKinds)[number];

/** One endpoint of the HTTP contract. Routes, the hosted client, OpenAPI and the access tests are made from it. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with `{name}` placeholders. */
  readonly path: `/api/v1/${string}`;
  readonly tag: 'Tokens' | 'Organization' | 'Customers' | 'Catalog' | 'Connectors' | 'OAuth' | 'Execute';
  readonly summary: string;
  /** Which tokens may call it; empty means that no token is asked for. */
  readonly callers: readonly TokenKind[];
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Headers of its own, names in lower case. */
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Whether `Idempotency-Key` is honoured. */
  readonly idempotencyKey?: boolean;
  /** Whether a browser may keep the answer for its own user and ask with `If-None-Match` whether it still holds. */
  readonly cacheable?: boolean;
  /** Whether sending it twice does no harm, so that a client may repeat it by itself. */
  readonly retryable: boolean;
  readonly status: 200 | 201 | 204;
  /** Statuses of problems beside those that follow from what it takes and who may call it. */
  readonly problems?: readonly (404 | 409 | 422 | 424 | 502 | 504)[];
  /** Null for an empty answer. */
  readonly response: z.ZodType | null;
}

const anyToken = tokenKinds;
const connectorId = z.strictObject({ id: uuid });

/** The whole HTTP contract under `/api/v1`. */
export const endpoints = {
  createApplicationToken: {
    method: 'POST',
    path: '/api/v1/account/applications/token',
    tag: 'Tokens',
    summary: "Exchange an application's client id and secret for an application token",
    callers: [],
    body: applicationTokenRequest,
    retryable: true,
    status: 200,
    response: applicationTokenResponse,
  },
  createScopedToken: {
    method: 'POST',
    path: '/api/v1/account/applications/scoped-token',
    tag: 'Tokens',
    summary: 'Mint a token for one customer; creates the customer on first use',
    callers: ['application'],
    body: scopedTokenRequest,
    retryable: true,
    status: 200,
    problems: [422],
    response: scopedTokenResponse,
  },
  createWidgetToken: {
    method: 'POST',
    path: '/api/v1/account/applications/widget-token',
    tag: 'Tokens',
    summary: 'Mint a token for one customer in a page of one origin; creates the customer on first use',
    callers: ['application'],
    body: widgetTokenRequest,
    retryable: true,
    status: 200,
    problems: [422],
    response: widgetTokenResponse,
  },
  getOrganization: {
    method: 'GET',
    path: '/api/v1/organization',
    tag: 'Organization',
    summary: 'The organization and its settings',
    callers: ['application'],
    retryable: true,
    status: 200,
    response: organization,
  },
  updateOrganization: {
    method: 'PATCH',
    path: '/api/v1/organization',
    tag: 'Organization',
    summary: "Set how often the organization's connectors are synchronised",
    callers: ['application'],
    body: updateOrganizationRequest,
    retryable: true,
    status: 200,
    problems: [422],
    response: organization,
  },
  listCustomers: {
    method: 'GET',
    path: '/api/v1/customers',
    tag: 'Customers',
    summary: "List the organization's customers by name",
    callers: ['application'],
    query: listCustomersQuery,
    retryable: true,
    status: 200,
    response: listCustomersResponse,
  },
  deleteCustomer: {
    method: 'DELETE',
    path: '/api/v1/customers/{name}',
    tag: 'Customers',
    summary: 'Delete a customer with everything of theirs; their tokens die at once',
    callers: ['application'],
    params: z.strictObject({ name: customerName }),
    retryable: true,
    status: 204,
    response: null,
  },
  listDefinitions: {
    method: 'GET',
    path: '/api/v1/integrations/definitions/sources',
    tag: 'Catalog',
    summary: 'List the source definitions',
    callers: anyToken,
    query: listDefinitionsQuery,
    cacheable: true,
    retryable: true,
    status: 200,
    response: listDefinitionsResponse,
  },
  getDefinition: {
    method: 'GET',
    path: '/api/v1/integrations/definitions/sources/{id}',
    tag: 'Catalog',
    summary: 'One source definition with its ways to authenticate',
    callers: anyToken,
    params: connectorId,
    cacheable: true,
    retryable: true,
    status: 200,
    response: sourceDefinitionDetail,
  },
  createConnector: {
    method: 'POST',
    path: '/api/v1/integrations/connectors',
    tag: 'Connectors',
    summary: 'Check the credentials at the vendor, then store them as a connector',
    callers: anyToken,
    body: createConnectorRequest,
    idempotencyKey: true,
    retryable: false,
    status: 201,
    problems: [404, 422, 502, 504],
    response: connector,
  },
  listConnectors: {
    method: 'GET',
    path: '/api/v1/integrations/connectors',
    tag: 'Connectors',
    summary: 'List connectors, newest first',
    callers: anyToken,
    query: listConnectorsQuery,
    retryable: true,
    status: 200,
    problems: [422],
    response: listConnectorsResponse,
  },
  getConnector: {
    method: 'GET',
    path: '/api/v1/integrations/connectors/{id}',
    tag: 'Connectors',
    summary: 'One connector',
    callers: anyToken,
    params: connectorId,
    retryable: true,
    status: 200,
    response: connector,
  },
  updateConnector: {
    method: 'PATCH',
    path: '/api/v1/integrations/connectors/{id}',
    tag: 'Connectors',
    summary: 'Rename a connector, or re-authenticate it in place',
    callers: anyToken,
    params: connectorId,
    body: updateConnectorRequest,
    retryable: true,
    status: 200,
    problems: [409, 422, 502, 504],
    response: connector,
  },
  deleteConnector: {
    method: 'DELETE',
    path: '/api/v1/integrations/connectors/{id}',
    tag: 'Connectors',
    summary: 'Disconnect: delete the connector, its credentials and its synchronised records',
    callers: anyToken,
    params: connectorId,
    retryable: true,
    status: 204,
    response: null,
  },
  checkConnector: {
    method: 'POST',
    path: '/api/v1/integrations/connectors/{id}/check',
    tag: 'Connectors',
    summary: 'Ask the vendor whether the stored credentials still work',
    callers: anyToken,
    params: connectorId,
    retryable: true,
    status: 200,
    problems: [422, 502, 504],
    response: checkResponse,
  },
  initiateOAuth: {
    method: 'POST',
    path: '/api/v1/integrations/connectors/oauth/initiate',
    tag: 'OAuth',
    summary: "Begin a person's consent at the vendor; creates the customer on first use",
    callers: anyToken,
    body: initiateOAuthRequest,
    retryable: false,
    status: 200,
    problems: [404, 422],
    response: initiateOAuthResponse,
  },
  getOAuthSession: {
    method: 'GET',
    path: '/api/v1/integrations/connectors/oauth/sessions/{session_id}',
    tag: 'OAuth',
    summary: 'Where a consent stands; held open with `wait` until it changes',
    callers: anyToken,
    params: oauthSessionParams,
    query: oauthSessionQuery,
    headers: oauthSessionHeaders,
    retryable: true,
    status: 200,
    response: oauthSession,
  },
  cancelOAuthSession: {
    method: 'DELETE',
    path: '/api/v1/integrations/connectors/oauth/sessions/{session_id}',
    tag: 'OAuth',
    summary: 'Give a consent up: what it may already have brought is destroyed',
    callers: anyToken,
    params: oauthSessionParams,
    retryable: true,
    status: 204,
    response: null,
  },
  setOAuthCredentials: {
    method: 'PUT',
    path: '/api/v1/oauth/credentials',
    tag: 'OAuth',
    summary: "Use the organization's own OAuth app for a kind",
    callers: ['application'],
    body: setOAuthCredentialsRequest,
    retryable: true,
    status: 200,
    problems: [422],
    response: oauthCredentials,
  },
  getOAuthCredentialsSpec: {
    method: 'GET',
    path: '/api/v1/oauth/credentials/spec',
    tag: 'OAuth',
    summary: "What an organization's own OAuth app for a kind consists of",
    callers: ['application'],
    query: oauthCredentialsSpecQuery,
    retryable: true,
    status: 200,
    problems: [422],
    response: oauthCredentialsSpec,
  },
  deleteOAuthCredentials: {
    method: 'DELETE',
    path: '/api/v1/oauth/credentials/connector_type/{type}',
    tag: 'OAuth',
    summary: "Stop using the organization's own OAuth app for a kind",
    callers: ['application'],
    params: oauthCredentialsParams,
    retryable: true,
    status: 204,
    problems: [422],
    response: null,
  },
  syncConnector: {
    method: 'POST',
    path: '/api/v1/integrations/connectors/{id}/sync',
    tag: 'Connectors',
    summary: 'Synchronise the searchable records now; the connector shows how far they are',
    callers: anyToken,
    params: connectorId,
    retryable: true,
    status: 200,
    response: connector,
  },
  execute: {
    method: 'POST',
    path: '/api/v1/integrations/connectors/{id}/execute',
    tag: 'Execute',
    summary: 'Run an action of one of the connector kind’s entities',
    callers: anyToken,
    params: connectorId,
    body: executeRequest,
    retryable: false,
    status: 200,
    problems: [422, 424, 502, 504],
    response: executeResponse,
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;
