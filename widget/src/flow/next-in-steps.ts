import type { AuthMethod, Connector, SourceDefinitionDetail } from '@connector-auth/api';
import type { Failure } from '../service/failure.ts';
import { backFrom, toCatalog } from './back.ts';
import type { Catalog, FlowEvent, State, StateOf } from './flow.ts';
import type { StepState } from './next.ts';
import { nextInManaging, replaceConnector } from './next-in-managing.ts';

/** {@link next} for the states behind the catalog. */
export function nextInSteps(state: StepState, event: FlowEvent): State {
  switch (state.name) {
    case 'opening':
      return event.type === 'opened' ? toMethod({ ...state, definition: event.definition }) : state;
    case 'choosing':
      if (event.type === 'choose') {
        const method = state.methods.find(({ id }) => id === event.methodId);
        if (method === undefined) return state;
        // Nothing to fill in: consent begins inside this very click.
        return goesStraight(state.definition, method)
          ? toConsent({ ...state, method }, {})
          : toForm({ ...state, method });
      }
      return event.type === 'back' ? backFrom(state, state.definition) : state;
    case 'filling':
      return nextInFilling(state, event);
    case 'consenting':
      return nextInConsenting(state, event);
    case 'submitting':
      return nextInSubmitting(state, event);
    case 'replacing':
      if (event.type === 'confirm') return toSubmitting(state, { ...state.entry, replace_account: true });
      return event.type === 'back' ? toForm(state) : state;
    case 'connected':
      return event.type === 'back' ? toCatalog(state.catalog, { connectorId: state.connector.id }) : state;
    case 'managing':
    case 'renaming':
    case 'saving':
    case 'confirming':
    case 'disconnecting':
      return nextInManaging(state, event);
  }
}

function nextInFilling(state: StateOf<'filling'>, event: FlowEvent): State {
  const { catalog, definition, method, secretId } = state;
  if (event.type === 'submit') {
    const { entry } = event;
    if (secretId !== null) return toSubmitting(state, { ...entry, server_side_oauth_secret_id: secretId });
    return method.type === 'oauth' ? toConsent(state, entry) : toSubmitting(state, entry);
  }
  if (event.type !== 'back') return state;
  return offeredMethods(state).length === 1
    ? backFrom(state, definition)
    : toMethod({ catalog, definition, target: state.target });
}

function nextInConsenting(state: StateOf<'consenting'>, event: FlowEvent): State {
  if (event.type === 'asked') return { ...state, consent: event.consent };
  if (event.type === 'troubled') return { ...state, failure: event.failure };
  if (event.type === 'consented') {
    return toSubmitting(state, { ...state.entry, server_side_oauth_secret_id: event.secretId });
  }
  // Another window was faster with the same consent.
  if (event.type === 'stored') return toConnected(state, event.connector);
  if (event.type === 'failed') return toForm(state, event.failure);
  if (event.type !== 'back') return state;
  const wasChosen = offeredMethods(state).length > 1 && goesStraight(state.definition, state.method);
  return wasChosen ? toMethod(state) : toForm(state);
}

function nextInSubmitting(state: StateOf<'submitting'>, event: FlowEvent): State {
  const { catalog, definition, method, target, entry } = state;
  const secretId = entry.server_side_oauth_secret_id ?? null;
  if (event.type === 'stored') return toConnected(state, event.connector);
  if (event.type === 'failed') {
    const { failure } = event;
    if (failure.code === 'different_account') {
      return { name: 'replacing', catalog, definition, method, target, entry };
    }
    return toForm(state, failure, isRefusal(failure) ? null : secretId);
  }
  return event.type === 'back' ? toForm(state, null, secretId) : state;
}

/** The service answered, and would answer the same again. */
function isRefusal({ status }: Failure): boolean {
  return status !== null && status < 500 && status !== 401 && status !== 429;
}

type Step = Pick<StateOf<'choosing'>, 'catalog' | 'definition' | 'target'>;
type MethodStep = Step & Pick<StateOf<'filling'>, 'method'>;

/** One method needs no choice; a person who comes back from a consent has made it. */
function toMethod(step: Step & Partial<Pick<StateOf<'opening'>, 'returned'>>): State {
  const { catalog, definition, target, returned = null } = step;
  const methods = offeredMethods(step);
  const method = returned ? methods.find(({ type }) => type === 'oauth') : methods[0];
  if (method === undefined || (returned === null && methods.length > 1)) {
    return { name: 'choosing', catalog, definition, target, methods };
  }
  const there = { catalog, definition, target, method };
  if (returned === null) return toForm(there);
  const { outcome, entry } = returned;
  return 'failure' in outcome
    ? toForm(there, outcome.failure)
    : toSubmitting(there, { ...entry, server_side_oauth_secret_id: outcome.secretId });
}

function toForm(
  { catalog, definition, target, method }: MethodStep,
  failure: Failure | null = null,
  secretId: string | null = null,
): State {
  return { name: 'filling', catalog, definition, target, method, failure, secretId };
}

function toConsent(
  { catalog, definition, target, method }: MethodStep,
  entry: StateOf<'consenting'>['entry'],
): State {
  return { name: 'consenting', catalog, definition, target, method, entry, consent: null, failure: null };
}

function toSubmitting(
  { catalog, definition, target, method }: MethodStep,
  entry: StateOf<'submitting'>['entry'],
): State {
  return { name: 'submitting', catalog, definition, target, method, entry };
}

function toConnected({ catalog, target }: MethodStep, connector: Connector): State {
  const isAgain = target !== null;
  return {
    name: 'connected',
    catalog: { ...(isAgain ? replaceConnector : addConnector)(catalog, connector), query: '' },
    connector,
    isAgain,
  };
}

/** A connector is reconnected the way it was connected, if that is still possible. */
function offeredMethods({ definition, target }: Step): readonly AuthMethod[] {
  const { auth_methods: methods } = definition;
  const same = methods.filter(({ id }) => id === target?.auth_method);
  return same.length > 0 ? same : methods;
}

/** Nothing has to be filled in before the vendor asks. */
function goesStraight({ replication_schema }: SourceDefinitionDetail, { type }: AuthMethod): boolean {
  return type === 'oauth' && replication_schema === null;
}

function addConnector(catalog: Catalog, connector: Connector): Catalog {
  // A request sent twice under one key answers the connector that is already there.
  const others = catalog.connectors.filter(({ id }) => id !== connector.id);
  return { ...catalog, connectors: [connector, ...others] };
}
