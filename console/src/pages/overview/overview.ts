import type { Health, HealthProblem, Overview } from '@connector-auth/api/admin';
import { html, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { ApiError } from '../../api/api-error.ts';
import type { FilterChoices } from '../../api/filter-choices.ts';
import { Loader } from '../../api/loader.ts';
import { poll } from '../../api/polling.ts';
import { icons } from '../../components/icons.ts';
import { filterField } from '../../components/list-view.ts';
import { failureNotice, loaded, notice } from '../../components/notice.ts';
import { facts, linkButton, pageHead, pageLink, section } from '../../components/page-head.ts';
import { Page } from '../../components/page.ts';
import { count, lastingSince, pointInTime, timeAgo } from '../../components/time.ts';
import { urlOfPage } from '../../routing/router.ts';
import { causeWords, linesOf, problemTexts, repairAll, repairTable, type Repair } from './repairs.ts';
import { sourceTable } from './source-table.ts';

const pollMs = 30_000;

type Problem = HealthProblem['problem'];

/** `/`: what works and what does not, with one action for each kind of problem. */
export class OverviewPage extends Page {
  #overview = new Loader<Overview>(this, () => this.app.call('getOverview'));
  #health = new Loader<Health>(this, () => this.app.call('getHealth', { query: this.#scope }));
  /** The repair that is under way. */
  @state() private progress: {
    readonly problem: Problem;
    readonly done: number;
    readonly total: number;
  } | null = null;
  /** What the last repair of each problem did. */
  @state() private repairs: Readonly<Partial<Record<Problem, readonly Repair[]>>> = {};
  @state() private repairFailure: ApiError | null = null;
  #stopping = new AbortController();

  constructor() {
    super();
    poll(this, pollMs, () => Promise.all([this.#overview.reload(), this.#health.reload()]));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopping.abort();
  }

  /** The organization that the page is about, if it is not about all. */
  get #scope(): { organization_id?: string } {
    const { organization_id } = this.app.query.get();
    return organization_id ? { organization_id } : {};
  }

  protected override render(): TemplateResult {
    const { organizations } = this.choices;
    return html`${pageHead({
      title: 'Overview',
      lead: 'What works and what does not, in this installation.',
      actions: organizations.length > 1 ? this.#organizationFilter(organizations) : nothing,
    })}
    ${loaded(
      this.#overview,
      overview =>
        html`${this.#warnings(overview)} ${failureNotice(this.repairFailure)}
        ${loaded(this.#health, health => this.#content(overview, health))}`,
    )}`;
  }

  #organizationFilter(choices: FilterChoices['organizations']): TemplateResult {
    const { organization_id: chosen = '' } = this.#scope;
    return filterField({ name: 'organization_id', label: 'Organization', choices }, chosen, value => {
      this.app.query.set(value === '' ? {} : { organization_id: value });
      void this.#health.reload();
    });
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
      ${this.#repairProgress()} ${this.#repairResults()}
      ${health.sources.length > 0 ? section('Sources', sourceTable(health, this.choices)) : nothing}
      <ul class="tiles">
        ${tile('Organization', organizations, '/organizations')}
        ${tile('Application', applications, '/applications')} ${tile('Customer', customers, '/customers')}
        ${tile('Connector', total, '/connectors')}
      </ul>
      ${installation(overview)}`;
  }

  #problems({ open_incidents, connectors: { frozen } }: Overview, { problems }: Health): TemplateResult {
    const incidents = this.#scope.organization_id === undefined ? open_incidents : 0;
    const groups = (Object.keys(problemTexts) as Problem[])
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
              linkButton('View incidents', '/incidents', 'small'),
            )
      }
      ${groups.map(({ name, causes }) => this.#problem(name, causes))}
    </ul>`;
  }

  #problem(name: Problem, causes: readonly HealthProblem[]): TemplateResult {
    const { title, path, action } = problemTexts[name];
    const connectors = causes.reduce((sum, cause) => sum + cause.connectors, 0);
    const { organization_id: organization } = this.#scope;
    const lines = causes.map(cause => {
      const query = new URLSearchParams({
        connector_type: cause.connector_type,
        ...(organization === undefined ? {} : { organization_id: organization }),
      });
      return html`<li>
        ${pageLink(`${path}&${query}`, causeWords(cause, this.choices.nameOfKind(cause.connector_type)))}<span
          class="muted"
          >${count(cause.customers, 'customer')} ${lastingSince(cause.since)}</span
        >
      </li>`;
    });
    const button = html`<button
      type="button"
      class="button small"
      aria-busy=${this.progress?.problem === name}
      @click=${() => this.#repair(name)}
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

  #repairProgress(): TemplateResult | typeof nothing {
    if (this.progress === null) return nothing;
    const { problem, done, total } = this.progress;
    const { doing } = problemTexts[problem];
    return notice({
      text: html`<span role="status"
          >${doing}: ${done.toLocaleString('en')} of ${total.toLocaleString('en')}</span
        >
        <progress class="share" max=${Math.max(total, 1)} .value=${done} aria-label=${doing}></progress>`,
    });
  }

  #repairResults(): TemplateResult {
    const { needs_reauth: links = [], failing_sync: retries = [] } = this.repairs;
    const failed = retries.filter(({ error }) => error !== null);
    const created = links.filter(({ url }) => url !== null).length;
    return html`${
      links.length === 0
        ? nothing
        : section('Reconnect links', repairTable('Reconnect links', links), {
            lead: `${created < links.length ? `${created} of ${count(links.length, 'link')} could be created. ` : ''}Send each customer their link. It works for a day, for people who are signed in to your product.`,
            actions: html`<console-copy
              .text=${linesOf(links)}
              label="Copy all"
              what="all links"
            ></console-copy>`,
          })
    }
    ${
      failed.length === 0
        ? nothing
        : section('Not retried', repairTable('Not retried', failed), {
            lead: `${count(retries.length - failed.length, 'connector is', 'connectors are')} being retried. The service retries these by itself, too.`,
          })
    }`;
  }

  async #repair(problem: Problem): Promise<void> {
    if (this.progress !== null) return;
    const isWanted =
      problem === 'failing_sync' ||
      (await this.app.confirm({
        title: 'Create reconnect links?',
        body: html`<p>
          One for each connector that needs reconnecting. A link works for a day, and only for people whom
          your product confirms as the customer.
        </p>`,
        action: 'Create links',
        isDestructive: false,
        run: () => Promise.resolve(),
      }));
    if (!isWanted) return;
    this.repairFailure = null;
    try {
      const repairs = await repairAll(this.app.call, problem, this.#scope, {
        signal: this.#stopping.signal,
        onProgress: (done, total) => {
          this.progress = { problem, done, total };
        },
      });
      this.repairs = { ...this.repairs, [problem]: repairs };
      if (problem === 'failing_sync' && repairs.every(({ error }) => error === null)) {
        this.app.toast(`Retrying ${count(repairs.length, 'connector')}`);
      }
    } catch (error) {
      this.repairFailure = ApiError.of(error);
    }
    this.progress = null;
    if (this.isConnected) await this.#health.reload();
  }
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
  return section('Connect your first application', [], {
    lead: 'Three steps: create an organization, create an application, and paste the code into your backend.',
    actions: linkButton('Get started', '/start', 'primary'),
  });
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
        html`${pageLink('/audit', audit.is_writable ? 'Being written' : 'Can’t be written')}${audit.oldest_at === null ? nothing : html`, since ${timeAgo(audit.oldest_at)}`}`,
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
