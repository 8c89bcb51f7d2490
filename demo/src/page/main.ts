import '@connector-auth/widget';
import './data-view.ts';
import './notes-view.ts';
import type { Connector } from '@connector-auth/api';
import type { ConnectorAuthEvent } from '@connector-auth/widget';
import { html, nothing, render } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import {
  loadConnectors,
  loadSandboxVendors,
  loadSession,
  switchCustomer,
  type SandboxVendor,
  type Session,
} from './backend.ts';
import { bookIcon, flaskIcon, notesIcon, plugIcon, tableIcon } from './icons.ts';

type Route = 'notes' | 'data' | 'connections';

interface Page {
  session: Session | null;
  route: Route;
  /** The customer's connectors, or null while they are loading. */
  connectors: readonly Connector[] | null;
  /** The id of the connector whose data is shown, or null for the first connector. */
  picked: string | null;
  vendors: readonly SandboxVendor[];
  /** The widget's theme; see themes.css. */
  theme: (typeof themes)[number];
  failure: string | null;
}

const themes = ['Fieldbook', 'Midnight', 'Paper', 'Candy'] as const;

/**
 * The URL to which an OAuth redirect returns. Not a fragment route, because redirect URLs must not contain a
 * fragment.
 */
const backFromVendor = '/?connections';

const page: Page = {
  session: null,
  route: currentRoute(),
  connectors: null,
  picked: null,
  vendors: [],
  theme: 'Fieldbook',
  failure: null,
};

addEventListener('hashchange', () => {
  page.route = currentRoute();
  update();
  // Connectors may have changed in the meantime, for example in another tab.
  if (page.route !== 'connections') void refreshConnectors().catch(() => {});
});
await load();

async function load(): Promise<void> {
  page.failure = null;
  page.connectors = null;
  update();
  try {
    page.session = await loadSession();
    [page.connectors, page.vendors] = await Promise.all([loadConnectors(), loadSandboxVendors()]);
  } catch (error) {
    page.failure = error instanceof Error ? error.message : 'Something went wrong. Try again.';
  }
  update();
}

async function refreshConnectors(): Promise<void> {
  page.connectors = await loadConnectors();
  update();
}

/** Refreshes the connectors and the data view while a visible connector is syncing. */
setInterval(() => {
  const isSyncing = page.connectors?.some(
    ({ sync }) => sync.status === 'building' || sync.status === 'preview',
  );
  if (page.route === 'data' && isSyncing && !document.hidden) void refreshConnectors().catch(() => {});
}, 2_000);

function currentRoute(): Route {
  const isBack = location.hash === '' && location.search.startsWith(backFromVendor.slice(1));
  if (isBack || location.hash === '#connections') return 'connections';
  return location.hash === '#data' ? 'data' : 'notes';
}

function update(): void {
  const root = document.getElementById('app');
  if (root) render(shell(), root);
}

function shell() {
  const { session, route } = page;
  return html`
    <aside class="sidebar">
      <a class="brand" href="#notes">${bookIcon}<span>Fieldbook</span></a>
      <nav aria-label="Main">
        <a href="#notes" aria-current=${route === 'notes' ? 'page' : nothing}
          >${notesIcon}<span>Meeting notes</span></a
        >
        <a href="#data" aria-current=${route === 'data' ? 'page' : nothing}>${tableIcon}<span>Data</span></a>
        <a href="#connections" aria-current=${route === 'connections' ? 'page' : nothing}
          >${plugIcon}<span>Connections</span></a
        >
      </nav>
      ${session ? customerSwitcher(session) : nothing}
    </aside>
    <main>
      ${
        page.failure === null
          ? nothing
          : html`<div class="problem" role="alert">
              <p>${page.failure}</p>
              <button class="button" @click=${load}>Try again</button>
            </div>`
      }
      ${session ? pageOf(route, session) : nothing}
    </main>
  `;
}

function pageOf(route: Route, session: Session) {
  switch (route) {
    case 'notes':
      return notesPage();
    case 'data':
      return dataPage();
    case 'connections':
      return connectionsPage(session);
  }
}

function customerSwitcher({ customer, customers }: Session) {
  return html`<label class="switcher">
    <span>Signed in as</span>
    <select
      @change=${async (event: Event) => {
        await switchCustomer((event.target as HTMLSelectElement).value);
        await load();
      }}
    >
      ${customers.map(({ id, company }) => html`<option value=${id} ?selected=${id === customer.id}>${company}</option>`)}
    </select>
    <span class="person">${customer.person}</span>
  </label>`;
}

function notesPage() {
  const { connectors } = page;
  const connector = connectors?.find(({ connector_type }) => connector_type === 'granola') ?? null;
  return html`
    <header>
      <h1>Meeting notes</h1>
      <p>Your customer conversations, next to the rest of your work.</p>
    </header>
    ${
      connectors !== null && connector === null
        ? html`<div class="empty">
            <div class="empty-mark">${notesIcon}</div>
            <h2>No notes yet</h2>
            <p>Connect Granola to see your team’s notes here.</p>
            <a class="button primary" href="#connections">Connect Granola</a>
          </div>`
        : nothing
    }
    ${connector ? keyed(connector.id, html`<notes-view .connector=${connector}></notes-view>`) : nothing}
  `;
}

function dataPage() {
  const connectors = page.connectors ?? [];
  const connector = connectors.find(({ id }) => id === page.picked) ?? connectors[0] ?? null;
  return html`
    <header>
      <h1>Data</h1>
      <p>Search everything imported from your sources.</p>
    </header>
    ${
      page.connectors !== null && connector === null
        ? html`<div class="empty">
            <div class="empty-mark">${tableIcon}</div>
            <h2>Nothing connected yet</h2>
            <p>Connect a source to see its records here.</p>
            <a class="button primary" href="#connections">Connect a source</a>
          </div>`
        : nothing
    }
    ${
      connector
        ? html`<div class="tabs" role="group" aria-label="Source">
              ${connectors.map(
                ({ id, name }) =>
                  html`<button class="button" aria-pressed=${id === connector.id} @click=${pickHandler(id)}>
                    ${name}
                  </button>`,
              )}
            </div>
            ${keyed(connector.id, html`<data-view .connector=${connector}></data-view>`)}`
        : nothing
    }
  `;
}

function pickHandler(id: string) {
  return async () => {
    page.picked = id;
    await refreshConnectors();
  };
}

function connectionsPage(session: Session) {
  return html`
    <header>
      <h1>Connections</h1>
      <p>Bring the tools your team already uses into Fieldbook.</p>
    </header>
    ${session.sandboxUrl === null ? nothing : sandboxNotice(session.sandboxUrl)}
    ${keyed(
      session.customer.id,
      html`<connector-auth
        data-customer=${session.customer.id}
        data-theme=${page.theme.toLowerCase()}
        token-url="/connector-auth/widget-token"
        oauth-redirect-url=${backFromVendor}
        @connector-auth-connected=${refreshConnectors}
        @connector-auth-disconnected=${refreshConnectors}
        @connector-auth-next=${handleNext}
        ><span slot="next">See your data</span></connector-auth
      >`,
    )}
    ${themeSwitcher()}
  `;
}

/** Shows the data of the source that the user has just connected. */
function handleNext({ detail }: ConnectorAuthEvent<'connector-auth-next'>): void {
  page.picked = detail.connector.id;
  location.hash = '#data';
}

function themeSwitcher() {
  return html`<label class="theme">
    <span>Widget theme</span>
    <select
      @change=${(event: Event) => {
        const { value } = event.target as HTMLSelectElement;
        page.theme = themes.find(theme => theme === value) ?? 'Fieldbook';
        update();
      }}
    >
      ${themes.map(theme => html`<option ?selected=${theme === page.theme}>${theme}</option>`)}
    </select>
  </label>`;
}

function sandboxNotice(sandboxUrl: string) {
  const withSignIn = page.vendors.filter(({ hasSignIn }) => hasSignIn);
  const byKey = page.vendors.filter(({ hasSignIn }) => !hasSignIn);
  const notSetUp = byKey.filter(({ oauthApps }) => oauthApps.length > 0);
  const namesOf = (vendors: readonly SandboxVendor[]) =>
    new Intl.ListFormat('en').format(vendors.map(({ name }) => name));
  return html`<section class="notice" aria-labelledby="sandbox-title">
    <h2 id="sandbox-title">${flaskIcon}<span>You’re using the sandbox</span></h2>
    <p>
      Fieldbook is connected to simulated vendors on this computer. No data leaves it.
      <a href=${sandboxUrl}>About the sandbox</a>
    </p>
    ${
      withSignIn.length === 0
        ? nothing
        : html`<p>
            For ${namesOf(withSignIn)}, choose <strong>Sign in</strong>, then <strong>Allow</strong>, then the
            accounts to sync.
          </p>`
    }
    ${
      byKey.length === 0
        ? nothing
        : html`<p>For ${namesOf(byKey)}, paste ${byKey.length === 1 ? 'this key' : 'these keys'}:</p>
            ${keyList(byKey)}`
    }
    ${
      notSetUp.length === 0
        ? nothing
        : html`<p>
            Signing in with ${namesOf(notSetUp)} isn’t set up. To set it up, add an OAuth app on the
            organization’s page of the service’s console. <a href=${sandboxUrl}>The sandbox</a> lists the
            values.
          </p>`
    }
    ${
      withSignIn.length === 0
        ? nothing
        : html`<details>
            <summary>Keys for the other sources</summary>
            ${keyList(withSignIn)}
          </details>`
    }
  </section>`;
}

/** Lists each vendor's first working credentials, with copy buttons. */
function keyList(vendors: readonly SandboxVendor[]) {
  return html`<dl>
    ${vendors.map(({ name, credentials }) => {
      const working = credentials.find(({ works }) => works);
      if (!working) return nothing;
      return html`<div>
        <dt>${name}</dt>
        ${Object.entries(working.values).map(([field, value]) => {
          const label = labelOf(field);
          return html`<dd>
            <span class="field">${label}</span><code title=${value}>${value}</code
            ><button class="button small" aria-label="Copy ${name} ${label}" @click=${copyHandler(value)}>
              Copy
            </button>
          </dd>`;
        })}
      </div>`;
    })}
  </dl>`;
}

/** Converts a field name such as `api_key` to a label such as `API key`. */
function labelOf(field: string): string {
  const words = field.replaceAll('_', ' ');
  return words.startsWith('api ') ? `API${words.slice(3)}` : words.charAt(0).toUpperCase() + words.slice(1);
}

function copyHandler(value: string) {
  return async (event: Event) => {
    const button = event.currentTarget as HTMLButtonElement;
    await navigator.clipboard.writeText(value);
    button.textContent = 'Copied';
  };
}
