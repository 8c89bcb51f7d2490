import type { AuthMethod, Connector, ListAccountsResponse } from '@connector-auth/api';
import type { Failure } from '../service/failure.ts';
import { backFrom, toCatalog } from './back.ts';
import type { Choice, Consented, Entry, FlowEvent, State, StateOf } from './flow.ts';
import { nextInManaging, replaceConnector } from './next-in-managing.ts';
import type { StepState } from './next.ts';
import { canOnlySendLink, canReplaceAccount } from './rights.ts';

/** Implements {@link next} for the states that follow the catalog. */
export function nextInSteps(state: StepState, event: FlowEvent): State {
  switch (state.name) {
    case 'opening':
      return event.type === 'opened' ? toIntroduction({ ...state, definition: event.definition }) : state;
    case 'introducing':
      return nextInIntroducing(state, event);
    case 'filling':
      if (event.type === 'submit') return toSubmitting(state, event.entry);
      if (event.type === 'createLink') return toLink(state);
      return event.type === 'back' ? backFromForm(state) : state;
    case 'consenting':
      return nextInConsenting(state, event);
    case 'listing':
    case 'unlisted':
      return nextInListing(state, event);
    case 'choosing':
      return nextInChoosing(state, event);
    case 'submitting':
      return nextInSubmitting(state, event);
    case 'replacing':
      if (event.type === 'confirm')
        return toSubmitting(state, { ...state.entry, replace_account: true }, state.choice);
      return event.type === 'back' ? backFromSubmitting(state, null) : state;
    case 'linking':
    case 'sharing':
    case 'cancelling':
    case 'unlinked':
      return nextInLinking(state, event);
    case 'connected':
      switch (event.type) {
        case 'back':
          return toCatalog(state.catalog, state.connector.id);
        case 'another':
          return toCatalog(state.catalog, null);
        case 'manage':
          return { name: 'managing', catalog: state.catalog, connector: state.connector };
        case 'refreshed':
          return {
            ...state,
            catalog: replaceConnector(state.catalog, event.connector),
            connector: event.connector,
          };
        default:
          return state;
      }
    default:
      return 'agents' in state ? state : nextInManaging(state, event);
  }
}

function nextInIntroducing(state: StateOf<'introducing'>, event: FlowEvent): State {
  const { retry } = state;
  if (event.type === 'retry' && retry) return toSubmitting({ ...state, method: retry.method }, retry.entry);
  if (event.type === 'createLink') return toLink({ ...state, method: null });
  if (event.type === 'choose') {
    const method = state.methods.find(({ id }) => id === event.methodId);
    if (!method) return state;
    const step = { ...state, method };
    // The pop-up opens during this click.
    return method.type === 'oauth' ? toConsent(step, event.entry ?? {}) : toForm(step);
  }
  return event.type === 'back' ? backFrom(state, state.definition) : state;
}

function nextInConsenting(state: StateOf<'consenting'>, event: FlowEvent): State {
  switch (event.type) {
    case 'asked':
      return { ...state, consent: event.consent };
    case 'polled':
      return { ...state, failure: event.failure };
    case 'late':
      return { ...state, isLate: true };
    case 'consented': {
      const { secretId, sessionId } = event;
      return afterConsent(state, { entry: state.entry, secretId, sessionId });
    }
    case 'stored':
      // Another window has already redeemed the same OAuth session.
      return toConnected(state, event.connector);
    case 'failed':
      return toIntroduction(state, { failure: event.failure });
    case 'back':
      return toIntroduction(state);
    default:
      return state;
  }
}

/** Lets the user choose accounts, if the connector is new and the grant can list them. */
function afterConsent(step: MethodStep, consented: Consented): State {
  return step.target === null && step.method.lists_accounts
    ? { ...methodStep(step), name: 'listing', consented }
    : toSubmitting(step, redeeming(consented));
}

function nextInListing(state: StateOf<'listing' | 'unlisted'>, event: FlowEvent): State {
  const { consented } = state;
  switch (event.type) {
    case 'listed':
      return { ...methodStep(state), name: 'choosing', consented, list: event.list, failure: null };
    case 'failed':
      return { ...methodStep(state), name: 'unlisted', consented, failure: event.failure };
    case 'retry':
      return { ...methodStep(state), name: 'listing', consented };
    case 'chooseAccounts':
      // The list failed to load, and the user continues with all accounts.
      return event.ids === null ? toSubmitting(state, redeeming(consented)) : state;
    case 'back':
      return toIntroduction(state);
    default:
      return state;
  }
}

function nextInChoosing(state: StateOf<'choosing'>, event: FlowEvent): State {
  const { consented, list, definition } = state;
  if (event.type === 'back') return toIntroduction(state);
  if (event.type !== 'chooseAccounts') return state;
  const { accounts_setting: setting } = definition;
  const settings = {
    ...consented.entry.replication_config,
    ...event.entry?.replication_config,
    ...(event.ids && setting ? { [setting]: event.ids } : null),
  };
  const entry = Object.keys(settings).length ? { replication_config: settings } : null;
  return toSubmitting(state, { ...redeeming(consented), ...entry }, { consented, list });
}

function redeeming({ entry, secretId }: Consented): Entry {
  return { ...entry, server_side_oauth_secret_id: secretId };
}

function nextInSubmitting(state: StateOf<'submitting'>, event: FlowEvent): State {
  if (event.type === 'stored') {
    const { choice, definition } = state;
    const accounts = choice ? namesOf(choice.list, definition.accounts_setting, event.connector) : [];
    return toConnected(state, event.connector, accounts);
  }
  if (event.type === 'failed') {
    const { failure } = event;
    if (failure.code === 'different_account' && canReplaceAccount(state.catalog))
      return { ...state, name: 'replacing', accounts: failure.accounts };
    return backFromSubmitting(state, failure);
  }
  return event.type === 'back' ? backFromSubmitting(state, null) : state;
}

function nextInLinking(
  state: StateOf<'linking' | 'sharing' | 'cancelling' | 'unlinked'>,
  event: FlowEvent,
): State {
  const { catalog, definition, target, method } = state;
  const here = { catalog, definition, target, method };
  const before = () => (method ? toForm({ ...here, method }) : toIntroduction(here));
  if (event.type === 'stored') return toConnected(here, event.connector);
  switch (state.name) {
    case 'linking':
      if (event.type === 'linked')
        return { ...here, name: 'sharing', link: event.link, isOpened: false, failure: null, isKept: false };
      break;
    case 'sharing':
      if (event.type === 'linkOpened') return { ...state, isOpened: true };
      if (event.type === 'polled') return { ...state, failure: event.failure, isKept: false };
      if (event.type === 'cancelLink') return { ...state, name: 'cancelling' };
      if (event.type === 'createLink') return { ...here, name: 'linking', seconds: event.seconds };
      break;
    case 'cancelling':
      if (event.type === 'failed') return { ...state, name: 'sharing', failure: event.failure, isKept: true };
      return event.type === 'linkCancelled' ? before() : state;
    case 'unlinked':
      if (event.type === 'retry') return toLink(here);
  }
  if (event.type === 'failed') return { ...here, name: 'unlinked', failure: event.failure };
  return event.type === 'back' ? before() : state;
}

function toLink({ catalog, definition, target, method }: Step & Pick<StateOf<'linking'>, 'method'>): State {
  return { catalog, definition, target, method, name: 'linking' };
}

/** Returns the names of the accounts that a connector syncs: the chosen ones, or all. */
function namesOf(
  { accounts }: ListAccountsResponse,
  setting: string | null | undefined,
  { replication_config: settings }: Connector,
): readonly string[] {
  const chosen = setting && settings?.[setting];
  const isSynced = ({ id, selectable }: ListAccountsResponse['accounts'][number]) =>
    Array.isArray(chosen) && chosen.length ? chosen.includes(id) : selectable;
  return accounts.filter(isSynced).map(({ id, name }) => name || id);
}

/** Returns to the state in which the user can try again. */
function backFromSubmitting(state: StateOf<'submitting' | 'replacing'>, failure: Failure | null): State {
  const { choice, entry, method } = state;
  if (method.type !== 'oauth') return toForm(state, failure);
  const isSpent = failure !== null && isRejection(failure) && failure.code !== 'invalid_credentials';
  if (choice && !isSpent) return { ...methodStep(state), ...choice, name: 'choosing', failure };
  return toIntroduction(state, { failure, retry: isSpent ? null : { method, entry } });
}

/** Returns whether the service rejected the request, so that a retry would get the same response. */
function isRejection({ status }: Failure): boolean {
  return status !== null && status < 500 && status !== 401 && status !== 429;
}

type Step = Pick<StateOf<'introducing'>, 'catalog' | 'definition' | 'target'>;
type MethodStep = Step & { readonly method: AuthMethod };

/** Shows the introduction, or the form if that is the only method. Continues after a redirect. */
function toIntroduction(
  step: Step & Partial<Pick<StateOf<'opening'>, 'returned'>>,
  { failure = null, retry = null }: Partial<Pick<StateOf<'introducing'>, 'failure' | 'retry'>> = {},
): State {
  const { catalog, definition, target, returned } = step;
  const methods = offeredMethods(step);
  const here = { catalog, definition, target };
  const method = returned && methods.find(({ type }) => type === 'oauth');
  if (returned && method) {
    const { outcome, entry, sessionId } = returned;
    return 'failure' in outcome
      ? { ...here, name: 'introducing', methods, failure: outcome.failure, retry: null }
      : afterConsent({ ...here, method }, { ...outcome, entry, sessionId });
  }
  const [only] = methods;
  if (methods.length === 1 && only?.type === 'credentials' && !canOnlySendLink(catalog, target))
    return toForm({ ...here, method: only });
  return { ...here, name: 'introducing', methods, failure, retry };
}

function backFromForm(step: MethodStep): State {
  return offeredMethods(step).length === 1 ? backFrom(step, step.definition) : toIntroduction(step);
}

/** Returns the fields that all states of one method share, without the user's input. */
function methodStep({ catalog, definition, target, method }: MethodStep): MethodStep {
  return { catalog, definition, target, method };
}

function toForm(step: MethodStep, failure: Failure | null = null): State {
  return { ...methodStep(step), name: 'filling', failure };
}

function toConsent(step: MethodStep, entry: Entry): State {
  return { ...methodStep(step), name: 'consenting', entry, consent: null, failure: null, isLate: false };
}

function toSubmitting(step: MethodStep, entry: Entry, choice: Choice | null = null): State {
  return { ...methodStep(step), name: 'submitting', entry, choice };
}

function toConnected(
  { catalog, target }: Pick<Step, 'catalog' | 'target'>,
  connector: Connector,
  accounts: readonly string[] = [],
): State {
  const isAgain = target !== null;
  // A retry with the same idempotency key returns the connector that already exists.
  const others = catalog.connectors.filter(({ id }) => id !== connector.id);
  const updated = isAgain
    ? replaceConnector(catalog, connector)
    : { ...catalog, connectors: [connector, ...others] };
  return { name: 'connected', catalog: { ...updated, query: '' }, connector, isAgain, accounts };
}

/** Returns the methods to offer. For a reconnect, that is the connector's own method, provided it still exists. */
function offeredMethods({ definition, target }: Step): readonly AuthMethod[] {
  const { auth_methods: methods } = definition;
  const same = methods.filter(({ id }) => id === target?.auth_method);
  return same.length ? same : methods;
}
