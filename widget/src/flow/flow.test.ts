import type { AuthMethod } from '@connector-auth/api';
import { describe, expect, it } from 'vitest';
import { apiKeyMethod, connector, detail, sources } from '../../gallery/fake-service.ts';
import { ServiceError } from '../service/failure.ts';
import type { FlowEvent, ReturnedConsent, State } from './flow.ts';
import { nextInSteps } from './next-in-steps.ts';
import { next as nextState } from './next.ts';

const mine = connector();
const { failure } = new ServiceError('unreachable', 'No answer');
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

describe('the flow', () => {
  it('goes from start to a connected source', () => {
    const names = [...toForm, submit, { type: 'stored', connector: mine } as const].map(
      (_event, index, events) => after(...events.slice(0, index + 1)).name,
    );
    expect(names).toEqual(['loading', 'catalog', 'opening', 'filling', 'submitting', 'connected']);
  });

  it('leaves a state as it is upon an event the state does not know', () => {
    const states = [
      after(),
      after(...toCatalog),
      after(...toForm),
      after(...toForm, submit),
      after(...toCatalog, manage),
    ];
    const strangers: readonly FlowEvent[] = [
      { type: 'consented', secretId: 'nobody' },
      { type: 'choose', methodId: 'api_key' },
      { type: 'pick', definitionId: 'nobody' },
      { type: 'manage', connectorId: 'nobody' },
    ];
    for (const state of states) for (const event of strangers) expect(next(state, event)).toBe(state);
  });

  it('starts over from anywhere', () => {
    for (const state of [
      after(...toCatalog),
      after(...toForm),
      after(...toForm, submit),
      after(...toCatalog, manage),
    ]) {
      expect(next(state, { type: 'start' }).name).toBe('loading');
    }
  });

  it('offers to try again where loading failed', () => {
    expect(after({ type: 'start' }, failed)).toEqual({ name: 'unavailable', failure });
    expect(after({ type: 'start' }, failed, { type: 'retry' }).name).toBe('loading');
    expect(after(...toCatalog, pick, failed)).toMatchObject({ name: 'unopened', failure });
    expect(after(...toCatalog, pick, failed, { type: 'retry' }).name).toBe('opening');
  });

  it('asks for the method only where there are several', () => {
    const other = { ...apiKeyMethod, id: 'other' };
    const choosing = after(...toCatalog, pick, twoWays(apiKeyMethod, other));
    expect(choosing).toMatchObject({ name: 'choosing', methods: [{ id: 'api_key' }, { id: 'other' }] });
    const filling = next(choosing, { type: 'choose', methodId: 'other' });
    expect(filling).toMatchObject({ name: 'filling', method: { id: 'other' } });
    expect(next(filling, back).name).toBe('choosing');
    expect(next(after(...toForm), back).name).toBe('catalog');
  });

  it('says so where there is no method', () => {
    expect(after(...toCatalog, pick, twoWays())).toMatchObject({ name: 'choosing', methods: [] });
  });

  it('comes back to the form with the reason when connecting fails', () => {
    expect(after(...toForm, submit, failed)).toMatchObject({ name: 'filling', failure });
  });

  it('lets a person give up while the vendor is being asked', () => {
    expect(after(...toForm, submit, back)).toMatchObject({ name: 'filling', failure: null });
  });

  it('leads back to the row one came from', () => {
    expect(after(...toForm, back)).toMatchObject({ cameFrom: 'def-granola' });
    expect(after(...toCatalog, manage, back)).toMatchObject({ cameFrom: mine.id });
  });

  it('keeps the search while one looks at a source, and clears it once connected', () => {
    const search: FlowEvent = { type: 'search', query: 'gra' };
    const stored: FlowEvent = { type: 'stored', connector: connector({ id: 'new' }) };
    expect(after(...toCatalog, search, pick, opened, back)).toMatchObject({ catalog: { query: 'gra' } });
    expect(after(...toCatalog, search, pick, opened, submit, stored)).toMatchObject({
      catalog: { query: '' },
    });
  });

  it('lists a new connector first, and one that was there already only once', () => {
    const added = connector({ id: 'new' });
    const withNew = after(...toForm, submit, { type: 'stored', connector: added });
    expect(withNew).toMatchObject({ catalog: { connectors: [{ id: 'new' }, { id: mine.id }] } });
    const withOld = after(...toForm, submit, { type: 'stored', connector: mine });
    expect(withOld).toMatchObject({ catalog: { connectors: [{ id: mine.id }] } });
    expect(withOld).toHaveProperty('catalog.connectors.length', 1);
  });

  it('disconnects only after a second yes', () => {
    const asked = after(...toCatalog, manage, { type: 'disconnect' });
    expect(asked.name).toBe('confirming');
    expect(next(asked, back).name).toBe('managing');
    const gone = next(next(asked, { type: 'confirm' }), { type: 'disconnected' });
    expect(gone).toMatchObject({ name: 'catalog', catalog: { connectors: [] } });
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
const consented: FlowEvent = { type: 'consented', secretId: 'secret-1' };
const plain: FlowEvent = { type: 'submit', entry: {} };
const withSecret = { server_side_oauth_secret_id: 'secret-1' };

describe('consent', () => {
  const toConsent = [...toCatalog, pick, keyOrConsent, chooseConsent];

  it('begins with the click that chooses it, and goes on by itself once it is given', () => {
    expect(after(...toConsent)).toMatchObject({ name: 'consenting', consent: null, entry: {} });
    expect(after(...toConsent, consented)).toMatchObject({ name: 'submitting', entry: withSecret });
  });

  it('waits for a click where the method did not need to be chosen: no window opens without one', () => {
    const filling = after(...toCatalog, pick, onlyConsent);
    expect(filling).toMatchObject({ name: 'filling', method: { id: 'oauth' } });
    expect(next(filling, plain).name).toBe('consenting');
  });

  it('waits for the settings where a source has some', () => {
    const definition = detail({
      auth_methods: [signIn, apiKeyMethod],
      replication_schema: { type: 'object' },
    });
    const filling = after(...toCatalog, pick, { type: 'opened', definition }, chooseConsent);
    expect(filling.name).toBe('filling');
    const entry = { replication_config: { start_date: '2026-01-01' } };
    expect(next(next(filling, { type: 'submit', entry }), consented)).toMatchObject({
      name: 'submitting',
      entry: { ...entry, ...withSecret },
    });
  });

  it('keeps waiting through trouble, and stays the same state when it is asked for', () => {
    const consent = { url: 'https://service.invalid/oauth/start/1', window: 'w', isBlocked: true };
    const waiting = after(...toConsent, { type: 'asked', consent }, { type: 'polled', failure });
    expect(waiting).toMatchObject({ name: 'consenting', consent, failure });
    expect(next(waiting, { type: 'polled', failure: null })).toMatchObject({
      name: 'consenting',
      failure: null,
    });
  });

  it('that is refused leads to where it can be begun again', () => {
    const denied = after(...toConsent, failed);
    expect(denied).toMatchObject({ name: 'filling', failure, secretId: null });
    expect(next(denied, plain).name).toBe('consenting');
  });

  it('leads back to where it was begun', () => {
    expect(after(...toConsent, back).name).toBe('choosing');
    expect(after(...toCatalog, pick, onlyConsent, plain, back).name).toBe('filling');
  });

  it('that another window was faster with is as good', () => {
    expect(after(...toConsent, { type: 'stored', connector: mine })).toMatchObject({
      name: 'connected',
      connector: { id: mine.id },
    });
  });

  it('that was given is used again when storing failed on the way, and asked for anew when it was refused', () => {
    const submitting = after(...toConsent, consented);
    const again = next(submitting, failed);
    expect(again).toMatchObject({ name: 'filling', secretId: 'secret-1' });
    expect(next(again, plain)).toMatchObject({ name: 'submitting', entry: withSecret });
    expect(next(submitting, back)).toMatchObject({ name: 'filling', secretId: 'secret-1' });
    const refusal = new ServiceError('secret_id_invalid', 'Too old', { status: 422 }).failure;
    expect(next(submitting, { type: 'failed', failure: refusal })).toMatchObject({ secretId: null });
  });

  it('in the page itself goes on where it was left', () => {
    const returned: ReturnedConsent = {
      definitionId: 'def-granola',
      connectorId: null,
      entry: { name: 'Ours' },
      outcome: { secretId: 'secret-1' },
    };
    const coming = (more: Partial<ReturnedConsent>) =>
      after({ type: 'start' }, { ...loaded, returned: { ...returned, ...more } }, keyOrConsent);
    expect(coming({})).toMatchObject({
      name: 'submitting',
      target: null,
      entry: { name: 'Ours', ...withSecret },
    });
    expect(coming({ outcome: { failure } })).toMatchObject({ name: 'filling', failure });
    expect(coming({ connectorId: mine.id })).toMatchObject({ target: { id: mine.id } });
    expect(coming({ definitionId: 'gone' }).name).toBe('catalog');
  });
});

describe('a connector', () => {
  const managing = [...toCatalog, manage];

  it('is renamed in place', () => {
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

  it('is reconnected the way it was connected', () => {
    const reconnect: FlowEvent = { type: 'reconnect' };
    const filling = after(...managing, reconnect, keyOrConsent);
    expect(filling).toMatchObject({ name: 'filling', target: { id: mine.id }, method: { id: 'api_key' } });
    expect(next(filling, back)).toMatchObject({ name: 'managing', connector: { id: mine.id } });
    expect(next(next(filling, submit), { type: 'stored', connector: mine })).toMatchObject({
      name: 'connected',
      isAgain: true,
    });
    // Its method is not offered any more: then there is a choice.
    expect(after(...managing, reconnect, twoWays(signIn, { ...signIn, id: 'other' })).name).toBe('choosing');
  });

  it('is asked about when it would become one of another account', () => {
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

  it('is shown as it is now, and gone when it is gone', () => {
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

describe('a preselected source', () => {
  it('is opened without a click, and its catalog is behind it', () => {
    const opening = after({ type: 'start' }, { ...loaded, preselected: 'def-granola' });
    expect(opening).toMatchObject({ name: 'opening', source: { sourceDefinitionId: 'def-granola' } });
    expect(next(opening, back).name).toBe('catalog');
  });
});
