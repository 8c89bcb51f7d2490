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
import { organization, setLogoRequest, updateOrganizationRequest } from './organization.ts';
import {
  applicationTokenRequest,
  applicationTokenResponse,
  scopedTokenRequest,
  scopedTokenResponse,
  widgetTokenRequest,
  widgetTokenResponse,
} from './tokens.ts';

/** The kinds of token, from the most to the least privileged. */
export const tokenKinds = ['application', 'scoped', 'widget'] as const;
export type TokenKind = (typeof tokenKinds)[number];

/** One endpoint of the HTTP contract. Routes, the client, OpenAPI and the access tests derive from it. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with `{name}` placeholders. */
  readonly path: `/api/v1/${string}`;
  readonly tag: 'Tokens' | 'Organization' | 'Customers' | 'Catalog' | 'Connectors' | 'OAuth' | 'Execute';
  readonly summary: string;
  /** The kinds of token that the endpoint accepts; empty if it needs no token. */
  readonly callers: readonly TokenKind[];
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Schema for endpoint-specific headers by lower-case name. */
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Whether the endpoint supports `Idempotency-Key`. */
  readonly idempotencyKey?: boolean;
  /** Whether browsers can cache the response privately and revalidate it with `If-None-Match`. */
  readonly cacheable?: boolean;
  /** Whether the endpoint is idempotent, so that a client can retry a request. */
  readonly retryable: boolean;
  readonly status: 200 | 201 | 204;
  /**
   * Error statuses in addition to those implied by the input and by the callers that the endpoint accepts.
   */
  readonly problems?: readonly (404 | 409 | 422 | 424 | 502 | 504)[];
  /** Null if the response has no body. */
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
    summary: 'Mint a token for one customer; creates the customer if needed',
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
    summary: 'Mint a token for one customer, bound to one page origin; creates the customer if needed',
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
    summary: 'Get the organization and its settings',
    callers: ['application'],
    retryable: true,
    status: 200,
    response: organization,
  },
  updateOrganization: {
    method: 'PATCH',
    path: '/api/v1/organization',
    tag: 'Organization',
    summary: "Set what users see of the organization, and its connectors' sync interval",
    callers: ['application'],
    body: updateOrganizationRequest,
    retryable: true,
    status: 200,
    problems: [422],
    response: organization,
  },
  setOrganizationLogo: {
    method: 'PUT',
    path: '/api/v1/organization/logo',
    tag: 'Organization',
    summary: 'Set the logo that users see on the consent page and in the widget',
    callers: ['application'],
    body: setLogoRequest,
    retryable: true,
    status: 200,
    problems: [422],
    response: organization,
  },
  deleteOrganizationLogo: {
    method: 'DELETE',
    path: '/api/v1/organization/logo',
    tag: 'Organization',
    summary: 'Delete the logo',
    callers: ['application'],
    retryable: true,
    status: 204,
    response: null,
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
    summary: 'Delete a customer and all their data; their tokens stop working immediately',
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
    summary: 'List source definitions',
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
    summary: 'Get a source definition and its auth methods',
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
    summary: 'Create a connector after verifying its credentials with the vendor',
    callers: anyToken,
    body: createConnectorRequest,
    idempotencyKey: true,
    retryable: false,
    status: 201,
    problems: [404, 409, 422, 502, 504],
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
    summary: 'Get a connector',
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
    summary: 'Delete a connector, its credentials and its synced records',
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
    summary: 'Check whether the vendor still accepts the stored credentials',
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
    summary: 'Start an OAuth consent; creates the customer if needed',
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
    summary: 'Get the status of an OAuth session; `wait` long-polls until it changes',
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
    summary: 'Cancel an OAuth session and delete any grant it produced',
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
    summary: "Set the organization's own OAuth app for a connector kind",
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
    summary: "Get the settings that an organization's own OAuth app needs",
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
    summary: "Delete the organization's own OAuth app for a connector kind",
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
    summary: 'Sync the searchable records now; `sync` in the response shows the progress',
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
    summary: "Run an action on one of the connector's entities",
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
