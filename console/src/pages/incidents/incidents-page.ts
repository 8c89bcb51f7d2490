import type { Incident } from '@connector-auth/api/admin';
import { html, nothing, type TemplateResult } from 'lit';
import { PagedList } from '../../api/paged-list.ts';
import { badge } from '../../components/badge.ts';
import { cell } from '../../components/cell.ts';
import { icons } from '../../components/icons.ts';
import { listView } from '../../components/list-view.ts';
import { linkButton, pageHead } from '../../components/page-head.ts';
import { pageLink } from '../../components/page-link.ts';
import { Page } from '../../components/page.ts';
import { timeAgo } from '../../components/time.ts';
import { scopeNames } from './target.ts';

/** `/incidents`: all incidents, newest first. */
export class IncidentsPage extends Page {
  #list = new PagedList(this, 'listIncidents');

  protected override render(): TemplateResult {
    const declare = this.canWrite ? linkButton('Declare an incident', '/incidents/new', 'primary') : nothing;
    return html`${pageHead({
      title: 'Incidents',
      lead: 'When credentials leak, an incident rejects tokens, freezes connectors and revokes grants at the vendors.',
      actions: declare,
    })}
    ${listView({
      list: this.#list,
      what: 'incidents',
      columns: [
        { label: 'About', cell: targetOf },
        { label: 'Status', cell: ({ status }) => incidentBadge(status) },
        {
          label: 'Frozen connectors',
          isNumber: true,
          cell: incident => incident.frozen_connectors.toLocaleString('en'),
        },
        { label: 'Revoked grants', cell: revokedOf },
        { label: 'Declared', cell: declaredOf },
      ],
      empty: {
        icon: icons.incidents,
        title: 'No incidents',
        hint: 'Declare one as soon as a secret, a token or a vendor credential may have leaked.',
        action: declare,
      },
    })}`;
  }
}

/** Renders whether an incident is still in force. */
export function incidentBadge(status: Incident['status']): TemplateResult {
  return status === 'open' ? badge('Open', 'bad') : badge('Undone', 'neutral');
}

function targetOf({ id, scope, target }: Incident): TemplateResult {
  return cell(pageLink(`/incidents/${id}`, target), scopeNames[scope]);
}

function revokedOf({ receipts: { confirmed, pending, vendor_cannot } }: Incident): string {
  const total = confirmed + pending + vendor_cannot;
  return total === 0 ? '–' : `${confirmed.toLocaleString('en')} of ${total.toLocaleString('en')}`;
}

function declaredOf({ declared_at, declared_by }: Incident): TemplateResult {
  return cell(timeAgo(declared_at), `by ${declared_by}`);
}
