import type {
  ListConnectorsResponse,
  ListDefinitionsResponse,
  SourceDefinitionDetail,
} from '@connector-auth/api';
import type { FlowEvent, ReturnedConsent, State } from '../flow/flow.ts';
import { next, type NextInSteps } from '../flow/next.ts';
import { chooseSources, findSource } from '../flow/sources.ts';
import type { PendingConsent } from '../popup/pending-consent.ts';
import type { RedirectOptions } from '../popup/redirect.ts';
import { failureOf } from '../service/failure.ts';
import { expectList, type Service } from '../service/service.ts';
import type { StepEffects } from './step-effects.ts';

export interface FlowOptions {
  readonly service: Service;
  /** Called synchronously on every change. */
  readonly onChange: (state: State, previous: State) => void;
  /** Returns the code of the steps behind the catalog; undefined until it is loaded. */
  readonly steps: () => StepsCode | undefined;
  /** Loads that code; called again after a failure. */
  readonly loadSteps: () => Promise<StepsCode>;
  /** Connector types to show. Default: all that the token allows. */
  readonly sources?: readonly string[] | null | undefined;
  /** The connector type to open at once, unless the customer has a connector of it. */
  readonly preselected?: string | null | undefined;
  /** Asks for consent in the page's own window instead of a pop-up. */
  readonly redirect?: RedirectOptions | null;
  /** The consent from which the user has just returned to this window. */
  readonly pendingConsent?: PendingConsent | null;
}

/** The code of the steps behind the catalog, as far as the controller uses it. */
export interface StepsCode {
  readonly nextInSteps: NextInSteps;
  /** Creates the effects of one flow. */
  readonly createEffects: (service: Service, redirect: RedirectOptions | null | undefined) => StepEffects;
  readonly readReturnedConsent: (pendingConsent: PendingConsent) => ReturnedConsent;
}

const sourcesPath = '/integrations/definitions/sources';

/**
 * Runs the flow: stores the state and runs the effect of each state. Leaving a state aborts its effect, whose
 * late result is ignored.
 */
export class FlowController {
  #state: State = { name: 'idle' };
  #abort = new AbortController();
  #effects: StepEffects | undefined;
  #pendingConsent: PendingConsent | null | undefined;

  constructor(private readonly options: FlowOptions) {
    this.#pendingConsent = options.pendingConsent;
  }

  get state(): State {
    return this.#state;
  }

  /**
   * Applies an event; ignores one that the current state does not handle. Call it inside the click that
   * caused it.
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
    // A listener may have sent an event of its own: then this state is already over.
    if (this.#state === state && isNew) void this.#run(state, this.#abort.signal);
  }

  /** Aborts the current effect. The controller cannot be used afterwards. */
  stop(): void {
    this.#abort.abort();
  }

  async #run(state: State, signal: AbortSignal): Promise<void> {
    const send = (event: FlowEvent | null) => {
      if (event && !signal.aborted) this.send(event);
    };
    try {
      send(await this.#perform(state, signal, send));
    } catch (error) {
      send({ type: 'failed', failure: failureOf(error) });
    }
  }

  /** Runs synchronously until it first awaits: a pop-up can only be opened inside the user's click. */
  async #perform(
    state: State,
    signal: AbortSignal,
    send: (event: FlowEvent) => void,
  ): Promise<FlowEvent | null> {
    const { service, steps, loadSteps, redirect } = this.options;
    switch (state.name) {
      case 'loading':
        return this.#load(signal);
      case 'opening': {
        const path = `${sourcesPath}/${encodeURIComponent(state.source.sourceDefinitionId)}` as const;
        const [definition] = await Promise.all([
          service.call<SourceDefinitionDetail>({ path }, signal),
          loadSteps(),
        ]);
        expectList(definition.auth_methods);
        return { type: 'opened', definition };
      }
      case 'idle':
      case 'unavailable':
      case 'unopened':
        return null;
      case 'catalog':
        // Preloads; after a failure the next click tries again.
        await loadSteps().catch(() => {});
        return null;
      default:
        this.#effects ??= (steps() ?? (await loadSteps())).createEffects(service, redirect);
        return this.#effects(state, signal, send);
    }
  }

  async #load(signal: AbortSignal): Promise<FlowEvent> {
    const { service, sources, preselected, loadSteps } = this.options;
    const pendingConsent = this.#pendingConsent;
    const [{ definitions: all }, { data }, code] = await Promise.all([
      service.call<Partial<ListDefinitionsResponse>>({ path: sourcesPath }, signal),
      // The newest thousand of the customer.
      service.call<Partial<ListConnectorsResponse>>({ path: '/integrations/connectors?limit=1000' }, signal),
      pendingConsent ? loadSteps() : undefined,
    ]);
    const { definitions, connectors } = chooseSources(
      expectList(all),
      expectList(data),
      preselected ? [preselected] : sources,
    );
    const returned = pendingConsent ? code?.readReturnedConsent(pendingConsent) : null;
    this.#pendingConsent = null;
    const source = connectors.length ? undefined : findSource(definitions, preselected);
    return { type: 'loaded', definitions, connectors, preselected: source?.sourceDefinitionId, returned };
  }
}
