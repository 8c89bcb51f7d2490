import type { Connector } from '@connector-auth/api';
import { toCatalog } from './back.ts';
import type { Catalog, FlowEvent, ManageControl, State, StateOf } from './flow.ts';
import { sourceOf } from './sources.ts';

/** The states that manage one connector. */
export type ManageStateName =
  | 'managing'
  | 'syncing'
  | 'cancellingLink'
  | 'renaming'
  | 'saving'
  | 'openingAccounts'
  | 'accounts'
  | 'savingAccounts'
  | 'confirming'
  | 'disconnecting'
  | 'disconnected'
  | 'undoing';

/** Implements {@link next} for the states that manage one connector. */
export function nextInManaging(state: StateOf<ManageStateName>, event: FlowEvent): State {
  const { name, catalog } = state;
  const here = keep(state);
  if (event.type === 'disconnected' && (name === 'managing' || name === 'disconnecting')) {
    const { until } = event;
    return until ? { ...here, name: 'disconnected', until, failure: null } : withoutConnector(state);
  }
  switch (name) {
    case 'managing':
      switch (event.type) {
        case 'refreshed':
          return {
            ...state,
            catalog: replaceConnector(catalog, event.connector),
            connector: event.connector,
          };
        case 'reported':
          return { ...state, activity: event.activity };
        case 'linksListed':
          return { ...state, links: event.links };
        default:
          return nextOfControl(state, event);
      }
    case 'syncing':
      if (event.type === 'stored') return backToManaging(state, 'sync', event.connector);
      return event.type === 'failed'
        ? { ...here, name: 'managing', cameFrom: 'sync', failure: event.failure }
        : state;
    case 'cancellingLink':
      // It was used just before.
      if (event.type === 'stored') return backToManaging(state, 'cancelLink', event.connector);
      if (event.type === 'linkCancelled') {
        const links = state.links?.filter(({ id }) => id !== state.linkId);
        return { ...backToManaging(state, 'cancelLink'), links };
      }
      return event.type === 'failed'
        ? { ...backToManaging(state, 'cancelLink'), failure: event.failure }
        : state;
    case 'openingAccounts':
      if (event.type === 'back') return backToManaging(state, 'editAccounts');
      if (event.type === 'listed') {
        const { list, detail = null } = event;
        return { ...here, name: 'accounts', list, detail, failure: null };
      }
      return event.type === 'failed'
        ? { ...here, name: 'accounts', list: null, detail: null, failure: event.failure }
        : state;
    case 'accounts':
      if (event.type === 'back') return backToManaging(state, 'editAccounts');
      if (event.type === 'retry') return { ...here, name: 'openingAccounts' };
      if (event.type === 'chooseAccounts' && state.list && state.detail) {
        const { list, detail } = state;
        const { ids, entry = {} } = event;
        return { ...here, name: 'savingAccounts', list, detail, ids, entry };
      }
      return state;
    case 'savingAccounts':
      if (event.type === 'stored') return backToManaging(state, 'editAccounts', event.connector);
      return event.type === 'failed'
        ? {
            ...here,
            name: 'accounts',
            list: state.list,
            detail: state.detail,
            failure: event.failure,
          }
        : state;
    case 'renaming':
      if (event.type === 'back') return backToManaging(state, 'rename');
      return event.type === 'save'
        ? { ...here, name: 'saving', newName: event.newName }
        : nextOfControl(state, event);
    case 'saving':
      if (event.type === 'stored') return backToManaging(state, 'rename', event.connector);
      return event.type === 'failed' ? { ...state, name: 'renaming', failure: event.failure } : state;
    case 'confirming':
      if (event.type === 'back') return backToManaging(state, 'disconnect');
      return event.type === 'confirm' ? { ...here, name: 'disconnecting' } : nextOfControl(state, event);
    case 'disconnecting':
      return event.type === 'failed' ? { ...here, name: 'confirming', failure: event.failure } : state;
    case 'disconnected':
      if (event.type === 'undo') return { ...here, name: 'undoing', until: state.until };
      // The time is over, or the user leaves and no longer wants to undo.
      return event.type === 'disconnected' || event.type === 'back' ? withoutConnector(state) : state;
    case 'undoing':
      if (event.type === 'stored') return backToManaging(state, 'disconnect', event.connector);
      return event.type === 'failed' ? { ...state, name: 'disconnected', failure: event.failure } : state;
  }
}

type Managed = Pick<StateOf<'managing'>, 'catalog' | 'connector' | 'activity' | 'links'>;

/** Returns what all these states have in common. */
function keep({ catalog, connector, activity, links }: Managed): Managed {
  return { catalog, connector, activity, links };
}

function withoutConnector({ catalog, connector }: Managed): State {
  const connectors = catalog.connectors.filter(({ id }) => id !== connector.id);
  return toCatalog({ ...catalog, connectors }, null);
}

/** Returns the state after the user has chosen a control, which ends renaming and the confirmation. */
function nextOfControl(state: StateOf<'managing' | 'renaming' | 'confirming'>, event: FlowEvent): State {
  const { catalog, connector } = state;
  const here = keep(state);
  switch (event.type) {
    case 'rename':
      return { ...here, name: 'renaming', newName: connector.name, failure: null };
    case 'disconnect':
      return { ...here, name: 'confirming', failure: null };
    case 'sync':
      return { ...here, name: 'syncing' };
    case 'cancelLink':
      return event.linkId ? { ...here, name: 'cancellingLink', linkId: event.linkId } : state;
    case 'editAccounts':
      return { ...here, name: 'openingAccounts' };
    case 'reconnect': {
      const source = sourceOf(catalog, connector);
      return source ? { name: 'opening', catalog, source, target: connector, returned: null } : state;
    }
    default:
      return state;
  }
}

/** Returns the catalog with an updated connector in its previous place. */
export function replaceConnector(catalog: Catalog, connector: Connector): Catalog {
  const connectors = catalog.connectors.map(each => (each.id === connector.id ? connector : each));
  return { ...catalog, connectors };
}

/** Returns to the connector with focus on a control, and the connector as it was stored. */
function backToManaging(
  state: Managed,
  cameFrom: ManageControl,
  stored: Connector = state.connector,
): StateOf<'managing'> {
  return {
    ...keep(state),
    name: 'managing',
    catalog: replaceConnector(state.catalog, stored),
    connector: stored,
    cameFrom,
  };
}
