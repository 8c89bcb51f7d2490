import type { AuthMethod, Connector, SourceDefinition, SourceDefinitionDetail } from '@connector-auth/api';
import type { Failure } from '../service/failure.ts';

/**
 * The flow of the widget: which states there are and how each event changes them. Pure: no DOM, no clock, no network.
 *
 *     idle ─▶ loading ─▶ catalog ─▶ opening ─▶ choosing ─▶ filling ⇄ submitting ─▶ connected ─▶ catalog
 *                │          │          │                                                          ▲
 *            unavailable    │       unopened                                                      │
 *                           └─▶ managing ⇄ confirming ─▶ disconnecting ───────────────────────────┘
 *
 * `opening`, `choosing`, `filling`, `submitting` and `managing` lead back. What a state needs done (fetching, sending) is in
 * flow-controller.ts. An event a state does not know leaves it as it is: the same object comes back.
 */
export type State =
  | { readonly name: 'idle' }
  | { readonly name: 'loading' }
  | { readonly name: 'unavailable'; readonly failure: Failure }
  | ({ readonly name: 'catalog'; readonly cameFrom: Place | null } & WithCatalog)
  | ({ readonly name: 'opening'; readonly source: SourceDefinition } & WithCatalog)
  | ({
      readonly name: 'unopened';
      readonly source: SourceDefinition;
      readonly failure: Failure;
    } & WithCatalog)
  | ({ readonly name: 'choosing'; readonly methods: readonly AuthMethod[] } & WithDefinition)
  | ({
      readonly name: 'filling';
      readonly method: AuthMethod;
      readonly failure: Failure | null;
    } & WithDefinition)
  | ({ readonly name: 'submitting'; readonly method: AuthMethod; readonly entry: Entry } & WithDefinition)
  | ({ readonly name: 'connected'; readonly connector: Connector } & WithCatalog)
  | ({ readonly name: 'managing' } & WithConnector)
  | ({ readonly name: 'confirming'; readonly failure: Failure | null } & WithConnector)
  | ({ readonly name: 'disconnecting' } & WithConnector);

export type StateName = State['name'];
export type StateOf<Name extends StateName> = Extract<State, { name: Name }>;

/** What was loaded once and is kept along the whole flow. */
export interface Catalog {
  readonly definitions: readonly SourceDefinition[];
  readonly connectors: readonly Connector[];
  readonly query: string;
}

interface WithCatalog {
  readonly catalog: Catalog;
}
interface WithDefinition extends WithCatalog {
  readonly definition: SourceDefinitionDetail;
}
interface WithConnector extends WithCatalog {
  readonly connector: Connector;
}

/** The catalog row a person left from, so that they find themselves there again. */
export type Place = { readonly definitionId: string } | { readonly connectorId: string };

/** What a person entered, in the shape the service takes: the name where they were asked for one. */
export interface Entry {
  readonly name?: string;
  readonly credentials: Readonly<Record<string, unknown>>;
}

export type FlowEvent =
  // A person did something.
  | { readonly type: 'start' }
  | { readonly type: 'retry' }
  | { readonly type: 'back' }
  | { readonly type: 'search'; readonly query: string }
  | { readonly type: 'pick'; readonly definitionId: string }
  | { readonly type: 'choose'; readonly methodId: string }
  | { readonly type: 'submit'; readonly entry: Entry }
  | { readonly type: 'manage'; readonly connectorId: string }
  | { readonly type: 'disconnect' }
  | { readonly type: 'confirm' }
  // The state's effect ended.
  | {
      readonly type: 'loaded';
      readonly definitions: readonly SourceDefinition[];
      readonly connectors: readonly Connector[];
    }
  | { readonly type: 'opened'; readonly definition: SourceDefinitionDetail }
  | { readonly type: 'created'; readonly connector: Connector }
  | { readonly type: 'disconnected' }
  | { readonly type: 'failed'; readonly failure: Failure };

/** The state that follows `state` upon `event`; `state` itself when it does not know the event. */
export function next(state: State, event: FlowEvent): State {
  if (event.type === 'start') return { name: 'loading' };
  switch (state.name) {
    case 'idle':
    case 'loading':
      if (event.type === 'loaded') {
        const { definitions, connectors } = event;
        return toCatalog({ definitions, connectors, query: '' }, null);
      }
      if (event.type === 'failed') return { name: 'unavailable', failure: event.failure };
      return state;
    case 'unavailable':
      return event.type === 'retry' ? { name: 'loading' } : state;
    case 'catalog':
      return nextInCatalog(state, event);
    case 'opening':
      if (event.type === 'opened') return toMethod(state.catalog, event.definition);
      if (event.type === 'failed') return { ...state, name: 'unopened', failure: event.failure };
      return event.type === 'back' ? backToDefinition(state.catalog, state.source) : state;
    case 'unopened':
      if (event.type === 'retry') return { name: 'opening', catalog: state.catalog, source: state.source };
      return event.type === 'back' ? backToDefinition(state.catalog, state.source) : state;
    case 'choosing':
      if (event.type === 'choose') {
        const method = state.methods.find(({ id }) => id === event.methodId);
        return method === undefined ? state : toForm(state.catalog, state.definition, method);
      }
      return event.type === 'back' ? backToDefinition(state.catalog, state.definition) : state;
    case 'filling':
      if (event.type === 'submit') {
        const { catalog, definition, method } = state;
        return { name: 'submitting', catalog, definition, method, entry: event.entry };
      }
      return event.type === 'back' ? backFromForm(state.catalog, state.definition) : state;
    case 'submitting':
      return nextInSubmitting(state, event);
    case 'connected':
      return event.type === 'back' ? toCatalog(state.catalog, { connectorId: state.connector.id }) : state;
    case 'managing':
    case 'confirming':
    case 'disconnecting':
      return nextInManaging(state, event);
  }
}

function nextInCatalog(state: StateOf<'catalog'>, event: FlowEvent): State {
  const { catalog } = state;
  if (event.type === 'search') return { ...state, catalog: { ...catalog, query: event.query } };
  if (event.type === 'pick') {
    const source = catalog.definitions.find(entry => entry.sourceDefinitionId === event.definitionId);
    return source === undefined ? state : { name: 'opening', catalog, source };
  }
  if (event.type === 'manage') {
    const connector = catalog.connectors.find(({ id }) => id === event.connectorId);
    return connector === undefined ? state : { name: 'managing', catalog, connector };
  }
  return state;
}

function nextInSubmitting(state: StateOf<'submitting'>, event: FlowEvent): State {
  const { catalog, definition, method } = state;
  if (event.type === 'created') {
    const { connector } = event;
    return { name: 'connected', catalog: withConnector(catalog, connector), connector };
  }
  if (event.type === 'failed') {
    return { name: 'filling', catalog, definition, method, failure: event.failure };
  }
  return event.type === 'back' ? toForm(catalog, definition, method) : state;
}

function nextInManaging(
  state: StateOf<'managing' | 'confirming' | 'disconnecting'>,
  event: FlowEvent,
): State {
  const { catalog, connector } = state;
  switch (state.name) {
    case 'managing':
      if (event.type === 'disconnect') return { name: 'confirming', catalog, connector, failure: null };
      if (event.type === 'failed') return { name: 'unavailable', failure: event.failure };
      return event.type === 'back' ? toCatalog(catalog, { connectorId: connector.id }) : state;
    case 'confirming':
      if (event.type === 'confirm') return { name: 'disconnecting', catalog, connector };
      return event.type === 'back' ? { name: 'managing', catalog, connector } : state;
    case 'disconnecting':
      if (event.type === 'failed') {
        return { name: 'confirming', catalog, connector, failure: event.failure };
      }
      return event.type === 'disconnected' ? toCatalog(withoutConnector(catalog, connector), null) : state;
  }
}

function toCatalog(catalog: Catalog, cameFrom: Place | null): State {
  return { name: 'catalog', catalog, cameFrom };
}

function backToDefinition(catalog: Catalog, { sourceDefinitionId }: SourceDefinition): State {
  return toCatalog(catalog, { definitionId: sourceDefinitionId });
}

/** One method needs no choice. */
function toMethod(catalog: Catalog, definition: SourceDefinitionDetail): State {
  const methods = offeredMethods(definition);
  const [only] = methods;
  return only !== undefined && methods.length === 1
    ? toForm(catalog, definition, only)
    : { name: 'choosing', catalog, definition, methods };
}

function toForm(catalog: Catalog, definition: SourceDefinitionDetail, method: AuthMethod): State {
  return { name: 'filling', catalog, definition, method, failure: null };
}

function backFromForm(catalog: Catalog, definition: SourceDefinitionDetail): State {
  return offeredMethods(definition).length === 1
    ? backToDefinition(catalog, definition)
    : toMethod(catalog, definition);
}

function offeredMethods(definition: SourceDefinitionDetail): readonly AuthMethod[] {
  return definition.auth_methods.filter(({ type }) => type === 'credentials');
}

function withConnector(catalog: Catalog, connector: Connector): Catalog {
  // A request sent twice under one key answers the connector that is already there.
  const others = catalog.connectors.filter(({ id }) => id !== connector.id);
  return { ...catalog, connectors: [connector, ...others], query: '' };
}

function withoutConnector(catalog: Catalog, connector: Connector): Catalog {
  return { ...catalog, connectors: catalog.connectors.filter(({ id }) => id !== connector.id) };
}
