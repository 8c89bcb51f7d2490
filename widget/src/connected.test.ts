import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { connector, json, outage, sources, type Handler } from '../gallery/fake-service.ts';
import { connect, createRoute, expectText, listRoute, withSearch } from '../test/actions.ts';
import { focused, mountWidget, useTokenUrl, type Harness } from '../test/harness.ts';
import { until } from '../test/until.ts';
import { refreshMs, watchMs } from './controller/step-effects.ts';
import { announceIntervalMs } from './screens/connected.ts';

type Sync = ReturnType<typeof connector>['sync'];

const getRoute = 'GET /integrations/connectors/*';
const done = { state: 'done', last_synced_at: '2026-10-02T09:31:00Z', last_error: null } as const;
const failed = { ...done, state: 'failed', records: 0, last_synced_at: null, last_error: 'No' } as const;
const building: Sync = {
  status: 'preview',
  entities: {
    notes: { ...done, title: 'Meeting notes', records: 480 },
    ads_reports_daily: { ...done, state: 'running', records: 12_000, last_synced_at: null },
  },
};
const ready: Sync = { status: 'ready', entities: { notes: { ...done, records: 500 } } };

/** Connects Granola, whose connector then has this state. */
async function mountConnected(
  sync: Sync = building,
  routes: Readonly<Record<string, Handler>> = {},
  prepare: (widget: HTMLElement) => void = () => {},
): Promise<Harness> {
  const harness = mountWidget(
    { [createRoute]: () => json(connector({ id: 'new', sync }), 201), ...routes },
    (widget, service) => {
      useTokenUrl(widget, service);
      prepare(widget);
    },
  );
  await connect(harness);
  await harness.find('.success .good');
  return harness;
}

/** Fakes the clock, so that tests can move it. Returns a function that counts the timers set so far, by their delay. */
function fakeClock(): (...delays: readonly number[]) => number {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const set = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => {
    set.mockRestore();
    vi.useRealTimers();
  });
  return (...delays) => set.mock.calls.filter(([, ms]) => delays.includes(ms ?? 0)).length;
}

const withSync = (sync: Sync) => ({ [getRoute]: () => json(connector({ id: 'new', sync })) });

describe('success screen', () => {
  test('shows the imported records and the state of each type of data by its name for users', async () => {
    vi.spyOn(Date, 'now').mockReturnValue(Date.now());
    const harness = await mountConnected({
      ...building,
      entities: {
        ...building.entities,
        calls: {
          ...done,
          state: 'waiting',
          records: 0,
          last_synced_at: null,
          retry_at: new Date(Date.now() + 90_000).toISOString(),
        },
        users: { ...failed, last_error: 'Internal error' },
        folders: {
          ...failed,
          last_error_code: 'vendor_permission_missing',
        },
        topics: {
          ...failed,
          last_error_code: 'vendor_misconfigured',
        },
      },
    });
    await expectText(harness, '[part="records"]', '12,480 records so far');
    const rows = [...(harness.widget.shadowRoot?.querySelectorAll('.entities li') ?? [])];
    expect(rows.map(row => row.textContent.trim().split(/\s{2,}/))).toEqual([
      ['Meeting notes', '480 records'],
      ['Ads reports daily', '12,000 records', 'Importing'],
      ['Calls', 'Retrying in 1 min'],
      ['Users', 'Will retry'],
      [
        'Folders',
        'Will retry',
        'Your Granola account doesn’t have permission to read this. Ask a Granola admin for access.',
      ],
      ['Topics', 'Couldn’t import', 'This app has to repair its connection to Granola.'],
    ]);
    await expectText(harness, '.success .lead', /^What’s imported so far is ready to use\./);
    const { value, max, ariaLabel } = (await harness.find('progress')) as HTMLProgressElement;
    expect([value, max, ariaLabel]).toEqual([1, 6, '1 of 6 types of data']);
  });

  test('shows no records for a source that is not synced', async () => {
    const harness = await mountConnected({ status: 'none', entities: {} });
    await expectText(harness, '.success .lead', 'This app can now read your Granola data.');
    expect(harness.widget.shadowRoot?.querySelector('[part="records"], progress, .entities')).toBeNull();
  });

  test('polls often until everything is synced, and less often after failures', async () => {
    const timers = fakeClock();
    const harness = await mountConnected(building, withSync(building));
    const polls = () => harness.service.requestsTo(getRoute).length;
    await until(() => {
      expect(timers(watchMs)).toBe(1);
    });
    const advance = async (ms: number, expected: number) => {
      await vi.advanceTimersByTimeAsync(ms);
      await until(() => {
        expect(polls()).toBe(expected);
      });
    };
    await advance(watchMs, 1);
    await until(() => {
      expect(timers(watchMs)).toBe(2);
    });
    harness.service.use(withSync(ready));
    await advance(watchMs, 2);
    await expectText(harness, '.success .lead', 'Up to date');
    expect(harness.widget.shadowRoot?.querySelector('progress')).toBeNull();
    expect(harness.events.filter(({ type }) => type === 'connector-auth-connected')).toHaveLength(1);
    await until(() => {
      expect(timers(refreshMs)).toBe(1);
    });
    await advance(watchMs, 2);
    const afterFailure = refreshMs * 2;
    let before = 0;
    harness.service.use({
      [getRoute]: (...request) => {
        before = timers(afterFailure);
        return outage(...request);
      },
    });
    await advance(refreshMs - watchMs, 3);
    await until(() => {
      expect(timers(afterFailure)).toBeGreaterThan(before);
    });
    await advance(refreshMs, 3);
    await advance(refreshMs, 4);
  });

  test('announces progress at most every ten seconds', async () => {
    let records = 0;
    const timers = fakeClock();
    const harness = await mountConnected(building, {
      [getRoute]: () => {
        records += 100;
        const notes = { ...done, records };
        return json(connector({ id: 'new', sync: { ...building, entities: { notes } } }));
      },
    });
    const said = () => harness.announcements.filter(words => words.includes('records'));
    for (let elapsed = 0; elapsed < announceIntervalMs * 2.5; elapsed += watchMs) {
      await until(() => {
        expect(timers(watchMs)).toBe(records / 100 + 1);
      });
      const before = timers(watchMs);
      await vi.advanceTimersByTimeAsync(watchMs);
      await until(() => {
        expect(timers(watchMs)).toBe(before + 1);
      });
      await harness.widget.updateComplete;
    }
    await until(() => {
      expect(said()).toHaveLength(2);
    });
  });

  test('leads to the integrator’s next page with an event', async () => {
    const harness = await mountConnected(building, {}, widget => {
      widget.innerHTML = '<span slot="next">See your campaigns</span>';
    });
    const button = await harness.find('.footer .primary');
    const slot = button.querySelector('slot');
    expect(slot?.assignedElements().map(({ textContent }) => textContent)).toEqual(['See your campaigns']);
    const next = harness.nextEvent('connector-auth-next');
    button.click();
    expect(await next).toEqual({
      connector: {
        id: 'new',
        name: 'Granola',
        connectorType: 'granola',
        definitionId: 'def-granola',
        status: 'active',
      },
    });
    await harness.find('[part="connector"][data-id="new"]');
  });

  test('offers to connect another source, unless there is only one', async () => {
    const harness = await mountConnected(building, withSearch);
    const another = await harness.find('.footer .quiet');
    expect(another.textContent.trim()).toBe('Connect another source');
    another.focus();
    another.click();
    const search = await harness.find('[part="search-input"]');
    await until(() => {
      expect(focused()).toBe(search);
    });
    expect(harness.events.map(({ type }) => type)).not.toContain('connector-auth-next');
    const single = await mountConnected(building, {
      [listRoute]: () => json({ definitions: sources.slice(0, 1) }),
    });
    await expectText(single, '.footer', 'Done');
  });
});
