import type { AuthMethod } from '@connector-auth/api';
import { describe, expect, it } from 'vitest';
import { apiKeyMethod, connector, detail, sources } from '../../gallery/pretend-service.ts';
import { ServiceError } from '../service/failure.ts';
import { next, type FlowEvent, type State } from './flow.ts';

const mine = connector();
const { failure } = new ServiceError('unreachable', 'No answer');
const loaded: FlowEvent = { type: 'loaded', definitions: sources, connectors: [mine] };
const pick: FlowEvent = { type: 'pick', definitionId: 'def-granola' };
const opened: FlowEvent = { type: 'opened', definition: detail() };
const submit: FlowEvent = { type: 'submit', entry: { credentials: { api_key: 'grn_1' } } };
const manage: FlowEvent = { type: 'manage', connectorId: mine.id };
const failed: FlowEvent = { type: 'failed', failure };
const back: FlowEvent = { type: 'back' };

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
    const names = [...toForm, submit, { type: 'created', connector: mine } as const].map(
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
      { type: 'disconnected' },
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
    expect(after(...toForm, back)).toMatchObject({ cameFrom: { definitionId: 'def-granola' } });
    expect(after(...toCatalog, manage, back)).toMatchObject({ cameFrom: { connectorId: mine.id } });
  });

  it('keeps the search while one looks at a source, and clears it once connected', () => {
    const search: FlowEvent = { type: 'search', query: 'gra' };
    const created: FlowEvent = { type: 'created', connector: connector({ id: 'new' }) };
    expect(after(...toCatalog, search, pick, opened, back)).toMatchObject({ catalog: { query: 'gra' } });
    expect(after(...toCatalog, search, pick, opened, submit, created)).toMatchObject({
      catalog: { query: '' },
    });
  });

  it('lists a new connector first, and one that was there already only once', () => {
    const added = connector({ id: 'new' });
    const withNew = after(...toForm, submit, { type: 'created', connector: added });
    expect(withNew).toMatchObject({ catalog: { connectors: [{ id: 'new' }, { id: mine.id }] } });
    const withOld = after(...toForm, submit, { type: 'created', connector: mine });
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
