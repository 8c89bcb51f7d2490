import { FlowController } from '../controller/flow-controller.ts';
import { createEffects } from '../controller/step-effects.ts';
import type { FlowEvent, State } from '../flow/flow.ts';
import { nextInSteps } from '../flow/next-in-steps.ts';
import { readReturnedConsent } from '../popup/redirect.ts';
import { connectService } from '../service/service.ts';
import { cacheToken, tokenFromUrl, type GetToken } from '../service/widget-token.ts';

/** Where the flow gets its tokens, and whom it asks. One of `tokenUrl` and `getToken`. */
export interface ConnectorFlowOptions {
  /** Where the integrator's backend answers `{token, expires_in, service_url}` to a POST. */
  readonly tokenUrl?: string;
  /** Instead of `tokenUrl`: a function that promises the same answer. */
  readonly getToken?: GetToken;
  /** The service's base URL, where the token answer does not tell it. */
  readonly serviceUrl?: string;
  /** Whether cookies go to the token URL; `same-origin` by default. */
  readonly tokenCredentials?: RequestCredentials;
  /** The connector types to show; all that the token allows if left out. */
  readonly sources?: readonly string[];
  /** The one connector type to go straight to; no other is shown. */
  readonly source?: string;
}

/** What a person may do. Which events a state knows is the state's own affair: it ignores the others. */
export type PersonEvent = Extract<
  FlowEvent,
  {
    readonly type:
      | 'start'
      | 'retry'
      | 'back'
      | 'search'
      | 'pick'
      | 'choose'
      | 'submit'
      | 'manage'
      | 'rename'
      | 'save'
      | 'reconnect'
      | 'disconnect'
      | 'confirm';
  }
>;

/** The widget without its looks: the same states, the same requests, and a user interface of your own. */
export interface ConnectorFlow {
  /** The present state; a new object whenever something changed, so `===` tells. */
  readonly state: State;
  /** Tells what the person did. Begin with `{ type: 'start' }`; call it inside the click that it stands for. */
  readonly send: (event: PersonEvent) => void;
  /** Has every change told, synchronously; returns the function that ends it. */
  readonly subscribe: (listener: (state: State, previous: State) => void) => () => void;
  /** Ends what is under way, and every subscription. The flow is not used after that. */
  readonly stop: () => void;
}

const code = { createEffects, nextInSteps, readReturnedConsent };

/**
 * A flow of its own, which asks for nothing before it is told to start. Its functions need no `this`.
 * @throws TypeError unless there is exactly one of `tokenUrl` and `getToken`.
 */
export function createConnectorFlow(options: ConnectorFlowOptions): ConnectorFlow {
  const { tokenUrl, serviceUrl = null, tokenCredentials = 'same-origin' } = options;
  const getToken = options.getToken ?? (tokenUrl ? tokenFromUrl(tokenUrl, tokenCredentials) : null);
  if (getToken === null || (options.getToken && tokenUrl)) {
    throw new TypeError('Give createConnectorFlow tokenUrl or getToken, one of them');
  }
  const life = new AbortController();
  const listeners = new Set<(state: State, previous: State) => void>();
  const controller = new FlowController({
    service: connectService(cacheToken({ getToken, serviceUrl, signal: life.signal })),
    steps: () => code,
    loadSteps: () => Promise.resolve(code),
    sources: options.sources ?? null,
    preselected: options.source ?? null,
    onChange: (state, previous) => {
      for (const listener of listeners) listener(state, previous);
    },
  });
  return {
    get state() {
      return controller.state;
    },
    send: event => {
      controller.send(event);
    },
    subscribe: listener => {
      // Subscribed twice is told twice: each subscription is its own.
      const own: typeof listener = (state, previous) => {
        listener(state, previous);
      };
      listeners.add(own);
      return () => listeners.delete(own);
    },
    stop: () => {
      listeners.clear();
      life.abort();
      controller.stop();
    },
  };
}
