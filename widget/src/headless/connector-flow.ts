import { FlowController } from '../controller/flow-controller.ts';
import { createEffects } from '../controller/step-effects.ts';
import type { FlowEvent, State } from '../flow/flow.ts';
import { nextInSteps } from '../flow/next-in-steps.ts';
import { readReturnedConsent } from '../popup/redirect.ts';
import { connectService } from '../service/service.ts';
import { cacheToken, tokenFromUrl, type GetToken } from '../service/widget-token.ts';

/** Options for a flow. Set either `tokenUrl` or `getToken`. */
export interface ConnectorFlowOptions {
  /** A route on your backend that responds to a POST with `{token, expires_in, service_url}`. */
  readonly tokenUrl?: string;
  /** Replaces `tokenUrl`: a function that returns a promise of the same object. */
  readonly getToken?: GetToken;
  /** The service's base URL, if the token response omits `service_url`. */
  readonly serviceUrl?: string;
  /** Whether requests to the token URL send cookies. Default: `same-origin`. */
  readonly tokenCredentials?: RequestCredentials;
  /** The language in which the service describes sources, such as `de`. Default: `en`. */
  readonly language?: string;
  /** The connector types to show. Default: all types that the token allows. */
  readonly sources?: readonly string[];
  /** The connector type to open immediately: its form, or its connector. */
  readonly source?: string;
  /** The id of the connector to reconnect immediately. */
  readonly reconnect?: string;
}

/** The events that a user can trigger. A state ignores events that it does not handle. */
export type PersonEvent = Extract<
  FlowEvent,
  {
    readonly type:
      | 'start'
      | 'retry'
      | 'back'
      | 'search'
      | 'pick'
      | 'open'
      | 'choose'
      | 'submit'
      | 'manage'
      | 'rename'
      | 'save'
      | 'reconnect'
      | 'sync'
      | 'editAccounts'
      | 'chooseAccounts'
      | 'another'
      | 'createLink'
      | 'cancelLink'
      | 'disconnect'
      | 'confirm'
      | 'undo';
  }
>;

/** The widget's states and requests without a UI. */
export interface ConnectorFlow {
  /** The current state: a new object after every change. */
  readonly state: State;
  /** Applies an event. Send `{ type: 'start' }` first. Call it synchronously in the click handler. */
  readonly send: (event: PersonEvent) => void;
  /** Calls the listener synchronously on every change; returns a function that unsubscribes. */
  readonly subscribe: (listener: (state: State, previous: State) => void) => () => void;
  /** Aborts all requests and removes all listeners. The flow cannot be used afterwards. */
  readonly stop: () => void;
}

const code = { createEffects, nextInSteps, readReturnedConsent };

/**
 * Creates a flow. It sends no requests until it receives the `start` event. Its functions can be destructured
 * or called unbound.
 * @throws TypeError unless exactly one of `tokenUrl` and `getToken` is set.
 */
export function createConnectorFlow(options: ConnectorFlowOptions): ConnectorFlow {
  const { tokenUrl, serviceUrl = null, tokenCredentials = 'same-origin' } = options;
  const getToken = options.getToken ?? (tokenUrl ? tokenFromUrl(tokenUrl, tokenCredentials) : null);
  if (getToken === null || (options.getToken && tokenUrl)) {
    throw new TypeError('Pass either tokenUrl or getToken to createConnectorFlow');
  }
  const lifetime = new AbortController();
  const listeners = new Set<(state: State, previous: State) => void>();
  const controller = new FlowController({
    service: connectService(
      cacheToken({ getToken, serviceUrl, signal: lifetime.signal }),
      () => options.language ?? 'en',
    ),
    steps: () => code,
    loadSteps: () => Promise.resolve(code),
    sources: options.sources ?? null,
    preselected: options.source ?? null,
    reconnect: options.reconnect ?? null,
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
      // A listener that subscribes twice is called twice.
      const own: typeof listener = (state, previous) => {
        listener(state, previous);
      };
      listeners.add(own);
      return () => listeners.delete(own);
    },
    stop: () => {
      listeners.clear();
      lifetime.abort();
      controller.stop();
    },
  };
}
