/** The contract for operators. Not part of the main entry point, because integrators do not use it. */
export { adminOpenApiDocument } from './admin-openapi.ts';
export { adminEndpoints, type AdminEndpointName } from './contract/admin/endpoints.ts';
export {
  maxLiveSecrets,
  type AdminApplication,
  type CreateApplicationRequest,
  type CreatedApplication,
  type CreatedSecret,
  type EditApplicationRequest,
} from './contract/admin/applications.ts';
export { auditActions } from './contract/audit-actions.ts';
export { events } from './contract/events.ts';
export type { AuditEntry } from './contract/admin/audit.ts';
export type {
  ActiveState,
  AdminConnector,
  AdminConnectorDetail,
  AdminCustomer,
} from './contract/admin/connectors.ts';
export type { DeclareIncidentRequest, Incident, Receipt } from './contract/admin/incidents.ts';
export type {
  AdminAccess,
  AdminKey,
  AdminSession,
  AdminSessionItem,
  CreateAdminKeyRequest,
  CreatedAdminKey,
} from './contract/admin/keys.ts';
export type { Reference } from './contract/admin/lists.ts';
export type { AdminOAuthApp } from './contract/admin/oauth-apps.ts';
export type {
  Health,
  HealthProblem,
  Overview,
  SourceHealth,
  SyncJob,
  VendorQuota,
} from './contract/admin/operations.ts';
export type {
  AdminOrganization,
  CreateOrganizationRequest,
  EditOrganizationRequest,
  OrganizationDeletion,
} from './contract/admin/organizations.ts';
