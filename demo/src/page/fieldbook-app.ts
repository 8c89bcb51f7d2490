import type { Connector } from '@connector-auth/api';
import { css, html, LitElement, nothing } from 'lit';
import { state } from 'lit/decorators.js';
import {
  loadConnectors,
  loadSandboxVendors,
  loadSession,
  switchCustomer,
  type OfferedVendor,
  type Session,
} from './backend.ts';
import './connections/fieldbook-connections.ts';
import './data/fieldbook-data.ts';
import './drawer/fieldbook-drawer.ts';
import type { FieldbookDrawer } from './drawer/fieldbook-drawer.ts';
import './home/fieldbook-home.ts';
import './playground/fieldbook-playground.ts';
import { activityIcon, bookIcon } from './icons.ts';
import { pages, routeOf, type Route } from './routes.ts';
import { sheet } from './styles.ts';

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
  @state() private isDrawerOpen = false;
  /** What the user's last action did, until the next page. */
  @state() private news: string | null = null;
  #stopping: AbortController | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stopping = new AbortController();
    addEventListener('hashchange', () => this.#go(), { signal: this.#stopping.signal });
    const timer = setInterval(() => this.#followSync(), progressMs);
    this.#stopping.signal.addEventListener('abort', () => clearInterval(timer));
    void this.#load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopping?.abort();
  }

  protected override updated(): void {
    this.toggleAttribute('drawer', this.isDrawerOpen);
    document.title = `${pages[this.route.page].title} · Fieldbook`;
  }

  protected override render() {
    const { route } = this;
    return html`
      <a class="brand" href="#home">${bookIcon}<span>Fieldbook</span></a>
      <nav aria-label="Main">
        ${Object.entries(pages).map(
          ([page, { title, icon }]) =>
            html`<a href="#${page}" aria-current=${page === route.page ? 'page' : nothing}>
              ${icon}<span>${title}</span>
            </a>`,
        )}
      </nav>
      ${this.#renderSwitcher()}
      <main>
        <header>
          <h1 tabindex="-1">${pages[route.page].title}</h1>
          <button class="button" aria-expanded=${this.isDrawerOpen} @click=${this.#toggleDrawer}>
            ${activityIcon}<span>What just happened</span>
          </button>
          <p class="quiet">${pages[route.page].lead}</p>
        </header>
        <div class="news" role="status">${this.news}</div>
        ${this.#renderFailure()} ${this.#renderPage()}
      </main>
      <fieldbook-drawer .session=${this.session} @close=${this.#handleDrawerClosed}></fieldbook-drawer>
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

  #renderFailure() {
    if (this.failure === null) return nothing;
    return html`<div class="problem" role="alert">
      <p>${this.failure}</p>
      <button class="button" @click=${this.#load}>Try again</button>
    </div>`;
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
        return html`<fieldbook-connections
          .session=${session}
          .vendors=${this.vendors}
          .source=${this.route.source}
          @connector-auth-connected=${this.#handleConnected}
          @connector-auth-disconnected=${this.#refresh}
          @connector-auth-next=${this.#handleNext}
        ></fieldbook-connections>`;
      case 'playground':
        return html`<fieldbook-playground .session=${session}></fieldbook-playground>`;
    }
  }

  readonly #load = async (): Promise<void> => {
    this.failure = null;
    try {
      this.session = await loadSession();
      const [, vendors] = await Promise.all([this.#refresh(), loadSandboxVendors()]);
      this.vendors = vendors;
    } catch (error) {
      this.failure = error instanceof Error ? error.message : 'Something went wrong. Try again.';
    }
  };

  readonly #refresh = async (): Promise<void> => {
    const customer = this.session?.customer.id;
    const connectors = await loadConnectors();
    // The user may have switched to another customer in the meantime.
    if (customer === this.session?.customer.id) this.connectors = connectors;
  };

  #followSync(): void {
    const isSyncing = this.connectors?.some(({ sync }) => isRunning(sync.status));
    if (isSyncing && !document.hidden) void this.#refresh().catch(() => {});
  }

  #go(): void {
    const isBack = this.route.source !== null;
    this.route = routeOf(location);
    if (!isBack) this.news = null;
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
    await switchCustomer(id);
    this.connectors = this.picked = null;
    this.session = { ...this.session, customer };
    await this.#refresh().catch(() => {});
  };

  readonly #toggleDrawer = (): void => {
    const drawer = this.renderRoot.querySelector<FieldbookDrawer>('fieldbook-drawer');
    if (this.isDrawerOpen) drawer?.close();
    else drawer?.show();
    this.isDrawerOpen = !this.isDrawerOpen;
  };

  readonly #handleDrawerClosed = (): void => {
    this.isDrawerOpen = false;
    this.renderRoot.querySelector<HTMLElement>('header button')?.focus();
  };

  /** Returns to Home after its offer of a source was taken. */
  readonly #handleConnected = ({ detail }: HTMLElementEventMap['connector-auth-connected']): void => {
    void this.#refresh().catch(() => {});
    if (this.route.source === null) return;
    this.news = `${detail.connector.name} is connected.`;
    location.hash = '#home';
  };

  /** Shows the data of the source that the user has just connected. */
  readonly #handleNext = ({ detail }: HTMLElementEventMap['connector-auth-next']): void => {
    this.picked = detail.connector.id;
    location.hash = '#data';
  };

  static override styles = [
    sheet,
    css`
      :host {
        display: grid;
        grid-template: auto auto 1fr / 14.5rem minmax(0, 1fr);
        min-block-size: 100dvh;
        background: linear-gradient(to right, var(--side) 14.5rem, var(--paper) 14.5rem);
      }
      :host(:dir(rtl)) {
        background: var(--paper);
      }
      .brand,
      nav,
      .switcher {
        grid-column: 1;
        position: sticky;
        align-self: start;
      }
      .brand {
        inset-block-start: 0;
        display: flex;
        align-items: center;
        gap: 0.55rem;
        padding: 1.25rem 1.4rem 1rem;
        font-weight: 680;
        font-size: 1.0625rem;
        letter-spacing: -0.02em;
        color: var(--ink);
        text-decoration: none;
      }
      .brand svg {
        color: var(--brand);
      }
      nav {
        inset-block-start: 4rem;
        display: grid;
        gap: 0.15rem;
        padding-inline: 0.8rem;
      }
      nav a {
        display: flex;
        align-items: center;
        gap: 0.65rem;
        min-block-size: 2.25rem;
        padding-inline: 0.65rem;
        border-radius: var(--radius-small);
        color: var(--quiet);
        text-decoration: none;
        font-weight: 550;
      }
      nav a:hover {
        color: var(--ink);
      }
      nav a[aria-current] {
        color: var(--ink);
        background: var(--card);
        box-shadow: var(--shadow);
      }
      nav a[aria-current] svg {
        color: var(--brand);
      }
      .switcher {
        align-self: end;
        inset-block-end: 0;
        display: grid;
        gap: 0.25rem;
        padding: 1rem 1.2rem 1.25rem;
      }
      .person {
        font-size: 0.8125rem;
        color: var(--quiet);
      }
      main {
        grid-column: 2;
        grid-row: 1 / span 3;
        padding: 1.75rem clamp(1.25rem, 3.5vw, 2.75rem) 4rem;
        border-inline-start: 1px solid var(--line);
        display: grid;
        grid-template-columns: minmax(0, 80rem);
        align-content: start;
        gap: 1.25rem;
      }
      h1:focus {
        outline: none;
      }
      header {
        display: grid;
        grid-template-columns: 1fr auto;
        align-items: center;
        gap: 0.1rem 1rem;
      }
      header p {
        grid-column: 1 / -1;
      }
      .news:not(:empty) {
        padding: 0.5rem 0.85rem;
        border-radius: var(--radius-small);
        color: var(--good);
        background: var(--tint);
        font-weight: 550;
      }
      .news:empty {
        display: none;
      }
      :host([drawer]) {
        padding-inline-end: 26rem;
      }

      @media (max-width: 48rem) {
        :host {
          grid-template: auto 1fr / minmax(0, 1fr) auto;
          background: var(--paper);
        }
        .brand,
        .switcher {
          grid-row: 1;
          position: static;
          align-self: center;
          padding-block: 0.6rem;
        }
        .brand {
          padding-inline: 1rem 0.5rem;
        }
        .switcher {
          grid-column: 2;
          padding-inline: 0.5rem 1rem;
        }
        .switcher :is(label, .person) {
          position: absolute;
          inline-size: 1px;
          block-size: 1px;
          overflow: hidden;
          clip-path: inset(50%);
        }
        nav {
          position: fixed;
          inset: auto 0 0;
          z-index: 2;
          grid-auto-flow: column;
          grid-auto-columns: 1fr;
          padding: 0.3rem 0.4rem calc(0.3rem + env(safe-area-inset-bottom));
          background: var(--card);
          border-block-start: 1px solid var(--line);
        }
        nav a {
          flex-direction: column;
          justify-content: center;
          gap: 0.1rem;
          min-block-size: 3rem;
          padding-inline: 0;
          font-size: 0.75rem;
        }
        nav a[aria-current] {
          color: var(--brand);
          box-shadow: none;
        }
        :host([drawer]) {
          padding-inline-end: 0;
        }
        header .button span {
          position: absolute;
          inline-size: 1px;
          block-size: 1px;
          overflow: hidden;
          clip-path: inset(50%);
        }
        main {
          grid-column: 1 / -1;
          grid-row: 2;
          border: 0;
          padding: 0.75rem 1rem 6rem;
        }
      }
    `,
  ];
}

function isRunning(status: Connector['sync']['status']): boolean {
  return status === 'building' || status === 'preview';
}
