import type { AuthMethod, Connector } from '@connector-auth/api';
import type { Failure } from '../service/failure.ts';
import { backFrom, toCatalog } from './back.ts';
import type { Entry, FlowEvent, State, StateOf } from './flow.ts';
import { nextInManaging, replaceConnector } from './next-in-managing.ts';
import type { StepState } from './next.ts';

/** Implements {@link next} for the states that follow the catalog. */
export function nextInSteps(state: StepState, event: FlowEvent): State {
  switch (state.name) {
    case 'opening':
      return event.type === 'opened' ? toMethod({ ...state, definition: event.definition }) : state;
    case 'choosing':
      if (event.type === 'choose') {
        const method = state.methods.find(({ id }) => id === event.methodId);
        if (!method) return state;
        // If the form would be empty, the pop-up opens during this click.
        const step = { ...state, method };
        return skipsForm(step) ? toConsent(step, {}) : toForm(step);
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
      return event.type === 'back' ? toCatalog(state.catalog, state.connector.id) : state;
    default:
      return nextInManaging(state, event);
  }
}

function nextInFilling(state: StateOf<'filling'>, event: FlowEvent): State {
  if (event.type === 'submit') {
    const { entry } = event;
    const { secretId } = state;
    if (secretId) return toSubmitting(state, { ...entry, server_side_oauth_secret_id: secretId });
    return (state.method.type === 'oauth' ? toConsent : toSubmitting)(state, entry);
  }
  if (event.type !== 'back') return state;
  return offeredMethods(state).length === 1 ? backFrom(state, state.definition) : toMethod(state);
}

function nextInConsenting(state: StateOf<'consenting'>, event: FlowEvent): State {
  switch (event.type) {
    case 'asked':
      return { ...state, consent: event.consent };
    case 'polled':
      return { ...state, failure: event.failure };
    case 'consented':
      return toSubmitting(state, { ...state.entry, server_side_oauth_secret_id: event.secretId });
    case 'stored':
      // Another window has already redeemed the same OAuth session.
      return toConnected(state, event.connector);
    case 'failed':
      return toForm(state, event.failure);
    case 'back':
      return offeredMethods(state).length > 1 && skipsForm(state) ? toMethod(state) : toForm(state);
    default:
      return state;
  }
}

function nextInSubmitting(state: StateOf<'submitting'>, event: FlowEvent): State {
  const { server_side_oauth_secret_id: secretId = null } = state.entry;
  if (event.type === 'stored') return toConnected(state, event.connector);
  if (event.type === 'failed') {
    const { failure } = event;
    if (failure.code === 'different_account') return { ...state, name: 'replacing' };
    return toForm(state, failure, isRejection(failure) ? null : secretId);
  }
  return event.type === 'back' ? toForm(state, null, secretId) : state;
}

/** Returns whether the service rejected the request, so that a retry would get the same response. */
function isRejection({ status }: Failure): boolean {
  return status !== null && status < 500 && status !== 401 && status !== 429;
}

type Step = Pick<StateOf<'choosing'>, 'catalog' | 'definition' | 'target'>;
type MethodStep = Step & { readonly method: AuthMethod };

/** Skips the choice of a method if there is only one, or if the user returns from an OAuth flow. */
function toMethod(step: Step & Partial<Pick<StateOf<'opening'>, 'returned'>>): State {
  const { catalog, definition, target, returned } = step;
  const methods = offeredMethods(step);
  const method = returned ? methods.find(({ type }) => type === 'oauth') : methods[0];
  if (!method || (!returned && methods.length > 1)) {
    return { name: 'choosing', catalog, definition, target, methods };
  }
  const there = { ...step, method };
  if (!returned) return toForm(there);
  const { outcome, entry } = returned;
  return 'failure' in outcome
    ? toForm(there, outcome.failure)
    : toSubmitting(there, { ...entry, server_side_oauth_secret_id: outcome.secretId });
}

/** Returns the fields that all states of one method share, without the user's input. */
function methodStep({ catalog, definition, target, method }: MethodStep): MethodStep {
  return { catalog, definition, target, method };
}

function toForm(step: MethodStep, failure: Failure | null = null, secretId: string | null = null): State {
  return { ...methodStep(step), name: 'filling', failure, secretId };
}

function toConsent(step: MethodStep, entry: Entry): State {
  return { ...methodStep(step), name: 'consenting', entry, consent: null, failure: null };
}

function toSubmitting(step: MethodStep, entry: Entry): State {
  return { ...methodStep(step), name: 'submitting', entry };
}

function toConnected({ catalog, target }: MethodStep, connector: Connector): State {
  const isAgain = target !== null;
  // A retry with the same idempotency key returns the connector that already exists.
  const others = catalog.connectors.filter(({ id }) => id !== connector.id);
  const updated = isAgain
    ? replaceConnector(catalog, connector)
    : { ...catalog, connectors: [connector, ...others] };
  return { name: 'connected', catalog: { ...updated, query: '' }, connector, isAgain };
}

/** Returns the methods to offer. For a reconnect, that is the connector's own method, provided it still exists. */
function offeredMethods({ definition, target }: Step): readonly AuthMethod[] {
  const { auth_methods: methods } = definition;
  const same = methods.filter(({ id }) => id === target?.auth_method);
  return same.length ? same : methods;
}

/** Returns whether the OAuth flow can start without a form. */
function skipsForm({ definition, method }: MethodStep): boolean {
  return method.type === 'oauth' && definition.replication_schema === null;
}
