import type { Connector } from '@connector-auth/api';
import type { State, StateName } from './flow/flow.ts';
import { failureIn, type FailureCode } from './service/failure.ts';

/** A connector as events tell it: nothing secret, and enough to ask the integrator's backend about it. */
export interface ConnectorSummary {
  readonly id: string;
  readonly name: string;
  readonly connectorType: string;
  readonly definitionId: string;
  readonly status: 'active' | 'needs_reauth';
}

/** The events of `<connector-auth>`, by name, with their `detail`. All bubble, cross shadow roots and cannot be cancelled. */
export interface ConnectorAuthEventDetails {
  /** The catalog is on the screen: for the first time, or again after `reload()` or an error. */
  'connector-auth-ready': { readonly sources: number; readonly connectors: readonly ConnectorSummary[] };
  /** The person came to another step; `connectorType` is null in the catalog. For funnels. */
  'connector-auth-step': { readonly step: StepName; readonly connectorType: string | null };
  /** A source was connected: the vendor accepted the credentials, and the connector is stored. */
  'connector-auth-connected': { readonly connector: ConnectorSummary };
  /** A connector has new credentials, in place. */
  'connector-auth-reconnected': { readonly connector: ConnectorSummary };
  /** A connector was deleted with all that belongs to it. */
  'connector-auth-disconnected': { readonly connector: ConnectorSummary };
  /** The dialog was closed, in whichever way. */
  'connector-auth-close': null;
  /** Something failed. The person sees it too and can try again. `message` is for developers. */
  'connector-auth-error': {
    readonly code: FailureCode;
    readonly message: string;
    readonly status: number | null;
    readonly requestId: string | null;
  };
}

export type ConnectorAuthEventName = keyof ConnectorAuthEventDetails;

/** The steps a person goes through. */
export type StepName =
  'catalog' | 'method' | 'form' | 'consent' | 'checking' | 'connected' | 'manage' | 'disconnect';

export type ConnectorAuthEvent<Name extends ConnectorAuthEventName = ConnectorAuthEventName> = CustomEvent<
  ConnectorAuthEventDetails[Name]
>;

/** The events a change of state stands for, in order. */
export function* eventsFor(state: State, previous: State): Iterable<ConnectorAuthEvent> {
  if (previous.name === 'loading' && 'catalog' in state) {
    const { definitions, connectors } = state.catalog;
    yield connectorAuthEvent('connector-auth-ready', {
      sources: definitions.length,
      connectors: connectors.map(summaryOf),
    });
  }
  if (state.name === 'connected') {
    yield connectorAuthEvent(state.isAgain ? 'connector-auth-reconnected' : 'connector-auth-connected', {
      connector: summaryOf(state.connector),
    });
  }
  if (
    state.name === 'catalog' &&
    'connector' in previous &&
    !state.catalog.connectors.some(({ id }) => id === previous.connector.id)
  ) {
    yield connectorAuthEvent('connector-auth-disconnected', { connector: summaryOf(previous.connector) });
  }
  const failure = failureIn(state);
  if (failure && failure !== failureIn(previous)) {
    const { code, message, status, requestId } = failure;
    yield connectorAuthEvent('connector-auth-error', { code, message, status, requestId });
  }
  const step = stepOf[state.name];
  if (step && step !== stepOf[previous.name]) {
    const connectorType =
      'definition' in state
        ? state.definition.connectorType
        : 'connector' in state
          ? state.connector.connector_type
          : null;
    yield connectorAuthEvent('connector-auth-step', { step, connectorType });
  }
}

/** An event of the element. */
export function connectorAuthEvent<Name extends ConnectorAuthEventName>(
  name: Name,
  detail: ConnectorAuthEventDetails[Name],
): ConnectorAuthEvent<Name> {
  return new CustomEvent(name, { detail, bubbles: true, composed: true });
}

/** The step each state belongs to; what is only on the way to another has none. */
const stepOf: Partial<Record<StateName, StepName>> = {
  catalog: 'catalog',
  choosing: 'method',
  filling: 'form',
  consenting: 'consent',
  replacing: 'checking',
  submitting: 'checking',
  connected: 'connected',
  managing: 'manage',
  renaming: 'manage',
  saving: 'manage',
  confirming: 'disconnect',
  disconnecting: 'disconnect',
};

function summaryOf(connector: Connector): ConnectorSummary {
  const { id, name, connector_type: connectorType, definition_id: definitionId, status } = connector;
  return { id, name, connectorType, definitionId, status };
}
