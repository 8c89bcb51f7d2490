import { NotFoundPage } from '../shell/not-found.ts';
import { OrganizationsPage } from './organizations/organizations.ts';
import { OverviewPage } from './overview/overview.ts';
import { SetUp } from './sign-in/set-up.ts';
import { SignIn } from './sign-in/sign-in.ts';

/** Registers the elements of all pages. The tags are those in `shell/routes.ts`. */
export function definePages(): void {
  customElements.define('console-sign-in', SignIn);
  customElements.define('console-set-up', SetUp);
  customElements.define('console-overview', OverviewPage);
  customElements.define('console-organizations', OrganizationsPage);
  customElements.define('console-not-found', NotFoundPage);
}
