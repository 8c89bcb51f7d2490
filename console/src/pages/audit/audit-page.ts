import { html, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { auditActions } from 'virtual:admin-contract';
import { ApiError } from '../../api/api-error.ts';
import type { Call } from '../../api/call.ts';
import { Loader } from '../../api/loader.ts';
import { icons } from '../../components/icons.ts';
import { queryFor } from '../../components/name-search.ts';
import { failureNotice } from '../../components/notice.ts';
import { button, pageHead } from '../../components/page-head.ts';
import { Page } from '../../components/page.ts';
import { AuditList } from './audit-list.ts';
import { wordsOf } from './entry-words.ts';
import { downloadExport } from './export.ts';

const periods = [
  ['Last hour', 1],
  ['Last 24 hours', 24],
  ['Last 7 days', 7 * 24],
] as const;

/** `/audit`: who did what, when and with which outcome, newest first. */
export class AuditPage extends Page {
  #actors = new Loader(this, () => listActors(this.app.call));
  #audit = new AuditList(this, { pageSize: 50 });
  /** The number of bytes so far while an export is being downloaded. */
  @state() private exported: number | null = null;
  @state() private exportFailure: ApiError | null = null;
  #export: AbortController | null = null;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#export?.abort();
  }

  protected override render(): TemplateResult {
    const { choices } = this;
    return html`${pageHead({
      title: 'Audit',
      lead: 'Every administrative act and every use of a credential, newest first. Entries never contain values.',
      actions: this.#exportButton(),
    })}
    ${failureNotice(this.exportFailure)}
    ${this.#audit.render({
      withCustomer: true,
      filters: [
        { name: 'organization_id', label: 'Organization', choices: choices.organizations },
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
        { name: 'customer_name', label: 'Customer', find: this.#findCustomers, nameOf: name => name },
        {
          name: 'connector_id',
          label: 'Connector',
          find: this.#findConnectors,
          nameOf: id => this.#audit.nameOfConnector(id) ?? id,
        },
        { name: 'from', label: 'From', isTime: true },
        { name: 'to', label: 'To', isTime: true },
      ],
      belowFilters: this.#periods(),
    })}`;
  }

  #exportButton(): TemplateResult {
    return this.exported === null
      ? html`<button type="button" class="button" @click=${this.#startExport}>
          ${icons.download}Export NDJSON
        </button>`
      : html`<span class="hint" role="status">Exporting… ${(this.exported / 1e6).toFixed(1)} MB</span>
          ${button('Cancel', () => this.#export?.abort())}`;
  }

  #periods(): TemplateResult {
    const { list } = this.#audit;
    return html`<div class="periods" role="group" aria-label="Period">
      ${periods.map(([label, hours]) => button(label, () => this.#showLast(hours), 'small'))}
      ${
        list.isFiltered
          ? html`${button('Clear filters', () => list.clear(), 'small')}
              <console-copy .text=${location.href} label="Copy link" what="link to this view"></console-copy>`
          : nothing
      }
    </div>`;
  }

  readonly #findCustomers = async (text: string): Promise<readonly (readonly [string, string])[]> => {
    const query = { ...queryFor(text), ...this.#chosen('organization_id') };
    const { data } = await this.app.call('listCustomers', { query });
    return data.map(({ name }) => [name, name]);
  };

  readonly #findConnectors = async (text: string): Promise<readonly (readonly [string, string])[]> => {
    const query = { ...queryFor(text), ...this.#chosen('organization_id'), ...this.#chosen('customer_name') };
    const { data } = await this.app.call('listConnectors', { query });
    return data.map(({ id, name, connector_type, customer: { name: of } }) => [
      id,
      `${name} (${this.choices.nameOfKind(connector_type)}, ${of})`,
    ]);
  };

  /** Returns a filter that narrows the choices of another one, if it is set. */
  #chosen<Name extends string>(name: Name): { readonly [key in Name]?: string } {
    const value = this.#audit.list.valueOf(name);
    // An object with this one name.
    return (value === '' ? {} : { [name]: value }) as { readonly [key in Name]?: string };
  }

  #showLast(hours: number): void {
    this.#audit.list.set('to', '');
    this.#audit.list.set('from', new Date(Date.now() - hours * 3_600_000).toISOString());
  }

  readonly #startExport = async (): Promise<void> => {
    this.#export = new AbortController();
    this.exportFailure = null;
    this.exported = 0;
    try {
      await downloadExport(this.app.call, this.#audit.list.query, this.#export.signal, bytes => {
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
