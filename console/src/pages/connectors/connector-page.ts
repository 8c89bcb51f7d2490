import type { AdminConnectorDetail } from '@connector-auth/api/admin';
import { connectionState, type ConnectionState } from '@connector-auth/api/connection-state';
import { html, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { ApiError } from '../../api/api-error.ts';
import { Loader } from '../../api/loader.ts';
import { poll } from '../../api/polling.ts';
import { failureNotice, loaded, notice } from '../../components/notice.ts';
import { button, facts, idWithCopy, pageHead, pageLink, section } from '../../components/page-head.ts';
import { Page } from '../../components/page.ts';
import { count, pointInTime } from '../../components/time.ts';
import { AuditList, timelineLinks } from '../audit/audit-list.ts';
import { entitySyncTable, syncErrors } from './entity-sync.ts';
import { adviceOn, connectorBadge } from './status.ts';

const pollMs = 5_000;

/** `/connectors/:connector`: status, sync, last errors and last uses of one connector. */
export class ConnectorPage extends Page {
  #connector = new Loader(this, () => this.app.call('getConnector', { params: this.#params }));
  #timeline = new AuditList(this, { fixed: () => this.#params, isPart: true, pageSize: 10 });
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

  #actions({ name, connector_type, status, disabled_at, entities }: AdminConnectorDetail): TemplateResult {
    const canSync = status === 'active' && Object.keys(entities).length > 0;
    return html`${canSync ? button('Sync now', this.#syncNow) : nothing}
    ${
      disabled_at === null
        ? button('Disable…', () => this.#disable(name), 'danger')
        : button('Enable…', this.#enable)
    }
    ${button('Delete…', () => this.#delete(name, this.choices.nameOfKind(connector_type)), 'danger')}`;
  }

  #content(connector: AdminConnectorDetail): TemplateResult {
    const kind = this.choices.nameOfKind(connector.connector_type);
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

  async #disable(name: string): Promise<void> {
    const isDone = await this.app.confirm({
      title: 'Disable this connector?',
      body: html`<p>
        Every use is rejected within a second, for every token, and its syncs stop. Credentials and synced
        records are kept. You can enable it again.
      </p>`,
      action: 'Disable connector',
      done: 'Connector disabled',
      name,
      run: async () => this.#connector.set(await this.app.call('disableConnector', { params: this.#params })),
    });
    if (isDone) this.#showChange();
  }

  readonly #enable = async (): Promise<void> => {
    const isDone = await this.app.confirm({
      title: 'Enable this connector?',
      body: html`<p>The customer’s tokens can use it again, and its syncs resume.</p>`,
      action: 'Enable connector',
      done: 'Connector enabled',
      isDestructive: false,
      run: async () => this.#connector.set(await this.app.call('enableConnector', { params: this.#params })),
    });
    if (isDone) this.#showChange();
  };

  #showChange(): void {
    this.focusHeading();
    void this.#timeline.list.refresh();
  }

  async #delete(name: string, kind: string): Promise<void> {
    const isDone = await this.app.confirm({
      title: 'Delete this connector?',
      body: html`<p>
        Its credentials and all synced records are deleted, and its grant is revoked at ${kind} if no other
        connector needs it. This can’t be undone.
      </p>`,
      action: 'Delete connector',
      done: 'Connector deleted',
      name,
      run: () => this.app.call('deleteConnector', { params: this.#params }),
    });
    if (isDone) this.app.replace('/connectors');
  }
}

function stateOf({ status, entities }: AdminConnectorDetail): ConnectionState {
  return connectionState({ status, sync: { entities } });
}
