import { NotFoundPage } from '../shell/not-found.ts';
import { ApplicationPage } from './applications/application.ts';
import { ApplicationsPage } from './applications/applications.ts';
import { NewApplicationPage } from './applications/new-application.ts';
import { SecretsSection } from './applications/secrets-section.ts';
import { defineOperationPages } from './define-operations.ts';
import { KeysPage } from './keys/keys.ts';
import { NewKeyPage } from './keys/new-key.ts';
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

/** Registers the elements of all pages. The tags are those in `shell/routes.ts`. */
export function definePages(): void {
  customElements.define('console-sign-in', SignIn);
  customElements.define('console-set-up', SetUp);
  customElements.define('console-overview', OverviewPage);
  customElements.define('console-first-connection', FirstConnectionPage);
  customElements.define('console-organizations', OrganizationsPage);
  customElements.define('console-new-organization', NewOrganizationPage);
  customElements.define('console-organization', OrganizationPage);
  customElements.define('console-logo', Logo);
  customElements.define('console-oauth-app', OAuthAppPage);
  customElements.define('console-applications', ApplicationsPage);
  customElements.define('console-new-application', NewApplicationPage);
  customElements.define('console-application', ApplicationPage);
  customElements.define('console-secrets', SecretsSection);
  customElements.define('console-keys', KeysPage);
  customElements.define('console-new-key', NewKeyPage);
  customElements.define('console-sessions', SessionsPage);
  defineOperationPages();
  customElements.define('console-not-found', NotFoundPage);
}
