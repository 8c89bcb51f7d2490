import type { CreateConnectorRequest } from '@connector-auth/api';
import { failureOf } from '../service/failure.ts';
import type { Service } from '../service/service.ts';
import { next, type FlowEvent, type State, type StateOf } from './flow.ts';
import { connectorNameFor } from './connector-name.ts';

/** What the controller is given. */
export interface FlowOptions {
  readonly service: Service;
  /** Told of every change, synchronously. */
  readonly onChange: (state: State, previous: State) => void;
  /** Loads the code of the steps behind the catalog, where it is loaded on demand; asked again after a failure. */
  readonly prepareSteps?: () => Promise<void>;
}

/**
 * Runs the flow: keeps the state, and does what each state needs done. An effect belongs to the state that was entered;
 * leaving the state aborts it, and its late result is not heard.
 */
export class FlowController {
  #state: State = { name: 'idle' };
  #effect = new AbortController();
  /** The last submission whose outcome is unknown: sent again unchanged, it must not make a second connector. */
  #unanswered: { body: string; key: string } | null = null;

  constructor(private readonly options: FlowOptions) {}

  get state(): State {
    return this.#state;
  }

  /** Applies an event; ignored where the present state does not know it. */
  send(event: FlowEvent): void {
    const previous = this.#state;
    const state = next(previous, event);
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
    let outcome: FlowEvent | null;
    try {
      outcome = await this.#perform(state, signal);
    } catch (error) {
      outcome = { type: 'failed', failure: failureOf(error) };
    }
    if (outcome !== null && !signal.aborted) this.send(outcome);
  }

  async #perform(state: State, signal: AbortSignal): Promise<FlowEvent | null> {
    const { service, prepareSteps } = this.options;
    switch (state.name) {
      case 'loading': {
        const [definitions, connectors] = await Promise.all([
          service.listDefinitions(signal),
          service.listConnectors(signal),
        ]);
        return { type: 'loaded', definitions, connectors };
      }
      case 'opening': {
        const [definition] = await Promise.all([
          service.getDefinition(state.source.sourceDefinitionId, signal),
          prepareSteps?.(),
        ]);
        return { type: 'opened', definition };
      }
      case 'submitting':
        return this.#submit(state, signal);
      case 'disconnecting':
        try {
          await service.deleteConnector(state.connector.id, signal);
        } catch (error) {
          // Somebody else was faster: what the person wanted is so.
          if (failureOf(error).code !== 'connector_not_found') throw error;
        }
        return { type: 'disconnected' };
      case 'catalog':
        // Ahead of time; if it fails, the next click tries again.
        await prepareSteps?.().catch(() => {});
        return null;
      case 'managing':
        await prepareSteps?.();
        return null;
      case 'idle':
      case 'unavailable':
      case 'unopened':
      case 'choosing':
      case 'filling':
      case 'connected':
      case 'confirming':
        return null;
    }
  }

  async #submit(
    { catalog, definition, entry }: StateOf<'submitting'>,
    signal: AbortSignal,
  ): Promise<FlowEvent> {
    const request: CreateConnectorRequest = {
      definition_id: definition.sourceDefinitionId,
      name: connectorNameFor(definition, catalog.connectors),
      ...entry,
    };
    const body = JSON.stringify(request);
    if (this.#unanswered?.body !== body) this.#unanswered = { body, key: newIdempotencyKey() };
    try {
      const connector = await this.options.service.createConnector(request, this.#unanswered.key, signal);
      this.#unanswered = null;
      return { type: 'created', connector };
    } catch (error) {
      const { status } = failureOf(error);
      // A refusal is an answer: trying again is a new request. Without an answer the connector may exist.
      if (status !== null && status < 500 && status !== 401) this.#unanswered = null;
      throw error;
    }
  }
}

/** 128 random bits. `crypto.randomUUID` is missing on plain-http pages. */
function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
