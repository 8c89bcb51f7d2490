import type { AuditEntry } from '@connector-auth/api/admin';
import { html, nothing, type ReactiveController, type TemplateResult } from 'lit';
import { PagedList } from '../../api/paged-list.ts';
import { cell } from '../../components/cell.ts';
import { icons } from '../../components/icons.ts';
import { listView, type ListViewOptions } from '../../components/list-view.ts';
import { linkButton } from '../../components/page-head.ts';
import type { Page } from '../../components/page.ts';
import type { Column } from '../../components/table.ts';
import { dayOf, timeOfDay } from '../../components/time.ts';
import { entryDialog } from './entry-dialog.ts';
import { actionOf, actorOf, outcomeBadge, targetOf } from './entry-words.ts';

/** The audit entries of a page, one per line below the heading of its day. Choosing one shows it in full. */
export class AuditList implements ReactiveController {
  readonly list: PagedList<'listAudit'>;
  readonly #connectors = new Map<string, string>();
  #opened: AuditEntry | null = null;

  /** @param options what the list contains. */
  constructor(
    private readonly host: Page,
    options: ConstructorParameters<typeof PagedList>[2],
  ) {
    this.list = new PagedList(host, 'listAudit', options);
    host.addController(this);
  }

  /** Shows the dialog as soon as it is part of the page. */
  hostUpdated(): void {
    this.host.querySelector<HTMLDialogElement>('dialog.entry:not([open])')?.showModal();
  }

  render(
    more: Pick<ListViewOptions<'listAudit'>, 'filters' | 'belowFilters'> & {
      readonly withCustomer?: boolean;
    } = {},
  ): TemplateResult {
    const { withCustomer = false, ...filters } = more;
    const customer: Column<AuditEntry> = { label: 'Customer', cell: entry => this.#customerOf(entry) };
    return html`${listView({
      list: this.list,
      what: 'audit entries',
      ...filters,
      isCompact: true,
      groupOf: ({ at }) => dayOf(at),
      columns: [
        { label: 'Action', cell: entry => this.#actionOf(entry) },
        {
          label: 'Actor',
          cell: ({ actor }) => html`<span dir="auto">${actorOf(actor)}</span>`,
        },
        ...(withCustomer ? [customer] : []),
        { label: 'Outcome', cell: ({ outcome }) => outcomeBadge(outcome) },
        { label: 'Records', isNumber: true, cell: ({ records }) => records?.toLocaleString('en') ?? '' },
        { label: 'Time', cell: ({ at }) => timeOfDay(at) },
      ],
      empty: {
        icon: icons.audit,
        title: 'No entries yet',
        hint: 'Administrative acts and uses of credentials appear here within seconds.',
      },
    })}
    ${this.#opened ? entryDialog(this.#opened, { choices: this.host.choices, connector: this.nameOfConnector(this.#opened.connector_id) }, () => this.#show(null)) : nothing}`;
  }

  /** Returns the name of a connector, or undefined until it is loaded. There can be too many to load all of them. */
  nameOfConnector(id: string | null): string | undefined {
    if (id === null || id === '') return undefined;
    const known = this.#connectors.get(id);
    if (known !== undefined) return known === '' ? undefined : known;
    this.#connectors.set(id, '');
    void this.#loadConnector(id);
    return undefined;
  }

  async #loadConnector(id: string): Promise<void> {
    try {
      const { name } = await this.host.app.call('getConnector', { params: { connector_id: id } });
      this.#connectors.set(id, name);
      this.host.requestUpdate();
    } catch {
      // It was deleted.
    }
  }

  #show(entry: AuditEntry | null): void {
    this.#opened = entry;
    this.host.requestUpdate();
  }

  #actionOf(entry: AuditEntry): TemplateResult {
    return cell(
      html`<button type="button" class="link" aria-haspopup="dialog" @click=${() => this.#show(entry)}>
        ${actionOf(entry)}
      </button>`,
      entry.connector_type && this.host.choices.nameOfKind(entry.connector_type),
      targetOf(entry)?.name,
    );
  }

  #customerOf({ customer_name, organization_id }: AuditEntry): TemplateResult {
    const organization = this.host.choices.nameOfOrganization(organization_id);
    return cell(
      customer_name === null ? nothing : html`<span dir="auto">${customer_name}</span>`,
      organization,
    );
  }
}

/** Renders links to the audit page with the entries of a timeline. */
export function timelineLinks(about: Readonly<Record<string, string>>): TemplateResult {
  const link = (label: string, more: Readonly<Record<string, string>>) =>
    linkButton(label, `/audit?${new URLSearchParams({ ...about, ...more })}`, 'small');
  return html`${link('Errors', { outcome: 'error' })} ${link('All entries', {})}`;
}
