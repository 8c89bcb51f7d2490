import type { AuditEntry } from '@connector-auth/api/admin';
import { html, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { ApiError } from '../../api/api-error.ts';
import { FilterChoices } from '../../api/filter-choices.ts';
import { PagedList } from '../../api/paged-list.ts';
import { cell } from '../../components/cell.ts';
import { icons } from '../../components/icons.ts';
import { textFilter, timeFilter } from '../../components/list-filters.ts';
import { listView } from '../../components/list-view.ts';
import { failureNotice } from '../../components/notice.ts';
import { pageHead } from '../../components/page-head.ts';
import { Page } from '../../components/page.ts';
import { entryDialog } from './entry-dialog.ts';
import { actionOf, actorOf, exactTime, outcomeBadge, wordsOf } from './entry-words.ts';
import { downloadExport } from './export.ts';
import { AuditNames } from './names.ts';

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
  #names = new AuditNames(this, this.#choices);
  #list = new PagedList(this, 'listAudit', { filters, pageSize: 50 });
  @state() private opened: AuditEntry | null = null;
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
    ${listView({
      list: this.#list,
      what: 'audit entries',
      moreFilters: this.#moreFilters(),
      filters: [
        { name: 'organization_id', label: 'Organization', choices: this.#choices.organizations },
        { name: 'actor_id', label: 'Actor', choices: this.#names.actors },
        { name: 'outcome', label: 'Outcome', choices: this.#outcomes },
      ],
      columns: [
        { label: 'Action', cell: entry => this.#actionOf(entry) },
        {
          label: 'Actor',
          cell: ({ actor }) =>
            html`<span dir="auto">${actorOf(actor, this.#names.find(actor.id)?.name)}</span>`,
        },
        { label: 'Customer', cell: entry => this.#customerOf(entry) },
        { label: 'Outcome', cell: ({ outcome }) => outcomeBadge(outcome) },
        { label: 'Records', isNumber: true, cell: ({ records }) => records?.toLocaleString('en') ?? '–' },
        { label: 'Time', cell: ({ at }) => html`<time datetime=${at}>${exactTime(at)}</time>` },
      ],
      empty: {
        icon: icons.audit,
        title: 'No entries yet',
        hint: 'Administrative acts and uses of credentials appear here within seconds.',
      },
    })}
    ${this.opened ? entryDialog(this.opened, { choices: this.#choices, names: this.#names }, this.#close) : nothing}`;
  }

  protected override updated(): void {
    super.updated();
    const dialog = this.querySelector<HTMLDialogElement>('dialog.entry');
    if (dialog && !dialog.open) dialog.showModal();
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
    const list = this.#list;
    return html`${textFilter(list, 'action', 'Action', 'connector.created')}
      ${textFilter(list, 'customer_name', 'Customer', 'acme')}
      ${textFilter(list, 'connector_id', 'Connector ID', '1f0c…')} ${timeFilter(list, 'from', 'From')}
      ${timeFilter(list, 'to', 'To')}
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
              </button>`
            : nothing
        }
      </div>`;
  }

  /** The outcomes to choose from. A problem code in the URL is one of them. */
  get #outcomes(): readonly (readonly [string, string])[] {
    const common = [['ok', 'OK'] as const, ['error', 'Any error'] as const];
    const current = this.#list.valueOf('outcome');
    return current === '' || common.some(([value]) => value === current)
      ? common
      : [...common, [current, wordsOf(current)]];
  }

  #actionOf(entry: AuditEntry): TemplateResult {
    const open = () => {
      this.opened = entry;
      void this.#names.addConnector(entry.connector_id);
    };
    const target = entry.target_id === entry.organization_id ? null : this.#names.targetOf(entry);
    return cell(
      html`<button type="button" class="link" aria-haspopup="dialog" @click=${open}>
        ${actionOf(entry)}
      </button>`,
      entry.connector_type && this.#choices.nameOfKind(entry.connector_type),
      target?.name,
    );
  }

  #customerOf({ customer_name, organization_id }: AuditEntry): TemplateResult {
    const organization = this.#choices.organizations.find(([id]) => id === organization_id)?.[1];
    return cell(html`<span dir="auto">${customer_name ?? '–'}</span>`, organization);
  }

  #showLast(hours: number): void {
    this.#list.set('to', '');
    this.#list.set('from', new Date(Date.now() - hours * 3_600_000).toISOString());
  }

  readonly #close = (): void => {
    this.opened = null;
  };

  readonly #startExport = async (): Promise<void> => {
    this.#export = new AbortController();
    this.exportFailure = null;
    this.exported = 0;
    const query = Object.fromEntries(filters.map(name => [name, this.#list.valueOf(name)]));
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
