import { html, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { auditActions } from 'virtual:admin-routes';
import { ApiError } from '../../api/api-error.ts';
import type { Call } from '../../api/call.ts';
import { FilterChoices } from '../../api/filter-choices.ts';
import { Loader } from '../../api/loader.ts';
import { icons } from '../../components/icons.ts';
import { timeFilter } from '../../components/list-filters.ts';
import { failureNotice } from '../../components/notice.ts';
import { pageHead } from '../../components/page-head.ts';
import { Page } from '../../components/page.ts';
import { AuditList } from './audit-list.ts';
import { wordsOf } from './entry-words.ts';
import { downloadExport } from './export.ts';

const filters = [
  'organization_id',
  'customer_name',
  'connector_id',
  'actor_id',
  'action',
  'outcome',
  'from',
  'to',
] as const;

const periods = [
  ['Last hour', 1],
  ['Last 24 hours', 24],
  ['Last 7 days', 7 * 24],
] as const;

/** `/audit`: who did what, when and with which outcome, newest first. */
export class AuditPage extends Page {
  #choices = new FilterChoices(this);
  #actors = new Loader(this, () => listActors(this.app.call));
  #audit = new AuditList(this, this.#choices, { filters, pageSize: 50 });
  /** The number of bytes so far while an export is being downloaded. */
  @state() private exported: number | null = null;
  @state() private exportFailure: ApiError | null = null;
  #export: AbortController | null = null;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#export?.abort();
  }

  protected override render(): TemplateResult {
    return html`${pageHead({
      title: 'Audit',
      lead: 'Every administrative act and every use of a credential, newest first. Entries never contain values.',
      actions: this.#exportButton(),
    })}
    ${failureNotice(this.exportFailure)}
    ${this.#audit.render({
      withCustomer: true,
      filters: [
        { name: 'organization_id', label: 'Organization', choices: this.#choices.organizations },
        {
          name: 'action',
          label: 'Action',
          choices: auditActions.map(action => [action, wordsOf(action)]),
          labelOf: wordsOf,
        },
        { name: 'actor_id', label: 'Actor', choices: this.#actors.value ?? [] },
        {
          name: 'outcome',
          label: 'Outcome',
          choices: [
            ['ok', 'OK'],
            ['error', 'Any error'],
          ],
          labelOf: wordsOf,
        },
      ],
      moreFilters: {
        names: ['customer_name', 'connector_id', 'from', 'to'],
        content: this.#moreFilters(),
      },
    })}`;
  }

  #exportButton(): TemplateResult {
    return this.exported === null
      ? html`<button type="button" class="button" @click=${this.#startExport}>
          ${icons.download}Export NDJSON
        </button>`
      : html`<span class="hint" role="status">Exporting… ${(this.exported / 1e6).toFixed(1)} MB</span>
          <button type="button" class="button" @click=${() => this.#export?.abort()}>Cancel</button>`;
  }

  #moreFilters(): TemplateResult {
    const { list } = this.#audit;
    const connectorId = list.valueOf('connector_id');
    return html`<console-picker
        label="Customer"
        .chosen=${list.valueOf('customer_name')}
        .find=${this.#findCustomers}
        .onChange=${(name: string) => list.set('customer_name', name)}
      ></console-picker>
      <console-picker
        label="Connector"
        .chosen=${this.#audit.nameOfConnector(connectorId) ?? connectorId}
        .find=${this.#findConnectors}
        .onChange=${(id: string) => list.set('connector_id', id)}
      ></console-picker>
      ${timeFilter(list, 'from', 'From')} ${timeFilter(list, 'to', 'To')}
      <div class="periods" role="group" aria-label="Period">
        ${periods.map(
          ([label, hours]) =>
            html`<button type="button" class="button small" @click=${() => this.#showLast(hours)}>
              ${label}
            </button>`,
        )}
        ${
          list.isFiltered
            ? html`<button type="button" class="button small" @click=${() => list.clear()}>
                  Clear filters
                </button>
                <console-copy
                  .text=${location.href}
                  label="Copy link"
                  what="link to this view"
                ></console-copy>`
            : nothing
        }
      </div>`;
  }

  readonly #findCustomers = async (search: string): Promise<readonly (readonly [string, string])[]> => {
    const { data } = await this.app.call('listCustomers', {
      query: { ...this.#narrow(search), sort: 'name' },
    });
    return data.map(({ name }) => [name, name]);
  };

  readonly #findConnectors = async (search: string): Promise<readonly (readonly [string, string])[]> => {
    const customer = this.#audit.list.valueOf('customer_name');
    const query = {
      ...this.#narrow(search),
      sort: 'name',
      ...(customer === '' ? {} : { customer_name: customer }),
    } as const;
    const { data } = await this.app.call('listConnectors', { query });
    return data.map(({ id, name, connector_type, customer: { name: of } }) => [
      id,
      `${name} (${this.#choices.nameOfKind(connector_type)}, ${of})`,
    ]);
  };

  /** Returns the query for the first matches in the chosen organization. */
  #narrow(search: string) {
    const organization = this.#audit.list.valueOf('organization_id');
    return {
      limit: 20,
      ...(search === '' ? {} : { search }),
      ...(organization === '' ? {} : { organization_id: organization }),
    };
  }

  #showLast(hours: number): void {
    this.#audit.list.set('to', '');
    this.#audit.list.set('from', new Date(Date.now() - hours * 3_600_000).toISOString());
  }

  readonly #startExport = async (): Promise<void> => {
    this.#export = new AbortController();
    this.exportFailure = null;
    this.exported = 0;
    const query = Object.fromEntries(filters.map(name => [name, this.#audit.list.valueOf(name)]));
    try {
      await downloadExport(this.app.call, query, this.#export.signal, bytes => {
        this.exported = bytes;
      });
      this.app.toast('Export downloaded');
    } catch (error) {
      if (!this.#export.signal.aborted) this.exportFailure = ApiError.of(error);
    }
    this.exported = null;
  };
}

/** Returns the applications and admin keys. */
async function listActors(call: Call): Promise<readonly (readonly [id: string, name: string])[]> {
  const [{ data: applications }, { data: keys }] = await Promise.all([
    call('listApplications', { query: { sort: 'name', limit: 1000 } }),
    call('listAdminKeys', { query: { limit: 1000 } }),
  ]);
  return [
    ...applications.map(({ id, name, client_id: clientId }) => {
      const isUnique = applications.every(other => other.id === id || other.name !== name);
      return [id, isUnique ? name : `${name} (${clientId})`] as const;
    }),
    ...keys.map(({ id, name }) => [id, `${name} (admin key)`] as const),
  ];
}
