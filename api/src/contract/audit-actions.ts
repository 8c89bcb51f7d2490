import { actionNames } from './names.ts';

/** What the audit log records besides the actions of connectors, by name. */
const auditActs = [
  'admin_key.created',
  'admin_key.deleted',
  'application.adopted',
  'application.created',
  'application.disabled',
  'application.enabled',
  'application.updated',
  'client_secret.created',
  'client_secret.deleted',
  'connect_link.confirmed',
  'connect_link.created',
  'connect_link.returned',
  'connect_link.revoked',
  'connector.accounts_listed',
  'connector.created',
  'connector.deleted',
  'connector.deletion_requested',
  'connector.disabled',
  'connector.enabled',
  'connector.reconnected',
  'connector.restored',
  'connector.sync_requested',
  'connector.updated',
  'customer.deleted',
  'customer.tokens_revoked',
  'grant.refreshed',
  'grant.revoked',
  'incident.declared',
  'incident.undone',
  'installation.set_up',
  'oauth.accounts_listed',
  'oauth.cancelled',
  'oauth.initiated',
  'oauth_app.deleted',
  'oauth_app.set',
  'organization.created',
  'organization.deleted',
  'organization.deletion_requested',
  'organization.disabled',
  'organization.enabled',
  'organization.logo_deleted',
  'organization.logo_set',
  'organization.updated',
  'session.ended',
  'session.started',
  'sessions.ended',
  'sync',
  // Fails before its action is known.
  'execute',
] as const;

/** The name of an entry of the audit log. */
export type AuditAction = (typeof auditActions)[number];

/** All names, in alphabetical order. */
export const auditActions = [...auditActs, ...actionNames].sort();
