import type { EndpointName } from '@connector-auth/api';
import { consentKind } from './consent.ts';
import { losslessWebp } from './images.ts';
import { firstKind } from './second-kind.ts';

/** The objects that an example request refers to. */
export interface Subject {
  readonly connectorId: string;
  readonly sessionId: string;
  /** The secret id of the session, once it is completed. */
  readonly secretId?: string;
  /** A connect link, and a code of a browser that opened it. */
  readonly linkId?: string;
  readonly linkCode?: string;
  readonly customerName: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface Example {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** A key that the sandbox accepts. */
export const goodKey = 'grn_sandbox_demo';

/** The public URL of the service in tests. */
const serviceUrl = 'https://service.example';

const unknownId = '00000000-0000-4000-8000-000000000000';

/** A challenge whose verifier is unknown. */
const challenge = 'c'.repeat(43);

/**
 * An example request for each endpoint. Each request succeeds for an allowed caller. Omitting an endpoint
 * is a compile-time error.
 */
export const examples: Readonly<Record<EndpointName, (subject: Subject) => Example>> = {
  createApplicationToken: ({ clientId, clientSecret }) => ({
    body: { client_id: clientId, client_secret: clientSecret },
  }),
  createScopedToken: ({ customerName }) => ({ body: { customer_name: customerName } }),
  createWidgetToken: ({ customerName }) => ({
    body: { customer_name: customerName, allowed_origin: 'https://app.example' },
  }),
  listOrganizations: () => ({}),
  getOrganization: () => ({}),
  updateOrganization: () => ({ body: { sync_interval_minutes: 120 } }),
  setOrganizationLogo: () => ({ body: { image: losslessWebp } }),
  deleteOrganizationLogo: () => ({}),
  listCustomers: () => ({}),
  deleteCustomer: ({ customerName }) => ({ params: { name: customerName } }),
  listDefinitions: () => ({}),
  getDefinition: () => ({ params: { id: firstKind.definitionId } }),
  createConnector: ({ customerName }) => ({
    body: {
      customer_name: customerName,
      connector_type: firstKind.key,
      name: 'Another',
      credentials: { api_key: goodKey },
    },
  }),
  listConnectors: ({ customerName }) => ({ query: { customer_name: customerName } }),
  getConnector: ({ connectorId }) => ({ params: { id: connectorId } }),
  updateConnector: ({ connectorId }) => ({ params: { id: connectorId }, body: { name: 'Renamed' } }),
  deleteConnector: ({ connectorId }) => ({ params: { id: connectorId } }),
  checkConnector: ({ connectorId }) => ({ params: { id: connectorId } }),
  listConnectorActivity: ({ connectorId }) => ({ params: { id: connectorId } }),
  listConnectorAccounts: ({ connectorId }) => ({ params: { id: connectorId } }),
  initiateOAuth: ({ customerName }) => ({
    body: {
      customer_name: customerName,
      connector_type: consentKind.key,
      redirect_url: `${serviceUrl}/oauth/complete`,
      challenge,
    },
  }),
  getOAuthSession: ({ sessionId }) => ({ params: { session_id: sessionId } }),
  listSessionAccounts: ({ sessionId, secretId = 'unknown' }) => ({
    params: { session_id: sessionId },
    headers: { 'x-oauth-secret-id': secretId },
  }),
  cancelOAuthSession: ({ sessionId }) => ({ params: { session_id: sessionId } }),
  createConnectLink: ({ customerName }) => ({
    body: { customer_name: customerName, connector_type: firstKind.key },
  }),
  getConnectLink: ({ linkId = unknownId }) => ({ params: { id: linkId } }),
  deleteConnectLink: ({ linkId = unknownId }) => ({ params: { id: linkId } }),
  confirmConnectLink: ({ linkId = unknownId, linkCode = 'unknown', customerName }) => ({
    params: { id: linkId },
    body: { code: linkCode, customer_name: customerName },
  }),
  setOAuthCredentials: () => ({
    body: { connector_type: consentKind.key, configuration: { client_id: 'own', client_secret: 'secret' } },
  }),
  getOAuthCredentialsSpec: () => ({ query: { connector_type: consentKind.key } }),
  deleteOAuthCredentials: () => ({ params: { type: consentKind.key } }),
  syncConnector: ({ connectorId }) => ({ params: { id: connectorId } }),
  execute: ({ connectorId }) => ({
    params: { id: connectorId },
    body: { entity: 'notes', action: 'list', params: { page_size: 1 } },
  }),
};

/** Returns the path and query for an example request. */
export function addressOf(path: string, { params = {}, query }: Example): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  return query === undefined ? filled : `${filled}?${new URLSearchParams(query).toString()}`;
}
