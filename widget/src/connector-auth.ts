import {
  adoptStyles,
  html,
  LitElement,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import { announcementFor } from './a11y/announcement.ts';
import { FocusManager } from './a11y/focus-manager.ts';
import { Modal } from './components/modal.ts';
import { retryIcons } from './components/source-icon.ts';
import { FlowController } from './controller/flow-controller.ts';
import { connectorAuthEvent, eventsFor } from './events.ts';
import type { FlowEvent, State } from './flow/flow.ts';
import { registerLanguage, type CustomLanguage } from './messages/languages.ts';
import { MessageSource } from './messages/message-source.ts';
import type { Messages } from './messages/messages.ts';
import { takePendingConsent } from './popup/pending-consent.ts';
import { CatalogScreen } from './screens/catalog.ts';
import { errorScreen } from './screens/error.ts';
import { loadedSteps, loadSteps } from './screens/load-steps.ts';
import { openingScreen } from './screens/opening.ts';
import type { Misconfigured, RenderContext } from './screens/render-context.ts';
import type { DrawStep } from './screens/steps.ts';
import { failureIn } from './service/failure.ts';
import { connectService } from './service/service.ts';
import { cacheToken, type GetToken } from './service/widget-token.ts';
import { createTokenSource, findIssues, parseList, usesRedirect } from './settings.ts';
import { widgetStyles } from './styles/styles.ts';

/** Milliseconds a page has to set `getToken` before its absence counts as a mistake. */
export const setupGraceMs = 1000;

/** Milliseconds without a catalog before there is a skeleton of it: drawing one would hold up a service that is quick. */
export const skeletonDelayMs = 120;

/** The properties that the flow is made from: it begins anew when one changes. */
const settings = [
  'tokenUrl',
  'getToken',
  'serviceUrl',
  'tokenCredentials',
  'source',
  'sources',
  'oauthMode',
  'oauthRedirectUrl',
] as const;

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
    isSlow: { state: true },
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
  /** The catalog is long in coming: there is a skeleton of it meanwhile. */
  declare private isSlow: boolean;

  readonly #messages = new MessageSource(this);
  readonly #modal = new Modal(() => {
    this.#end();
    this.dispatchEvent(connectorAuthEvent('connector-auth-close', null));
  });
  readonly #focus = new FocusManager(this, () =>
    ['idle', 'loading', 'submitting', 'saving', 'disconnecting'].includes(this.view.name),
  );
  readonly #context: RenderContext;
  #flow: FlowController | null = null;
  #catalog: CatalogScreen | null = null;
  #drawStep: DrawStep | null = null;
  #hasStepStyles = false;
  /** Ends everything of the present life: requests, the flow. */
  #life = new AbortController();
  #grace: ReturnType<typeof setTimeout> | undefined;
  #patience: ReturnType<typeof setTimeout> | undefined;
  #complaint = '';

  constructor() {
    super();
    for (const name of [...settings, 'theme', 'messages'] as const) Object.assign(this, { [name]: null });
    this.tokenCredentials = 'same-origin';
    this.modal = false;
    this.view = { name: 'idle' };
    this.isSlow = false;
    const messages = () => this.#messages.value;
    this.#context = {
      host: this,
      get messages() {
        return messages();
      },
      send: event => {
        this.#send(event);
      },
      announce: text => {
        this.#focus.announce(text);
      },
    };
  }

  /** Adds a language for every widget on the page; what it leaves out stays English. */
  static registerLanguage(language: CustomLanguage): void {
    registerLanguage(language);
  }

  /** Loads the catalog again and shows it; what is under way is given up. */
  reload(): void {
    if (this.#flow) this.#flow.send({ type: 'start' });
    else this.#begin();
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
    const target = this.#focus.findTarget();
    if (target) target.focus(options);
    else super.focus(options);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (!this.#flow && this.hasUpdated) this.#begin();
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
    const isNew = !this.hasUpdated || settings.some(name => changed.has(name));
    if (isNew) this.#end();
    if (isNew || (changed.has('theme') && !this.#flow)) this.#begin();
    if (changed.has('messages')) {
      const mistakes = this.#messages.override(this.messages ?? {});
      if (mistakes.length) this.#logOnce(mistakes.join('; '));
    }
    this.#prepareScreen();
  }

  /** Has the objects ready that the screens of the present state are drawn by, and lets go of the others. */
  #prepareScreen(): void {
    const { name } = this.view;
    if (name !== 'idle' && name !== 'loading') this.#endPatience();
    else if (this.isConnected) {
      this.#patience ??= setTimeout(() => {
        this.isSlow = true;
      }, skeletonDelayMs);
    }
    if (name !== 'catalog') this.#catalog?.leave();
    if (name === 'idle' || name === 'loading' || name === 'catalog') {
      // What was typed goes with the screens behind the catalog.
      this.#drawStep = null;
      this.#catalog ??= new CatalogScreen(this.#context);
      if (this.view.name === 'catalog') this.#catalog.enter(this.view);
      return;
    }
    const steps = loadedSteps();
    if (!steps) return;
    this.#drawStep ??= steps.createStepScreens(this.#context);
    if (this.#hasStepStyles || !this.hasUpdated) return;
    this.#hasStepStyles = true;
    // Ours is a shadow root: Lit's own, by its default.
    adoptStyles(this.renderRoot as ShadowRoot, [...widgetStyles, ...steps.stepStyles]);
  }

  protected override render(): TemplateResult {
    const { language, direction } = this.#messages.value;
    // The widget's language may be another than the page's, and with it the direction; an element's own `dir` wins.
    const dir = this.dir === '' ? direction : nothing;
    const content = html`<div class="panel" part="panel" lang=${language} dir=${dir}>
        <slot name="header"></slot>${this.#renderScreen()}<slot name="footer"></slot>
      </div>
      <div class="visually-hidden" role="status" lang=${language}>${this.#focus.announcement}</div>`;
    return this.modal ? this.#modal.render(content, this.#messages.value, dir, this.#handleClose) : content;
  }

  #renderScreen(): TemplateResult | typeof nothing {
    const { view } = this;
    const context = this.#context;
    switch (view.name) {
      case 'idle':
      case 'loading':
      case 'catalog':
        if (view.name !== 'catalog' && !this.isSlow) return nothing;
        return this.#catalog?.render(view.name === 'catalog' ? view : undefined) ?? nothing;
      case 'opening':
        return openingScreen(view, context);
      case 'misconfigured':
      case 'unavailable':
      case 'unopened':
        return errorScreen(view, context);
      default:
    }
    if (this.#drawStep) return this.#drawStep(view);
    // The only state behind the catalog that does not wait for its code.
    return view.name === 'managing' ? openingScreen(view, context) : nothing;
  }

  protected override updated(): void {
    if (!this.#modal.show(this.renderRoot)) return;
    this.#focus.beforeUpdate();
    void this.#focus.afterUpdate();
  }

  #endPatience(): void {
    clearTimeout(this.#patience);
    this.#patience = undefined;
    this.isSlow = false;
  }

  #begin(): void {
    clearTimeout(this.#grace);
    const mistakes = findIssues(this);
    if (!mistakes.length) this.#start();
    else if (!this.tokenUrl && !this.getToken && this.#grace === undefined) {
      this.#grace = setTimeout(() => {
        this.#begin();
      }, setupGraceMs);
    } else {
      // One message for the integrator, and one for the person who looks at the page.
      this.view = { name: 'misconfigured' };
      this.#logOnce(mistakes.join('; '));
    }
  }

  #start(): void {
    // By its id, so that it is not another widget of the page that comes back.
    const key = `connector-auth-consent-${this.id}`;
    const pendingConsent = takePendingConsent(key);
    if (this.modal && !this.#modal.isOpen) {
      if (!pendingConsent) return;
      this.#modal.open(this.ownerDocument);
    }
    retryIcons();
    this.#flow = new FlowController({
      service: connectService(
        cacheToken({
          getToken: createTokenSource(this),
          serviceUrl: this.serviceUrl,
          signal: this.#life.signal,
        }),
      ),
      onChange: this.#handleChange,
      steps: loadedSteps,
      loadSteps: async () => {
        const isNews = !loadedSteps();
        const code = await loadSteps();
        // A connector that was opened before its screen was here is drawn now.
        if (isNews && this.view.name === 'managing') {
          this.#focus.beforeUpdate();
          this.requestUpdate();
          void this.#focus.afterUpdate({ isHeadingRead: true });
        }
        return code;
      },
      sources: parseList(this.sources),
      preselected: this.source,
      redirect: usesRedirect(this) ? { url: this.oauthRedirectUrl, key } : null,
      pendingConsent,
    });
    this.#flow.send({ type: 'start' });
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
    this.#endPatience();
    this.#life.abort();
    this.#life = new AbortController();
    this.#flow?.stop();
    this.#catalog?.stop();
    this.#flow = this.#catalog = this.#drawStep = null;
    this.#focus.reset();
    this.view = { name: 'idle' };
  }

  #send(event: FlowEvent): void {
    // In a dialog, done is done.
    if (this.modal && this.view.name === 'connected' && event.type === 'back') this.close();
    else this.#flow?.send(event);
  }

  readonly #handleClose = (): void => {
    this.close();
  };

  readonly #handleChange = (state: State, previous: State): void => {
    const failure = failureIn(state);
    const isStep =
      state.name !== previous.name ||
      // A link appears that the person has to follow.
      ('consent' in state && 'consent' in previous && state.consent !== previous.consent);
    this.#focus.beforeUpdate();
    this.view = state;
    const announcement = announcementFor(state, previous, this.#messages.value);
    if (announcement) this.#focus.announce(announcement);
    if (isStep || failure !== failureIn(previous))
      void this.#focus.afterUpdate({ isHeadingRead: announcement === null, isNewStep: isStep });
    if (failure?.code === 'token_answer_invalid' || failure?.code === 'origin_not_allowed') {
      this.#logOnce(failure.message);
    }
    const wanted = this.source ?? this.sources;
    if (wanted && previous.name === 'loading' && 'catalog' in state && !state.catalog.definitions.length) {
      this.#logOnce(`none of the sources this customer may see is "${wanted}"`);
    }
    for (const event of eventsFor(state, previous)) this.dispatchEvent(event);
  };
}
