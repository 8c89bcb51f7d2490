import {
  html,
  LitElement,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import { announcementFor } from './a11y/announcements.ts';
import { connectorAuthEvent, eventsFor } from './events.ts';
import { FlowController } from './flow/flow-controller.ts';
import type { State } from './flow/flow.ts';
import { registerLanguage, type CustomLanguage } from './messages/languages.ts';
import { MessageSource } from './messages/message-source.ts';
import type { Messages } from './messages/messages.ts';
import { Modal } from './modal.ts';
import { takeReturned } from './popup/redirect.ts';
import type { AnnounceRequest, FlowRequest, Misconfigured, Screen } from './screens/screen.ts';
import { createScreen, defineFirstScreens, loadedSteps, loadSteps, screenTag } from './screens/screens.ts';
import { connectService } from './service/service.ts';
import { TokenKeeper, type GetToken } from './service/widget-token.ts';
import { readSetup, type Setup } from './setup.ts';
import { widgetStyles } from './styles/styles.ts';

/** Milliseconds a page has to set `getToken` before its absence counts as a mistake. */
export const setupGraceMs = 1000;

/**
 * `<connector-auth>`: lets a person connect their data sources and manage what is connected.
 *
 * Give it `token-url`, or set `getToken`; it does the rest and tells what happened by `connector-auth-…` events.
 * This module defines the class only; importing the package's main file registers the tag.
 */
export class ConnectorAuthElement extends LitElement {
  static override styles = widgetStyles;

  static override properties: PropertyDeclarations = {
    tokenUrl: { attribute: 'token-url' },
    getToken: { attribute: false },
    serviceUrl: { attribute: 'service-url' },
    tokenCredentials: { attribute: 'token-credentials' },
    theme: { reflect: true },
    source: {},
    sources: {},
    oauthMode: { attribute: 'oauth-mode' },
    oauthRedirectUrl: { attribute: 'oauth-redirect-url' },
    modal: { type: Boolean, reflect: true },
    messages: { attribute: false },
    view: { state: true },
    announcement: { state: true },
  };

  /** Where the integrator's backend answers `{token, expires_in, service_url}` to a POST. */
  declare tokenUrl: string | null;
  /** Instead of `token-url`: a function that promises the same answer. */
  declare getToken: GetToken | null;
  /** The service's base URL, where the token answer does not tell it. */
  declare serviceUrl: string | null;
  /** Whether cookies go to the token URL: `same-origin` (default), `include` (another origin) or `omit`. */
  declare tokenCredentials: string;
  /** `light`, `dark` or `auto` (the person's setting). Without it the colour scheme of the page is taken over. */
  declare theme: string | null;
  /** The connector type to go straight to, `gong` say; no other is shown. */
  declare source: string | null;
  /** The connector types to show, separated by commas; all that the token allows if left out. */
  declare sources: string | null;
  /** Where consent is given: `popup`, or `redirect` in this window. If left out, the latter in browsers inside apps only. */
  declare oauthMode: string | null;
  /** Where such a redirect comes back to, on this page's origin; this page if left out. */
  declare oauthRedirectUrl: string | null;
  /** Shown as a dialog, by `open()`, and not before. */
  declare modal: boolean;
  /** Sentences of your own, put over those of every language. */
  declare messages: Partial<Messages> | null;

  declare private view: State | Misconfigured;
  declare private announcement: string;

  readonly #messages = new MessageSource(this);
  #flow: FlowController | null = null;
  #screen: Screen | null = null;
  readonly #modal = new Modal(() => {
    this.#end();
    this.dispatchEvent(connectorAuthEvent('connector-auth-close', null));
  });
  /** Ends everything of the present life: requests, the flow. */
  #life = new AbortController();
  #grace: ReturnType<typeof setTimeout> | undefined;
  #complaint = '';
  /** The focus was in here when its place went away, and has none yet. */
  #owesFocus = false;

  constructor() {
    super();
    this.tokenUrl = null;
    this.getToken = null;
    this.serviceUrl = null;
    this.tokenCredentials = 'same-origin';
    this.theme = null;
    this.source = null;
    this.sources = null;
    this.oauthMode = null;
    this.oauthRedirectUrl = null;
    this.modal = false;
    this.messages = null;
    this.view = { name: 'idle' };
    this.announcement = '';
    defineFirstScreens();
  }

  /** Adds a language for every widget on the page; what it leaves out stays English. */
  static registerLanguage(language: CustomLanguage): void {
    registerLanguage(language);
  }

  /** Loads the catalog again and shows it; what is under way is given up. */
  reload(): void {
    if (this.#flow === null) this.#begin();
    else this.#flow.send({ type: 'start' });
  }

  /** Shows the widget as a dialog over the page. Gives the focus back to who has it now, in whichever way it is closed. */
  open(): void {
    if (this.#modal.isOpen) return;
    this.modal = true;
    this.#modal.open(this.ownerDocument);
    this.#end();
    this.#begin();
    this.requestUpdate();
  }

  /** Closes the dialog; what is under way is given up. */
  close(): void {
    this.#modal.close(this.renderRoot);
  }

  /** Moves the focus to where a person would go on. */
  override focus(options?: FocusOptions): void {
    const target = this.#screen?.focusTarget();
    if (target) target.focus(options);
    else super.focus(options);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.#flow === null && this.hasUpdated) this.#begin();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // Moving an element removes and inserts it in one go: that must not cost the person what they typed.
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.close();
      this.#end();
    });
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const settings = [
      'tokenUrl',
      'getToken',
      'serviceUrl',
      'tokenCredentials',
      'source',
      'sources',
      'oauthMode',
      'oauthRedirectUrl',
      'theme',
    ] as const;
    const isNew = !this.hasUpdated;
    if (isNew || settings.some(name => changed.has(name))) {
      if (isNew || settings.some(name => name !== 'theme' && changed.has(name))) this.#end();
      if (this.#flow === null) this.#begin();
    }
    if (changed.has('messages')) {
      const mistakes = this.#messages.override(this.messages ?? {});
      if (mistakes.length > 0) this.#logOnce(mistakes.join('; '));
    }
    const tag = screenTag(this.view.name);
    if (this.#screen?.localName !== tag) this.#screen = createScreen(tag);
    this.#screen.messages = this.#messages.value;
    this.#screen.state = this.view;
  }

  protected override render(): TemplateResult {
    const { language, direction } = this.#messages.value;
    // The widget's language may be another than the page's, and with it the direction; an element's own `dir` wins.
    const dir = this.dir === '' ? direction : nothing;
    const content = html`<div
        class="panel"
        part="panel"
        lang=${language}
        dir=${dir}
        @flow=${this.#handleFlow}
        @announce=${this.#handleAnnounce}
      >
        <slot name="header"></slot>${this.#screen}<slot name="footer"></slot>
      </div>
      <div class="hidden" role="status" lang=${language}>${this.announcement}</div>`;
    return this.modal ? this.#modal.render(content, this.#messages.value, dir, this.#handleClose) : content;
  }

  protected override updated(): void {
    if (!this.#modal.show(this.renderRoot)) return;
    this.#owesFocus = true;
    void this.#settleFocus();
  }

  #begin(): void {
    clearTimeout(this.#grace);
    const result = readSetup(this);
    if ('setup' in result) this.#start(result.setup);
    else if (this.tokenUrl === null && this.getToken === null && this.#grace === undefined) {
      this.#grace = setTimeout(() => {
        this.#begin();
      }, setupGraceMs);
    } else this.#complain(result.mistakes);
  }

  #start({ getToken, serviceUrl, sources, redirectUrl: url }: Setup): void {
    // By its id, so that it is not another widget of the page that comes back.
    const key = `connector-auth-consent-${this.id}`;
    const returned = takeReturned(key);
    if (this.modal && !this.#modal.isOpen) {
      if (returned === null) return;
      this.#modal.open(this.ownerDocument);
    }
    const { signal } = this.#life;
    this.#flow = new FlowController({
      service: connectService(new TokenKeeper({ getToken, serviceUrl, signal })),
      onChange: this.#handleChange,
      steps: loadedSteps,
      loadSteps: async () => {
        await loadSteps();
        this.requestUpdate();
      },
      sources,
      preselected: this.source,
      redirect: url === null ? null : { url, key },
      returned,
    });
    this.#flow.send({ type: 'start' });
  }

  /** One message for the integrator, and one for the person who looks at the page. */
  #complain(mistakes: readonly string[]): void {
    this.view = { name: 'misconfigured' };
    this.#logOnce(mistakes.join('; '));
  }

  #logOnce(complaint: string): void {
    if (complaint === this.#complaint) return;
    this.#complaint = complaint;
    // oxlint-disable-next-line no-console -- the only place where an integrator looks for their own mistakes
    console.error(`<connector-auth>: ${complaint}`);
  }

  #end(): void {
    clearTimeout(this.#grace);
    this.#grace = undefined;
    this.#life.abort();
    this.#life = new AbortController();
    this.#flow?.stop();
    this.#flow = null;
    this.#screen = null;
    this.#owesFocus = false;
    this.announcement = '';
    this.view = { name: 'idle' };
  }

  readonly #handleFlow = ({ flowEvent }: FlowRequest): void => {
    // In a dialog, done is done.
    if (this.modal && this.view.name === 'connected' && flowEvent.type === 'back') this.close();
    else this.#flow?.send(flowEvent);
  };

  readonly #handleClose = (): void => {
    this.close();
  };

  readonly #handleAnnounce = ({ text }: AnnounceRequest): void => {
    this.#announce(text);
  };

  readonly #handleChange = (state: State, previous: State): void => {
    const isStep =
      state.name !== previous.name ||
      // A link appears that the person has to follow.
      ('consent' in state && 'consent' in previous && state.consent !== previous.consent);
    if (this.shadowRoot?.activeElement) this.#owesFocus = true;
    this.view = state;
    const announcement = announcementFor(state, previous, this.#messages.value);
    if (announcement !== null) this.#announce(announcement);
    if (isStep) void this.#settleFocus();
    if ('failure' in state && state.failure !== null)
      this.#tellIntegrator(state.failure.code, state.failure.message);
    const wanted = this.source ?? this.sources;
    if (
      wanted !== null &&
      previous.name === 'loading' &&
      'catalog' in state &&
      state.catalog.definitions.length === 0
    )
      this.#logOnce(`none of the sources this customer may see is "${wanted}"`);
    for (const event of eventsFor(state, previous)) this.dispatchEvent(event);
  };

  #tellIntegrator(code: string, message: string): void {
    if (code === 'token_answer_invalid' || code === 'origin_not_allowed') this.#logOnce(message);
  }

  #announce(text: string): void {
    // The same sentence again is only read if the text differs.
    this.announcement = text === this.announcement ? `${text}\u00a0` : text;
  }

  /** After a step, puts the focus where it belongs, if it was in here: never takes it from the page. */
  async #settleFocus(): Promise<void> {
    await this.updateComplete;
    await this.#screen?.updateComplete;
    const { activeElement, body } = this.ownerDocument;
    const isLost = activeElement === null || activeElement === body;
    if (!isLost && !this.shadowRoot?.activeElement) this.#owesFocus = false;
    const target = this.#screen?.focusTarget();
    if (!this.#owesFocus || !target) return;
    this.#owesFocus = false;
    target.focus();
  }
}
