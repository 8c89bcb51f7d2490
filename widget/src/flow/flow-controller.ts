import type { CreateConnectorRequest } from '@connector-auth/api';
import type { askForConsent } from '../popup/ask-for-consent.ts';
import { pause } from '../popup/pause.ts';
import type { RedirectPlan } from '../popup/redirect.ts';
import { randomHex } from '../popup/secrets.ts';
import { failureOf } from '../service/failure.ts';
import type { Service } from '../service/service.ts';
import { connectorNameFor } from './connector-name.ts';
import type { FlowEvent, Returned, State, StateOf } from './flow.ts';
import { next, type NextInSteps } from './next.ts';
import { chooseSources, findSource } from './sources.ts';

/** What the controller is given. */
export interface FlowOptions {
  readonly service: Service;
  /** Told of every change, synchronously. */
  readonly onChange: (state: State, previous: State) => void;
  /** The code of the steps behind the catalog; null until it was loaded. */
  readonly steps: () => StepsCode | null;
  /** Loads it; asked again after a failure. */
  readonly loadSteps: () => Promise<void>;
  /** Connector types to show; all that the token allows if left out. */
  readonly sources?: readonly string[] | null;
  /** The connector type to open at once, unless the customer has a connector of it. */
  readonly preselected?: string | null;
  /** Consent in the page's own window; in one of its own if left out. */
  readonly redirect?: RedirectPlan | null;
  /** What the person has just come back with from a consent in this window. */
  readonly returned?: Returned | null;
}

/** What the steps behind the catalog are made of, as far as the flow is concerned. */
export interface StepsCode {
  readonly askForConsent: typeof askForConsent;
  readonly nextInSteps: NextInSteps;
}

/** Milliseconds between two looks at a connector on the screen. */
export const refreshMs = 5000;

/**
 * Runs the flow: keeps the state, and does what each state needs done. An effect belongs to the state that was entered;
 * leaving the state aborts it, and its late result is not heard.
 */
export class FlowController {
  #state: State = { name: 'idle' };
  #effect = new AbortController();
  /** The last submission whose outcome is unknown: sent again unchanged, it must not make a second connector. */
  #unanswered: { body: string; key: string } | null = null;
  #returned: Returned | null;

  constructor(private readonly options: FlowOptions) {
    this.#returned = options.returned ?? null;
  }

  get state(): State {
    return this.#state;
  }

  /** Applies an event; ignored where the present state does not know it. Call it inside the click that caused it. */
  send(event: FlowEvent): void {
    const previous = this.#state;
    const state = next(previous, event, this.options.steps()?.nextInSteps ?? null);
    if (state === previous) return;
    this.#state = state;
    if (state.name !== previous.name) {
      this.#effect.abort();
      this.#effect = new AbortController();
    }
    this.options.onChange(state, previous);
    // A listener may have sent an event of its own: then this state is over already.
    if (this.#state === state && state.name !== previous.name) void this.#run(state, this.#effect.signal);
  }

  /** Ends what is under way. The controller is not used after that. */
  stop(): void {
    this.#effect.abort();
  }

  async #run(state: State, signal: AbortSignal): Promise<void> {
    const tell = (event: FlowEvent) => {
      if (!signal.aborted) this.send(event);
    };
    try {
      const outcome = await this.#perform(state, signal, tell);
      if (outcome !== null) tell(outcome);
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
    const { service, steps, loadSteps, redirect = null } = this.options;
    switch (state.name) {
      case 'loading':
        return this.#load(signal);
      case 'opening': {
        const [definition] = await Promise.all([
          service.getDefinition(state.source.sourceDefinitionId, signal),
          loadSteps(),
        ]);
        return { type: 'opened', definition };
      }
      case 'consenting': {
        const { definition, target, entry } = state;
        const request = {
          definitionId: definition.sourceDefinitionId,
          connectorId: target?.id ?? null,
          entry,
        };
        // It is loaded: no other code leads to this state.
        return steps()?.askForConsent(request, { service, redirect, signal, tell }) ?? null;
      }
      case 'submitting':
        return this.#submit(state, signal);
      case 'saving':
        return {
          type: 'stored',
          connector: await service.updateConnector(state.connector.id, { name: state.newName }, signal),
        };
      case 'disconnecting':
        try {
          await service.deleteConnector(state.connector.id, signal);
        } catch (error) {
          // Somebody else was faster: what the person wanted is so.
          if (!isGone(error)) throw error;
        }
        return { type: 'disconnected' };
      case 'catalog':
        // Ahead of time; if it fails, the next click tries again.
        await loadSteps().catch(() => {});
        return null;
      case 'managing':
        await loadSteps();
        return this.#refresh(state.connector.id, signal, tell);
      case 'idle':
      case 'unavailable':
      case 'unopened':
      case 'choosing':
      case 'filling':
      case 'replacing':
      case 'connected':
      case 'renaming':
      case 'confirming':
        return null;
    }
  }

  async #load(signal: AbortSignal): Promise<FlowEvent> {
    const { service, sources = null, preselected = null } = this.options;
    const [allDefinitions, allConnectors] = await Promise.all([
      service.listDefinitions(signal),
      service.listConnectors(signal),
    ]);
    const { definitions, connectors } = chooseSources(
      allDefinitions,
      allConnectors,
      preselected === null ? sources : [preselected],
    );
    const returned = this.#returned;
    this.#returned = null;
    const source = connectors.length > 0 ? undefined : findSource(definitions, preselected);
    return {
      type: 'loaded',
      definitions,
      connectors,
      preselected: source?.sourceDefinitionId ?? null,
      returned,
    };
  }

  async #submit(
    { catalog, definition, target, entry }: StateOf<'submitting'>,
    signal: AbortSignal,
  ): Promise<FlowEvent> {
    const { service } = this.options;
    if (target !== null) {
      return { type: 'stored', connector: await service.updateConnector(target.id, entry, signal) };
    }
    const request: CreateConnectorRequest = {
      definition_id: definition.sourceDefinitionId,
      name: connectorNameFor(definition, catalog.connectors),
      ...entry,
    };
    const body = JSON.stringify(request);
    if (this.#unanswered?.body !== body) this.#unanswered = { body, key: randomHex(16) };
    try {
      const connector = await service.createConnector(request, this.#unanswered.key, signal);
      this.#unanswered = null;
      return { type: 'stored', connector };
    } catch (error) {
      const { status } = failureOf(error);
      // A refusal is an answer: trying again is a new request. Without an answer the connector may exist.
      if (status !== null && status < 500 && status !== 401) this.#unanswered = null;
      throw error;
    }
  }

  /** Looks at a connector again and again while the person looks at it; an outage changes nothing on the screen. */
  async #refresh(
    id: string,
    signal: AbortSignal,
    tell: (event: FlowEvent) => void,
  ): Promise<FlowEvent | null> {
    while (!signal.aborted) {
      await pause(refreshMs, signal);
      try {
        tell({ type: 'refreshed', connector: await this.options.service.getConnector(id, signal) });
      } catch (error) {
        if (isGone(error)) return { type: 'disconnected' };
      }
    }
    return null;
  }
}

function isGone(error: unknown): boolean {
  return failureOf(error).code === 'connector_not_found';
}
