import type { Overview } from '@connector-auth/api/admin';
import { html, nothing, type TemplateResult } from 'lit';
import { Loader } from '../../api/loader.ts';
import { icons } from '../../components/icons.ts';
import { loaded } from '../../components/loaded.ts';
import { notice } from '../../components/notice.ts';
import { facts, linkButton, pageHead, section } from '../../components/page-head.ts';
import { Page } from '../../components/page.ts';
import { count, pointInTime, timeAgo } from '../../components/time.ts';
import { urlOfPage } from '../../routing/router.ts';
import { statusWords } from '../connectors/status.ts';

/** The statuses of connectors with their colours. */
const statuses = [
  ['active', 'good'],
  ['needs_reauth', 'warn'],
  ['disabled', 'neutral'],
  ['frozen', 'bad'],
] as const;

export class OverviewPage extends Page {
  #overview = new Loader<Overview>(this, () => this.app.call('getOverview'));

  protected override render(): TemplateResult {
    return html`${pageHead({ title: 'Overview', lead: 'The state of this installation.' })}
    ${loaded(this.#overview, overview => this.#content(overview))}`;
  }

  #content(overview: Overview): TemplateResult {
    const { organizations, applications, customers, connectors, audit } = overview;
    const isEmpty = organizations === 0 || applications === 0;
    const total = Object.values(connectors).reduce((sum, one) => sum + one, 0);
    return html`${isEmpty ? this.#firstSteps() : nothing} ${this.#warnings(overview)}
      <ul class="tiles">
        ${tile('Organization', organizations, '/organizations')}
        ${tile('Application', applications, '/applications')} ${tile('Customer', customers, '/customers')}
        ${tile('Connector', total, '/connectors')}
      </ul>
      <div class="columns">
        ${section(
          'Connectors',
          html`<ul class="states">
            ${statuses.map(([status, tone]) =>
              stateRow(statusWords(status), connectors[status], tone, `/connectors?status=${status}`),
            )}
            ${stateRow('Failing syncs', overview.failing_sync_jobs, 'bad', '/sync-jobs?state=failing')}
          </ul>`,
        )}
        ${section(
          'Installation',
          facts([
            ['Version', overview.version],
            ['Database', overview.database === 'pglite' ? 'PGlite, embedded' : 'PostgreSQL'],
            ['Database time', pointInTime(overview.time)],
            ['Default sync interval', count(overview.default_sync_interval_minutes, 'minute')],
            ['Sources', overview.kinds.map(({ name }) => name).join(', ')],
            [
              'Audit log',
              html`<a href=${urlOfPage('/audit')}
                  >${audit.is_writable ? 'Being written' : 'Can’t be written'}</a
                >${audit.oldest_at === null ? nothing : html`, since ${timeAgo(audit.oldest_at)}`}`,
            ],
          ]),
        )}
      </div>`;
  }

  #firstSteps(): TemplateResult {
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

  #warnings({
    warnings,
    open_incidents: incidents,
    failing_sync_jobs: failing,
    audit,
  }: Overview): TemplateResult {
    return html`${
      incidents > 0
        ? notice({
            tone: 'bad',
            title: count(incidents, 'open incident'),
            text: 'Connectors are frozen until each incident is undone.',
            actions: html`<a class="button small" href=${urlOfPage('/incidents')}>View incidents</a>`,
          })
        : nothing
    }
    ${
      audit.is_writable
        ? nothing
        : notice({
            tone: 'bad',
            title: 'The audit log can’t be written',
            text: `Changes other than revoking fail until it can. ${count(audit.waiting_entries, 'entry', 'entries')} waiting. The service’s log says why.`,
          })
    }
    ${
      failing > 0
        ? notice({
            tone: 'warn',
            title: `${count(failing, 'sync')} ${failing === 1 ? 'is' : 'are'} failing`,
            text: 'They failed at least three times in a row.',
            actions: html`<a class="button small" href=${urlOfPage('/sync-jobs?state=failing')}
              >View failing syncs</a
            >`,
          })
        : nothing
    }
    ${warnings.map(text => notice({ tone: 'warn', text }))}`;
  }
}

function tile(noun: string, value: number, path: string): TemplateResult {
  return html`<li>
    <a class="tile" href=${urlOfPage(path)}
      ><span class="tile-label">${value === 1 ? noun : `${noun}s`}${icons.forward}</span
      ><strong>${value.toLocaleString('en')}</strong></a
    >
  </li>`;
}

function stateRow(label: string, value: number, tone: string, path: string): TemplateResult {
  return html`<li>
    <a class="state ${value === 0 ? 'neutral' : tone}" href=${urlOfPage(path)}
      ><span>${label}</span><strong>${value.toLocaleString('en')}</strong></a
    >
  </li>`;
}
