import type {
  ListConnectorsResponse,
  ListDefinitionsResponse,
  SourceDefinition,
  SourceDefinitionDetail,
} from '@connector-auth/api';
import type { FlowEvent, ReturnedConsent, State } from '../flow/flow.ts';
import { next, type NextInSteps } from '../flow/next.ts';
import { chooseSources, findSource, normalized } from '../flow/sources.ts';
import type { PendingConsent } from '../popup/pending-consent.ts';
import type { RedirectOptions } from '../popup/redirect.ts';
import type { ConsentOptions } from '../popup/request-consent.ts';
import type { WaitingPage } from '../popup/waiting-page.ts';
import { failureOf, ServiceError } from '../service/failure.ts';
import { pause } from '../service/pause.ts';
import { expectList, type Service } from '../service/service.ts';
import type { StepEffects } from './step-effects.ts';

export interface FlowOptions {
  readonly service: Service;
  /** Called synchronously on every change. */
  readonly onChange: (state: State, previous: State) => void;
  /** Called with what the integrator has to change although the flow continues. */
  readonly onIssue?: (issue: string) => void;
  /** Returns the code for the steps that follow the catalog, or undefined until the code is loaded. */
  readonly steps: () => StepsCode | undefined;
  /** Loads the code for those steps. Called again after a failure. */
  readonly loadSteps: () => Promise<StepsCode>;
  /** The connector types to show. Default: all types that the token allows. */
  readonly sources?: readonly string[] | null | undefined;
  /** The integrator's own icons by normalized connector type. They replace those of the service. */
  readonly icons?: ReadonlyMap<string, string>;
  /** The connector type to open immediately. */
  readonly preselected?: string | null | undefined;
  /** The id of the connector to reconnect immediately. */
  readonly reconnect?: string | null | undefined;
  /** Runs the OAuth flow in the page's own window instead of a pop-up. */
  readonly redirect?: RedirectOptions | null;
  /** Returns what the pop-up of a source's OAuth flow shows until the vendor's page loads. */
  readonly waitingPage?: (source: string) => WaitingPage | undefined;
  /** The result of the OAuth flow from which the user has just returned in this window. */
  readonly pendingConsent?: PendingConsent | null;
}

/** The functions that the controller calls for the steps after the catalog. */
export interface StepsCode {
  readonly nextInSteps: NextInSteps;
  /** Creates the effects for one flow. */
  readonly createEffects: (
    service: Service,
    consent: Pick<ConsentOptions, 'redirect' | 'waitingPage'>,
  ) => StepEffects;
  readonly readReturnedConsent: (pendingConsent: PendingConsent) => ReturnedConsent;
}

/** Time in which the code of the steps is loaded before an error is shown without it, in milliseconds. */
const stepsGraceMs = 3000;

const sourcesPath = '/integrations/definitions/sources';

/**
 * Stores the state of the flow and runs the effect of each state. Leaving a state aborts its effect, and a
 * late result is ignored.
 */
export class FlowController {
  #state: State = { name: 'idle' };
  #abort = new AbortController();
  #effects: StepEffects | undefined;
  #pendingConsent: PendingConsent | null | undefined;
  #rewording = new AbortController();
  #language: string;

  constructor(private readonly options: FlowOptions) {
    this.#pendingConsent = options.pendingConsent;
    this.#language = options.service.language();
  }

  get state(): State {
    return this.#state;
  }

  /**
   * Applies an event, or ignores it if the current state does not handle it. Call it synchronously in the
   * click handler.
   */
  send(event: FlowEvent): void {
    const previous = this.#state;
    const state = next(previous, event, this.options.steps()?.nextInSteps);
    if (state === previous) return;
    this.#state = state;
    const isNew = state.name !== previous.name;
    if (isNew) {
      this.#abort.abort();
      this.#abort = new AbortController();
    }
    this.options.onChange(state, previous);
    // A listener may have sent another event, in which case this state has already been left.
    if (this.#state === state && isNew) void this.#run(state, this.#abort.signal);
  }

  /** Requests what the service says about the sources again if the language has changed. */
  async reword(): Promise<void> {
    const { service } = this.options;
    const language = service.language();
    if (language === this.#language) return;
    this.#language = language;
    this.#rewording.abort();
    this.#rewording = new AbortController();
    const { signal } = this.#rewording;
    const state = this.#state;
    if (state.name === 'loading' || state.name === 'opening') {
      this.#abort.abort();
      this.#abort = new AbortController();
      void this.#run(state, this.#abort.signal);
    }
    if (!('catalog' in state)) return;
    const [list, definition] = await Promise.all([
      service.call<Partial<ListDefinitionsResponse>>({ path: sourcesPath }, signal),
      'definition' in state && state.definition ? this.#getDefinition(state.definition, signal) : undefined,
      // If it fails, the words stay as they are.
    ]).catch(() => []);
    if (signal.aborted || !list?.definitions) return;
    this.send({ type: 'reworded', definitions: list.definitions.map(this.#withIcon), definition });
  }

  /** Aborts the current effect. The controller cannot be used afterwards. */
  stop(): void {
    this.#abort.abort();
    this.#rewording.abort();
  }

  async #run(state: State, signal: AbortSignal): Promise<void> {
    const send = (event: FlowEvent | null) => {
      if (event && !signal.aborted) this.send(event);
    };
    try {
      send(await this.#perform(state, signal, send));
    } catch (error) {
      // The code that describes errors. Without it, the user reads that a server cannot be reached.
      if (!this.options.steps())
        await Promise.race([this.options.loadSteps(), pause(stepsGraceMs, signal)]).catch(() => {});
      send({ type: 'failed', failure: failureOf(error) });
    }
  }

  /**
   * Runs synchronously up to the first `await`, because a pop-up can only be opened during the user's click.
   */
  async #perform(
    state: State,
    signal: AbortSignal,
    send: (event: FlowEvent) => void,
  ): Promise<FlowEvent | null> {
    const { service, steps, loadSteps, redirect, waitingPage } = this.options;
    switch (state.name) {
      case 'loading':
        return this.#load(signal);
      case 'opening': {
        const [definition] = await Promise.all([this.#getDefinition(state.source, signal), loadSteps()]);
        return { type: 'opened', definition };
      }
      case 'idle':
      case 'unavailable':
      case 'unopened':
        return null;
      case 'catalog':
        // Preloads the code. After a failure, the next click tries again.
        await loadSteps().catch(() => {});
        return null;
      default:
        this.#effects ??= (steps() ?? (await loadSteps())).createEffects(service, {
          redirect,
          waitingPage,
        });
        return this.#effects(state, signal, send);
    }
  }

  async #getDefinition(
    { sourceDefinitionId }: SourceDefinition,
    signal: AbortSignal,
  ): Promise<SourceDefinitionDetail> {
    const path = `${sourcesPath}/${encodeURIComponent(sourceDefinitionId)}` as const;
    const definition = await this.options.service.call<SourceDefinitionDetail>({ path }, signal);
    expectList(definition.auth_methods);
    return this.#withIcon(definition);
  }

  readonly #withIcon = <Source extends SourceDefinition>(source: Source): Source => {
    const iconUrl = this.options.icons?.get(normalized(source.connectorType));
    return iconUrl ? { ...source, iconUrl } : source;
  };

  async #load(signal: AbortSignal): Promise<FlowEvent> {
    const { service, sources, preselected, reconnect, loadSteps, onIssue } = this.options;
    const pendingConsent = this.#pendingConsent;
    const [{ definitions: all, integrator, rights, mcp_url: mcpUrl }, { data }, code] = await Promise.all([
      service.call<Partial<ListDefinitionsResponse>>({ path: sourcesPath }, signal),
      // The customer's 1,000 newest connectors.
      service.call<Partial<ListConnectorsResponse>>({ path: '/integrations/connectors?limit=1000' }, signal),
      pendingConsent ? loadSteps() : undefined,
    ]);
    const { definitions, connectors, unknown } = chooseSources(expectList(all), expectList(data), sources);
    const isUnknown = preselected && !findSource(definitions, preselected);
    if (unknown.length || isUnknown) {
      const known = expectList(all)
        .map(({ connectorType }) => connectorType)
        .join(', ');
      const setting = unknown.length
        ? `sources="${unknown.join()}"`
        : `source="${preselected}"${sources ? ', which must be in sources' : ''}`;
      const issue = `${setting}: this customer can connect ${known || 'nothing'}. Check the names, allowedSources of connectorAuth() and the sources enabled for your organization`;
      if (known && !definitions.length && !connectors.length) {
        throw new ServiceError('unknown_connector_type', issue, { isSetUpError: true });
      }
      onIssue?.(issue);
    }
    const returned = pendingConsent ? code?.readReturnedConsent(pendingConsent) : null;
    this.#pendingConsent = null;
    return {
      type: 'loaded',
      definitions: this.options.icons?.size ? definitions.map(this.#withIcon) : definitions,
      connectors,
      integrator,
      rights,
      mcpUrl,
      preselected,
      target: reconnect,
      returned,
    };
  }
}
