import type { AdminEndpointName } from '@connector-auth/api/admin';
import { consentKind } from './consent.ts';
import type { Example } from './example-requests.ts';
import { losslessWebp } from './images.ts';
import { adminToken } from './test-service.ts';

/** The objects that an operator's example request refers to. */
export interface AdminSubject {
  readonly organizationId: string;
  readonly applicationId: string;
  /** One of two secrets of the application. */
  readonly secretId: string;
  readonly customerId: string;
  readonly connectorId: string;
  readonly keyId: string;
  /** A session of `ADMIN_TOKEN`. */
  readonly sessionId: string;
  readonly incidentId: string;
}

/**
 * An example request for each endpoint for operators. Each request succeeds for an allowed caller, except `setUp`
 * of a service that is set up. Omitting an endpoint is a compile-time error.
 */
export const adminExamples: Readonly<Record<AdminEndpointName, (subject: AdminSubject) => Example>> = {
  getSetUpState: () => ({}),
  setUp: () => ({ body: { code: 'wrong', name: 'Ada' } }),
  signIn: () => ({ body: { key: adminToken } }),
  getSession: () => ({}),
  signOut: () => ({}),
  listSessions: () => ({}),
  deleteSession: ({ sessionId }) => ({ params: { session_id: sessionId } }),
  getOverview: () => ({}),
  listOrganizations: () => ({}),
  createOrganization: () => ({ body: { name: 'Another organization' } }),
  getOrganization: ({ organizationId }) => ({ params: { organization_id: organizationId } }),
  editOrganization: ({ organizationId }) => ({
    params: { organization_id: organizationId },
    body: { version: 1, name: 'Renamed' },
  }),
  setLogo: ({ organizationId }) => ({
    params: { organization_id: organizationId },
    body: { image: losslessWebp },
  }),
  deleteLogo: ({ organizationId }) => ({ params: { organization_id: organizationId } }),
  disableOrganization: ({ organizationId }) => ({ params: { organization_id: organizationId } }),
  enableOrganization: ({ organizationId }) => ({ params: { organization_id: organizationId } }),
  listApplications: () => ({}),
  createApplication: ({ organizationId }) => ({
    body: { name: 'Another application', organization_ids: [organizationId] },
  }),
  getApplication: ({ applicationId }) => ({ params: { application_id: applicationId } }),
  editApplication: ({ applicationId }) => ({
    params: { application_id: applicationId },
    body: { version: 1, name: 'Renamed' },
  }),
  disableApplication: ({ applicationId }) => ({ params: { application_id: applicationId } }),
  enableApplication: ({ applicationId }) => ({ params: { application_id: applicationId } }),
  adoptApplication: ({ applicationId }) => ({ params: { application_id: applicationId } }),
  createSecret: ({ applicationId }) => ({
    params: { application_id: applicationId },
    body: { expires_at: '2100-01-01T00:00:00Z' },
  }),
  deleteSecret: ({ applicationId, secretId }) => ({
    params: { application_id: applicationId, secret_id: secretId },
    query: { force: 'true' },
  }),
  listOAuthApps: ({ organizationId }) => ({ params: { organization_id: organizationId } }),
  setOAuthApp: ({ organizationId }) => ({
    params: { organization_id: organizationId, type: consentKind.key },
    body: { configuration: { client_id: 'own', client_secret: 'secret' } },
  }),
  deleteOAuthApp: ({ organizationId }) => ({
    params: { organization_id: organizationId, type: consentKind.key },
  }),
  listCustomers: () => ({}),
  getCustomer: ({ customerId }) => ({ params: { customer_id: customerId } }),
  revokeCustomerTokens: ({ customerId }) => ({ params: { customer_id: customerId } }),
  deleteCustomer: ({ customerId }) => ({ params: { customer_id: customerId } }),
  listConnectors: () => ({}),
  getConnector: ({ connectorId }) => ({ params: { connector_id: connectorId } }),
  resyncConnector: ({ connectorId }) => ({ params: { connector_id: connectorId } }),
  disableConnector: ({ connectorId }) => ({ params: { connector_id: connectorId } }),
  enableConnector: ({ connectorId }) => ({ params: { connector_id: connectorId } }),
  deleteConnector: ({ connectorId }) => ({ params: { connector_id: connectorId } }),
  listSyncJobs: () => ({}),
  listVendorQuotas: () => ({}),
  listAdminKeys: () => ({}),
  createAdminKey: () => ({ body: { name: 'Another key', access: 'read' } }),
  deleteAdminKey: ({ keyId }) => ({ params: { key_id: keyId } }),
  listAudit: () => ({}),
  exportAudit: () => ({}),
  listIncidents: () => ({}),
  declareIncident: ({ organizationId }) => ({ body: { organization: organizationId } }),
  getIncident: ({ incidentId }) => ({ params: { incident_id: incidentId } }),
  listReceipts: ({ incidentId }) => ({ params: { incident_id: incidentId } }),
  undoIncident: ({ incidentId }) => ({ params: { incident_id: incidentId } }),
};
