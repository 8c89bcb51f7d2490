import type { Incident } from '@connector-auth/api/admin';
import type { TemplateResult } from 'lit';
import { badge, cell } from '../../components/cell.ts';
import { icons } from '../../components/icons.ts';
import { listPage } from '../../components/list-page.ts';
import { pageLink } from '../../components/page-head.ts';
import { timeAgo } from '../../components/time.ts';
import { scopes } from './target.ts';

/** `/incidents`: all incidents, newest first. */
export const IncidentsPage = listPage('listIncidents', () => ({
  title: 'Incidents',
  lead: 'When credentials leak, an incident rejects tokens, freezes connectors and revokes grants at the vendors.',
  create: { label: 'Declare an incident', path: '/incidents/new' },
  columns: [
    {
      label: 'About',
      cell: ({ id, scope, target }) => cell(pageLink(`/incidents/${id}`, target), scopes[scope].name),
    },
    { label: 'Status', cell: ({ status }) => incidentBadge(status) },
    {
      label: 'Frozen connectors',
      isNumber: true,
      cell: ({ frozen_connectors: frozen }) => frozen.toLocaleString('en'),
    },
    { label: 'Revoked grants', cell: revokedOf },
    {
      label: 'Declared',
      cell: ({ declared_at, declared_by }) => cell(timeAgo(declared_at), `by ${declared_by}`),
    },
  ],
  empty: {
    icon: icons.incidents,
    title: 'No incidents',
    hint: 'Declare one as soon as a secret, a token or a vendor credential may have leaked.',
  },
}));

/** Renders whether an incident is still in force. */
export function incidentBadge(status: Incident['status']): TemplateResult {
  return status === 'open' ? badge('Open', 'bad') : badge('Undone', 'neutral');
}

function revokedOf({ receipts: { confirmed, pending, vendor_cannot } }: Incident): string {
  const total = confirmed + pending + vendor_cannot;
  return total === 0 ? '–' : `${confirmed.toLocaleString('en')} of ${total.toLocaleString('en')}`;
}
