import type { SyncJob } from '@connector-auth/api/admin';
import { html, nothing, type TemplateResult } from 'lit';
import { FilterChoices } from '../../api/filter-choices.ts';
import { PagedList } from '../../api/paged-list.ts';
import { poll } from '../../api/polling.ts';
import { badge, type Tone } from '../../components/badge.ts';
import { cell, errorLine } from '../../components/cell.ts';
import { icons } from '../../components/icons.ts';
import { listView } from '../../components/list-view.ts';
import { pageHead } from '../../components/page-head.ts';
import { pageLink } from '../../components/page-link.ts';
import { Page } from '../../components/page.ts';
import { count, timeAgo } from '../../components/time.ts';
import { customerOf } from '../connectors/connectors-page.ts';
import { wordsOfEntity } from '../connectors/entity-sync.ts';

const badges: Readonly<Record<SyncJob['state'], readonly [label: string, tone: Tone]>> = {
  failing: ['Failing', 'bad'],
  retrying: ['Retrying', 'warn'],
  running: ['Running', 'info'],
  waiting: ['Waiting', 'neutral'],
};

const pollMs = 10_000;

/** `/sync-jobs`: what is being synced, the longest overdue first. */
export class SyncJobsPage extends Page {
  #choices = new FilterChoices(this);
  #list = new PagedList(this, 'listSyncJobs', {
    filters: ['state', 'organization_id', 'connector_type'],
  });

  constructor() {
    super();
    poll(this, pollMs, () => this.#list.refresh());
  }

  protected override render(): TemplateResult {
    return html`${pageHead({
      title: 'Sync jobs',
      lead: 'One job per entity of each connector, the longest overdue first. This page updates by itself.',
    })}
    ${listView({
      list: this.#list,
      what: 'sync jobs',
      filters: [
        {
          name: 'state',
          label: 'State',
          choices: Object.entries(badges).map(([state, [label]]) => [state, label]),
        },
        { name: 'organization_id', label: 'Organization', choices: this.#choices.organizations },
        { name: 'connector_type', label: 'Kind', choices: this.#choices.kinds },
      ],
      columns: [
        { label: 'Connector', cell: job => this.#connectorOf(job) },
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
    })}`;
  }

  #connectorOf({ connector, connector_type, entity }: SyncJob): TemplateResult {
    return cell(
      pageLink(`/connectors/${connector.id}`, connector.name),
      `${this.#choices.nameOfKind(connector_type)}: ${wordsOfEntity(entity)}`,
    );
  }
}

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
