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
import type { FlowController } from './controller/flow-controller.ts';
import { createFlow } from './create-flow.ts';
import { connectorAuthEvent, eventsFor } from './events.ts';
import type { FlowEvent, State } from './flow/flow.ts';
import { registerLanguage, type CustomLanguage } from './messages/languages.ts';
import { MessageSource } from './messages/message-source.ts';
import { takePendingConsent } from './popup/pending-consent.ts';
import { attributeOf, propertyNames, propertySpecs, type ConnectorAuthProperties } from './properties.ts';
import { hostOf } from './provided-flow.ts';
import { CatalogScreen } from './screens/catalog.ts';
import { errorScreen } from './screens/error.ts';
import { loadedSteps, loadSteps } from './screens/load-steps.ts';
import { openingScreen } from './screens/opening.ts';
import type { Misconfigured, RenderContext } from './screens/render-context.ts';
import type { DrawStep } from './screens/steps.ts';
import { concernsIntegrator, failureIn } from './service/failure.ts';
import { findIssues } from './settings.ts';
import { widgetStyles } from './styles/styles.ts';

/** Time that a page has to set `getToken`, in milliseconds. After that, a missing `getToken` is an error. */
export const setupGraceMs = 1000;

/**
 * Delay before the catalog's skeleton is drawn, in milliseconds. Drawing it immediately would delay the
 * catalog of a fast service.
 */
export const skeletonDelayMs = 120;

/** The widgets with a running flow of their own. */
const owners = new Set<ConnectorAuthElement>();
let isAdvised = false;

// oxlint-disable-next-line no-unsafe-declaration-merging -- Lit creates the accessors from propertySpecs
export interface ConnectorAuthElement extends ConnectorAuthProperties {}

/**
 * `<connector-auth>`: lets users connect their data sources and manage their connections.
 *
 * Set `token-url` or `getToken`; the element dispatches `connector-auth-…` events. This module only defines
 * the class. The package's main file registers the tag.
 *
 * @slot header - Above every screen, inside the panel.
 * @slot footer - Below every screen, inside the panel.
 * @slot next - The text of the primary action on the success screen.
 * @slot empty - Replaces the message that there are no sources.
 * @slot request - Replaces the button that requests a source that is not in the list.
 * @csspart panel - The box around everything.
 * @csspart dialog - The dialog around the panel, shown by open().
 * @csspart close-button - Closes the dialog.
 * @csspart header - The top of a screen: icon, title and lead.
 * @csspart title - The heading of a screen.
 * @csspart lead - The sentence below a title.
 * @csspart heading - The heading of a group or a notice.
 * @csspart icon - A source’s icon or initial.
 * @csspart search - The search field with its icon and button.
 * @csspart search-input - The text field in which users search.
 * @csspart clear-button - Clears the search field.
 * @csspart connected - The group of connectors.
 * @csspart connector - The button of a connector.
 * @csspart sources - The group of sources.
 * @csspart source - The button of a source.
 * @csspart name - The name in a row.
 * @csspart description - The sentence below a name in a row.
 * @csspart state - The state of a connector, in a row or a card.
 * @csspart badge - The badge of a source that is not certified.
 * @csspart action - The word at the end of a source’s row.
 * @csspart request-button - Requests a source that is not in the list.
 * @csspart method - The button of a method to connect.
 * @csspart form - The form for credentials.
 * @csspart field - A control with its label, hint and error.
 * @csspart label - The label of a control.
 * @csspart input - A text field, text area or choice.
 * @csspart checkbox - A checkbox.
 * @csspart hint - A sentence that explains a field or a notice.
 * @csspart optional - The word beside the label of an optional field.
 * @csspart advanced - The optional settings, which can be expanded.
 * @csspart group - A group of fields with a heading.
 * @csspart field-error - The error of a field.
 * @csspart reveal-button - Shows or hides a secret.
 * @csspart access - What a connection reads, changes and syncs.
 * @csspart access-row - One row of it.
 * @csspart entities - The types of data, which can be expanded.
 * @csspart guide - How to obtain the credentials.
 * @csspart guide-step - One step of it.
 * @csspart help-link - The link to the vendor’s help.
 * @csspart support-link - The link to the integrator’s support page.
 * @csspart logo - The integrator’s logo.
 * @csspart trust - The sentence about how credentials are stored.
 * @csspart notice - An error on a screen that remains usable.
 * @csspart message - The main content of a screen without a list: an empty state, an error or a success
 *   message.
 * @csspart sign - The round icon above this content.
 * @csspart reference - The request id, with which support can find an error.
 * @csspart account - An account with its checkbox.
 * @csspart select-all - The checkbox for all accounts.
 * @csspart records - The number of imported records.
 * @csspart footer - The actions at the bottom of a screen.
 * @csspart skeleton - A placeholder while content loads.
 * @csspart status - The strip with the state of a connector, and what the user can do about it.
 * @csspart read-only - The note that a connection changes nothing.
 * @csspart sync - The types of data of a connector.
 * @csspart sync-entity - The sync of one type of data.
 * @csspart sync-error - Why it cannot be synced.
 * @csspart accounts - The number of chosen accounts.
 * @csspart activity - The most recent activity of a connector.
 * @csspart activity-entry - One entry of it.
 * @csspart progress - The progress bar of a sync.
 * @csspart confirmation - The confirmation of a destructive action.
 * @csspart back-button - Goes one step back.
 * @csspart primary-button - The main action of a screen.
 * @csspart consent-link - Reopens the consent window.
 * @csspart button - All other buttons with text.
 * @csspart link-button - Offers to send a link to a colleague who can connect the source.
 * @csspart cancel-link-button - Cancels that link.
 * @csspart sync-button - Requests a sync of a connector.
 * @csspart accounts-button - Opens the choice of accounts.
 * @csspart rename-button - Starts renaming a connector.
 * @csspart reconnect-button - Starts reconnecting a connector.
 * @csspart disconnect-button - Asks for confirmation to delete a connector.
 * @csspart confirm-button - Confirms a destructive action.
 * @cssproperty --connector-auth-accent - Colour of main actions, links and focus. Text on it is black or
 *   white, whichever has more contrast.
 * @cssproperty --connector-auth-surface - Background of the panel.
 * @cssproperty --connector-auth-raised - Background of cards and of rows under the pointer.
 * @cssproperty --connector-auth-text - Colour of text.
 * @cssproperty --connector-auth-muted - Colour of secondary text.
 * @cssproperty --connector-auth-line - Colour of dividers.
 * @cssproperty --connector-auth-field-line - Border colour of controls; needs a contrast of 3:1 with the
 *   surface.
 * @cssproperty --connector-auth-danger - Colour of errors and destructive actions.
 * @cssproperty --connector-auth-success - Colour of success.
 * @cssproperty --connector-auth-warning - Colour of warnings.
 * @cssproperty --connector-auth-radius - Corner radius of the panel; the others are derived from it.
 * @cssproperty --connector-auth-gap - Spacing.
 * @cssproperty --connector-auth-font - Font family.
 * @cssproperty --connector-auth-font-size - Font size; all other sizes are relative to it.
 * @cssproperty --connector-auth-height - Height of the panel, which scrolls inside. `auto` grows with the
 *   content.
 */
// oxlint-disable-next-line no-unsafe-declaration-merging
export class ConnectorAuthElement extends LitElement {
  static override styles = widgetStyles;

  static override properties: PropertyDeclarations = {
    ...Object.fromEntries(
      propertyNames.map(name => [name, { attribute: attributeOf(name), ...propertySpecs[name] }]),
    ),
    view: { state: true },
    isSlow: { state: true },
  };

  declare private view: State | Misconfigured;
  /** Whether the skeleton is shown because the catalog takes a long time to load. */
  declare private isSlow: boolean;

  readonly #messages = new MessageSource(this);
  readonly #modal = new Modal(() => {
    this.#stop();
    this.dispatchEvent(connectorAuthEvent('connector-auth-close', null));
  });
  readonly #focus = new FocusManager(this, () =>
    [
      'idle',
      'loading',
      'submitting',
      'linking',
      'cancelling',
      'saving',
      'savingAccounts',
      'disconnecting',
    ].includes(this.view.name),
  );
  readonly #context: RenderContext;
  #flow: (Pick<FlowController, 'send' | 'stop'> & Partial<Pick<FlowController, 'reword'>>) | null = null;
  #catalog: CatalogScreen | null = null;
  #drawStep: DrawStep | null = null;
  #hasStepStyles = false;
  /** Aborts token requests when the flow stops. */
  #lifetime = new AbortController();
  #setupTimer: ReturnType<typeof setTimeout> | undefined;
  #skeletonTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #logged = new Set<string>();
  /** Whether the user's event goes back, and whether the current screen was reached that way. */
  #isGoingBack = false;
  #isBackward = false;
  #screen: Element | null = null;

  constructor() {
    super();
    for (const name of propertyNames) {
      Object.assign(this, { [name]: propertySpecs[name].initial ?? null });
    }
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

  /** Adds a language for every widget on the page. Omitted messages fall back to English. */
  static registerLanguage(language: CustomLanguage): void {
    registerLanguage(language);
  }

  /** Aborts all requests, then reloads and shows the catalog. */
  reload(): void {
    if (this.#flow) this.#flow.send({ type: 'start' });
    else this.#configure();
  }

  /** Opens the widget as a dialog. When the dialog closes, focus returns to the currently focused element. */
  open(): void {
    if (this.#modal.isOpen) return;
    this.modal = true;
    this.#modal.open(this.ownerDocument);
    this.#stop();
    this.#configure();
    this.requestUpdate();
  }

  /** Closes the dialog and aborts all requests. */
  close(): void {
    this.#modal.close(this.renderRoot);
  }

  /** Moves focus to the control the customer needs next. */
  override focus(options?: FocusOptions): void {
    const target = this.#focus.findTarget();
    if (target) target.focus(options);
    else super.focus(options);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (!this.#flow && this.hasUpdated) this.#configure();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // Moving an element removes and inserts it synchronously, which must not discard the user's input.
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.close();
      this.#stop();
    });
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const isNew =
      !this.hasUpdated || propertyNames.some(name => !propertySpecs[name].isLive && changed.has(name));
    if (isNew) this.#stop();
    if (isNew || (changed.has('theme') && !this.#flow)) this.#configure();
    if (changed.has('messages')) {
      const issues = this.#messages.override(this.messages ?? {});
      if (issues.length) this.#logOnce(issues.join('; '));
    }
    void this.#flow?.reword?.();
    this.#prepareScreen();
  }

  /** Creates the screen objects that the current state needs and discards the others. */
  #prepareScreen(): void {
    const { name } = this.view;
    if (name !== 'idle' && name !== 'loading') this.#hideSkeleton();
    else if (this.isConnected) {
      this.#skeletonTimer ??= setTimeout(() => {
        this.isSlow = true;
      }, skeletonDelayMs);
    }
    if (name !== 'catalog') this.#catalog?.leave();
    if (name === 'idle' || name === 'loading' || name === 'catalog') {
      // Discards the user's input in the steps.
      this.#drawStep?.stop();
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
    // Lit's default render root is a shadow root.
    adoptStyles(this.renderRoot as ShadowRoot, [...widgetStyles, ...steps.stepStyles]);
  }

  protected override render(): TemplateResult {
    const { language, direction } = this.#messages.value;
    // The widget's language, and its direction, may differ from the page's. The element's own `dir` takes
    // precedence.
    const dir = this.dir === '' ? direction : nothing;
    const content = html`<div
        class="panel ${this.#isBackward ? 'backward' : ''}"
        part="panel"
        lang=${language}
        dir=${dir}
      >
        <div class="scroller">
          <slot name="header"></slot>${this.#renderScreen()}<slot name="footer"></slot>
        </div>
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
        return errorScreen(view, context);
      case 'unavailable':
      case 'unopened':
        return (loadedSteps()?.failureScreen ?? errorScreen)(view, context);
      default:
    }
    if (this.#drawStep) return this.#drawStep(view);
    // `managing` is the only step that users can reach before the code for the steps is loaded.
    return view.name === 'managing' ? openingScreen(view, context) : nothing;
  }

  protected override updated(): void {
    const screen = this.renderRoot.querySelector('.screen');
    // Browsers keep the scroll position when one screen replaces another. Scrolling computes the layout, which
    // would delay the catalog.
    if (this.#screen && screen !== this.#screen) this.renderRoot.querySelector('.scroller')?.scrollTo(0, 0);
    this.#screen = this.isSlow ? null : screen;
    if (!this.#modal.show(this.renderRoot)) return;
    this.#focus.beforeUpdate();
    void this.#focus.afterUpdate();
  }

  #hideSkeleton(): void {
    clearTimeout(this.#skeletonTimer);
    this.#skeletonTimer = undefined;
    this.isSlow = false;
  }

  /** Starts the flow if the settings are valid. Otherwise reports their issues. */
  #configure(): void {
    clearTimeout(this.#setupTimer);
    const issues = hostOf?.(this) ? [] : findIssues(this);
    if (!issues.length) this.#start();
    else if (!this.tokenUrl && !this.getToken && this.#setupTimer === undefined) {
      this.#setupTimer = setTimeout(() => {
        this.#configure();
      }, setupGraceMs);
    } else {
      // The user sees an error screen, and the integrator sees a message in the console.
      this.view = { name: 'misconfigured' };
      this.#logOnce(issues.join('; '));
    }
  }

  #start(): void {
    // The id distinguishes several widgets on one page.
    const key = `connector-auth-consent-${this.id}`;
    const pendingConsent = takePendingConsent(key);
    if (this.modal && !this.#modal.isOpen) {
      if (!pendingConsent) return;
      this.#modal.open(this.ownerDocument);
    }
    retryIcons();
    const view = {
      onChange: this.#handleChange,
      loadSteps: async () => {
        const isFirst = !loadedSteps();
        const code = await loadSteps();
        // A connector that was opened before this code was loaded can be drawn now.
        if (isFirst && this.view.name === 'managing') {
          this.#focus.beforeUpdate();
          this.requestUpdate();
          void this.#focus.afterUpdate({ isHeadingRead: true });
        }
        return code;
      },
      waitingPage: (source: string) => {
        const { leavingTitle, language, direction } = this.#messages.value;
        const panel = this.renderRoot.querySelector('.panel') ?? this;
        return { text: `${leavingTitle(source)}…`, language, direction, style: getComputedStyle(panel) };
      },
    };
    const show = (state: State) => {
      this.view = state;
      void this.#focus.keepFocus();
    };
    const host = hostOf?.(this);
    if (!host) this.#adviseProvider();
    this.#flow =
      host?.join({ ...view, show }) ??
      createFlow(this, {
        ...view,
        onIssue: issue => {
          this.#logOnce(issue);
        },
        key,
        pendingConsent,
        language: () => this.#messages.language,
        signal: this.#lifetime.signal,
      });
    this.#flow.send({ type: 'start' });
  }

  /** Logs once per page that another widget with the same token could share its flow. */
  #adviseProvider(): void {
    for (const { isConnected, tokenUrl, getToken } of owners) {
      if (isAdvised || !isConnected || tokenUrl !== this.tokenUrl || getToken !== this.getToken) continue;
      isAdvised = true;
      // oxlint-disable-next-line no-console -- where integrators look
      console.info(
        '<connector-auth>: two widgets with the same token each load the sources. To share one flow, put them into <connector-auth-provider> of @connector-auth/widget/lit',
      );
    }
    owners.add(this);
  }

  /** Logs a message for the integrator, unless this element has logged it before. */
  #logOnce(message: string, more = ''): void {
    if (this.#logged.has(message)) return;
    this.#logged.add(message);
    // oxlint-disable-next-line no-console -- where integrators look for errors in their own code
    console.error(`<connector-auth>: ${message}${more}`);
  }

  #stop(): void {
    clearTimeout(this.#setupTimer);
    this.#setupTimer = undefined;
    this.#hideSkeleton();
    this.#lifetime.abort();
    this.#lifetime = new AbortController();
    owners.delete(this);
    this.#flow?.stop();
    this.#catalog?.stop();
    this.#drawStep?.stop();
    this.#flow = this.#catalog = this.#drawStep = null;
    this.#focus.reset();
    this.view = { name: 'idle' };
  }

  #send(event: FlowEvent): void {
    // The last button of a dialog closes it.
    if (this.modal && this.view.name === 'connected' && event.type === 'back') this.close();
    else {
      this.#isGoingBack = event.type === 'back';
      this.#flow?.send(event);
      this.#isGoingBack = false;
    }
  }

  readonly #handleClose = (): void => {
    this.close();
  };

  readonly #handleChange = (state: State, previous: State): void => {
    const failure = failureIn(state);
    const isNewStep =
      state.name !== previous.name ||
      // A link for the user to follow has appeared.
      ('consent' in state && 'consent' in previous && state.consent !== previous.consent);
    this.#focus.beforeUpdate();
    if (isNewStep) this.#isBackward = this.#isGoingBack;
    this.view = state;
    const announcement = announcementFor(
      state,
      previous,
      this.#messages.value,
      loadedSteps()?.announcementInSteps,
    );
    if (announcement) this.#focus.announce(announcement);
    if (isNewStep || failure !== failureIn(previous)) {
      void this.#focus.afterUpdate({ isHeadingRead: announcement === null, isNewStep });
    } else void this.#focus.keepFocus();
    if (failure && concernsIntegrator(failure)) {
      const { code, message, requestId } = failure;
      this.#logOnce(message, ` (${code}${requestId ? `, request ${requestId}` : ''})`);
    }
    for (const event of eventsFor(state, previous)) this.dispatchEvent(event);
  };
}
