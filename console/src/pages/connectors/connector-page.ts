import type { AdminConnectorDetail } from '@connector-auth/api/admin';
import { connectionState, type ConnectionState } from '@connector-auth/api/connection-state';
import { html, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { ApiError } from '../../api/api-error.ts';
import { FilterChoices } from '../../api/filter-choices.ts';
import { Loader } from '../../api/loader.ts';
import { poll } from '../../api/polling.ts';
import { idWithCopy } from '../../components/copyable-id.ts';
import { loaded } from '../../components/loaded.ts';
import { failureNotice, notice } from '../../components/notice.ts';
import { facts, pageHead, section } from '../../components/page-head.ts';
import { pageLink } from '../../components/page-link.ts';
import { Page } from '../../components/page.ts';
import { count, pointInTime } from '../../components/time.ts';
import { AuditList, timelineLinks } from '../audit/audit-list.ts';
import { entitySyncTable, syncErrors } from './entity-sync.ts';
import { adviceOn, connectorBadge } from './status.ts';

const pollMs = 5_000;

/** `/connectors/:connector`: status, sync, last errors and last uses of one connector. */
export class ConnectorPage extends Page {
  #choices = new FilterChoices(this);
  #connector = new Loader(this, () => this.app.call('getConnector', { params: this.#params }));
  #timeline = new AuditList(this, this.#choices, { fixed: () => this.#params, pageSize: 10 });
  @state() private syncFailure: ApiError | null = null;

  constructor() {
    super();
    // A connector that neither syncs nor waits for it does not change by itself.
    poll(this, pollMs, () =>
      this.#connector.value && stateOf(this.#connector.value).isUnderWay
        ? this.#connector.reload()
        : undefined,
    );
  }

  get #params(): { connector_id: string } {
    return { connector_id: this.params['connector'] ?? '' };
  }

  protected override render(): TemplateResult {
    const { value: connector } = this.#connector;
    return html`${pageHead({
      title: connector?.name ?? 'Connector',
      parent: { path: '/connectors', label: 'Connectors' },
      badge: connector ? connectorBadge(connector) : nothing,
      actions: connector && this.canWrite ? this.#actions(connector) : nothing,
    })}
    ${failureNotice(this.syncFailure)} ${loaded(this.#connector, value => this.#content(value))}`;
  }

  #actions({ status, disabled_at, entities }: AdminConnectorDetail): TemplateResult {
    const canSync = status === 'active' && Object.keys(entities).length > 0;
    return html`${canSync ? actionButton('Sync now', this.#syncNow) : nothing}
    ${
      disabled_at === null
        ? actionButton('Disable…', this.#disable, 'danger')
        : actionButton('Enable…', this.#enable)
    }
    ${actionButton('Delete…', this.#delete, 'danger')}`;
  }

  #content(connector: AdminConnectorDetail): TemplateResult {
    const kind = this.#choices.nameOfKind(connector.connector_type);
    const advice = adviceOn(connector, kind);
    const { customer, organization } = connector;
    return html`${advice ? notice(advice) : nothing} ${this.#sync(connector)}
    ${section('Timeline', this.#timeline.render(), { actions: timelineLinks({ connector_id: connector.id }) })}
    ${section(
      'Details',
      facts([
        ['Kind', kind],
        ['Authentication', connector.auth_method],
        ['Customer', pageLink(`/customers/${customer.id}`, customer.name)],
        ['Organization', pageLink(`/organizations/${organization.id}`, organization.name)],
        ['Connected', pointInTime(connector.created_at)],
        ['Changed', pointInTime(connector.updated_at)],
        ['Connector ID', idWithCopy(connector.id, 'connector ID')],
      ]),
    )}`;
  }

  #sync(connector: AdminConnectorDetail): TemplateResult {
    const { entities } = connector;
    const { records, finished, total, data } = stateOf(connector);
    if (data === 'none')
      return section('Sync', html`<p class="hint">This connector has nothing to sync.</p>`);
    const lead = `${count(records, 'record')} ${data === 'ready' ? 'in total' : `so far, ${finished} of ${count(total, 'entity', 'entities')}`}`;
    return section(
      'Sync',
      html`${syncErrors(entities).map(error =>
        notice({
          tone: 'bad',
          title: `Can’t sync ${new Intl.ListFormat('en').format(error.entities)}`,
          text: html`<p dir="auto">${error.message}</p>
            <p class="hint">
              ${error.failures > 1 ? `Failed ${error.failures} times in a row. ` : nothing}The service tries
              again by itself.
            </p>`,
        }),
      )}
      ${entitySyncTable(entities)}`,
      { lead },
    );
  }

  readonly #syncNow = async (): Promise<void> => {
    this.syncFailure = null;
    try {
      this.#connector.set(await this.app.call('resyncConnector', { params: this.#params }));
      this.app.toast('Sync requested');
    } catch (error) {
      this.syncFailure = ApiError.of(error);
    }
  };

  readonly #disable = (): Promise<void> =>
    this.#change('disableConnector', {
      title: 'Disable this connector?',
      body: html`<p>
        Every use is rejected within a second, for every token, and its syncs stop. Credentials and synced
        records are kept. You can enable it again.
      </p>`,
      action: 'Disable connector',
      done: 'Connector disabled',
      isTyped: true,
    });

  readonly #enable = (): Promise<void> =>
    this.#change('enableConnector', {
      title: 'Enable this connector?',
      body: html`<p>The customer’s tokens can use it again, and its syncs resume.</p>`,
      action: 'Enable connector',
      done: 'Connector enabled',
      isTyped: false,
    });

  async #change(
    endpoint: 'disableConnector' | 'enableConnector',
    {
      done,
      isTyped,
      ...texts
    }: { title: string; body: TemplateResult; action: string; done: string; isTyped: boolean },
  ): Promise<void> {
    const connector = this.#connector.value;
    if (!connector) return;
    const isDone = await this.app.confirm({
      ...texts,
      isDestructive: isTyped,
      ...(isTyped ? { name: connector.name } : {}),
      run: async () => this.#connector.set(await this.app.call(endpoint, { params: this.#params })),
    });
    if (!isDone) return;
    this.app.toast(done);
    this.focusHeading();
    void this.#timeline.list.refresh();
  }

  readonly #delete = async (): Promise<void> => {
    const connector = this.#connector.value;
    if (!connector) return;
    const isDone = await this.app.confirm({
      title: 'Delete this connector?',
      body: html`<p>
        Its credentials and all synced records are deleted, and its grant is revoked at
        ${this.#choices.nameOfKind(connector.connector_type)} if no other connector needs it. This can’t be
        undone.
      </p>`,
      action: 'Delete connector',
      name: connector.name,
      run: () => this.app.call('deleteConnector', { params: this.#params }),
    });
    if (!isDone) return;
    this.app.toast('Connector deleted');
    this.app.replace('/connectors');
  };
}

function stateOf({ status, entities }: AdminConnectorDetail): ConnectionState {
  return connectionState({ status, sync: { entities } });
}

function actionButton(label: string, onClick: () => unknown, kind = ''): TemplateResult {
  return html`<button type="button" class="button ${kind}" @click=${onClick}>${label}</button>`;
}
