import {
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
import { createFlow } from './create-flow.ts';
import { connectorAuthEvent, eventsFor } from './events.ts';
import type { FlowEvent, State } from './flow/flow.ts';
import { adviseProvider, createLog, logFailure } from './integrator-log.ts';
import { registerLanguage, type CustomLanguage } from './messages/languages.ts';
import { MessageSource } from './messages/message-source.ts';
import { ownFlow, type OwnedFlow } from './own-flow.ts';
import { takePendingConsent } from './popup/pending-consent.ts';
import { attributeOf, propertyNames, propertySpecs, type ConnectorAuthProperties } from './properties.ts';
import { hostOf, type FlowView } from './provided-flow.ts';
import { loadedSteps, loadSteps } from './screens/load-steps.ts';
import type { Misconfigured } from './screens/render-context.ts';
import { createScreens, type Screens } from './screens/screens.ts';
import { failureIn } from './service/failure.ts';
import { widgetStyles } from './styles/styles.ts';

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
 * @csspart agents-button - Opens the list of apps and agents.
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
 * @csspart record - One of the newest records.
 * @csspart footer - The actions at the bottom of a screen.
 * @csspart skeleton - A placeholder while content loads.
 * @csspart status - The strip with the state of a connector, and what the user can do about it.
 * @csspart read-only - The note that a connection changes nothing.
 * @csspart sync - The types of data of a connector.
 * @csspart sync-entity - The sync of one type of data.
 * @csspart sync-error - Why it cannot be synced.
 * @csspart accounts - The chosen accounts: their number, or their names.
 * @csspart activity - The most recent activity of a connector.
 * @csspart activity-entry - One entry of it.
 * @csspart links - The links that a colleague or a guest can still use.
 * @csspart link-entry - One of these links.
 * @csspart agents - The apps and agents that people have authorized.
 * @csspart agent - One of them.
 * @csspart progress - The progress bar of a sync.
 * @csspart confirmation - The confirmation of a destructive action.
 * @csspart back-button - Goes one step back.
 * @csspart primary-button - The main action of a screen.
 * @csspart consent-link - Reopens the consent window.
 * @csspart button - All other buttons with text.
 * @csspart link-button - Offers to send a link to a colleague who can connect the source.
 * @csspart cancel-link-button - Cancels that link, or one of the open links.
 * @csspart another-button - Leaves the success screen to connect another source.
 * @csspart sync-button - Requests a sync of a connector.
 * @csspart accounts-button - Opens the choice of accounts.
 * @csspart rename-button - Starts renaming a connector.
 * @csspart reconnect-button - Starts reconnecting a connector.
 * @csspart revoke-button - Asks for confirmation to end an app or agent.
 * @csspart copy-button - Copies the address for apps and agents.
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
  };

  declare private view: State | Misconfigured;

  readonly #messages = new MessageSource(this);
  readonly #modal = new Modal(this, () => {
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
      'endingAgent',
    ].includes(this.view.name),
  );
  readonly #log = createLog('connector-auth');
  readonly #flow = ownFlow(
    this,
    signal => this.#createFlow(signal),
    issues => {
      // The user sees an error screen, and the integrator sees a message in the console.
      this.view = { name: 'misconfigured' };
      this.#log(issues);
    },
    () => {
      this.close();
      this.#stop();
    },
  );
  readonly #screens: Screens;
  /** Whether the user's event goes back, and whether the current screen was reached that way. */
  #isGoingBack = false;
  #isBackward = false;

  constructor() {
    super();
    for (const name of propertyNames) {
      Object.assign(this, { [name]: propertySpecs[name].initial ?? null });
    }
    this.view = { name: 'idle' };
    const messages = () => this.#messages.value;
    this.#screens = createScreens({
      host: this,
      get messages() {
        return messages();
      },
      send: this.#send,
      sends: type => () => {
        this.#send({ type });
      },
      announce: this.#focus.announce,
    });
  }

  /** Adds a language for every widget on the page. Omitted messages fall back to English. */
  static registerLanguage(language: CustomLanguage): void {
    registerLanguage(language);
  }

  /** Aborts all requests, then reloads and shows the catalog. */
  reload(): void {
    this.#flow.start();
  }

  /** Opens the widget as a dialog. When the dialog closes, focus returns to the currently focused element. */
  open(): void {
    if (this.#modal.isOpen) return;
    this.modal = true;
    this.#modal.open();
    this.#stop();
    this.#flow.start();
  }

  /** Closes the dialog and aborts all requests. */
  close(): void {
    this.#modal.close();
  }

  /** Moves focus to the control the customer needs next. */
  override focus(options?: FocusOptions): void {
    const target = this.#focus.findTarget();
    if (target) target.focus(options);
    else super.focus(options);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const isNew =
      !this.hasUpdated || propertyNames.some(name => !propertySpecs[name].isLive && changed.has(name));
    if (isNew) this.#stop();
    if (isNew || (changed.has('theme') && this.view.name === 'misconfigured')) this.#flow.start();
    if (changed.has('messages')) {
      const issues = this.#messages.override(this.messages ?? {});
      if (issues.length) this.#log(issues.join('; '));
    }
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
          <slot name="header"></slot>${this.#screens.render(this.view)}<slot name="footer"></slot>
        </div>
      </div>
      <div class="visually-hidden" role="status" lang=${language}>${this.#focus.announcement}</div>`;
    return this.modal ? this.#modal.render(content, this.#messages.value, dir) : content;
  }

  protected override updated(): void {
    if (!this.#modal.show()) return;
    this.#focus.beforeUpdate();
    void this.#focus.afterUpdate();
  }

  /** Joins the flow of a provider, or creates one. Returns null if it starts when the dialog opens. */
  #createFlow(signal: AbortSignal): OwnedFlow | null {
    // The id distinguishes several widgets on one page.
    const key = `connector-auth-consent-${this.id}`;
    const pendingConsent = takePendingConsent(key);
    if (this.modal && !this.#modal.isOpen) {
      if (!pendingConsent) return null;
      this.#modal.open();
    }
    retryIcons();
    const view: Omit<FlowView, 'show'> = {
      onChange: this.#handleChange,
      loadSteps: async () => {
        const isFirst = !loadedSteps();
        const code = await loadSteps();
        // A connector that was opened before this code was loaded can be drawn now.
        if (isFirst && this.view.name === 'managing') {
          this.requestUpdate();
          this.#focus.follow(null, true);
        }
        return code;
      },
      waitingPage: source => {
        const { leavingTitle, language, direction } = this.#messages.value;
        const panel = this.renderRoot.querySelector('.panel') ?? this;
        return { text: `${leavingTitle(source)}…`, language, direction, style: getComputedStyle(panel) };
      },
    };
    const provider = hostOf?.(this);
    if (provider) {
      const show = (state: State) => {
        this.view = state;
        void this.#focus.keepFocus();
      };
      return provider.join({ ...view, show });
    }
    adviseProvider(this, signal);
    return createFlow(this, {
      ...view,
      onIssue: this.#log,
      key,
      pendingConsent,
      language: () => this.#messages.language,
      signal,
    });
  }

  #stop(): void {
    // Screens can send a last event.
    this.#screens.stop();
    this.#flow.stop();
    this.#focus.reset();
    this.view = { name: 'idle' };
  }

  readonly #send = (event: FlowEvent): void => {
    // The last button of a dialog closes it.
    if (this.modal && this.view.name === 'connected' && event.type === 'back') this.close();
    else {
      this.#isGoingBack = event.type === 'back';
      this.#flow.send(event);
      this.#isGoingBack = false;
    }
  };

  readonly #handleChange = (state: State, previous: State): void => {
    const isNewStep =
      state.name !== previous.name ||
      // A link for the user to follow has appeared.
      ('consent' in state && 'consent' in previous && state.consent !== previous.consent);
    if (isNewStep) this.#isBackward = this.#isGoingBack;
    this.view = state;
    this.#focus.follow(
      announcementFor(state, previous, this.#messages.value, loadedSteps()?.announcementInSteps),
      isNewStep,
      isNewStep || failureIn(state) !== failureIn(previous),
    );
    logFailure(this.#log, state);
    for (const event of eventsFor(state, previous)) this.dispatchEvent(event);
  };
}
