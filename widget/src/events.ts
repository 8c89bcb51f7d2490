import type { Connector } from '@connector-auth/api';
import type { State, StateName } from './flow/flow.ts';
import { failureIn, type FailureCode } from './service/failure.ts';

/** A connector in an event's `detail`. Contains no secrets, but enough to query your backend. */
export interface ConnectorSummary {
  readonly id: string;
  readonly name: string;
  readonly connectorType: string;
  readonly definitionId: string;
  /** `disabled` by an operator, or `frozen` by an incident: the widget shows both as paused. */
  readonly status: Connector['status'];
}

/**
 * The events that `<connector-auth>` dispatches, with their `detail`. All events bubble, cross shadow roots
 * and cannot be cancelled.
 */
export interface ConnectorAuthEventDetails {
  /** The catalog was loaded, either for the first time or again after `reload()` or an error. */
  'connector-auth-ready': { readonly sources: number; readonly connectors: readonly ConnectorSummary[] };
  /** The user reached another step; `connectorType` is null in the catalog. Use it for funnel analytics. */
  'connector-auth-step': { readonly step: StepName; readonly connectorType: string | null };
  /** A source was connected. The vendor accepted the credentials, and the connector was created. */
  'connector-auth-connected': { readonly connector: ConnectorSummary };
  /** The user chose the primary action of the success screen. Show your own next page. */
  'connector-auth-next': { readonly connector: ConnectorSummary };
  /** The credentials of an existing connector were replaced. */
  'connector-auth-reconnected': { readonly connector: ConnectorSummary };
  /** The user has disconnected a connector and can no longer undo that. It is deleted within 30 seconds of disconnecting. */
  'connector-auth-disconnected': { readonly connector: ConnectorSummary };
  /** The user requested a source that is not in the list; `query` is what they searched for. */
  'connector-auth-request': { readonly query: string };
  /** The dialog was closed, for any reason. */
  'connector-auth-close': null;
  /**
   * An error occurred. The user also sees it and can retry. `message` is for developers and says what to change.
   * If the response is a problem (RFC 9457), also of the token URL, `code` and `message` are its `code` and `detail`.
   */
  'connector-auth-error': {
    readonly code: FailureCode;
    readonly message: string;
    readonly status: number | null;
    readonly requestId: string | null;
  };
}

export type ConnectorAuthEventName = keyof ConnectorAuthEventDetails;

/** The steps that users go through. */
export type StepName =
  | 'catalog'
  | 'method'
  | 'form'
  | 'consent'
  | 'accounts'
  | 'checking'
  | 'link'
  | 'connected'
  | 'manage'
  | 'disconnect';

export type ConnectorAuthEvent<Name extends ConnectorAuthEventName = ConnectorAuthEventName> = CustomEvent<
  ConnectorAuthEventDetails[Name]
>;

/** Yields the events for a state change, in order. */
export function* eventsFor(state: State, previous: State): Iterable<ConnectorAuthEvent> {
  if (previous.name === 'loading' && 'catalog' in state) {
    const { definitions, connectors } = state.catalog;
    yield connectorAuthEvent('connector-auth-ready', {
      sources: definitions.length,
      connectors: connectors.map(summaryOf),
    });
  }
  if (state.name === 'connected' && previous.name !== 'connected') {
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
      'connector' in state
        ? state.connector.connector_type
        : 'definition' in state
          ? state.definition.connectorType
          : null;
    yield connectorAuthEvent('connector-auth-step', { step, connectorType });
  }
}

/** Creates a `CustomEvent` for the widget element to dispatch. */
export function connectorAuthEvent<Name extends ConnectorAuthEventName>(
  name: Name,
  detail: ConnectorAuthEventDetails[Name],
): ConnectorAuthEvent<Name> {
  return new CustomEvent(name, { detail, bubbles: true, composed: true });
}

/** Maps states to steps. Transitional states have no step. */
const stepOf: Partial<Record<StateName, StepName>> = {
  catalog: 'catalog',
  introducing: 'method',
  filling: 'form',
  consenting: 'consent',
  listing: 'accounts',
  unlisted: 'accounts',
  choosing: 'accounts',
  replacing: 'checking',
  submitting: 'checking',
  linking: 'link',
  sharing: 'link',
  cancelling: 'link',
  unlinked: 'link',
  connected: 'connected',
  managing: 'manage',
  syncing: 'manage',
  openingAccounts: 'manage',
  accounts: 'manage',
  savingAccounts: 'manage',
  renaming: 'manage',
  saving: 'manage',
  confirming: 'disconnect',
  disconnecting: 'disconnect',
};

/** Returns what events say about a connector. */
export function summaryOf(connector: Connector): ConnectorSummary {
  const { id, name, connector_type: connectorType, definition_id: definitionId, status } = connector;
  return { id, name, connectorType, definitionId, status };
}
