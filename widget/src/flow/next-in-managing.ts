import type { Connector } from '@connector-auth/api';
import type { Catalog, FlowEvent, State, StateOf } from './flow.ts';

/** {@link next} for the states around one connector of the customer. */
export function nextInManaging(
  state: StateOf<'managing' | 'renaming' | 'saving' | 'confirming' | 'disconnecting'>,
  event: FlowEvent,
): State {
  const { catalog, connector } = state;
  const managing = (): State => ({ name: 'managing', catalog, connector });
  switch (state.name) {
    case 'managing':
      if (event.type === 'rename') {
        return { name: 'renaming', catalog, connector, newName: connector.name, failure: null };
      }
      if (event.type === 'reconnect') {
        const source = sourceOf(catalog, connector);
        return source === undefined
          ? state
          : { name: 'opening', catalog, source, target: connector, returned: null };
      }
      if (event.type === 'disconnect') return { name: 'confirming', catalog, connector, failure: null };
      if (event.type === 'refreshed') return showing(catalog, event.connector);
      if (event.type === 'disconnected') return without(catalog, connector);
      return state;
    case 'renaming':
      if (event.type === 'save') return { name: 'saving', catalog, connector, newName: event.newName };
      return event.type === 'back' ? managing() : state;
    case 'saving':
      if (event.type === 'stored') return showing(catalog, event.connector);
      return event.type === 'failed' ? { ...state, name: 'renaming', failure: event.failure } : state;
    case 'confirming':
      if (event.type === 'confirm') return { name: 'disconnecting', catalog, connector };
      return event.type === 'back' ? managing() : state;
    case 'disconnecting':
      if (event.type === 'failed') return { name: 'confirming', catalog, connector, failure: event.failure };
      return event.type === 'disconnected' ? without(catalog, connector) : state;
  }
}

/** The catalog with a connector as it is now, in its old place. */
export function replaceConnector(catalog: Catalog, connector: Connector): Catalog {
  const connectors = catalog.connectors.map(each => (each.id === connector.id ? connector : each));
  return { ...catalog, connectors };
}

/** The catalog entry of a connector; undefined where the person may not see it. */
export function sourceOf(catalog: Catalog, { definition_id }: Connector) {
  return catalog.definitions.find(({ sourceDefinitionId }) => sourceDefinitionId === definition_id);
}

function showing(catalog: Catalog, connector: Connector): State {
  return { name: 'managing', catalog: replaceConnector(catalog, connector), connector };
}

function without(catalog: Catalog, { id }: Connector): State {
  const connectors = catalog.connectors.filter(each => each.id !== id);
  return { name: 'catalog', catalog: { ...catalog, connectors }, cameFrom: null };
}
