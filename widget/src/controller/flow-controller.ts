import type {
  ListConnectorsResponse,
  ListDefinitionsResponse,
  SourceDefinitionDetail,
} from '@connector-auth/api';
import type { FlowEvent, Returned, State } from '../flow/flow.ts';
import { next, type NextInSteps } from '../flow/next.ts';
import { chooseSources, findSource } from '../flow/sources.ts';
import type { Kept } from '../popup/pending-consent.ts';
import type { RedirectPlan } from '../popup/redirect.ts';
import { failureOf } from '../service/failure.ts';
import { expectList, type Service } from '../service/service.ts';
import type { StepEffects } from './step-effects.ts';

/** What the controller is given. */
export interface FlowOptions {
  readonly service: Service;
  /** Told of every change, synchronously. */
  readonly onChange: (state: State, previous: State) => void;
  /** The code of the steps behind the catalog; undefined until it was loaded. */
  readonly steps: () => StepsCode | undefined;
  /** Loads it; asked again after a failure. */
  readonly loadSteps: () => Promise<StepsCode>;
  /** Connector types to show; all that the token allows if left out. */
  readonly sources?: readonly string[] | null | undefined;
  /** The connector type to open at once, unless the customer has a connector of it. */
  readonly preselected?: string | null | undefined;
  /** Consent in the page's own window; in one of its own if left out. */
  readonly redirect?: RedirectPlan | null;
  /** What the widget kept for a person who has just come back from a consent in this window. */
  readonly kept?: Kept | null;
}

/** What the steps behind the catalog are made of, as far as the flow is concerned. */
export interface StepsCode {
  readonly nextInSteps: NextInSteps;
  /** The effects of one flow. */
  readonly createEffects: (service: Service, redirect: RedirectPlan | null | undefined) => StepEffects;
  /** What a person came back with, by what the widget kept. */
  readonly readReturned: (kept: Kept) => Returned;
}

const sourcesPath = '/integrations/definitions/sources';

/**
 * Runs the flow: keeps the state, and does what each state needs done. An effect belongs to the state that was entered;
 * leaving the state aborts it, and its late result is not heard.
 */
export class FlowController {
  #state: State = { name: 'idle' };
  #effect = new AbortController();
  #effects: StepEffects | undefined;
  #kept: Kept | null | undefined;

  constructor(private readonly options: FlowOptions) {
    this.#kept = options.kept;
  }

  get state(): State {
    return this.#state;
  }

  /** Applies an event; ignored where the present state does not know it. Call it inside the click that caused it. */
  send(event: FlowEvent): void {
    const previous = this.#state;
    const state = next(previous, event, this.options.steps()?.nextInSteps);
    if (state === previous) return;
    this.#state = state;
    const isNew = state.name !== previous.name;
    if (isNew) {
      this.#effect.abort();
      this.#effect = new AbortController();
    }
    this.options.onChange(state, previous);
    // A listener may have sent an event of its own: then this state is over already.
    if (this.#state === state && isNew) void this.#run(state, this.#effect.signal);
  }

  /** Ends what is under way. The controller is not used after that. */
  stop(): void {
    this.#effect.abort();
  }

  async #run(state: State, signal: AbortSignal): Promise<void> {
    const tell = (event: FlowEvent | null) => {
      if (event && !signal.aborted) this.send(event);
    };
    try {
      tell(await this.#perform(state, signal, tell));
    } catch (error) {
      tell({ type: 'failed', failure: failureOf(error) });
    }
  }

  /** Runs up to its first wait inside the event that led to the state: a window may be opened there. */
  async #perform(
    state: State,
    signal: AbortSignal,
    tell: (event: FlowEvent) => void,
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
        // Ahead of time; if it fails, the next click tries again.
        await loadSteps().catch(() => {});
        return null;
      default:
        this.#effects ??= (steps() ?? (await loadSteps())).createEffects(service, redirect);
        return this.#effects(state, signal, tell);
    }
  }

  async #load(signal: AbortSignal): Promise<FlowEvent> {
    const { service, sources, preselected, loadSteps } = this.options;
    const [{ definitions: all }, { data }, code] = await Promise.all([
      service.call<Partial<ListDefinitionsResponse>>({ path: sourcesPath }, signal),
      // The newest thousand of the customer.
      service.call<Partial<ListConnectorsResponse>>({ path: '/integrations/connectors?limit=1000' }, signal),
      this.#kept ? loadSteps() : undefined,
    ]);
    const { definitions, connectors } = chooseSources(
      expectList(all),
      expectList(data),
      preselected ? [preselected] : sources,
    );
    const returned = this.#kept ? code?.readReturned(this.#kept) : null;
    this.#kept = null;
    const source = connectors.length ? undefined : findSource(definitions, preselected);
    return { type: 'loaded', definitions, connectors, preselected: source?.sourceDefinitionId, returned };
  }
}
