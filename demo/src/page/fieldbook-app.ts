import type { Connector } from '@connector-auth/api';
import type { ConnectorAuthEvent } from '@connector-auth/widget';
import { ConnectorAuthController } from '@connector-auth/widget/lit';
import { html, nothing } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { breakConnection, endBreak, type Session } from './backend.ts';
import { messageOf, PageElement } from './element.ts';
import { events } from './events.ts';
import { isBackFromSignIn } from './fieldbook-chat.ts';
import './fieldbook-code.ts';
import './fieldbook-connections.ts';
import './fieldbook-data.ts';
import './fieldbook-home.ts';
import { boltIcon, bookIcon, chatIcon, checkIcon, closeIcon, codeIcon } from './icons.ts';
import { pages, routeOf, type Route } from './routes.ts';

/** What a visitor does in the first minute. */
const steps = [
  { key: 'connect', verb: '', name: 'Connect' },
  { key: 'data', verb: 'See the ', name: 'data' },
  { key: 'code', verb: 'See the ', name: 'code' },
] as const;
type StepKey = (typeof steps)[number]['key'];

/** What can be open beside the page. */
const panels = {
  chat: { title: 'Ask Fieldbook', icon: chatIcon },
  code: { title: 'Behind the scenes', icon: codeIcon },
} as const;
type PanelName = keyof typeof panels;

/** The width from which a panel is beside the page instead of in front of it. */
const besideQuery = '(min-width: 64rem)';

/** How long to wait for further events before the page is refreshed once for all of them. */
const refreshDelayMs = 500;

/** `<fieldbook-app>`: the bar of the demo, and the frame of the product with the page that the URL names. */
@customElement('fieldbook-app')
export class FieldbookApp extends PageElement {
  @property({ attribute: false }) session!: Session;
  @state() private route: Route = routeOf(location);
  @state() private panel: PanelName | null = isBackFromSignIn() ? 'chat' : null;
  @state() private done: ReadonlySet<string> = new Set();
  /** What is said about breaking a connection. */
  @state() private news = '';
  @state() private isBreaking = false;
  @query('.panel h2') private readonly panelHeading!: HTMLElement | null;
  readonly #flow = new ConnectorAuthController(this);
  #refreshTimer: ReturnType<typeof setTimeout> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('hashchange', this.#go);
    events.addEventListener('change', this.#handleEvent);
    this.done = new Set((sessionStorage.getItem(this.#doneKey) ?? '').split(' ').filter(Boolean));
    if (this.route.page === 'data' && this.#isDone('connect')) this.#tick('data');
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('hashchange', this.#go);
    events.removeEventListener('change', this.#handleEvent);
    clearTimeout(this.#refreshTimer);
  }

  protected override updated(): void {
    document.title = `${pages[this.route.page].title} · Fieldbook`;
  }

  protected override render() {
    const { panel } = this;
    return html`${this.#renderBar()}
      <div
        class="app"
        @connector-auth-step=${this.#handleStep}
        @connector-auth-connected=${() => this.#tick('connect')}
        @connector-auth-reconnected=${this.#handleReconnected}
        @connector-auth-next=${this.#handleNext}
      >
        ${this.#renderSide()}
        <main tabindex="-1">
          <header class="head">
            <h1 tabindex="-1">${pages[this.route.page].title}</h1>
            ${Object.entries(panels).map(
              ([name, { title, icon }]) =>
                html`<button
                  class="button"
                  data-panel=${name}
                  aria-expanded=${panel === name}
                  @click=${() => this.#toggle(name as PanelName)}
                >
                  ${icon}<span>${title}</span>
                </button>`,
            )}
          </header>
          <p class="news" role="status">${this.news}</p>
          ${this.#renderPage()}
        </main>
        ${panel === null ? nothing : this.#renderPanel(panel)}
      </div>`;
  }

  #renderBar() {
    const isDone = (key: StepKey) => this.#isDone(key);
    const next = steps.find(({ key }) => !isDone(key));
    return html`<div class="bar" role="region" aria-label="Demo">
      <b>Demo</b>
      <ol>
        ${steps.map(
          ({ key, verb, name }, index) =>
            html`<li>
              <a
                class="step ${isDone(key) ? 'done' : ''}"
                href=${{ connect: '#connections/gong', data: '#data', code: '#code' }[key]}
                aria-current=${next?.key === key ? 'step' : nothing}
                @click=${key === 'code' ? this.#handleCode : nothing}
              >
                <span class="dot">${isDone(key) ? checkIcon : index + 1}</span>
                <span><span class="verb">${verb}</span><span class="name">${name}</span></span>
                ${isDone(key) ? html`<span class="visually-hidden">done</span>` : nothing}
              </a>
            </li>`,
        )}
      </ol>
      <span>Vendors and data are simulated.</span>
      ${this.#renderBreak()}
    </div>`;
  }

  /** Breaks the latest connection that was made by signing in at the vendor, and repairs it. */
  #renderBreak() {
    const connector = this.#flow.connectors
      .filter(({ auth_method }) => auth_method === 'oauth')
      .toSorted((one, other) => (one.created_at < other.created_at ? 1 : -1))[0];
    if (!connector || this.session.sandboxUrl === null) return nothing;
    if (connector.status === 'needs_reauth') {
      const { source } = this.route;
      const isThere = source === connector.connector_type;
      return html`<a
        class="button primary break"
        href="#connections/${connector.connector_type}"
        @click=${() => isThere && this.#flow.open(source)}
      >
        ${boltIcon}Repair it
      </a>`;
    }
    return html`<button
      class="button break"
      title="Makes ${connector.name} forget the sign-in, as if it had expired"
      ?disabled=${this.isBreaking}
      @click=${() => this.#break(connector)}
    >
      ${boltIcon}${this.isBreaking ? 'Breaking…' : 'Break it'}
    </button>`;
  }

  #renderSide() {
    const { session, route } = this;
    return html`<header class="side">
      <a class="brand" href="#home">${bookIcon}Fieldbook</a>
      <nav aria-label="Main">
        ${Object.entries(pages).map(
          ([page, { title, icon }]) =>
            html`<a href="#${page}" aria-current=${page === route.page ? 'page' : nothing}>
              ${icon}<span>${title}</span>
            </a>`,
        )}
      </nav>
      <form class="account" method="post" action="/sign-in?next=/${encodeURIComponent(location.hash)}">
        <label for="customer" class="visually-hidden">Signed in as</label>
        <select
          id="customer"
          name="customer"
          @change=${({ currentTarget }: Event) => (currentTarget as HTMLSelectElement).form?.submit()}
        >
          ${session.customers.map(
            ({ id, company }) =>
              html`<option value=${id} ?selected=${id === session.customer.id}>${company}</option>`,
          )}
        </select>
        <span class="person quiet">${session.customer.person}</span>
      </form>
    </header>`;
  }

  #renderPage() {
    const { session, route } = this;
    switch (route.page) {
      case 'home':
        return html`<fieldbook-home .session=${session}></fieldbook-home>`;
      case 'data':
        return html`<fieldbook-data .source=${route.source}></fieldbook-data>`;
      case 'connections':
        return html`<fieldbook-connections
          .session=${session}
          .source=${route.source}
        ></fieldbook-connections>`;
    }
  }

  #renderPanel(name: PanelName) {
    return html`<aside class="panel" aria-labelledby="panel-title" @keydown=${this.#handlePanelKey}>
      <header>
        <h2 id="panel-title" tabindex="-1">${panels[name].title}</h2>
        <button class="button plain" aria-label="Close" @click=${this.#close}>${closeIcon}</button>
      </header>
      ${
        name === 'chat'
          ? html`<fieldbook-chat .session=${this.session}></fieldbook-chat>`
          : html`<fieldbook-code .session=${this.session}></fieldbook-code>`
      }
    </aside>`;
  }

  /** Where the steps are stored that the customer's people did. */
  get #doneKey(): string {
    return `fieldbook-steps-${this.session.customer.id}`;
  }

  #isDone(step: StepKey): boolean {
    return this.done.has(step) || (step === 'connect' && this.#flow.connectorsOf('gong').length > 0);
  }

  #tick(step: StepKey): void {
    this.done = new Set([...this.done, step]);
    sessionStorage.setItem(this.#doneKey, [...this.done].join(' '));
  }

  readonly #go = (): void => {
    this.route = routeOf(location);
    this.news = '';
    if (this.route.page === 'data') this.#tick('data');
    // In front of the page, a panel would hide where its link leads.
    if (!matchMedia(besideQuery).matches) this.panel = null;
    void this.#keepFocus();
  };

  /** Moves focus to the new page's heading if the link that was followed is gone. */
  async #keepFocus(): Promise<void> {
    await this.updateComplete;
    if (document.activeElement === document.body) this.querySelector<HTMLElement>('h1')?.focus();
  }

  readonly #handleCode = (event: Event): void => {
    event.preventDefault();
    this.#open('code');
    void this.updateComplete.then(() => this.querySelector('fieldbook-code')?.showCode());
  };

  #toggle(name: PanelName): void {
    if (this.panel === name) this.#close();
    else this.#open(name);
  }

  #open(name: PanelName): void {
    this.panel = name;
    if (name === 'code') this.#tick('code');
    void this.updateComplete.then(() => this.panelHeading?.focus());
  }

  readonly #close = (): void => {
    this.querySelector<HTMLElement>(`[data-panel=${this.panel}]`)?.focus();
    this.panel = null;
  };

  readonly #handlePanelKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') this.#close();
  };

  /** Opens the requests beside the first connection, and leaves the focus in the widget. */
  readonly #handleStep = ({ detail }: ConnectorAuthEvent<'connector-auth-step'>): void => {
    const isFirst = detail.connectorType !== null && !this.#isDone('connect');
    if (isFirst && this.panel === null && matchMedia(besideQuery).matches) this.panel = 'code';
  };

  /** Refreshes what the page shows of the connections. The widget does that itself, and would be reset. */
  readonly #handleEvent = (): void => {
    clearTimeout(this.#refreshTimer);
    this.#refreshTimer = setTimeout(() => {
      if (this.route.page !== 'connections') this.closest('connector-auth-provider')?.reload();
    }, refreshDelayMs);
  };

  readonly #handleReconnected = ({ detail }: ConnectorAuthEvent<'connector-auth-reconnected'>): void => {
    this.news = '';
    void endBreak(detail.connector.connectorType).catch(() => {});
  };

  /** Shows the data of the source that was just connected. */
  readonly #handleNext = ({ detail }: ConnectorAuthEvent<'connector-auth-next'>): void => {
    location.hash = `#data/${detail.connector.connectorType}`;
  };

  async #break({ id, name }: Connector): Promise<void> {
    this.isBreaking = true;
    // The widget there shows what happens.
    location.hash = '#connections';
    try {
      await breakConnection(id);
      this.closest('connector-auth-provider')?.reload();
      this.news = `${name} forgot the sign-in. Fieldbook noticed, and asks you to reconnect.`;
    } catch (error) {
      this.news = messageOf(error);
    }
    this.isBreaking = false;
  }
}
