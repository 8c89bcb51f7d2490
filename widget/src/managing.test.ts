import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { connector, detail, json, outage, problem, sources, type Handler } from '../gallery/fake-service.ts';
import { createRoute, keyField, listRoute, rows, secret, text, withMine } from '../test/actions.ts';
import { mountWidget, useTokenUrl, type Harness } from '../test/harness.ts';
import { until } from '../test/until.ts';
import { refreshMs } from './controller/step-effects.ts';

const oneRoute = 'GET /integrations/connectors/*';
const changeRoute = 'PATCH /integrations/connectors/*';
const mine = connector({ id: 'mine' });

async function manage(routes: Readonly<Record<string, Handler>>, name?: string): Promise<Harness> {
  const harness = mountWidget({ ...withMine(mine), ...routes });
  (await harness.find('[data-id="mine"]')).click();
  if (name !== undefined) (await harness.find(`[part="${name}-button"]`)).click();
  return harness;
}

describe('renaming', () => {
  test('renames a connector without changing anything else', async () => {
    const harness = await manage({ [changeRoute]: () => json({ ...mine, name: 'Ours' }) }, 'rename');
    await userEvent.fill(await harness.find('#new-name'), ' Ours ');
    await userEvent.keyboard('{Enter}');
    await until(async () => {
      expect(await text(harness, 'h2')).toBe('Ours');
    });
    expect(await harness.service.requestsTo(changeRoute)[0]?.json()).toEqual({ name: 'Ours' });
    (await harness.find('.back')).click();
    expect(await text(harness, '[part="connector"] .name')).toBe('Ours');
  });

  test('keeps the entered name and shows the reason if renaming fails', async () => {
    const harness = await manage({ [changeRoute]: outage }, 'rename');
    await userEvent.fill(await harness.find('#new-name'), 'Ours');
    await userEvent.keyboard('{Enter}');
    await harness.find('.notice');
    expect(((await harness.find('#new-name')) as HTMLInputElement).value).toBe('Ours');
  });

  test('sends no request for an empty name', async () => {
    const harness = await manage({}, 'rename');
    await userEvent.fill(await harness.find('#new-name'), '  ');
    await userEvent.keyboard('{Enter}');
    await harness.find('[part="rename-button"]');
    expect(harness.service.requestsTo(changeRoute)).toEqual([]);
  });
});

describe('reconnecting', () => {
  test('replaces the credentials of a connector', async () => {
    const harness = await manage({ [changeRoute]: () => json(mine) }, 'reconnect');
    await userEvent.fill(await harness.find(keyField), secret);
    const reconnected = harness.nextEvent('connector-auth-reconnected');
    await userEvent.keyboard('{Enter}');
    expect(await reconnected).toMatchObject({ connector: { id: 'mine' } });
    expect(await harness.service.requestsTo(changeRoute)[0]?.json()).toEqual({
      credentials: { api_key: secret },
    });
    expect(harness.service.requestsTo(createRoute)).toEqual([]);
  });

  test('asks for confirmation before switching to a different account', async () => {
    const harness = await manage({ [changeRoute]: () => problem(409, 'different_account') }, 'reconnect');
    await userEvent.fill(await harness.find(keyField), secret);
    await userEvent.keyboard('{Enter}');
    expect(await text(harness, '.confirm h3')).toBe('You signed in to a different Granola account');
    harness.service.use({ [changeRoute]: () => json(mine) });
    (await harness.find('[part="confirm-button"]')).click();
    await harness.find('.icon-circle.good');
    expect(await harness.service.requestsTo(changeRoute)[1]?.json()).toEqual({
      credentials: { api_key: secret },
      replace_account: true,
    });
  });
});

/** Resolves once the widget has set the timer for its next poll. Requires fake timers. */
async function waitForPollTimer({ find }: Harness): Promise<void> {
  await find('[part="rename-button"]');
  await until(() => {
    expect(vi.getTimerCount()).toBeGreaterThan(0);
  });
}

test('discards the key entered for a reconnection when the user goes back', async () => {
  const harness = await manage({});
  (await harness.find('[part="reconnect-button"]')).click();
  await userEvent.fill(await harness.find(keyField), secret);
  (await harness.find('.back')).click();
  (await harness.find('[part="reconnect-button"]')).click();
  expect(((await harness.find(keyField)) as HTMLInputElement).value).toBe('');
});

describe('connector on the screen', () => {
  const importing = (records: number) =>
    connector({
      id: 'mine',
      sync: {
        status: 'building',
        entities: { notes: { state: 'running', records, last_synced_at: null, last_error: null } },
      },
    });

  test('shows the sync state and sync error for each entity', async () => {
    const synced = connector({
      id: 'mine',
      sync: {
        status: 'preview',
        entities: {
          notes: { state: 'done', records: 1200, last_synced_at: '2026-10-02T08:00:00Z', last_error: null },
          note_folders: {
            state: 'failed',
            records: 0,
            last_synced_at: null,
            last_error: 'Too many requests',
          },
        },
      },
    });
    const { find } = await manage(withMine(synced));
    await userEvent.click(await find('[part="sync"]'));
    const items = [...((await find('[part="sync-entity"]')).parentElement?.children ?? [])];
    expect(items.map(item => (item as HTMLElement).innerText.replaceAll(/\s+/g, ' '))).toEqual([
      expect.stringMatching(/^notes 1,200 records · Oct 2, 2026/),
      'note folders 0 records Too many requests',
    ]);
  });

  test.each([
    ['disabled', true],
    ['frozen', false],
  ] as const)(
    'says that a %s connector is paused and by whom, and offers only what the service allows',
    async (status, canDisconnect) => {
      const harness = mountWidget({
        ...withMine({ ...mine, status }),
        [listRoute]: () =>
          json({
            definitions: sources,
            integrator: { name: 'Acme', logo_url: null, support_url: 'https://acme.example/help' },
          }),
      });
      expect(await text(harness, '[part="connector"] .status')).toBe('Paused');
      (await harness.find('[data-id="mine"]')).click();
      expect(await text(harness, '[part="hint"]')).toBe(
        'Paused by Acme. Contact Acme support to resume this connection.',
      );
      expect((await harness.find('[part="support-link"]')).getAttribute('href')).toBe(
        'https://acme.example/help',
      );
      await harness.find('[part="rename-button"]');
      const buttons = (part: string) =>
        harness.widget.shadowRoot?.querySelectorAll(`[part="${part}-button"], .actions .primary`).length;
      expect(buttons('reconnect')).toBe(0);
      expect(buttons('disconnect')).toBe(canDisconnect ? 1 : 0);
    },
  );

  test('polls the displayed connector only while the page is visible', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const harness = await manage({ [oneRoute]: () => json(importing(1200)) });
    await waitForPollTimer(harness);
    await vi.advanceTimersByTimeAsync(refreshMs);
    expect(await text(harness, '[part="sync"]')).toBe('Importing · 1,200 records');

    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    await vi.advanceTimersByTimeAsync(refreshMs * 5);
    const before = harness.service.requestsTo(oneRoute).length;
    await vi.advanceTimersByTimeAsync(refreshMs * 5);
    expect(harness.service.requestsTo(oneRoute)).toHaveLength(before);
    hidden.mockReturnValue(false);
    harness.service.use({ [oneRoute]: () => json(importing(1300)) });
    document.dispatchEvent(new Event('visibilitychange'));
    await until(async () => {
      expect(await text(harness, '[part="sync"]')).toBe('Importing · 1,300 records');
    });
  });

  test('returns to the catalog if the connector is deleted elsewhere', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const harness = await manage({ [oneRoute]: () => problem(404, 'connector_not_found') });
    await waitForPollTimer(harness);
    const disconnected = harness.nextEvent('connector-auth-disconnected');
    await vi.advanceTimersByTimeAsync(refreshMs);
    expect(await disconnected).toMatchObject({ connector: { id: 'mine' } });
    await harness.find('[part="sources"]');
  });
});

describe('choice of sources', () => {
  const mountWith = (attributes: Readonly<Record<string, string>>, routes = {}) =>
    mountWidget(routes, (widget, service) => {
      useTokenUrl(widget, service);
      for (const [name, value] of Object.entries(attributes)) widget.setAttribute(name, value);
    });

  test('shows only the sources listed in the attribute', async () => {
    const harness = mountWith({ sources: 'gong, Google_Ads' });
    await harness.find('[data-id]');
    expect(rows(harness)).toEqual(['Gong', 'Google Ads']);
  });

  test('opens a single source immediately and lists no others', async () => {
    const harness = mountWith({ source: 'granola' });
    await harness.find(keyField);
    expect(harness.events.map(({ type }) => type)).toContain('connector-auth-ready');
    (await harness.find('.back')).click();
    await harness.find('[data-id]');
    expect(rows(harness)).toEqual(['Granola']);
  });

  test('lists the connector if the single source is already connected', async () => {
    const harness = mountWith({ source: 'granola' }, withMine(mine));
    expect(await text(harness, '[part="connector"] .name')).toBe('Granola');
    expect(rows(harness)).toEqual(['Granola']);
  });

  test('reports unknown source names to the integrator', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const harness = mountWith({ source: 'salesforce' });
    await harness.find('.empty-state');
    expect(log.mock.calls).toEqual([[expect.stringContaining('"salesforce"')]]);
  });
});

describe('advanced settings', () => {
  const replication_schema = {
    type: 'object',
    properties: {
      advertiser_ids: { type: 'array', items: { type: 'string' }, title: 'Advertisers' },
      start_date: { type: 'string', format: 'date', title: 'Start date' },
    },
  };
  const route = `${listRoute}/*`;

  test('hides advanced settings until the user expands them, and sends their values', async () => {
    const harness = mountWidget({ [route]: () => json(detail({ ...sources[0], replication_schema })) });
    (await harness.find('[data-id="def-granola"]')).click();
    await userEvent.fill(await harness.find(keyField), secret);
    expect(harness.widget.shadowRoot?.querySelector('details')?.open).toBe(false);
    await userEvent.click(await harness.find('summary'));
    await userEvent.fill(
      await harness.find('[id="field-replication_config.advertiser_ids"]'),
      '7100000000000000001, 7100000000000000002',
    );
    (await harness.find('.primary')).click();
    await harness.find('.icon-circle.good');
    expect(await harness.service.requestsTo(createRoute)[0]?.json()).toMatchObject({
      credentials: { api_key: secret },
      replication_config: { advertiser_ids: ['7100000000000000001', '7100000000000000002'] },
    });
  });

  test('expands advanced settings if they contain an error', async () => {
    const path = 'replication_config.start_date';
    const harness = mountWidget({
      [route]: () => json(detail({ ...sources[0], replication_schema })),
      [createRoute]: () => problem(422, 'invalid_credentials', { errors: [{ path, message: 'Too early' }] }),
    });
    (await harness.find('[data-id="def-granola"]')).click();
    await userEvent.fill(await harness.find(keyField), secret);
    (await harness.find('.primary')).click();
    expect(await text(harness, 'details[open] .field-error')).toBe('Too early');
  });
});
