import type { Connector, EntitySync } from '@connector-auth/api';
import { html, render } from 'lit';
import { describe, expect, test, vi } from 'vitest';
import { connector } from '../../gallery/fake-service.ts';
import { en } from '../messages/en.ts';
import { entityRows } from './entity-rows.ts';
import { statusStrip } from './status-strip.ts';

const now = Date.now();
const soon = new Date(now + 90_000).toISOString();
const before = new Date(now - 90_000).toISOString();

const tooBusy = { last_error: 'Vendor: too busy', last_error_code: 'vendor_failed' };
const noAccess = { last_error: 'Vendor: no access', last_error_code: 'vendor_permission_missing' };

/** Every state in which the service can report an entity, before and after its first sync. */
const entities: readonly EntitySync[] = [null, before].flatMap(last_synced_at => {
  const make = (fields: Partial<EntitySync>): EntitySync => ({
    state: 'done',
    records: last_synced_at ? 7 : 0,
    last_synced_at,
    last_error: null,
    retry_at: null,
    ...fields,
  });
  return [
    make({ state: 'running' }),
    make({ state: 'running', ...tooBusy }),
    make({ state: 'waiting' }),
    make({ state: 'waiting', retry_at: soon }),
    make({ state: 'failed', ...tooBusy, retry_at: soon }),
    make({ state: 'failed', ...noAccess, retry_at: before }),
    ...(last_synced_at ? [make({})] : []),
  ];
});

const statuses: readonly Connector['status'][] = ['active', 'needs_reauth', 'disabled', 'frozen'];

/** Every connector with up to two entities, and with three of some states. */
function* everyConnector(): Iterable<Connector> {
  const lists: (readonly EntitySync[])[] = [[], ...entities.map(each => [each])];
  for (const one of entities) for (const other of entities) lists.push([one, other]);
  for (const one of entities) lists.push([one, ...entities.slice(-2)]);
  for (const status of statuses) {
    for (const list of lists) {
      const isSynced = list.every(({ last_synced_at }) => last_synced_at);
      yield connector({
        status,
        sync: {
          status: list.length ? (isSynced ? 'ready' : 'preview') : 'none',
          next_sync_at: list.length ? soon : null,
          entities: Object.fromEntries(list.map((entity, index) => [`entity_${index}`, entity])),
        },
      });
    }
  }
}

/** Renders what the screen says about the state. */
function shown(one: Connector) {
  const container = document.createElement('div');
  const catalog = { definitions: [], connectors: [one], query: '' };
  const strip = {
    catalog,
    connector: one,
    messages: en,
    sends: () => () => {},
    isBusy: false,
    isTarget: false,
  };
  render(html`${statusStrip(strip)}${entityRows(one, catalog, en)}`, container);
  const textOf = (selector: string) => container.querySelector(selector)?.textContent ?? '';
  const result = {
    state: textOf('[part="state"]').replaceAll(/\s+/g, ' ').trim(),
    strip: textOf('[part="status"]'),
    rows: textOf('[part="sync"]'),
    hasProgress: container.querySelector('progress') !== null,
    canSync: container.querySelector('[part="sync-button"]') !== null,
  };
  render(html``, container);
  return result;
}

describe('the state of a connection on its screen', () => {
  const explained = /isn’t responding|doesn’t have permission/;

  test('is exactly one of the known ones, and nothing on the screen contradicts it', () => {
    vi.spyOn(Date, 'now').mockReturnValue(now);
    const states = new Set<string>();
    for (const one of everyConnector()) {
      const { state, strip, rows, hasProgress, canSync } = shown(one);
      const label = JSON.stringify(one.sync.entities);
      states.add(state);
      const isFailing = state.endsWith('failing');
      const isCurrent = state.startsWith('Up to date');
      const isSyncing = state.startsWith('Syncing');
      const isIdle = !isFailing && !isSyncing && state !== 'Paused by the source';
      // Users read what the vendor's error means, and not its text.
      expect(strip + rows, label).not.toContain('Vendor:');
      const [reason] = explained.exec(strip + rows) ?? [];
      expect(reason !== undefined, label).toBe(isFailing);
      // The same explanation is never in the strip and in a row.
      if (explained.test(strip)) expect(rows, label).not.toMatch(explained);
      if (isIdle) expect(strip + rows, label).not.toMatch(/Importing|Syncing|Waiting|Retrying|continues/);
      expect(/Next sync/.test(strip), label).toBe(isCurrent);
      expect(hasProgress, label).toBe(isSyncing);
      // What is already synced, due or retried is not offered to be synced.
      const isUnderWay = Object.values(one.sync.entities).some(
        ({ state, retry_at: at }) => state === 'running' || (state !== 'done' && (!at || at === before)),
      );
      expect(canSync, label).toBe((isFailing && !isUnderWay) || isCurrent);
      // Data that was imported so far is only mentioned if there is some.
      if (/Data imported so far/.test(strip)) expect(rows, label).toMatch(/[1-9]\d* record/);
    }
    expect([...states].sort()).toEqual([
      'Connected',
      'Needs reconnecting',
      'Partly failing',
      'Paused',
      'Paused by the source',
      'Sync failing',
      'Syncing',
      'Syncing · 0 of 2 types of data',
      'Syncing · 1 of 2 types of data',
      'Up to date · 1 min ago',
    ]);
  });
});
