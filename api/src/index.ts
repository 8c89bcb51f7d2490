import './require-node.ts';

export { systemClock, type Clock } from './clock.ts';
// oxlint-disable-next-line no-restricted-imports -- exports it for such trusted text
export { JsonText, parseJson, stringifyJson, writeBigInt, type ParseOptions } from './lossless-json.ts';
export { parseUntrustedJson, parseVendorJson, readUntrustedJson } from './untrusted-json.ts';
export { Turns } from './turns.ts';
export {
  ConnectorAuthError,
  fromProblem,
  problemCodeHeader,
  problemCodes,
  problems,
  problemSchema,
  toProblem,
  type ErrorEvidence,
  type Issue,
  type Problem,
  type ProblemCode,
  type ProblemDescription,
  type VendorReport,
} from './problem.ts';
export { IssueList, unknownField, validate, type Validation } from './issues.ts';
export { chooseLanguage, directionOf } from './language.ts';
export { isLoopback, isLoopbackPage, parseOrigin, parsePageOrigin } from './origin.ts';
export type { AuditAction } from './contract/audit-actions.ts';
export { tokenKinds, type CallerKind, type Endpoint, type TokenKind } from './contract/endpoint.ts';
export { endpoints, type EndpointName } from './contract/endpoints.ts';
export {
  eventNames,
  events,
  eventSchema,
  recordsChangedSeconds,
  type EventName,
  type EventOf,
  type WebhookEvent,
} from './contract/events.ts';
export {
  eventHistoryDays,
  isListenUrl,
  maxFailureDays,
  maxReceivedEvents,
  maxWebhooks,
  previousSecretHours,
  type CreateWebhookRequest,
  type ReceiveEventsRequest,
  type ReceiveEventsResponse,
  type ReplayRequest,
  type RotateWebhookSecretRequest,
  type UpdateWebhookRequest,
  type Webhook,
  type WebhookDelivery,
  type WebhookWithSecret,
} from './contract/webhooks.ts';
export { jsonSchemaOf, openApiDocument, type JsonObject, type OpenApiDocument } from './openapi.ts';
export {
  accessLevel,
  actionNames,
  customerName,
  dataRight,
  dataRights,
  defaultManagement,
  directionless,
  directionRule,
  idempotencyKey,
  languages,
  managementRights,
  readOnlyActions,
  uuid,
  type AccessLevel,
  type ActionName,
  type DataRight,
  type Language,
  type ManagementRight,
} from './contract/names.ts';
export {
  applicationTokenLifetimeSeconds,
  customerTokenLifetimeSeconds,
  type ApplicationTokenResponse,
  type ApplicationTokenRequest,
  type ScopedTokenResponse,
  type ScopedTokenRequest,
  type WidgetTokenResponse,
  type WidgetTokenRequest,
} from './contract/tokens.ts';
export {
  displayLimits,
  isHelperUrl,
  organizationSettings,
  syncIntervalMinutes,
  type Integrator,
  type ListOrganizationsResponse,
  type Organization,
  type SetLogoRequest,
  type UpdateOrganizationRequest,
} from './contract/organization.ts';
export type { ActivityEntry, ListActivityResponse } from './contract/activity.ts';
export type { Change, ChangeOperation, ListChangesResponse } from './contract/changes.ts';
export type { Customer, ListCustomersResponse } from './contract/customers.ts';
export type {
  AuthMethod,
  EntityDescription,
  FormSchema,
  Guide,
  ListDefinitionsResponse,
  SourceAccess,
  SourceDefinition,
  SourceDefinitionDetail,
  SupportLevel,
} from './contract/catalog.ts';
export {
  maxAccounts,
  type Account,
  type CheckResponse,
  type Connector,
  type ConnectorStatus,
  type CreateConnectorRequest,
  type EntitySync,
  type ListAccountsResponse,
  type ListConnectorsResponse,
  type SyncState,
  type UpdateConnectorRequest,
} from './contract/connectors.ts';
export {
  agentLifetimeDays,
  agentScopeNames,
  agentScopes,
  agentSignInCodeLifetimeSeconds,
  agentSignInId,
  agentTokenLifetimeSeconds,
  defaultAgentScopes,
  type Agent,
  type AgentScope,
  type ConfirmAgentSignInRequest,
  type ConfirmAgentSignInResponse,
  type ListAgentsResponse,
} from './contract/agents.ts';
export {
  connectCodeLifetimeSeconds,
  connectLinkLifetimeSeconds,
  maxOpenConnectLinks,
  type ConfirmConnectLinkRequest,
  type ConfirmConnectLinkResponse,
  type ConnectLink,
  type ConnectLinkStatus,
  type CreateConnectLinkRequest,
  type CreateConnectLinkResponse,
  type ListConnectLinksResponse,
} from './contract/connect-links.ts';
export {
  choosingLifetimeSeconds,
  maxWaitSeconds,
  oauthLifetimeSeconds,
  type InitiateOAuthResponse,
  type InitiateOAuthRequest,
  type OAuthCredentials,
  type OAuthCredentialsSpec,
  type OAuthSession,
  type OAuthSessionStatus,
  type SetOAuthCredentialsRequest,
} from './contract/oauth.ts';
export type { ExecuteResponse, ExecuteRequest } from './contract/execute.ts';
export type { PageMeta } from './contract/paging.ts';
