import type { SyncJob } from '@connector-auth/api/admin';
import { html, nothing, type TemplateResult } from 'lit';
import { badge, cell, errorLine, type Tone } from '../../components/cell.ts';
import { icons } from '../../components/icons.ts';
import { listPage } from '../../components/list-page.ts';
import { pageLink } from '../../components/page-head.ts';
import { count, timeAgo } from '../../components/time.ts';
import { customerOf } from '../connectors/connectors-page.ts';
import { wordsOfEntity } from '../connectors/entity-sync.ts';

const badges: Readonly<Record<SyncJob['state'], readonly [label: string, tone: Tone]>> = {
  failing: ['Failing', 'bad'],
  retrying: ['Retrying', 'warn'],
  running: ['Running', 'info'],
  waiting: ['Waiting', 'neutral'],
};

/** `/sync-jobs`: what is being synced, the longest overdue first. */
export const SyncJobsPage = listPage(
  'listSyncJobs',
  ({ choices }) => ({
    title: 'Sync jobs',
    lead: 'One job per entity of each connector, the longest overdue first. This page updates by itself.',
    filters: [
      {
        name: 'state',
        label: 'State',
        choices: Object.entries(badges).map(([state, [label]]) => [state, label]),
      },
      { name: 'organization_id', label: 'Organization', choices: choices.organizations },
      { name: 'connector_type', label: 'Kind', choices: choices.kinds },
    ],
    columns: [
      {
        label: 'Connector',
        cell: ({ connector: { id, name }, connector_type, entity }) =>
          cell(
            pageLink(`/connectors/${id}`, name),
            `${choices.nameOfKind(connector_type)}: ${wordsOfEntity(entity)}`,
          ),
      },
      { label: 'Customer', cell: customerOf },
      { label: 'State', cell: stateOf },
      { label: 'Records', isNumber: true, cell: ({ records }) => records.toLocaleString('en') },
      { label: 'Due', cell: dueOf },
      { label: 'Last synced', cell: ({ last_synced_at }) => timeAgo(last_synced_at) },
    ],
    empty: {
      icon: icons.sync,
      title: 'Nothing to sync yet',
      hint: 'Jobs appear here when a customer connects a source with searchable records.',
    },
  }),
  { pollMs: 10_000 },
);

function stateOf({ state, failures, last_error }: SyncJob): TemplateResult {
  return cell(
    badge(...badges[state]),
    failures > 0 ? count(failures, 'failed attempt') : nothing,
    errorLine(last_error),
  );
}

function dueOf({ due_at, running_since }: SyncJob): TemplateResult {
  return running_since === null ? timeAgo(due_at) : html`<span>Started ${timeAgo(running_since)}</span>`;
}
