import type { Health, HealthProblem, Overview } from '@connector-auth/api/admin';
import { html, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { ApiError } from '../../api/api-error.ts';
import { FilterChoices } from '../../api/filter-choices.ts';
import { Loader } from '../../api/loader.ts';
import { poll } from '../../api/polling.ts';
import { icons } from '../../components/icons.ts';
import { loaded } from '../../components/loaded.ts';
import { failureNotice, notice } from '../../components/notice.ts';
import { facts, linkButton, pageHead, section } from '../../components/page-head.ts';
import { Page } from '../../components/page.ts';
import { count, lastingSince, pointInTime, timeAgo } from '../../components/time.ts';
import { urlOfPage } from '../../routing/router.ts';
import {
  causeWords,
  createLinks,
  linesOf,
  linkTable,
  problemTexts,
  retrySyncs,
  type ReconnectLink,
} from './repairs.ts';
import { sourceTable } from './source-table.ts';

const pollMs = 30_000;

/** `/`: what works and what does not, with one action for each kind of problem. */
export class OverviewPage extends Page {
  #choices = new FilterChoices(this);
  #overview = new Loader<Overview>(this, () => this.app.call('getOverview'));
  #health = new Loader<Health>(this, () => this.app.call('getHealth', { query: this.#scope }));
  @state() private links: readonly ReconnectLink[] = [];
  @state() private isRetrying = false;
  @state() private retryFailure: ApiError | null = null;

  constructor() {
    super();
    poll(this, pollMs, () => Promise.all([this.#overview.reload(), this.#health.reload()]));
  }

  /** The organization that the page is about, if it is not about all. */
  get #scope(): { organization_id?: string } {
    const { organization_id } = this.app.query.get();
    return organization_id ? { organization_id } : {};
  }

  protected override render(): TemplateResult {
    const { organizations } = this.#choices;
    return html`${pageHead({
      title: 'Overview',
      lead: 'What works and what does not, in this installation.',
      actions: organizations.length > 1 ? this.#organizationFilter(organizations) : nothing,
    })}
    ${loaded(
      this.#overview,
      overview =>
        html`${this.#warnings(overview)} ${failureNotice(this.retryFailure)}
        ${loaded(this.#health, health => this.#content(overview, health))}`,
    )}`;
  }

  #organizationFilter(organizations: FilterChoices['organizations']): TemplateResult {
    const { organization_id: chosen = '' } = this.#scope;
    const choose = ({ target }: Event): void => {
      // The handler is bound only to this control.
      const { value } = target as HTMLSelectElement;
      this.app.query.set(value === '' ? {} : { organization_id: value });
      void this.#health.reload();
    };
    return html`<label class="filter"
      ><span>Organization</span
      ><select @change=${choose}>
        ${[['', 'All'] as const, ...organizations].map(
          ([id, name]) => html`<option value=${id} .selected=${id === chosen}>${name}</option>`,
        )}
      </select></label
    >`;
  }

  #content(overview: Overview, health: Health): TemplateResult {
    const { organizations, applications, customers, connectors } = overview;
    const total = Object.values(connectors).reduce((sum, one) => sum + one, 0);
    return html`${
        organizations === 0 || applications === 0
          ? firstSteps()
          : total === 0
            ? html`<console-first-connector .call=${this.app.call}></console-first-connector>`
            : this.#problems(overview, health)
      }
      ${
        this.links.length > 0
          ? section('Reconnect links', linkTable(this.links), {
              lead: 'Send each customer their link. It works for a day, for people who are signed in to your product.',
              actions: html`<console-copy
                .text=${linesOf(this.links)}
                label="Copy all"
                what="all links"
              ></console-copy>`,
            })
          : nothing
      }
      ${health.sources.length > 0 ? section('Sources', sourceTable(health.sources, this.#choices)) : nothing}
      <ul class="tiles">
        ${tile('Organization', organizations, '/organizations')}
        ${tile('Application', applications, '/applications')} ${tile('Customer', customers, '/customers')}
        ${tile('Connector', total, '/connectors')}
      </ul>
      ${installation(overview)}`;
  }

  #problems({ open_incidents, connectors: { frozen } }: Overview, { problems }: Health): TemplateResult {
    const incidents = this.#scope.organization_id === undefined ? open_incidents : 0;
    const groups = (Object.keys(problemTexts) as HealthProblem['problem'][])
      .map(name => ({ name, causes: problems.filter(({ problem }) => problem === name) }))
      .filter(({ causes }) => causes.length > 0);
    if (groups.length === 0 && incidents === 0) {
      return notice({ tone: 'good', title: 'Everything works', text: 'No connector needs attention.' });
    }
    return html`<ul class="problems">
      ${
        incidents === 0
          ? nothing
          : problemItem(
              'bad',
              count(incidents, 'open incident'),
              html`<li>${count(frozen, 'connector is', 'connectors are')} frozen until they are undone</li>`,
              html`<a class="button small" href=${urlOfPage('/incidents')}>View incidents</a>`,
            )
      }
      ${groups.map(({ name, causes }) => this.#problem(name, causes))}
    </ul>`;
  }

  #problem(name: HealthProblem['problem'], causes: readonly HealthProblem[]): TemplateResult {
    const { title, path, action } = problemTexts[name];
    const connectors = causes.reduce((sum, cause) => sum + cause.connectors, 0);
    const { organization_id: organization } = this.#scope;
    const lines = causes.map(cause => {
      const query = new URLSearchParams({
        connector_type: cause.connector_type,
        ...(organization === undefined ? {} : { organization_id: organization }),
      });
      return html`<li>
        <a href=${urlOfPage(`${path}&${query}`)}
          >${causeWords(cause, this.#choices.nameOfKind(cause.connector_type))}</a
        ><span class="muted">${count(cause.customers, 'customer')} ${lastingSince(cause.since)}</span>
      </li>`;
    });
    const run = name === 'needs_reauth' ? this.#createLinks : this.#retry;
    const button = html`<button
      type="button"
      class="button small"
      aria-busy=${this.isRetrying && run === this.#retry}
      @click=${run}
    >
      ${action}
    </button>`;
    return problemItem('warn', title(connectors), html`${lines}`, this.canWrite ? button : nothing);
  }

  #warnings({ warnings, audit }: Overview): TemplateResult {
    return html`${
      audit.is_writable
        ? nothing
        : notice({
            tone: 'bad',
            title: 'The audit log can’t be written',
            text: `Changes other than revoking fail until it can. ${count(audit.waiting_entries, 'entry', 'entries')} waiting. The service’s log says why.`,
          })
    }
    ${warnings.map(text => notice({ tone: 'warn', text }))}`;
  }

  readonly #createLinks = async (): Promise<void> => {
    await this.app.confirm({
      title: 'Create reconnect links?',
      body: html`<p>
        One for each connector that needs reconnecting. A link works for a day, and only for people whom your
        product confirms as the customer.
      </p>`,
      action: 'Create links',
      isDestructive: false,
      run: async () => {
        this.links = await createLinks(this.app.call, this.#scope);
      },
    });
  };

  readonly #retry = async (): Promise<void> => {
    if (this.isRetrying) return;
    this.isRetrying = true;
    this.retryFailure = null;
    try {
      this.app.toast(`Retrying ${count(await retrySyncs(this.app.call, this.#scope), 'connector')}`);
    } catch (error) {
      this.retryFailure = ApiError.of(error);
    }
    this.isRetrying = false;
    await this.#health.reload();
  };
}

function problemItem(
  tone: 'bad' | 'warn',
  title: string,
  lines: TemplateResult,
  action: TemplateResult | typeof nothing,
): TemplateResult {
  return html`<li class="problem ${tone}">
    ${tone === 'bad' ? icons.alert : icons.incidents}
    <div>
      <h2>${title}</h2>
      <ul>
        ${lines}
      </ul>
    </div>
    ${action}
  </li>`;
}

function firstSteps(): TemplateResult {
  return html`<section class="card first-steps">
    <div>
      <h2>Connect your first application</h2>
      <p class="hint">
        Three steps: create an organization, create an application, and paste the code into your backend.
      </p>
    </div>
    ${linkButton('Get started', '/start', 'primary')}
  </section>`;
}

function installation(overview: Overview): TemplateResult {
  const { audit } = overview;
  return section(
    'Installation',
    facts([
      ['Version', overview.version],
      ['Database', overview.database === 'pglite' ? 'PGlite, embedded' : 'PostgreSQL'],
      ['Database time', pointInTime(overview.time)],
      ['Default sync interval', count(overview.default_sync_interval_minutes, 'minute')],
      [
        'Audit log',
        html`<a href=${urlOfPage('/audit')}>${audit.is_writable ? 'Being written' : 'Can’t be written'}</a
          >${audit.oldest_at === null ? nothing : html`, since ${timeAgo(audit.oldest_at)}`}`,
      ],
    ]),
  );
}

function tile(noun: string, value: number, path: string): TemplateResult {
  return html`<li>
    <a class="tile" href=${urlOfPage(path)}
      ><span class="tile-label">${value === 1 ? noun : `${noun}s`}${icons.forward}</span
      ><strong>${value.toLocaleString('en')}</strong></a
    >
  </li>`;
}
