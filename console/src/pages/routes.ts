import type { Page } from '../components/page.ts';
import { ApplicationPage } from './applications/application.ts';
import { ApplicationsPage } from './applications/applications.ts';
import { NewApplicationPage } from './applications/new-application.ts';
import { SecretsSection } from './applications/secrets-section.ts';
import { AuditPage } from './audit/audit-page.ts';
import { ConnectorPage } from './connectors/connector-page.ts';
import { ConnectorsPage } from './connectors/connectors-page.ts';
import { CustomerPage } from './customers/customer-page.ts';
import { CustomersPage } from './customers/customers-page.ts';
import { IncidentPage } from './incidents/incident-page.ts';
import { IncidentsPage } from './incidents/incidents-page.ts';
import { NewIncidentPage } from './incidents/new-incident-page.ts';
import { KeysPage } from './keys/keys.ts';
import { NewKeyPage } from './keys/new-key.ts';
import { NotFoundPage } from './not-found.ts';
import { QuotasPage } from './operations/quotas-page.ts';
import { SyncJobsPage } from './operations/sync-jobs-page.ts';
import { DeletionPage, DeletionsPage } from './organizations/deletions.ts';
import { Logo } from './organizations/logo.ts';
import { NewOrganizationPage } from './organizations/new-organization.ts';
import { OAuthAppPage } from './organizations/oauth-app.ts';
import { OrganizationPage } from './organizations/organization.ts';
import { OrganizationsPage } from './organizations/organizations.ts';
import { FirstConnectionPage } from './overview/first-connection.ts';
import { OverviewPage } from './overview/overview.ts';
import { SessionsPage } from './sessions/sessions.ts';
import { SetUp } from './sign-in/set-up.ts';
import { SignIn } from './sign-in/sign-in.ts';
import { NewWebhookPage } from './webhooks/new-webhook.ts';
import { WebhookPage } from './webhooks/webhook.ts';

/** A page of the console: its path below `/console`, and the element that shows it. */
interface Route {
  readonly path: string;
  readonly tag: string;
  readonly page: new () => Page;
}

/** The pages by path. The first match counts. */
export const routes: readonly Route[] = [
  { path: '/', tag: 'console-overview', page: OverviewPage },
  { path: '/start', tag: 'console-first-connection', page: FirstConnectionPage },
  { path: '/organizations', tag: 'console-organizations', page: OrganizationsPage },
  { path: '/organizations/new', tag: 'console-new-organization', page: NewOrganizationPage },
  { path: '/organizations/deletions', tag: 'console-deletions', page: DeletionsPage },
  { path: '/organizations/deletions/:organization', tag: 'console-deletion', page: DeletionPage },
  { path: '/organizations/:organization', tag: 'console-organization', page: OrganizationPage },
  { path: '/organizations/:organization/oauth-apps/:kind', tag: 'console-oauth-app', page: OAuthAppPage },
  {
    path: '/organizations/:organization/webhooks/new',
    tag: 'console-new-webhook',
    page: NewWebhookPage,
  },
  { path: '/organizations/:organization/webhooks/:webhook', tag: 'console-webhook', page: WebhookPage },
  { path: '/applications', tag: 'console-applications', page: ApplicationsPage },
  { path: '/applications/new', tag: 'console-new-application', page: NewApplicationPage },
  { path: '/applications/:application', tag: 'console-application', page: ApplicationPage },
  { path: '/customers', tag: 'console-customers', page: CustomersPage },
  { path: '/customers/:customer', tag: 'console-customer', page: CustomerPage },
  { path: '/connectors', tag: 'console-connectors', page: ConnectorsPage },
  { path: '/connectors/:connector', tag: 'console-connector', page: ConnectorPage },
  { path: '/sync-jobs', tag: 'console-sync-jobs', page: SyncJobsPage },
  { path: '/vendor-quotas', tag: 'console-quotas', page: QuotasPage },
  { path: '/incidents', tag: 'console-incidents', page: IncidentsPage },
  { path: '/incidents/new', tag: 'console-new-incident', page: NewIncidentPage },
  { path: '/incidents/:incident', tag: 'console-incident', page: IncidentPage },
  { path: '/audit', tag: 'console-audit', page: AuditPage },
  { path: '/keys', tag: 'console-keys', page: KeysPage },
  { path: '/keys/new', tag: 'console-new-key', page: NewKeyPage },
  { path: '/sessions', tag: 'console-sessions', page: SessionsPage },
];

/** Shown for paths without a page. */
export const notFound = 'console-not-found';

/** Registers the elements of all pages. */
export function definePages(): void {
  for (const { tag, page } of routes) customElements.define(tag, page);
  customElements.define(notFound, NotFoundPage);
  customElements.define('console-sign-in', SignIn);
  customElements.define('console-set-up', SetUp);
  customElements.define('console-logo', Logo);
  customElements.define('console-secrets', SecretsSection);
}
