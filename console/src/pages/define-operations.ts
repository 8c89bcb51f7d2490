import { AuditPage } from './audit/audit-page.ts';
import { ConnectorPage } from './connectors/connector-page.ts';
import { ConnectorsPage } from './connectors/connectors-page.ts';
import { CustomerPage } from './customers/customer-page.ts';
import { CustomersPage } from './customers/customers-page.ts';
import { IncidentPage } from './incidents/incident-page.ts';
import { IncidentsPage } from './incidents/incidents-page.ts';
import { NewIncidentPage } from './incidents/new-incident-page.ts';
import { QuotasPage } from './operations/quotas-page.ts';
import { SyncJobsPage } from './operations/sync-jobs-page.ts';

/** Registers the elements of the pages about customers, connectors, sync, quotas, incidents and audit. */
export function defineOperationPages(): void {
  customElements.define('console-customers', CustomersPage);
  customElements.define('console-customer', CustomerPage);
  customElements.define('console-connectors', ConnectorsPage);
  customElements.define('console-connector', ConnectorPage);
  customElements.define('console-sync-jobs', SyncJobsPage);
  customElements.define('console-quotas', QuotasPage);
  customElements.define('console-incidents', IncidentsPage);
  customElements.define('console-new-incident', NewIncidentPage);
  customElements.define('console-incident', IncidentPage);
  customElements.define('console-audit', AuditPage);
}
