import type { Incident, Receipt } from '@connector-auth/api/admin';
import { connectionWords } from '@connector-auth/api/connection-state';
import { html, nothing, type TemplateResult } from 'lit';
import { Loader } from '../../api/loader.ts';
import { PagedList } from '../../api/paged-list.ts';
import { poll } from '../../api/polling.ts';
import { badge, cell, errorLine, type Tone } from '../../components/cell.ts';
import { icons } from '../../components/icons.ts';
import { listView } from '../../components/list-view.ts';
import { loaded, notice } from '../../components/notice.ts';
import { button, facts, idWithCopy, pageHead, pageLink, section } from '../../components/page-head.ts';
import { Page } from '../../components/page.ts';
import { count, pointInTime, timeAgo } from '../../components/time.ts';
import { customerOf } from '../connectors/connectors-page.ts';
import { incidentBadge } from './incidents-page.ts';
import { plain, scopes } from './target.ts';

const pollMs = 3_000;

const states: Readonly<Record<Receipt['state'], readonly [label: string, tone: Tone]>> = {
  confirmed: ['Revoked', 'good'],
  pending: ['Trying', 'info'],
  vendor_cannot: ['Revoke by hand', 'warn'],
};

/** `/incidents/:incident`: what an incident froze, and what became of each grant at its vendor. */
export class IncidentPage extends Page {
  #incident = new Loader(this, () => this.app.call('getIncident', { params: this.#params }));
  #receipts = new PagedList(this, 'listReceipts', { params: () => this.#params });

  constructor() {
    super();
    poll(this, pollMs, () => this.#refresh());
  }

  get #params(): { incident_id: string } {
    return { incident_id: this.params['incident'] ?? '' };
  }

  protected override render(): TemplateResult {
    const { value: incident } = this.#incident;
    return html`${pageHead({
      title: incident ? `Incident: ${plain(incident.target)}` : 'Incident',
      parent: { path: '/incidents', label: 'Incidents' },
      badge: incident ? incidentBadge(incident.status) : nothing,
      actions:
        incident?.status === 'open' && this.canWrite ? button('Undo…', () => this.#undo(incident)) : nothing,
    })}
    ${loaded(this.#incident, value => this.#content(value))}`;
  }

  #content(incident: Incident): TemplateResult {
    const { receipts } = incident;
    const total = receipts.confirmed + receipts.pending + receipts.vendor_cannot;
    return html`${progress(incident)} ${byHandNotice(incident)}
    ${
      total === 0
        ? nothing
        : section(
            'Receipts',
            listView({
              list: this.#receipts,
              what: 'receipts',
              filters: [
                {
                  name: 'state',
                  label: 'State',
                  choices: Object.entries(states).map(([state, [label]]) => [state, label]),
                },
              ],
              columns: [
                { label: 'Connector', cell: receipt => this.#connectorOf(receipt) },
                { label: 'Customer', cell: customerOf },
                { label: 'State', cell: receipt => this.#stateOf(receipt, incident.status) },
                { label: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts.toLocaleString('en') },
                { label: 'Confirmed', cell: ({ confirmed_at }) => timeAgo(confirmed_at, '–') },
              ],
              empty: {
                icon: icons.incidents,
                title: 'No receipts yet',
                hint: 'Receipts appear as soon as the service starts to revoke the grants.',
              },
            }),
            { lead: 'One for each grant: what its vendor did when the service asked to revoke it.' },
          )
    }
    ${section(
      'Details',
      facts([
        [
          'About',
          html`<span dir="auto">${incident.target}</span>
            <span class="muted">${scopes[incident.scope].name}</span>`,
        ],
        ['Reason', incident.reason && html`<span dir="auto">${incident.reason}</span>`],
        ['Declared', pointInTime(incident.declared_at)],
        ['Declared by', html`<span dir="auto">${incident.declared_by}</span>`],
        ['Undone', pointInTime(incident.undone_at, 'No')],
        ['Incident ID', idWithCopy(incident.id, 'incident ID')],
      ]),
    )}`;
  }

  #connectorOf({ connector, connector_type }: Receipt): TemplateResult {
    return cell(
      connector ? pageLink(`/connectors/${connector.id}`, connector.name) : 'A consent without a connector',
      this.choices.nameOfKind(connector_type),
    );
  }

  #stateOf(
    { state, last_error, vendor_page, connector_type }: Receipt,
    status: Incident['status'],
  ): TemplateResult {
    const kind = this.choices.nameOfKind(connector_type);
    return cell(
      state === 'pending' && status === 'undone' ? badge('Not revoked', 'warn') : badge(...states[state]),
      state !== 'confirmed' && vendor_page?.startsWith('https://')
        ? html`<a href=${vendor_page} target="_blank" rel="noopener noreferrer"
            >Revoke it at ${kind}<span class="visually-hidden"> (opens in a new tab)</span></a
          >`
        : nothing,
      state === 'pending' ? errorLine(last_error) : nothing,
    );
  }

  async #refresh(): Promise<void> {
    const incident = this.#incident.value;
    if (incident?.status !== 'open' || incident.receipts.pending === 0) return;
    await Promise.all([this.#incident.reload(), this.#receipts.refresh()]);
  }

  async #undo(incident: Incident): Promise<void> {
    const isDone = await this.app.confirm({
      title: 'Undo this incident?',
      body: undoWords(incident),
      action: 'Undo incident',
      done: 'Incident undone',
      name: incident.target,
      run: async () => this.#incident.set(await this.app.call('undoIncident', { params: this.#params })),
    });
    if (!isDone) return;
    this.focusHeading();
    void this.#receipts.refresh();
  }
}

function progress({ scope, status, frozen_connectors, receipts }: Incident): TemplateResult {
  const { confirmed, pending, vendor_cannot } = receipts;
  if (scope === 'application') {
    return notice({
      tone: status === 'open' ? 'warn' : 'info',
      text: 'The application is disabled, and its tokens and client secrets are rejected. No connector was frozen.',
    });
  }
  const numbers: readonly (readonly [string, number, string])[] = [
    [
      'Frozen connectors',
      frozen_connectors,
      status === 'open' ? 'can’t be used or synced' : 'until it was undone',
    ],
    ['Revoked', confirmed, 'confirmed by the vendor'],
    status === 'open'
      ? ['Trying', pending, pending > 0 ? 'the service asks until it confirms' : 'nothing left to ask']
      : ['Not revoked', pending, 'undoing stopped the attempts'],
    ['Revoke by hand', vendor_cannot, 'the vendor has no way to ask for it'],
  ];
  return html`<dl class="tiles">
    ${numbers.map(
      ([label, number, hint]) =>
        html`<div class="tile">
          <dt class="tile-label">${label}</dt>
          <dd><strong>${number.toLocaleString('en')}</strong><span class="hint">${hint}</span></dd>
        </div>`,
    )}
  </dl>`;
}

/** Renders what the customers have to do, if the service cannot revoke their grants. */
function byHandNotice({
  status,
  receipts: { vendor_cannot: byHand },
}: Incident): TemplateResult | typeof nothing {
  if (byHand === 0) return nothing;
  return notice({
    tone: 'warn',
    title: `${count(byHand, 'grant')} must be revoked by hand`,
    text:
      status === 'open'
        ? 'The service can’t revoke API keys and some other grants at their vendors. Ask the customers to revoke them there: until then, anyone who has such a key can use it. The receipts link the vendors’ pages. After an undo, keys that weren’t revoked work here again.'
        : 'The service couldn’t revoke them, so they work here again. If one leaked, ask its customer to revoke it at the vendor and to reconnect with a new one.',
  });
}

function undoWords({ scope, frozen_connectors, receipts }: Incident): TemplateResult {
  if (scope === 'application') {
    return html`<p>
      This closes the record only. To use the application again, enable it and add a new client secret to the
      application.
    </p>`;
  }
  const { confirmed, pending, vendor_cannot: byHand } = receipts;
  return html`<p>
      ${count(frozen_connectors, 'connector')} can be used and synced again, unless another open incident
      freezes them.${pending > 0 ? ' The service stops asking vendors to revoke grants.' : nothing}
    </p>
    ${
      confirmed + pending > 0
        ? html`<p>
            Connectors whose grant was revoked${pending > 0 ? ', or may have been,' : nothing} change to
            “${connectionWords.expired}” until their customers reconnect in the widget.
          </p>`
        : nothing
    }
    ${
      byHand > 0
        ? html`<p>
            <strong>${count(byHand, 'grant')} could only be revoked by hand.</strong> Unless the customer has
            revoked it at the vendor, such a key works again at once, also for anyone it leaked to. Ask the
            customers first: the receipts link the vendors’ pages.
          </p>`
        : nothing
    }
    <p>Rejected tokens stay rejected. Backends get new ones by themselves.</p>`;
}
