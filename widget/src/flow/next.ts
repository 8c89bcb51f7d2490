import type { AuthMethod, SourceDefinition } from '@connector-auth/api';
import { backFrom, toCatalog } from './back.ts';
import type { Catalog, FlowEvent, State, StateOf } from './flow.ts';
import { canReconnect } from './rights.ts';
import { chooseSources } from './sources.ts';

/** The states that follow the catalog, including `opening`. */
export type StepState = Exclude<
  State,
  { readonly name: 'idle' | 'loading' | 'unavailable' | 'catalog' | 'unopened' }
>;
/** The states of the screen for apps and agents. Its code is loaded when it is opened. */
export type AgentState = Extract<State, { readonly agents: unknown }>;
/** Implements {@link next} for the states that follow the catalog. Its code is loaded after the catalog. */
export type NextInSteps = (state: StepState, event: FlowEvent) => State;

/**
 * Returns the state after an event, or the same object if the state does not handle the event.
 * @param nextInSteps undefined until its code is loaded. Until then, users can only go back.
 */
export function next(state: State, event: FlowEvent, nextInSteps: NextInSteps | undefined): State {
  if (event.type === 'start') return { name: 'loading' };
  if (event.type === 'reworded') return withWords(state, event);
  switch (state.name) {
    case 'idle':
    case 'loading':
      if (event.type === 'loaded') return afterLoading(event);
      return event.type === 'failed' ? { name: 'unavailable', failure: event.failure } : state;
    case 'unavailable':
      return event.type === 'retry' ? { name: 'loading' } : state;
    case 'catalog':
      return nextInCatalog(state, event);
    case 'unopened': {
      const { failure: _failure, ...opening } = state;
      if (event.type === 'retry') return { ...opening, name: 'opening' };
      return event.type === 'back' ? backFrom(state, state.source) : state;
    }
    case 'opening':
      if (event.type === 'failed') return { ...state, name: 'unopened', failure: event.failure };
      if (event.type === 'back') return backFrom(state, state.source);
      break;
    case 'managing':
      if (event.type === 'failed') return { name: 'unavailable', failure: event.failure };
      if (event.type === 'back') return toCatalog(state.catalog, state.connector.id);
      break;
    case 'openingAgents':
      if (event.type === 'failed') return { name: 'unavailable', failure: event.failure };
      if (event.type === 'back') return toCatalog(state.catalog, 'agents');
      break;
    default:
  }
  return nextInSteps?.(state, event) ?? state;
}

/** Replaces what the service says about the sources. What the user has chosen and entered stays. */
function withWords(
  state: State,
  { definitions, definition }: Extract<FlowEvent, { type: 'reworded' }>,
): State {
  if (!('catalog' in state)) return state;
  const byId = new Map(definitions.map(source => [source.sourceDefinitionId, source]));
  const reworded = (source: SourceDefinition): SourceDefinition =>
    byId.get(source.sourceDefinitionId) ?? source;
  const { catalog } = state;
  const next = { ...state, catalog: { ...catalog, definitions: catalog.definitions.map(reworded) } };
  if ('source' in next) return { ...next, source: reworded(next.source) };
  if (!definition || !('definition' in next)) return next;
  if (next.definition?.sourceDefinitionId !== definition.sourceDefinitionId) return next;
  const ofMethod = (method: AuthMethod): AuthMethod =>
    definition.auth_methods.find(({ id }) => id === method.id) ?? method;
  if ('methods' in next) return { ...next, definition, methods: next.methods.map(ofMethod) };
  if (!next.method) return { ...next, definition };
  return { ...next, definition, method: ofMethod(next.method) };
}

function afterLoading(event: Extract<FlowEvent, { type: 'loaded' }>): State {
  const { definitions, connectors, integrator, rights, mcpUrl, preselected, returned = null } = event;
  const catalog = {
    definitions,
    connectors,
    query: '',
    ...(integrator ? { integrator } : null),
    ...(rights ? { rights } : null),
    mcpUrl,
  };
  const targetId = returned ? returned.connectorId : event.target;
  const target = connectors.find(({ id }) => id === targetId) ?? null;
  const id = returned?.definitionId ?? target?.definition_id;
  const source = definitions.find(({ sourceDefinitionId }) => sourceDefinitionId === id);
  if (source) return { name: 'opening', catalog, source, target, returned };
  return preselected ? openSource(catalog, preselected) : toCatalog(catalog, null);
}

/**
 * Opens the form of a source, its connector, or the reconnect of one whose sign-in has expired. Among several connectors,
 * the user chooses in the catalog.
 */
function openSource(catalog: Catalog, type: string): State {
  const {
    definitions: [source],
    connectors,
  } = chooseSources(catalog.definitions, catalog.connectors, [type]);
  const expired = connectors.find(({ status }) => status === 'needs_reauth');
  const [connector = null, another] = expired ? [expired] : connectors;
  if (another) return toCatalog(catalog, null);
  if (source && (!connector || (expired && canReconnect(catalog, expired))))
    return { name: 'opening', catalog, source, target: connector, returned: null };
  return connector ? { name: 'managing', catalog, connector } : toCatalog(catalog, null);
}

function nextInCatalog(state: StateOf<'catalog'>, event: FlowEvent): State {
  const { catalog } = state;
  if (event.type === 'search') return { ...state, catalog: { ...catalog, query: event.query } };
  if (event.type === 'pick') {
    const source = catalog.definitions.find(entry => entry.sourceDefinitionId === event.definitionId);
    return source ? { name: 'opening', catalog, source, target: null, returned: null } : state;
  }
  if (event.type === 'openAgents') return { name: 'openingAgents', catalog, agents: null };
  if (event.type === 'open') return openSource(catalog, event.connectorType);
  if (event.type === 'manage') {
    const connector = catalog.connectors.find(({ id }) => id === event.connectorId);
    return connector ? { name: 'managing', catalog, connector } : state;
  }
  return state;
}
