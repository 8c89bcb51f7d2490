import type { Connector } from '@connector-auth/api';
import { ConnectorAuthElement, type ConnectorAuthEvent } from '@connector-auth/widget';
import '@connector-auth/widget/lit';
import { html, LitElement, nothing, unsafeCSS, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import { appStyles } from './app-styles.ts';
import {
  loadConnectors,
  loadSandboxVendors,
  loadSession,
  searches,
  switchCustomer,
  type OfferedVendor,
  type Session,
} from './backend.ts';
import './chat/fieldbook-chat.ts';
import './connections/fieldbook-connections.ts';
import './connections/fieldbook-sandbox.ts';
import './data/fieldbook-data.ts';
import './drawer/fieldbook-drawer.ts';
import './home/fieldbook-home.ts';
import type { FieldbookHome } from './home/fieldbook-home.ts';
import './playground/fieldbook-playground.ts';
import { activityIcon, bookIcon, chatIcon, closeIcon } from './icons.ts';
import { backFromVendor, pages, routeOf, type Route } from './routes.ts';
import { sheet } from './styles.ts';
import themes from './themes.css?inline';

/** The key in the session storage under which the note about the demo stays hidden. */
const aboutKey = 'fieldbook-about';

/** The drawers beside the page, of which one can be open. */
const drawers = {
  chat: { title: 'Ask Fieldbook', icon: chatIcon },
  requests: { title: 'What just happened', icon: activityIcon },
} as const;
type DrawerName = keyof typeof drawers;

/** How often the connectors are loaded while one of them is syncing. */
const progressMs = 2_000;

/** `<fieldbook-app>`: the frame of the product, with the page that the URL names. */
export class FieldbookApp extends LitElement {
  @state() private route: Route = routeOf(location);
  @state() private session: Session | null = null;
  /** The customer's connectors, or null while they are loading. */
  @state() private connectors: readonly Connector[] | null = null;
  @state() private vendors: readonly OfferedVendor[] = [];
  /** The connector whose data is shown, or null for the first connector. */
  @state() private picked: string | null = null;
  @state() private failure: string | null = null;
  @state() private drawer: DrawerName | null = null;
  /** How long searches wait because of too much load; null if they do not. */
  @state() private pauseSeconds = searches.pauseSeconds;
  /** What the user's last action did, until the next page. */
  @state() private news: string | null = null;
  @state() private isAboutHidden = sessionStorage.getItem(aboutKey) === 'hidden';
  #stopping: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stopping = new AbortController();
    const { signal } = this.#stopping;
    addEventListener('hashchange', () => this.#go(), { signal });
    searches.addEventListener('change', this.#handlePause, { signal });
    void this.#followSync();
    void this.#load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopping?.abort();
    clearTimeout(this.#timer);
  }

  protected override updated(): void {
    this.toggleAttribute('drawer', this.drawer !== null);
    document.title = `${pages[this.route.page].title} · Fieldbook`;
  }

  protected override render() {
    const { route } = this;
    return html`
      <header class="top">
        <a class="brand" href="#home">${bookIcon}<span>Fieldbook</span></a>
        ${this.#renderSwitcher()}
      </header>
      <nav aria-label="Main">
        ${Object.entries(pages).map(
          ([page, { title, icon }]) =>
            html`<a href="#${page}" aria-current=${page === route.page ? 'page' : nothing}>
              ${icon}<span>${title}</span>
            </a>`,
        )}
      </nav>
      <main>
        ${this.#renderAbout()}
        <header class="head">
          <h1 tabindex="-1">${pages[route.page].title}</h1>
          <div class="drawers">
            ${Object.entries(drawers).map(
              ([name, { title, icon }]) =>
                html`<button
                  class="button"
                  data-drawer=${name}
                  aria-expanded=${this.drawer === name}
                  @click=${this.#toggleDrawer}
                >
                  ${icon}<span>${title}</span>
                </button>`,
            )}
          </div>
          <p class="quiet">${pages[route.page].lead}</p>
        </header>
        <div class="news" role="status">${this.news}</div>
        <div class="wait" role="status">${this.#renderPause()}</div>
        ${this.#renderFailure()} ${this.#renderConnected(this.#renderPage())}
      </main>
      <fieldbook-chat
        .session=${this.session}
        .connectors=${this.connectors}
        .open=${this.drawer === 'chat'}
        @close=${this.#handleDrawerClosed}
      ></fieldbook-chat>
      <fieldbook-drawer
        .session=${this.session}
        .open=${this.drawer === 'requests'}
        @close=${this.#handleDrawerClosed}
      ></fieldbook-drawer>
    `;
  }

  #renderSwitcher() {
    const { session } = this;
    return html`<div class="switcher">
      <label for="customer">Signed in as</label>
      <select id="customer" @change=${this.#handleCustomer} ?disabled=${session === null}>
        ${session?.customers.map(
          ({ id, company }) =>
            html`<option value=${id} ?selected=${id === session.customer.id}>${company}</option>`,
        )}
      </select>
      <span class="person">${session?.customer.person}</span>
    </div>`;
  }

  /** Says what a visitor looks at, until they hide it. */
  #renderAbout() {
    const { session } = this;
    if (!session || this.isAboutHidden) return nothing;
    return html`<aside class="about" aria-label="About this demo">
      <p>
        <strong>Connector Auth</strong> connects your customers’ sources and reads their data.
        <span class="more">Fieldbook is an example of a product that uses it.</span>
        Connect a source, see its data on Home, then open <em>What just happened</em> for the code.
        ${session.sandboxUrl === null ? nothing : html`<span class="more">All vendors and data here are simulated.</span>`}
      </p>
      <button class="button plain" aria-label="Hide this note" @click=${this.#hideAbout}>${closeIcon}</button>
    </aside>`;
  }

  readonly #hideAbout = (): void => {
    this.isAboutHidden = true;
    sessionStorage.setItem(aboutKey, 'hidden');
  };

  #renderPause() {
    if (this.pauseSeconds === null) return nothing;
    return `Fieldbook is busy. It tries again by itself in ${this.pauseSeconds} seconds.`;
  }

  #renderFailure() {
    if (this.failure === null) return nothing;
    return html`<div class="problem" role="alert">
      <p>${this.failure}</p>
      <button class="button" @click=${this.#load}>Try again</button>
    </div>`;
  }

  /** Gives the page the signed-in customer's connections, which its elements share. */
  #renderConnected(page: TemplateResult) {
    const { session } = this;
    if (!session) return page;
    return keyed(
      session.customer.id,
      html`<connector-auth-provider
        token-url="/connector-auth/widget-token"
        oauth-redirect-url=${backFromVendor}
        @connector-auth-connected=${this.#handleConnected}
        @connector-auth-disconnected=${this.#refresh}
        @connector-auth-next=${this.#handleNext}
        >${page}<connector-auth modal
          ><fieldbook-sandbox slot="header" .session=${session} .vendors=${this.vendors}></fieldbook-sandbox
        ></connector-auth>
      </connector-auth-provider>`,
    );
  }

  #renderPage() {
    const { connectors, session } = this;
    switch (this.route.page) {
      case 'home':
        return html`<fieldbook-home .connectors=${connectors} .session=${session}></fieldbook-home>`;
      case 'data':
        return html`<fieldbook-data
          .connectors=${connectors}
          .session=${session}
          .picked=${this.picked}
        ></fieldbook-data>`;
      case 'connections':
        if (!session) return html`<div class="card place" aria-busy="true"></div>`;
        return html`<fieldbook-connections
          .session=${session}
          .vendors=${this.vendors}
          .source=${this.route.source}
        ></fieldbook-connections>`;
      case 'playground':
        return html`<fieldbook-playground .session=${session}></fieldbook-playground>`;
    }
  }

  readonly #load = async (): Promise<void> => {
    this.failure = null;
    try {
      this.session = await loadSession();
      await Promise.all([this.#refresh(), this.#loadVendors()]);
    } catch (error) {
      this.failure = error instanceof Error ? error.message : 'Something went wrong. Try again.';
    }
  };

  /** The sandbox has other keys for each customer. */
  async #loadVendors(): Promise<void> {
    const customer = this.session?.customer.id;
    const vendors = await loadSandboxVendors();
    if (customer === this.session?.customer.id) this.vendors = vendors;
  }

  readonly #refresh = async (): Promise<void> => {
    const customer = this.session?.customer.id;
    const connectors = await loadConnectors();
    // The user may have switched to another customer in the meantime.
    if (customer === this.session?.customer.id) this.connectors = connectors;
  };

  async #followSync(): Promise<void> {
    const isSyncing = this.connectors?.some(({ sync }) => isRunning(sync.status));
    if (isSyncing && !document.hidden) await this.#refresh().catch(() => {});
    this.#timer = setTimeout(() => void this.#followSync(), progressMs);
  }

  readonly #handlePause = (): void => {
    this.pauseSeconds = searches.pauseSeconds;
  };

  #go(): void {
    this.route = routeOf(location);
    this.news = null;
    // Connectors may have changed in the meantime, for example in another tab.
    void this.#refresh().catch(() => {});
    void this.#keepFocus();
  }

  /** Moves focus to the new page's heading if the link that was followed is gone. */
  async #keepFocus(): Promise<void> {
    await this.updateComplete;
    if (document.activeElement === document.body) this.renderRoot.querySelector('h1')?.focus();
  }

  readonly #handleCustomer = async (event: Event): Promise<void> => {
    const id = (event.target as HTMLSelectElement).value;
    const customer = this.session?.customers.find(each => each.id === id);
    if (!this.session || !customer) return;
    // Nothing asks for the previous customer's data any more.
    this.connectors = this.picked = null;
    this.vendors = [];
    await switchCustomer(id);
    this.session = { ...this.session, customer };
    await Promise.all([this.#refresh(), this.#loadVendors()]).catch(() => {});
  };

  readonly #toggleDrawer = (event: Event): void => {
    // The buttons are made from the names.
    const name = (event.currentTarget as HTMLElement).dataset['drawer'] as DrawerName;
    this.drawer = this.drawer === name ? null : name;
  };

  readonly #handleDrawerClosed = (): void => {
    this.renderRoot.querySelector<HTMLElement>(`[data-drawer=${this.drawer}]`)?.focus();
    this.drawer = null;
  };

  /** Shows what a source that was connected in the dialog adds to the page. */
  readonly #handleConnected = async (
    event: ConnectorAuthEvent<'connector-auth-connected'>,
  ): Promise<void> => {
    const { target, detail } = event;
    if (target instanceof ConnectorAuthElement) {
      target.close();
      this.news = `${detail.connector.name} is connected.`;
    }
    await this.#refresh().catch(() => {});
    await this.updateComplete;
    const home = this.renderRoot.querySelector<FieldbookHome>('fieldbook-home');
    if (home) await home.reveal(detail.connector.connectorType);
    else await this.#keepFocus();
  };

  /** Shows the data of the source that the user has just connected. */
  readonly #handleNext = ({ detail }: ConnectorAuthEvent<'connector-auth-next'>): void => {
    this.picked = detail.connector.id;
    location.hash = '#data';
  };

  static override styles = [sheet, unsafeCSS(themes), appStyles];
}

function isRunning(status: Connector['sync']['status']): boolean {
  return status === 'building' || status === 'preview';
}
