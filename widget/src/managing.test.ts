import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { connector, detail, json, outage, problem, sources, type Answer } from '../gallery/fake-service.ts';
import { createRoute, keyField, listRoute, rows, secret, text, withMine } from '../test/actions.ts';
import { stage, useTokenUrl, type Stage } from '../test/harness.ts';
import { until } from '../test/until.ts';
import { refreshMs } from './controller/step-effects.ts';

const oneRoute = 'GET /integrations/connectors/*';
const changeRoute = 'PATCH /integrations/connectors/*';
const mine = connector({ id: 'mine' });

async function manage(routes: Readonly<Record<string, Answer>>, name?: string): Promise<Stage> {
  const staged = stage({ ...withMine(mine), ...routes });
  (await staged.find('[data-id="mine"]')).click();
  if (name !== undefined) (await staged.find(`[part="${name}-button"]`)).click();
  return staged;
}

describe('renaming', () => {
  it('changes the name and nothing else', async () => {
    const staged = await manage({ [changeRoute]: () => json({ ...mine, name: 'Ours' }) }, 'rename');
    await userEvent.fill(await staged.find('#new-name'), ' Ours ');
    await userEvent.keyboard('{Enter}');
    await until(async () => {
      expect(await text(staged, 'h2')).toBe('Ours');
    });
    expect(await staged.service.asked(changeRoute)[0]?.json()).toEqual({ name: 'Ours' });
    (await staged.find('.back')).click();
    expect(await text(staged, '[part="connector"] .name')).toBe('Ours');
  });

  it('keeps what was typed, and the reason, when it fails', async () => {
    const staged = await manage({ [changeRoute]: outage }, 'rename');
    await userEvent.fill(await staged.find('#new-name'), 'Ours');
    await userEvent.keyboard('{Enter}');
    await staged.find('.notice');
    expect(((await staged.find('#new-name')) as HTMLInputElement).value).toBe('Ours');
  });

  it('asks nothing of the service for no name or the old one', async () => {
    const staged = await manage({}, 'rename');
    await userEvent.fill(await staged.find('#new-name'), '  ');
    await userEvent.keyboard('{Enter}');
    await staged.find('[part="rename-button"]');
    expect(staged.service.asked(changeRoute)).toEqual([]);
  });
});

describe('reconnecting', () => {
  it('changes the credentials of the same connector', async () => {
    const staged = await manage({ [changeRoute]: () => json(mine) }, 'reconnect');
    await userEvent.fill(await staged.find(keyField), secret);
    const reconnected = staged.nextEvent('connector-auth-reconnected');
    await userEvent.keyboard('{Enter}');
    expect(await reconnected).toMatchObject({ connector: { id: 'mine' } });
    expect(await staged.service.asked(changeRoute)[0]?.json()).toEqual({ credentials: { api_key: secret } });
    expect(staged.service.asked(createRoute)).toEqual([]);
  });

  it('asks before the connector becomes one of another account', async () => {
    const staged = await manage({ [changeRoute]: () => problem(409, 'different_account') }, 'reconnect');
    await userEvent.fill(await staged.find(keyField), secret);
    await userEvent.keyboard('{Enter}');
    expect(await text(staged, '.ask h3')).toBe('This is another Granola account');
    staged.service.answer({ [changeRoute]: () => json(mine) });
    (await staged.find('[part="confirm-button"]')).click();
    await staged.find('.medal.good');
    expect(await staged.service.asked(changeRoute)[1]?.json()).toEqual({
      credentials: { api_key: secret },
      replace_account: true,
    });
  });
});

/** With pretended timers: until the widget has set the one for its next look. */
async function waitsToLook({ find }: Stage): Promise<void> {
  await find('[part="rename-button"]');
  await until(() => {
    expect(vi.getTimerCount()).toBeGreaterThan(0);
  });
}

it('a key that was typed for a reconnection is gone when the person goes back', async () => {
  const staged = await manage({});
  (await staged.find('[part="reconnect-button"]')).click();
  await userEvent.fill(await staged.find(keyField), secret);
  (await staged.find('.back')).click();
  (await staged.find('[part="reconnect-button"]')).click();
  expect(((await staged.find(keyField)) as HTMLInputElement).value).toBe('');
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
    const staged = await manage({ [oneRoute]: () => json(copying(1200)) });
    await waitsToLook(staged);
    await vi.advanceTimersByTimeAsync(refreshMs);
    expect(await text(staged, '[part="sync"]')).toBe('Copying data · 1,200 records');

    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    await vi.advanceTimersByTimeAsync(refreshMs * 5);
    const before = staged.service.asked(oneRoute).length;
    await vi.advanceTimersByTimeAsync(refreshMs * 5);
    expect(staged.service.asked(oneRoute)).toHaveLength(before);
    hidden.mockReturnValue(false);
    staged.service.answer({ [oneRoute]: () => json(copying(1300)) });
    document.dispatchEvent(new Event('visibilitychange'));
    await until(async () => {
      expect(await text(staged, '[part="sync"]')).toBe('Copying data · 1,300 records');
    });
  });

  it('that somebody else disconnects leads to the catalog', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const staged = await manage({ [oneRoute]: () => problem(404, 'connector_not_found') });
    await waitsToLook(staged);
    const disconnected = staged.nextEvent('connector-auth-disconnected');
    await vi.advanceTimersByTimeAsync(refreshMs);
    expect(await disconnected).toMatchObject({ connector: { id: 'mine' } });
    await staged.find('[part="sources"]');
  });
});

describe('the choice of sources', () => {
  const stageWith = (attributes: Readonly<Record<string, string>>, routes = {}) =>
    stage(routes, (widget, service) => {
      useTokenUrl(widget, service);
      for (const [name, value] of Object.entries(attributes)) widget.setAttribute(name, value);
    });

  it('by attribute shows those and no other', async () => {
    const staged = stageWith({ sources: 'gong, Google_Ads' });
    await staged.find('[data-id]');
    expect(rows(staged)).toEqual(['Gong', 'Google Ads']);
  });

  it('of one goes straight to it, and back to it alone', async () => {
    const staged = stageWith({ source: 'granola' });
    await staged.find(keyField);
    expect(staged.events.map(({ type }) => type)).toContain('connector-auth-ready');
    (await staged.find('.back')).click();
    await staged.find('[data-id]');
    expect(rows(staged)).toEqual(['Granola']);
  });

  it('of one that is connected shows the connector, and offers another', async () => {
    const staged = stageWith({ source: 'granola' }, withMine(mine));
    expect(await text(staged, '[part="connector"] .name')).toBe('Granola');
    expect(rows(staged)).toEqual(['Granola']);
  });

  it('that names nothing known is told to the integrator', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const staged = stageWith({ source: 'salesforce' });
    await staged.find('.blank');
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
    const staged = stage({ [route]: () => json(detail({ ...sources[0], replication_schema })) });
    (await staged.find('[data-id="def-granola"]')).click();
    await userEvent.fill(await staged.find(keyField), secret);
    expect(staged.widget.shadowRoot?.querySelector('details')?.open).toBe(false);
    await userEvent.click(await staged.find('summary'));
    await userEvent.fill(
      await staged.find('[id="field-replication_config.advertiser_ids"]'),
      '7100000000000000001, 7100000000000000002',
    );
    (await staged.find('.primary')).click();
    await staged.find('.medal.good');
    expect(await staged.service.asked(createRoute)[0]?.json()).toMatchObject({
      credentials: { api_key: secret },
      replication_config: { advertiser_ids: ['7100000000000000001', '7100000000000000002'] },
    });
  });

  it('unfold where one of them is wrong', async () => {
    const path = 'replication_config.start_date';
    const staged = stage({
      [route]: () => json(detail({ ...sources[0], replication_schema })),
      [createRoute]: () => problem(422, 'invalid_credentials', { errors: [{ path, message: 'Too early' }] }),
    });
    (await staged.find('[data-id="def-granola"]')).click();
    await userEvent.fill(await staged.find(keyField), secret);
    (await staged.find('.primary')).click();
    expect(await text(staged, 'details[open] .fault')).toBe('Too early');
  });
});
