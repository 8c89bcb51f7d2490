import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { createCall, type Call } from '../api/call.ts';
import type { App, Confirmation } from '../app.ts';
import type { ConfirmDialog } from '../components/confirm-dialog.ts';
import { DocumentElement } from '../components/element.ts';
import { icons } from '../components/icons.ts';
import { findLosses } from '../components/leave-guard.ts';
import { emptyState, skeleton } from '../components/notice.ts';
import { button } from '../components/page-head.ts';
import type { Page } from '../components/page.ts';
import type { Toasts } from '../components/toasts.ts';
import { notFound, routes } from '../pages/routes.ts';
import { matchPath, Router, urlOfPage } from '../routing/router.ts';
import { navigation } from './navigation.ts';
import { Session } from './session.ts';
import { themeSwitch } from './theme.ts';

/** `<console-app>`: signs in, shows the navigation and the page that belongs to the URL. */
export class ConsoleApp extends DocumentElement {
  @state() private page: HTMLElement | null = null;
  @state() private isMenuOpen = false;
  #router = new Router(window);
  #session = new Session(() => this.#onSession());
  #call: Call = createCall(() => this.#session.expire());
  #shown: { readonly tag: string; readonly path: string } | null = null;
  #stopping: AbortController | null = null;
  /** What had focus when the session ended. */
  #interrupted: Element | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stopping = new AbortController();
    const { signal } = this.#stopping;
    this.#router.start(
      (_place, isNewPage) => this.#onPlace(isNewPage),
      () => this.#mayLeave(),
      signal,
    );
    document.addEventListener('click', event => this.#closeMenus(event), { signal });
    void this.#session.load(this.#call);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopping?.abort();
  }

  protected override render(): TemplateResult {
    const { state } = this.#session;
    switch (state.kind) {
      case 'loading':
        return html`<main class="gate" aria-busy="true">${skeleton(3)}</main>`;
      case 'failed':
        return html`<main class="gate">
          ${emptyState({
            icon: icons.alert,
            title: 'The console can’t be shown',
            hint: state.failure.message,
            action: button('Try again', this.#reload, 'primary'),
          })}
        </main>`;
      case 'set-up':
        return html`<console-set-up .call=${this.#call} .onSignedIn=${this.#signedIn}></console-set-up>`;
      case 'signed-out':
        return html`<console-sign-in
          .call=${this.#call}
          .notice=${state.notice}
          .onSignedIn=${this.#signedIn}
        ></console-sign-in>`;
      case 'signed-in':
      case 'expired':
        return this.#frame(state.kind === 'expired');
    }
  }

  #frame(isExpired: boolean): TemplateResult {
    const { path } = this.#router.place;
    return html`<a class="skip" href="#content" @click=${this.#skip}>Skip to content</a>
      <div class="frame ${this.isMenuOpen ? 'menu-open' : ''}">
        <header class="bar">
          <button
            type="button"
            class="tool menu-button"
            aria-label="Menu"
            aria-expanded=${this.isMenuOpen}
            aria-controls="sidebar"
            @click=${this.#toggleMenu}
          >
            ${this.isMenuOpen ? icons.close : icons.menu}
          </button>
          <a class="brand" href=${urlOfPage('/')}
            ><span class="mark">${icons.connectors}</span>Connector Auth</a
          >
          ${this.#sessionMenu()}
        </header>
        <aside class="sidebar" id="sidebar" aria-label="Navigation" @keydown=${this.#closeOnEscape}>
          ${navigation(path)} ${themeSwitch()}
        </aside>
        <main id="content" tabindex="-1" ?inert=${this.isMenuOpen}>${this.page}</main>
      </div>
      <console-confirm></console-confirm>
      <console-toasts></console-toasts>
      ${
        isExpired
          ? html`<console-sign-in
              is-dialog
              .call=${this.#call}
              .onSignedIn=${this.#signedIn}
              .onSignedOut=${this.#forgetPage}
            ></console-sign-in>`
          : nothing
      }`;
  }

  #sessionMenu(): TemplateResult | typeof nothing {
    const { state } = this.#session;
    if (!('session' in state)) return nothing;
    const { name, access } = state.session;
    return html`<details class="menu" @keydown=${this.#closeOnEscape}>
      <summary aria-label="Signed in with ${name}">${icons.person}<span>${name}</span></summary>
      <div class="menu-panel">
        <p class="hint">
          Signed in with <strong>${name}</strong>${access === 'read' ? ', which can only read' : ''}
        </p>
        <a class="menu-item" href=${urlOfPage('/sessions')}>Sessions</a>
        <button type="button" class="menu-item" @click=${() => this.#signOut(false)}>Sign out</button>
        <button type="button" class="menu-item" @click=${() => this.#signOut(true)}>
          Sign out everywhere
        </button>
      </div>
    </details>`;
  }

  #onSession(): void {
    const { kind } = this.#session.state;
    if (kind === 'expired') this.#interrupted = document.activeElement;
    if (kind === 'signed-in') this.#onPlace(false);
    if (kind === 'signed-out' || kind === 'set-up') {
      this.page = null;
      this.#shown = null;
    }
    this.requestUpdate();
  }

  /** Shows the page that belongs to the URL. A new page receives focus, so that keyboards continue there. */
  #onPlace(isNewPage: boolean): void {
    const { state } = this.#session;
    if (state.kind !== 'signed-in' && state.kind !== 'expired') return;
    const { path } = this.#router.place;
    if (!isNewPage && this.#shown?.path === path) {
      this.requestUpdate();
      return;
    }
    const isFirst = this.#shown === null;
    const match = findRoute(path);
    this.#shown = { tag: match.tag, path };
    const page = document.createElement(match.tag);
    // Every tag in `routes` belongs to a subclass of Page.
    Object.assign(page as Page, { app: this.#app(), params: match.params });
    this.page = page;
    this.isMenuOpen = false;
    this.#closeMenus({ target: null });
    if (!isFirst) void this.#focusHeading();
  }

  async #focusHeading(): Promise<void> {
    await this.updateComplete;
    window.scrollTo(0, 0);
    if (this.page instanceof LitElement) await this.page.updateComplete;
    (this.page?.querySelector('h1') ?? this.querySelector<HTMLElement>('main'))?.focus({
      preventScroll: true,
    });
  }

  #app(): App {
    const session = this.#session;
    return {
      call: this.#call,
      serviceUrl:
        document.querySelector<HTMLMetaElement>('meta[name="service-url"]')?.content || location.origin,
      get session() {
        if (!('session' in session.state)) throw new Error('Pages need a session');
        return session.state.session;
      },
      query: {
        get: () => this.#router.place.query,
        set: query => this.#router.setQuery(query),
      },
      go: path => this.#router.go(path),
      replace: path => this.#router.replace(path),
      toast: message => this.#toast(message),
      confirm: confirmation => this.#confirm(confirmation),
    };
  }

  #toast(message: string): void {
    this.querySelector<Toasts>('console-toasts')?.show(message);
  }

  /** Asks, and moves focus to a heading nearby if what was done removes the button that opened the dialog. */
  async #confirm(confirmation: Confirmation): Promise<boolean> {
    const section = document.activeElement?.closest('main section');
    const dialog = this.querySelector<ConfirmDialog>('console-confirm');
    const isDone = (await dialog?.ask(confirmation)) ?? false;
    if (isDone && confirmation.done !== undefined) this.#toast(confirmation.done);
    if (isDone) void this.#restoreFocus(() => section?.isConnected && section.querySelector('h2'));
    return isDone;
  }

  /** Moves focus to an element, or to the page's heading, if nothing has focus once everything is rendered. */
  async #restoreFocus(find: () => Element | null | undefined | false): Promise<void> {
    await this.updateComplete;
    await new Promise(requestAnimationFrame);
    if (document.activeElement !== document.body) return;
    const element = find() || this.querySelector('main h1');
    if (element instanceof HTMLElement) element.focus();
  }

  /** Returns whether the page can be left. Asks if a secret or input would be lost. */
  #mayLeave(): true | Promise<boolean> {
    const losses = findLosses();
    if (losses.size === 0) return true;
    return this.#confirm({
      ...(losses.has('secret')
        ? {
            title: 'Leave without copying the secret?',
            body: 'You haven’t copied it, and it can’t be shown again. If you leave now, you need a new one.',
          }
        : { title: 'Discard your changes?', body: 'You haven’t saved what you entered on this page.' }),
      action: 'Leave page',
      cancel: 'Stay on this page',
      run: () => Promise.resolve(),
    });
  }

  /** Continues where the operator was, or on the page that the set-up chose. */
  readonly #signedIn = (session: App['session'], path?: string): void => {
    this.#session.signedIn(session);
    if (path !== undefined) this.#router.replace(path);
    const interrupted = this.#interrupted;
    this.#interrupted = null;
    if (interrupted) void this.#restoreFocus(() => interrupted.isConnected && interrupted);
  };

  readonly #forgetPage = (): void => this.#session.signedOut();

  async #signOut(everywhere: boolean): Promise<void> {
    if (!(await this.#mayLeave())) return;
    try {
      await this.#call('signOut', { query: everywhere ? { everywhere } : {} });
    } catch {
      this.#toast('Couldn’t sign out. Check your connection, then try again.');
      return;
    }
    this.#session.signedOut(
      everywhere ? 'You’re signed out in every browser that used this key.' : 'You’re signed out.',
    );
  }

  readonly #reload = (): void => void this.#session.load(this.#call);

  readonly #toggleMenu = (): void => {
    this.isMenuOpen = !this.isMenuOpen;
  };

  readonly #skip = (event: Event): void => {
    event.preventDefault();
    this.querySelector<HTMLElement>('main h1')?.focus();
  };

  readonly #closeOnEscape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    const menu = this.querySelector<HTMLDetailsElement>('details.menu[open]');
    if (menu) {
      menu.open = false;
      menu.querySelector('summary')?.focus();
    } else if (this.isMenuOpen) {
      this.isMenuOpen = false;
      this.querySelector<HTMLElement>('.menu-button')?.focus();
    }
  };

  #closeMenus({ target }: Pick<Event, 'target'>): void {
    for (const menu of this.querySelectorAll<HTMLDetailsElement>('details.menu[open]')) {
      if (!(target instanceof Node && menu.contains(target))) menu.open = false;
    }
  }
}

function findRoute(path: string): {
  readonly tag: string;
  readonly params: Readonly<Record<string, string>>;
} {
  for (const { path: pattern, tag } of routes) {
    const params = matchPath(pattern, path);
    if (params) return { tag, params };
  }
  return { tag: notFound, params: {} };
}
