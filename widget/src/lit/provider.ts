import { connectionState } from '@connector-auth/api/connection-state';
import { ContextProvider } from '@lit/context';
import { html, LitElement, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';
import type { ConnectorAuthElement } from '../connector-auth.ts';
import { createFlow } from '../create-flow.ts';
import { eventsFor } from '../events.ts';
import type { Catalog, State, StateName } from '../flow/flow.ts';
import { chooseSources } from '../flow/sources.ts';
import { createLog, logFailure } from '../integrator-log.ts';
import { nearestLanguage, unwatchLanguage, watchLanguage } from '../messages/nearest-language.ts';
import { ownFlow, type OwnedFlow } from '../own-flow.ts';
import { takePendingConsent } from '../popup/pending-consent.ts';
import { attributeOf, propertySpecs, type FlowSettings } from '../properties.ts';
import type { FlowView } from '../provided-flow.ts';
import { loadSteps } from '../screens/load-steps.ts';
import { ServiceError } from '../service/failure.ts';
import {
  flowContext,
  hasOwnFlow,
  type FlowProvider,
  type ProvidedFlow,
  type ProvidedWidget,
} from './flow-context.ts';
import { flowSettings } from './flow-settings.ts';
import { providerStyles } from './styles.ts';

/** The states whose requests change something. They are not left until the service has responded. */
const changing: ReadonlySet<StateName> = new Set([
  'submitting',
  'cancelling',
  'saving',
  'savingAccounts',
  'syncing',
  'cancellingLink',
  'disconnecting',
  'undoing',
]);

/** Interval at which connectors that are synced are loaded again, in milliseconds. */
export const refreshMs = 5000;

// oxlint-disable-next-line no-unsafe-declaration-merging -- Lit creates the accessors from flowSettings
export interface ConnectorAuthProviderElement extends FlowSettings {}

/**
 * `<connector-auth-provider>`: shares one flow with the elements inside it, which are any number of `<connector-auth>`,
 * `<connector-auth-button>`, `<connector-auth-status>` and elements with a `ConnectorAuthController`.
 *
 * Every event is dispatched once: by the widget that the customer used, or else by the provider.
 *
 * @slot - The elements that share the flow.
 */
// oxlint-disable-next-line no-unsafe-declaration-merging
export class ConnectorAuthProviderElement extends LitElement {
  static override styles = providerStyles;

  static override properties: PropertyDeclarations = Object.fromEntries(
    flowSettings.map(name => [name, { attribute: attributeOf(name), ...propertySpecs[name] }]),
  );

  readonly #context = new ContextProvider(this, { context: flowContext });
  #state: State = { name: 'idle' };
  #catalog: Catalog | null = null;
  readonly #log = createLog('connector-auth-provider');
  readonly #flow = ownFlow(
    this,
    signal => this.#createFlow(signal),
    issues => {
      const { failure } = new ServiceError('token_unavailable', issues, { isSetUpError: true });
      this.#handleChange({ name: 'unavailable', failure }, this.#state);
    },
    () => {
      this.#stop();
    },
  );
  /** The widgets that show the flow. */
  readonly #views = new Set<FlowView>();
  /** The widget that the customer used last. It alone announces changes, moves focus and dispatches events. */
  #active: FlowView | undefined;
  /** The widgets inside this provider, shown or not. */
  readonly #widgets = new Set<ProvidedWidget>();
  #dialog: ConnectorAuthElement | undefined;
  /** The source to open as soon as the catalog is loaded. */
  #requested: string | null = null;
  #refreshTimer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the provider itself started to load again, which causes no events. */
  #isRefreshing = false;

  /** This provider, as the elements inside it use it. */
  readonly #shared: FlowProvider = {
    open: source => {
      this.open(source);
    },
    join: view => ({
      send: event => {
        if (this.#views.has(view)) {
          this.#active = view;
          this.#flow.send(event);
          return;
        }
        this.#views.add(view);
        this.#active = view;
        if (this.#state.name === 'catalog') void loadSteps().catch(() => {});
        view.show(this.#state);
      },
      stop: () => {
        this.#views.delete(view);
        if (this.#active === view) this.#active = [...this.#views].at(-1);
        // A widget that restarts joins again at once.
        queueMicrotask(() => {
          if (this.#views.size) return;
          this.#toCatalog();
          this.#scheduleRefresh();
        });
      },
    }),
    offer: widget => {
      this.#widgets.add(widget);
      return () => this.#widgets.delete(widget);
    },
  };

  constructor() {
    super();
    for (const name of flowSettings) Object.assign(this, { [name]: propertySpecs[name].initial ?? null });
    this.#provide();
  }

  /** The current state of the flow. */
  get state(): State {
    return this.#state;
  }

  /** Aborts all requests, then loads the sources and connectors again. */
  reload(): void {
    this.#isRefreshing = false;
    this.#flow.start();
  }

  /**
   * Opens the form of a source, its connector, or the catalog: in the visible `<connector-auth>` inside this provider,
   * or else in a dialog. A connector whose sign-in has expired is reconnected.
   */
  open(source: string | null = null): void {
    this.#showWidget();
    if (this.#toCatalog()) this.#openSource(source);
    else if (!('catalog' in this.#state)) this.#requested = source;
  }

  override connectedCallback(): void {
    watchLanguage(this, () => {
      this.requestUpdate();
    });
    super.connectedCallback();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    unwatchLanguage(this);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (this.hasUpdated && !flowSettings.some(name => changed.has(name))) return;
    this.#stop();
    this.#flow.start();
  }

  protected override render(): TemplateResult {
    return html`<slot></slot>`;
  }

  #createFlow(signal: AbortSignal): OwnedFlow {
    // The id distinguishes several providers on one page.
    const key = `connector-auth-provider-consent-${this.id}`;
    return createFlow(this, {
      onChange: this.#handleChange,
      onIssue: this.#log,
      loadSteps: async () => {
        // Without a widget on the page, the catalog has no reason to preload this code.
        const views = [...this.#views];
        if (!views.length && this.#state.name === 'catalog') throw new Error('No widget is shown');
        await Promise.all(views.map(view => view.loadSteps()));
        return loadSteps();
      },
      waitingPage: source => this.#active?.waitingPage?.(source),
      language: () => nearestLanguage(this),
      key,
      pendingConsent: takePendingConsent(key),
      signal,
    });
  }

  #stop(): void {
    clearTimeout(this.#refreshTimer);
    this.#flow.stop();
    this.#requested = this.#catalog = null;
    this.#state = { name: 'idle' };
    this.#provide();
    for (const view of this.#views) view.show(this.#state);
  }

  readonly #handleChange = (state: State, previous: State): void => {
    this.#state = state;
    if ('catalog' in state) this.#catalog = state.catalog;
    this.#provide();
    for (const view of this.#views) if (view !== this.#active) view.show(state);
    if (this.#active) this.#active.onChange(state, previous);
    else {
      logFailure(this.#log, state);
      for (const event of eventsFor(state, previous)) {
        if (!this.#isRefreshing || event.type === 'connector-auth-error') this.dispatchEvent(event);
      }
    }
    if (state.name !== 'loading') this.#isRefreshing = false;
    // A listener may have sent another event.
    if (state === this.#state && previous.name === 'loading') this.#continue(state);
    if (!this.#views.size) this.#toCatalog();
    this.#scheduleRefresh();
  };

  /** Loads the connectors again while one of them is synced. A widget would show that, and has its own polls. */
  #scheduleRefresh(): void {
    clearTimeout(this.#refreshTimer);
    const isSyncing = this.#catalog?.connectors.some(each => connectionState(each).name === 'syncing');
    if (!isSyncing || this.#views.size || this.#state.name !== 'catalog') return;
    this.#refreshTimer = setTimeout(() => {
      if (this.#views.size || this.ownerDocument.hidden) this.#scheduleRefresh();
      else {
        this.#isRefreshing = true;
        this.#flow.send({ type: 'start' });
      }
    }, refreshMs);
  }

  /** Shows what the customer requested while the sources were loading, or the consent from which they return. */
  #continue(state: State): void {
    const requested = this.#requested;
    this.#requested = null;
    if (state.name === 'catalog' && requested) this.#openSource(requested);
    else if (state.name === 'opening' && state.returned && !this.#views.size) this.#showWidget();
  }

  #provide(): void {
    const value: ProvidedFlow = { state: this.#state, catalog: this.#catalog, provider: this.#shared };
    this.#context.setValue(value);
  }

  /** Shows a widget: one that is visible, or one that is a dialog, or else a dialog of the provider. */
  #showWidget(): void {
    const widgets = [...this.#widgets].filter(widget => widget !== this.#dialog && !hasOwnFlow(widget));
    const widget =
      widgets.find(widget => !widget.modal && widget.checkVisibility()) ??
      widgets.find(({ modal }) => modal) ??
      this.#createDialog();
    if (widget.modal) widget.open();
    else {
      widget.scrollIntoView({ block: 'nearest' });
      // Focus then follows to the new screen.
      widget.focus();
    }
  }

  #createDialog(): ProvidedWidget {
    if (!this.#dialog) {
      this.#dialog = this.ownerDocument.createElement('connector-auth');
      this.#dialog.modal = true;
      this.renderRoot.append(this.#dialog);
    }
    return this.#dialog;
  }

  /** Goes back to the catalog. Returns false if that is impossible now. */
  #toCatalog(): boolean {
    for (;;) {
      const state = this.#state;
      if (!('catalog' in state) || state.name === 'catalog' || changing.has(state.name)) break;
      this.#flow.send({ type: 'back' });
      if (state === this.#state) break;
    }
    return this.#state.name === 'catalog';
  }

  #openSource(source: string | null): void {
    const catalog = this.#catalog;
    if (!source || !catalog) return;
    const { definitions, connectors } = chooseSources(catalog.definitions, catalog.connectors, [source]);
    if (!definitions.length && !connectors.length) this.#log(`the customer can't connect "${source}"`);
    this.#flow.send({ type: 'open', connectorType: source });
  }
}
