import type { AuthMethod } from '@connector-auth/api';
import { describe, expect, test } from 'vitest';
import { accountList, apiKeyMethod, connector, detail, sources } from '../../gallery/fake-service.ts';
import { ServiceError } from '../service/failure.ts';
import type { FlowEvent, ReturnedConsent, State } from './flow.ts';
import { nextInSteps } from './next-in-steps.ts';
import { next as nextState } from './next.ts';

const mine = connector();
const { failure } = new ServiceError('unreachable', 'No response');
const loaded: FlowEvent = { type: 'loaded', definitions: sources, connectors: [mine] };
const pick: FlowEvent = { type: 'pick', definitionId: 'def-granola' };
const opened: FlowEvent = { type: 'opened', definition: detail() };
const submit: FlowEvent = { type: 'submit', entry: { credentials: { api_key: 'grn_1' } } };
const manage: FlowEvent = { type: 'manage', connectorId: mine.id };
const failed: FlowEvent = { type: 'failed', failure };
const back: FlowEvent = { type: 'back' };

const next = (state: State, event: FlowEvent) => nextState(state, event, nextInSteps);

function after(...events: readonly FlowEvent[]): State {
  return events.reduce<State>((state, event) => next(state, event), { name: 'idle' });
}

const toCatalog: readonly FlowEvent[] = [{ type: 'start' }, loaded];
const toForm = [...toCatalog, pick, opened];

function twoWays(...methods: readonly AuthMethod[]): FlowEvent {
  return { type: 'opened', definition: detail({ auth_methods: [...methods] }) };
}

describe('flow', () => {
  test('proceeds from the start event to a connected source', () => {
    const names = [...toForm, submit, { type: 'stored', connector: mine } as const].map(
      (_event, index, events) => after(...events.slice(0, index + 1)).name,
    );
    expect(names).toEqual(['loading', 'catalog', 'opening', 'filling', 'submitting', 'connected']);
  });

  test('returns the same state object for an event that the state does not handle', () => {
    const states = [
      after(),
      after(...toCatalog),
      after(...toForm),
      after(...toForm, submit),
      after(...toCatalog, manage),
    ];
    const unknownEvents: readonly FlowEvent[] = [
      { type: 'consented', secretId: 'unknown', sessionId: 'unknown' },
      { type: 'choose', methodId: 'api_key' },
      { type: 'pick', definitionId: 'unknown' },
      { type: 'manage', connectorId: 'unknown' },
    ];
    for (const state of states) for (const event of unknownEvents) expect(next(state, event)).toBe(state);
  });

  test('restarts the flow from any state', () => {
    for (const state of [
      after(...toCatalog),
      after(...toForm),
      after(...toForm, submit),
      after(...toCatalog, manage),
    ]) {
      expect(next(state, { type: 'start' }).name).toBe('loading');
    }
  });

  test('reloads the catalog after loading failed', () => {
    expect(after({ type: 'start' }, failed)).toEqual({ name: 'unavailable', failure });
    expect(after({ type: 'start' }, failed, { type: 'retry' }).name).toBe('loading');
    expect(after(...toCatalog, pick, failed)).toMatchObject({ name: 'unopened', failure });
    expect(after(...toCatalog, pick, failed, { type: 'retry' }).name).toBe('opening');
  });

  test('introduces a source first, unless its only method is a form', () => {
    const other = { ...apiKeyMethod, id: 'other' };
    const introducing = after(...toCatalog, pick, twoWays(apiKeyMethod, other));
    expect(introducing).toMatchObject({
      name: 'introducing',
      methods: [{ id: 'api_key' }, { id: 'other' }],
      failure: null,
    });
    const filling = next(introducing, { type: 'choose', methodId: 'other' });
    expect(filling).toMatchObject({ name: 'filling', method: { id: 'other' } });
    expect(next(filling, back).name).toBe('introducing');
    expect(next(introducing, back).name).toBe('catalog');
    expect(next(after(...toForm), back).name).toBe('catalog');
  });

  test('offers no auth method if the source has none', () => {
    expect(after(...toCatalog, pick, twoWays())).toMatchObject({ name: 'introducing', methods: [] });
  });

  test('returns to the form and shows the reason if connecting fails', () => {
    expect(after(...toForm, submit, failed)).toMatchObject({ name: 'filling', failure });
  });

  test('lets users cancel while the vendor verifies credentials', () => {
    expect(after(...toForm, submit, back)).toMatchObject({ name: 'filling', failure: null });
  });

  test('returns to the row that the user opened', () => {
    expect(after(...toForm, back)).toMatchObject({ cameFrom: 'def-granola' });
    expect(after(...toCatalog, manage, back)).toMatchObject({ cameFrom: mine.id });
  });

  test('keeps the search query while a source is open and clears it once the source is connected', () => {
    const search: FlowEvent = { type: 'search', query: 'gra' };
    const stored: FlowEvent = { type: 'stored', connector: connector({ id: 'new' }) };
    expect(after(...toCatalog, search, pick, opened, back)).toMatchObject({ catalog: { query: 'gra' } });
    expect(after(...toCatalog, search, pick, opened, submit, stored)).toMatchObject({
      catalog: { query: '' },
    });
  });

  test('lists a new connector first and an existing connector only once', () => {
    const added = connector({ id: 'new' });
    const withNew = after(...toForm, submit, { type: 'stored', connector: added });
    expect(withNew).toMatchObject({ catalog: { connectors: [{ id: 'new' }, { id: mine.id }] } });
    const withOld = after(...toForm, submit, { type: 'stored', connector: mine });
    expect(withOld).toMatchObject({ catalog: { connectors: [{ id: mine.id }] } });
    expect(withOld).toHaveProperty('catalog.connectors.length', 1);
  });

  test('disconnects a connector only after confirmation', () => {
    const asked = after(...toCatalog, manage, { type: 'disconnect' });
    expect(asked.name).toBe('confirming');
    expect(next(asked, back).name).toBe('managing');
    const gone = next(next(asked, { type: 'confirm' }), { type: 'disconnected' });
    expect(gone).toMatchObject({ name: 'catalog', catalog: { connectors: [] } });
    const undoable = next(next(asked, { type: 'confirm' }), {
      type: 'disconnected',
      until: '2030-01-01T00:00:30Z',
    });
    expect(undoable).toMatchObject({ name: 'disconnected', catalog: { connectors: [mine] } });
    for (const event of [back, { type: 'disconnected' } as const])
      expect(next(undoable, event)).toMatchObject({ name: 'catalog', catalog: { connectors: [] } });
    const undoing = next(undoable, { type: 'undo' });
    expect(next(undoing, { type: 'stored', connector: mine })).toMatchObject({
      name: 'managing',
      cameFrom: 'disconnect',
      catalog: { connectors: [mine] },
    });
    expect(next(undoing, failed)).toMatchObject({ name: 'disconnected', failure });
    expect(next(next(asked, { type: 'confirm' }), failed)).toMatchObject({ name: 'confirming', failure });
  });
});

const signIn: AuthMethod = { ...apiKeyMethod, id: 'oauth', type: 'oauth', schema: { type: 'object' } };
const keyOrConsent: FlowEvent = {
  type: 'opened',
  definition: detail({ auth_methods: [signIn, apiKeyMethod] }),
};
const onlyConsent: FlowEvent = { type: 'opened', definition: detail({ auth_methods: [signIn] }) };
const chooseConsent: FlowEvent = { type: 'choose', methodId: 'oauth' };
const consented: FlowEvent = { type: 'consented', secretId: 'secret-1', sessionId: 'session-1' };
const withSecret = { server_side_oauth_secret_id: 'secret-1' };
const tooOld: FlowEvent = {
  type: 'failed',
  failure: new ServiceError('secret_id_invalid', 'Too old', { status: 422 }).failure,
};

describe('consent', () => {
  const toConsent = [...toCatalog, pick, keyOrConsent, chooseConsent];

  test('starts the OAuth flow on the click that chooses it and submits once the user consents', () => {
    expect(after(...toConsent)).toMatchObject({ name: 'consenting', consent: null, entry: {} });
    expect(after(...toConsent, consented)).toMatchObject({ name: 'submitting', entry: withSecret });
  });

  test('waits for a click before opening the pop-up if OAuth is the only method', () => {
    const introducing = after(...toCatalog, pick, onlyConsent);
    expect(introducing).toMatchObject({ name: 'introducing', methods: [{ id: 'oauth' }] });
    expect(next(introducing, chooseConsent).name).toBe('consenting');
  });

  test('submits settings that the user entered before the OAuth flow', () => {
    const entry = { replication_config: { start_date: '2026-01-01' } };
    expect(after(...toCatalog, pick, keyOrConsent, { ...chooseConsent, entry }, consented)).toMatchObject({
      name: 'submitting',
      entry: { ...entry, ...withSecret },
    });
  });

  test('keeps waiting for the OAuth session while polling fails', () => {
    const consent = {
      url: 'https://service.invalid/oauth/start/1',
      window: 'w',
      isBlocked: true,
      open: () => {},
    };
    const waiting = after(...toConsent, { type: 'asked', consent }, { type: 'polled', failure });
    expect(waiting).toMatchObject({ name: 'consenting', consent, failure });
    expect(next(waiting, { type: 'polled', failure: null })).toMatchObject({
      name: 'consenting',
      failure: null,
    });
  });

  test('lets the user start again after denying consent', () => {
    const denied = after(...toConsent, failed);
    expect(denied).toMatchObject({ name: 'introducing', failure, retry: null });
    expect(next(denied, { type: 'retry' })).toBe(denied);
    expect(next(denied, chooseConsent)).toMatchObject({ name: 'consenting', failure: null });
  });

  test('returns from a cancelled OAuth flow to the introduction', () => {
    expect(after(...toConsent, back)).toMatchObject({ name: 'introducing', failure: null });
    expect(after(...toCatalog, pick, onlyConsent, chooseConsent, back).name).toBe('introducing');
  });

  test('shows the connector that another window created from the same OAuth session', () => {
    expect(after(...toConsent, { type: 'stored', connector: mine })).toMatchObject({
      name: 'connected',
      connector: { id: mine.id },
    });
  });

  test('reuses a completed OAuth session if no response arrived, but not after a rejection', () => {
    const submitting = after(...toConsent, consented);
    const again = next(submitting, failed);
    expect(again).toMatchObject({ name: 'introducing', failure, retry: { entry: withSecret } });
    expect(next(again, { type: 'retry' })).toMatchObject({ name: 'submitting', entry: withSecret });
    expect(next(submitting, back)).toMatchObject({ name: 'introducing', retry: { entry: withSecret } });
    expect(next(submitting, tooOld)).toMatchObject({ name: 'introducing', retry: null });
  });

  test('continues the flow after a redirect', () => {
    const returned: ReturnedConsent = {
      definitionId: 'def-granola',
      connectorId: null,
      entry: { name: 'Ours' },
      sessionId: 'session-1',
      outcome: { secretId: 'secret-1' },
    };
    const coming = (more: Partial<ReturnedConsent>) =>
      after({ type: 'start' }, { ...loaded, returned: { ...returned, ...more } }, keyOrConsent);
    expect(coming({})).toMatchObject({
      name: 'submitting',
      target: null,
      entry: { name: 'Ours', ...withSecret },
    });
    expect(coming({ outcome: { failure } })).toMatchObject({ name: 'introducing', failure });
    expect(coming({ connectorId: mine.id })).toMatchObject({ target: { id: mine.id } });
    expect(coming({ definitionId: 'gone' }).name).toBe('catalog');
  });
});

const choosesAccounts: FlowEvent = {
  type: 'opened',
  definition: detail({
    auth_methods: [{ ...signIn, lists_accounts: true }],
    accounts_setting: 'account_ids',
  }),
};
const list = accountList();
const chooseOne: FlowEvent = { type: 'chooseAccounts', ids: ['account-1'] };

describe('choice of accounts', () => {
  const toListing = [...toCatalog, pick, choosesAccounts, chooseConsent, consented];
  const toChoosing: readonly FlowEvent[] = [...toListing, { type: 'listed', list }];

  test('lists the accounts of the grant after the consent and submits the chosen ones', () => {
    expect(after(...toListing)).toMatchObject({ name: 'listing', consented: { sessionId: 'session-1' } });
    const choosing = after(...toChoosing);
    expect(choosing).toMatchObject({ name: 'choosing', list, failure: null });
    const settings = { replication_config: { start_date: '2026-01-01' } };
    expect(next(choosing, { ...chooseOne, entry: settings })).toMatchObject({
      name: 'submitting',
      entry: { ...withSecret, replication_config: { start_date: '2026-01-01', account_ids: ['account-1'] } },
    });
  });

  test('submits no ids for all accounts, so that later accounts are included', () => {
    const submitting = after(...toChoosing, { type: 'chooseAccounts', ids: null });
    expect(submitting).toMatchObject({ name: 'submitting' });
    expect('entry' in submitting && submitting.entry).toEqual(withSecret);
  });

  test('names the accounts that are synced once they are connected', () => {
    const connectedWith = (ids: readonly string[] | null) => {
      const connector = { ...mine, replication_config: { account_ids: ids } };
      return after(...toChoosing, { type: 'chooseAccounts', ids }, { type: 'stored', connector });
    };
    expect(connectedWith(['account-1'])).toMatchObject({ name: 'connected', accounts: ['Fieldbook Europe'] });
    expect(connectedWith(null)).toMatchObject({
      accounts: ['Fieldbook Europe', 'Fieldbook North America', 'Fieldbook Group'],
    });
  });

  test('retries a list that fails to load, or continues with all accounts', () => {
    const unlisted = after(...toListing, failed);
    expect(unlisted).toMatchObject({ name: 'unlisted', failure });
    expect(next(unlisted, { type: 'retry' }).name).toBe('listing');
    expect(next(unlisted, chooseOne)).toBe(unlisted);
    expect(next(unlisted, { type: 'chooseAccounts', ids: null })).toMatchObject({
      name: 'submitting',
      entry: withSecret,
    });
    expect(next(unlisted, back).name).toBe('introducing');
  });

  test('returns to the choice after a failure, but to the introduction if the consent is spent', () => {
    const submitting = after(...toChoosing, chooseOne);
    expect(next(submitting, failed)).toMatchObject({ name: 'choosing', list, failure });
    expect(next(submitting, back)).toMatchObject({ name: 'choosing', list, failure: null });
    expect(next(submitting, tooOld)).toMatchObject({ name: 'introducing', retry: null });
  });

  test('keeps the accounts of a connector when it is reconnected', () => {
    const reconnecting = after(...toCatalog, manage, { type: 'reconnect' }, choosesAccounts, chooseConsent);
    expect(next(reconnecting, consented)).toMatchObject({ name: 'submitting', target: { id: mine.id } });
  });

  test('changes the accounts of a connector', () => {
    const opening = after(...toCatalog, manage, { type: 'editAccounts' });
    expect(opening.name).toBe('openingAccounts');
    const unlisted = next(opening, failed);
    expect(unlisted).toMatchObject({ name: 'accounts', list: null, failure });
    expect(next(unlisted, { type: 'retry' }).name).toBe('openingAccounts');
    expect(next(unlisted, chooseOne)).toBe(unlisted);
    const accounts = next(opening, { type: 'listed', list, detail: detail() });
    expect(accounts).toMatchObject({ name: 'accounts', list, failure: null });
    expect(next(accounts, back).name).toBe('managing');
    const saving = next(accounts, chooseOne);
    expect(saving).toMatchObject({ name: 'savingAccounts', ids: ['account-1'] });
    expect(next(saving, failed)).toMatchObject({ name: 'accounts', list, failure });
    expect(next(saving, { type: 'stored', connector: mine })).toMatchObject({ name: 'managing' });
  });
});

describe('connect link', () => {
  const link = { id: 'link-1', url: 'https://connect.example/1#s', expires_at: '2026-10-02T09:40:00Z' };
  const create: FlowEvent = { type: 'createLink' };
  const linked: FlowEvent = { type: 'linked', link };
  const toLink = [...toForm, create, linked];

  test('is created, opened and used by a colleague', () => {
    expect(after(...toForm, create).name).toBe('linking');
    expect(after(...toLink)).toMatchObject({ name: 'sharing', link, isOpened: false });
    expect(after(...toLink, { type: 'linkOpened' })).toMatchObject({ name: 'sharing', isOpened: true });
    expect(after(...toLink, { type: 'stored', connector: mine })).toMatchObject({
      name: 'connected',
      isAgain: false,
      catalog: { connectors: [mine] },
    });
  });

  test('is for the connector that is reconnected', () => {
    const toTarget = [...toCatalog, manage, { type: 'reconnect' }, opened, create, linked] as const;
    expect(after(...toTarget)).toMatchObject({ name: 'sharing', target: mine });
    const used = after(...toTarget, { type: 'stored', connector: mine });
    expect(used).toMatchObject({ name: 'connected', isAgain: true });
  });

  test('returns to the form or introduction that the user left, also after it was cancelled', () => {
    const cancelled: readonly FlowEvent[] = [{ type: 'cancelLink' }, { type: 'linkCancelled' }];
    const toChoice = [...toCatalog, pick, twoWays(apiKeyMethod, { ...apiKeyMethod, id: 'other' })];
    const choose: FlowEvent = { type: 'choose', methodId: 'other' };
    for (const end of [[back], cancelled]) {
      expect(after(...toLink, ...end).name).toBe('filling');
      expect(after(...toChoice, create, linked, ...end).name).toBe('introducing');
      expect(after(...toChoice, choose, create, linked, ...end)).toMatchObject({
        name: 'filling',
        method: { id: 'other' },
      });
    }
  });

  test('can be created again after a failure', () => {
    expect(after(...toForm, create, failed)).toMatchObject({ name: 'unlinked', failure });
    expect(after(...toLink, failed)).toMatchObject({ name: 'unlinked', failure });
    expect(after(...toLink, failed, { type: 'retry' }).name).toBe('linking');
    expect(after(...toLink, failed, back).name).toBe('filling');
  });

  test('remains if it cannot be cancelled, and is not left meanwhile', () => {
    const cancelling = after(...toLink, { type: 'cancelLink' });
    expect(next(cancelling, back)).toBe(cancelling);
    expect(next(cancelling, failed)).toMatchObject({ name: 'sharing', link, failure });
  });

  test('remains while polling fails', () => {
    const polled = after(...toLink, { type: 'polled', failure });
    expect(polled).toMatchObject({ name: 'sharing', failure });
    expect(next(polled, { type: 'polled', failure: null })).toMatchObject({ failure: null });
  });

  test('is described in another language when the service describes the sources in it', () => {
    const definition = detail({ name: 'Granola auf Deutsch', sourceDefinitionId: 'def-granola' });
    const reworded: FlowEvent = { type: 'reworded', definitions: [definition], definition };
    expect(after(...toLink, reworded)).toMatchObject({ definition: { name: 'Granola auf Deutsch' } });
    const toChoice = [...toCatalog, pick, twoWays(apiKeyMethod, { ...apiKeyMethod, id: 'other' })];
    expect(after(...toChoice, create, linked, reworded)).toMatchObject({ definition, method: null });
  });
});

describe('connected', () => {
  test('shows the progress of the sync and leads to the catalog or to the connector', () => {
    const connected = after(...toForm, submit, { type: 'stored', connector: mine });
    const newer = { ...mine, sync: { status: 'building' as const, entities: {} } };
    expect(next(connected, { type: 'refreshed', connector: newer })).toMatchObject({
      name: 'connected',
      connector: newer,
      catalog: { connectors: [newer] },
    });
    expect(next(connected, back)).toMatchObject({ name: 'catalog', cameFrom: mine.id });
    expect(next(connected, manage)).toMatchObject({ name: 'managing', connector: { id: mine.id } });
  });
});

describe('connector', () => {
  const managing = [...toCatalog, manage];

  test('renames a connector without moving it in the list', () => {
    const saving = after(...managing, { type: 'rename' }, { type: 'save', newName: 'Ours' });
    expect(saving).toMatchObject({ name: 'saving', newName: 'Ours' });
    const renamed = { ...mine, name: 'Ours' };
    expect(next(saving, { type: 'stored', connector: renamed })).toMatchObject({
      name: 'managing',
      connector: renamed,
      catalog: { connectors: [renamed] },
    });
    expect(next(saving, failed)).toMatchObject({ name: 'renaming', failure });
  });

  test('reconnects a connector with its original auth method', () => {
    const reconnect: FlowEvent = { type: 'reconnect' };
    const filling = after(...managing, reconnect, keyOrConsent);
    expect(filling).toMatchObject({ name: 'filling', target: { id: mine.id }, method: { id: 'api_key' } });
    expect(next(filling, back)).toMatchObject({ name: 'managing', connector: { id: mine.id } });
    expect(next(next(filling, submit), { type: 'stored', connector: mine })).toMatchObject({
      name: 'connected',
      isAgain: true,
    });
    // The connector's method no longer exists, so the user has to choose another one.
    expect(after(...managing, reconnect, twoWays(signIn, { ...signIn, id: 'other' }))).toMatchObject({
      name: 'introducing',
      methods: [{ id: 'oauth' }, { id: 'other' }],
    });
  });

  test('asks for confirmation before switching to a different account', () => {
    const other = new ServiceError('different_account', 'Another', { status: 409 }).failure;
    const asked = after(...managing, { type: 'reconnect' }, keyOrConsent, submit, {
      type: 'failed',
      failure: other,
    });
    expect(asked.name).toBe('replacing');
    expect(next(asked, { type: 'confirm' })).toMatchObject({
      name: 'submitting',
      entry: { credentials: { api_key: 'grn_1' }, replace_account: true },
    });
    expect(next(asked, back)).toMatchObject({ name: 'filling', failure: null });
  });

  test('does not offer to switch the account with a token that cannot', () => {
    const other = new ServiceError('different_account', 'Another', { status: 409 }).failure;
    const rights = { actions: [], management: ['reconnect' as const], replace_account: false };
    const opened = [{ type: 'start' }, { ...loaded, rights }, manage, { type: 'reconnect' }] as const;
    expect(after(...opened, keyOrConsent, submit, { type: 'failed', failure: other })).toMatchObject({
      name: 'filling',
      failure: { code: 'different_account' },
    });
  });

  test('shows an updated connector and removes a deleted connector', () => {
    const newer = { ...mine, status: 'needs_reauth' as const };
    expect(after(...managing, { type: 'refreshed', connector: newer })).toMatchObject({
      name: 'managing',
      connector: newer,
      catalog: { connectors: [newer] },
    });
    expect(after(...managing, { type: 'disconnected' })).toMatchObject({
      name: 'catalog',
      catalog: { connectors: [] },
    });
  });
});

describe('preselected source', () => {
  test('opens a preselected source immediately and returns from it to the catalog', () => {
    const opening = after({ type: 'start' }, { ...loaded, preselected: 'gong' });
    expect(opening).toMatchObject({ name: 'opening', source: { sourceDefinitionId: 'def-gong' } });
    expect(next(opening, back).name).toBe('catalog');
  });

  test('opens the reconnect of a connector immediately and returns from it to the connector', () => {
    const event = { ...loaded, target: mine.id };
    const opening = after({ type: 'start' }, event);
    expect(opening).toMatchObject({ name: 'opening', target: { id: mine.id } });
    expect(next(opening, back)).toMatchObject({ name: 'managing', connector: { id: mine.id } });
  });
});
