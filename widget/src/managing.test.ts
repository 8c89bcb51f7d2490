import { describe, expect, it, onTestFinished, vi } from 'vitest';
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
  it('changes the name and nothing else', async () => {
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

  it('keeps what was typed, and the reason, when it fails', async () => {
    const harness = await manage({ [changeRoute]: outage }, 'rename');
    await userEvent.fill(await harness.find('#new-name'), 'Ours');
    await userEvent.keyboard('{Enter}');
    await harness.find('.notice');
    expect(((await harness.find('#new-name')) as HTMLInputElement).value).toBe('Ours');
  });

  it('asks nothing of the service for no name or the old one', async () => {
    const harness = await manage({}, 'rename');
    await userEvent.fill(await harness.find('#new-name'), '  ');
    await userEvent.keyboard('{Enter}');
    await harness.find('[part="rename-button"]');
    expect(harness.service.requestsTo(changeRoute)).toEqual([]);
  });
});

describe('reconnecting', () => {
  it('changes the credentials of the same connector', async () => {
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

  it('asks before the connector becomes one of another account', async () => {
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

/** With pretended timers: until the widget has set the one for its next look. */
async function waitsToLook({ find }: Harness): Promise<void> {
  await find('[part="rename-button"]');
  await until(() => {
    expect(vi.getTimerCount()).toBeGreaterThan(0);
  });
}

it('a key that was typed for a reconnection is gone when the person goes back', async () => {
  const harness = await manage({});
  (await harness.find('[part="reconnect-button"]')).click();
  await userEvent.fill(await harness.find(keyField), secret);
  (await harness.find('.back')).click();
  (await harness.find('[part="reconnect-button"]')).click();
  expect(((await harness.find(keyField)) as HTMLInputElement).value).toBe('');
});

describe('a connector on the screen', () => {
  const copying = (records: number) =>
    connector({
      id: 'mine',
      sync: {
        status: 'building',
        entities: { notes: { state: 'running', records, last_synced_at: null, last_error: null } },
      },
    });

  it('tells of each kind of data how far its copy is, and why it is not', async () => {
    const copied = connector({
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
    const { find } = await manage(withMine(copied));
    await userEvent.click(await find('[part="sync"]'));
    const items = [...((await find('[part="sync-entity"]')).parentElement?.children ?? [])];
    expect(items.map(item => (item as HTMLElement).innerText.replaceAll(/\s+/g, ' '))).toEqual([
      expect.stringMatching(/^notes 1,200 records · Oct 2, 2026/),
      'note folders 0 records Too many requests',
    ]);
  });

  it('is looked at again while the page is seen, and not while it is hidden', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const harness = await manage({ [oneRoute]: () => json(copying(1200)) });
    await waitsToLook(harness);
    await vi.advanceTimersByTimeAsync(refreshMs);
    expect(await text(harness, '[part="sync"]')).toBe('Importing · 1,200 records');

    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    await vi.advanceTimersByTimeAsync(refreshMs * 5);
    const before = harness.service.requestsTo(oneRoute).length;
    await vi.advanceTimersByTimeAsync(refreshMs * 5);
    expect(harness.service.requestsTo(oneRoute)).toHaveLength(before);
    hidden.mockReturnValue(false);
    harness.service.use({ [oneRoute]: () => json(copying(1300)) });
    document.dispatchEvent(new Event('visibilitychange'));
    await until(async () => {
      expect(await text(harness, '[part="sync"]')).toBe('Importing · 1,300 records');
    });
  });

  it('that somebody else disconnects leads to the catalog', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const harness = await manage({ [oneRoute]: () => problem(404, 'connector_not_found') });
    await waitsToLook(harness);
    const disconnected = harness.nextEvent('connector-auth-disconnected');
    await vi.advanceTimersByTimeAsync(refreshMs);
    expect(await disconnected).toMatchObject({ connector: { id: 'mine' } });
    await harness.find('[part="sources"]');
  });
});

describe('the choice of sources', () => {
  const mountWith = (attributes: Readonly<Record<string, string>>, routes = {}) =>
    mountWidget(routes, (widget, service) => {
      useTokenUrl(widget, service);
      for (const [name, value] of Object.entries(attributes)) widget.setAttribute(name, value);
    });

  it('by attribute shows those and no other', async () => {
    const harness = mountWith({ sources: 'gong, Google_Ads' });
    await harness.find('[data-id]');
    expect(rows(harness)).toEqual(['Gong', 'Google Ads']);
  });

  it('of one goes straight to it, and back to it alone', async () => {
    const harness = mountWith({ source: 'granola' });
    await harness.find(keyField);
    expect(harness.events.map(({ type }) => type)).toContain('connector-auth-ready');
    (await harness.find('.back')).click();
    await harness.find('[data-id]');
    expect(rows(harness)).toEqual(['Granola']);
  });

  it('of one that is connected shows the connector, and offers another', async () => {
    const harness = mountWith({ source: 'granola' }, withMine(mine));
    expect(await text(harness, '[part="connector"] .name')).toBe('Granola');
    expect(rows(harness)).toEqual(['Granola']);
  });

  it('that names nothing known is told to the integrator', async () => {
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

  it('are folded away, and sent when they are filled in', async () => {
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

  it('unfold where one of them is wrong', async () => {
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
