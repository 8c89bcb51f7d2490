import type { ExampleRequest } from '../examples.ts';
import type { adminEndpoints, AdminEndpointName } from './endpoints.ts';

/** What the requests refer to. Tests use objects of their own. */
export const adminExampleValues = {
  organizationId: '0b8f5c1e-7a43-4b52-9d0e-2f1f6c3a9d71',
  applicationId: 'ad0be4a3-2fef-4a87-96cc-79c46f58216d',
  /** An organization whose deletion has been requested. */
  deletedOrganizationId: '6b0d7c52-9e41-4d1f-8a3b-5c2e7f90a614',
  /** A client secret of the application. */
  secretId: 'f82f22a6-2f75-4071-bad4-dbc35eca5ae4',
  customerId: '5d0c9a36-31b7-4f6e-8d1c-70b9a5c4e210',
  connectorId: '3f2b1c7e-5a0d-4b6f-9c1e-8d2a7f4b6c10',
  agentId: '9a41e6c0-7f25-4d8b-b3c4-52e8d01f96a7',
  keyId: 'ff86a437-6396-4a37-b8b5-e2852aeaee88',
  key: 'cak_…',
  /** A session of the console. */
  sessionId: '80c2d1a8-18ca-489d-9d96-bcf540f3dd0b',
  incidentId: 'fd87a620-8e61-42b0-a0bc-e4927cf3b7d6',
  webhookId: 'c3f6a1d8-0b72-4e59-9a84-6d1e5f20b7c3',
  eventId: '4e7b92c1-6d0f-4a35-8c19-f2a7d3e6b580',
};
const { organizationId, key } = adminExampleValues;
const ofOrganization = { params: { organization_id: organizationId } };
const ofWebhook = { params: { ...ofOrganization.params, webhook_id: adminExampleValues.webhookId } };
const ofApplication = { params: { application_id: adminExampleValues.applicationId } };
const ofCustomer = { params: { customer_id: adminExampleValues.customerId } };
const ofConnector = { params: { connector_id: adminExampleValues.connectorId } };
const ofIncident = { params: { incident_id: adminExampleValues.incidentId } };
const gongOf = { params: { ...ofOrganization.params, type: 'gong' } };

/**
 * One request to each endpoint for operators. Each succeeds for an allowed caller if what it refers to exists, except
 * `setUp` of a service that is set up.
 */
export const adminExampleRequests: {
  readonly [N in AdminEndpointName]: ExampleRequest<(typeof adminEndpoints)[N]>;
} = {
  getSetUpState: {},
  setUp: { body: { code: 'K7QM-…', name: 'Ada' } },
  signIn: { body: { key } },
  getSession: {},
  signOut: {},
  listSessions: {},
  deleteSession: { params: { session_id: adminExampleValues.sessionId } },
  getOverview: {},
  getHealth: {},
  listOrganizations: {},
  createOrganization: { body: { name: 'Another organization' } },
  getOrganization: ofOrganization,
  editOrganization: { ...ofOrganization, body: { version: 1, name: 'Renamed' } },
  setLogo: { ...ofOrganization, body: { image: 'UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==' } },
  deleteLogo: ofOrganization,
  disableOrganization: ofOrganization,
  enableOrganization: ofOrganization,
  deleteOrganization: ofOrganization,
  listOrganizationDeletions: {},
  getOrganizationDeletion: { params: { organization_id: adminExampleValues.deletedOrganizationId } },
  listApplications: {},
  createApplication: { body: { name: 'Another application', organization_ids: [organizationId] } },
  getApplication: ofApplication,
  editApplication: { ...ofApplication, body: { version: 1, name: 'Renamed' } },
  disableApplication: ofApplication,
  enableApplication: ofApplication,
  adoptApplication: ofApplication,
  createSecret: { ...ofApplication, body: { expires_at: '2100-01-01T00:00:00Z' } },
  deleteSecret: {
    params: { ...ofApplication.params, secret_id: adminExampleValues.secretId },
    query: { force: true },
  },
  listOAuthApps: ofOrganization,
  setOAuthApp: { ...gongOf, body: { configuration: { client_id: 'own', client_secret: 'secret' } } },
  deleteOAuthApp: gongOf,
  listCustomers: {},
  getCustomer: ofCustomer,
  revokeCustomerTokens: ofCustomer,
  deleteCustomer: ofCustomer,
  listAgents: ofCustomer,
  deleteAgent: { params: { agent_id: adminExampleValues.agentId } },
  listConnectors: {},
  getConnector: ofConnector,
  resyncConnector: ofConnector,
  createReconnectLink: ofConnector,
  disableConnector: ofConnector,
  enableConnector: ofConnector,
  deleteConnector: ofConnector,
  listSyncJobs: {},
  listVendorQuotas: {},
  listAdminKeys: {},
  createAdminKey: { body: { name: 'Another key', access: 'read' } },
  deleteAdminKey: { params: { key_id: adminExampleValues.keyId } },
  listAudit: {},
  exportAudit: {},
  listIncidents: {},
  declareIncident: { body: { organization: organizationId } },
  getIncident: ofIncident,
  listReceipts: ofIncident,
  undoIncident: ofIncident,
  createWebhook: { ...ofOrganization, body: { url: 'https://app.example.com/connector-auth/events' } },
  listWebhooks: ofOrganization,
  getWebhook: ofWebhook,
  updateWebhook: { ...ofWebhook, body: { enabled: false } },
  deleteWebhook: ofWebhook,
  rotateWebhookSecret: { ...ofWebhook, body: { previous_hours: 24 } },
  testWebhook: ofWebhook,
  replayWebhook: { ...ofWebhook, body: { since: '2026-11-20T09:30:00.000Z' } },
  listDeliveries: ofWebhook,
  receiveEvents: {
    ...ofWebhook,
    body: { responses: [{ event_id: adminExampleValues.eventId, status: 204, text: '' }] },
  },
  resendDelivery: { params: { ...ofWebhook.params, event_id: adminExampleValues.eventId } },
};
