import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { connectionState, connectionTones, connectionWords } from './connection-state.ts';
import type { Connector, EntitySync } from './connectors.ts';

const soon = '2026-11-02T12:01:30.000Z';
const before = '2026-11-02T11:58:30.000Z';

const stateOf = (status: Connector['status'], ...list: Partial<EntitySync>[]) => {
  const full = list.map((fields): EntitySync => ({
    state: 'done',
    records: 7,
    last_synced_at: before,
    last_error: null,
    ...fields,
  }));
  return connectionState({ status, sync: { entities: Object.fromEntries(full.entries()) } });
};

describe('the state of a connection', () => {
  test('has a word and a colour each', () => {
    expect(Object.keys(connectionWords)).toEqual(Object.keys(connectionTones));
  });

  test.each([
    ['needs_reauth', [{}], 'expired', 'warn'],
    ['disabled', [{}], 'paused', 'neutral'],
    ['frozen', [{ state: 'failed' }], 'paused', 'neutral'],
    ['unavailable', [{ state: 'failed' }], 'unavailable', 'neutral'],
    ['active', [{ state: 'failed' }, { state: 'failed' }], 'failing', 'bad'],
    ['active', [{ state: 'failed' }, {}], 'partly_failing', 'warn'],
    // The error remains while the sync is retried, until the retry has stored data.
    ['active', [{ state: 'running', last_error: 'No' }], 'failing', 'bad'],
    ['active', [{ state: 'running' }, {}], 'syncing', 'info'],
    ['active', [{ state: 'waiting' }, {}], 'syncing', 'info'],
    ['active', [{ state: 'waiting', retry_at: soon }, { state: 'waiting' }], 'syncing', 'info'],
    ['active', [{ state: 'waiting', retry_at: soon }, {}], 'limited', 'neutral'],
    ['active', [{}], 'current', 'good'],
    ['active', [], 'connected', 'good'],
  ] as const)('of a connector that is %s with %j is %s', (status, list, name, tone) => {
    expect(stateOf(status, ...list)).toMatchObject({ name, tone });
  });

  test('says when anything was synced last, and when a limited sync continues', () => {
    const older = '2026-11-02T11:45:00.000Z';
    expect(stateOf('active', { last_synced_at: older }, {}).since).toBe(before);
    expect(stateOf('active', {}, { state: 'waiting', retry_at: soon }).until).toBe(soon);
    expect(stateOf('active', {}).until).toBeNull();
  });

  test('has the error code that all failing types of data share', () => {
    const failed = (last_error_code: string) => ({ state: 'failed', last_error_code }) as const;
    expect(stateOf('active', failed('vendor_failed'), failed('vendor_failed'), {}).errorCode).toBe(
      'vendor_failed',
    );
    expect(stateOf('active', failed('vendor_failed'), failed('vendor_timeout')).errorCode).toBeNull();
  });
});

/** What can happen to one type of data during the first sync. */
type Step = {
  readonly entity: number;
  readonly is: 'page' | 'finish' | 'fail' | 'limit' | 'pause';
  readonly added: number;
};

const histories = fc.record({
  entities: fc.integer({ min: 1, max: 12 }),
  steps: fc.array(
    fc.record({
      entity: fc.nat({ max: 11 }),
      is: fc.constantFrom<Step['is']>('page', 'finish', 'fail', 'limit', 'pause'),
      added: fc.nat({ max: 500 }),
    }),
    { maxLength: 60 },
  ),
});

function after(row: EntitySync, { is, added }: Step): EntitySync {
  const calm = { ...row, last_error: null, retry_at: null };
  switch (is) {
    case 'page':
      return { ...calm, state: 'running', records: row.records + added };
    case 'finish':
      return { ...calm, state: 'done', last_synced_at: before };
    case 'fail':
      return { ...row, state: 'failed', last_error: 'No', retry_at: soon };
    case 'limit':
      return { ...calm, state: 'waiting', retry_at: soon };
    case 'pause':
      return { ...calm, state: 'waiting' };
  }
}

test('is true of the rows at every moment of every history of a sync, and its progress never falls', () => {
  const check = fc.property(histories, ({ entities, steps }) => {
    const rows = Array.from({ length: entities }, (): EntitySync => ({
      state: 'waiting',
      records: 0,
      last_synced_at: null,
      last_error: null,
      retry_at: null,
    }));
    let reached = 0;
    for (const step of steps) {
      const at = step.entity % entities;
      rows[at] = after(rows[at] as EntitySync, step);
      const sync = { entities: Object.fromEntries(rows.entries()) };
      const shown = connectionState({ status: 'active', sync });
      const found = rows.reduce((sum, { records }) => sum + records, 0);
      const isFinished = rows.every(({ last_synced_at: synced }) => synced !== null);
      expect(shown.records).toBe(found);
      // Once all is imported, there is nothing left to measure.
      const progress = shown.progress ?? 1;
      expect(progress).toBeGreaterThanOrEqual(reached);
      expect(progress === 1).toBe(isFinished);
      reached = progress;
      if (shown.data === 'building') expect(found).toBe(0);
      if (shown.data === 'preview') expect([found > 0, isFinished]).toEqual([true, false]);
      if (shown.name === 'current') expect(rows.every(({ state }) => state === 'done')).toBe(true);
      expect(shown.data === 'ready').toBe(isFinished);
    }
  });
  fc.assert(check, { numRuns: 300 });
});
