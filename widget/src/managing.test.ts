import type { ActivityEntry, Connector, ConnectLink, EntitySync, SyncState } from '@connector-auth/api';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import {
  connectLink,
  connector,
  detail,
  json,
  never,
  outage,
  problem,
  sources,
  type Handler,
} from '../gallery/fake-service.ts';
import { createRoute, expectText, keyField, listRoute, rows, secret, withMine } from '../test/actions.ts';
import { focused, mountWidget, useTokenUrl, type Harness } from '../test/harness.ts';
import { until } from '../test/until.ts';
import { refreshMs, undoSeconds } from './controller/step-effects.ts';

const oneRoute = 'GET /integrations/connectors/*';
const activityRoute = 'GET /integrations/connectors/*/activity';
const syncRoute = 'POST /integrations/connectors/*/sync';
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
    await expectText(harness, 'h2', 'Ours');
    expect(await harness.service.requestsTo(changeRoute)[0]?.json()).toEqual({ name: 'Ours' });
    (await harness.find('.back')).click();
    await expectText(harness, '[part="connector"] .name', 'Ours');
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

describe('keyboard', () => {
  test('saves a name with Enter, cancels with Escape, and returns focus to the rename button', async () => {
    const harness = await manage({ [changeRoute]: () => json({ ...mine, name: 'Ours' }) });
    harness.widget.open();
    (await harness.find('[data-id="mine"]')).click();
    const isFocused = (part: string) =>
      until(() => {
        expect(focused()?.getAttribute('part')).toBe(`${part}-button`);
      });
    await isFocused('back');
    (await harness.find('[part="rename-button"]')).focus();
    await userEvent.keyboard('{Enter}');
    await until(() => {
      expect(focused()?.id).toBe('new-name');
    });
    await userEvent.keyboard('xyz{Escape}');
    await isFocused('rename');
    await expectText(harness, 'h2', 'Granola');
    expect((await harness.find('dialog')).hasAttribute('open')).toBe(true);
    await userEvent.keyboard('{Enter}');
    await userEvent.fill(await harness.find('#new-name'), 'Ours');
    await userEvent.keyboard('{Enter}');
    await isFocused('rename');
    await expectText(harness, 'h2', 'Ours');
    harness.widget.close();
  });

  test('says how much is deleted, cancels disconnecting with Escape and returns focus to the button', async () => {
    const harness = await manage(withMine(synced()));
    const button = await harness.find('[part="disconnect-button"]');
    button.focus();
    await userEvent.keyboard('{Enter}');
    await until(() => {
      expect(focused()?.textContent.trim()).toBe('Cancel');
    });
    await expectText(
      harness,
      '[part="confirmation"] [part="hint"]',
      'We’ll delete your saved credentials and 86 records. You can undo this for 30 seconds.',
    );
    await userEvent.keyboard('{Escape}');
    await until(() => {
      expect(focused()?.getAttribute('part')).toBe('disconnect-button');
    });
    expect(harness.service.requestsTo('DELETE /integrations/connectors/*')).toEqual([]);
  });

  test('returns focus to a control whose screen the user leaves', async () => {
    const harness = await manage({});
    const button = await harness.find('[part="reconnect-button"]');
    button.focus();
    await userEvent.keyboard('{Enter}');
    await harness.find(keyField);
    (await harness.find('.back')).click();
    await until(() => {
      expect(focused()?.getAttribute('part')).toBe('reconnect-button');
    });
  });
});

describe('open links', () => {
  const linksRoute = 'GET /integrations/connect-links';
  const cancelRoute = 'DELETE /integrations/connect-links/*';
  const cancelButton = '[part="cancel-link-button"]';
  const catalogRoute = 'GET /integrations/definitions/sources';
  const rights = { actions: ['list'], management: ['link'] };
  const allowed = {
    [catalogRoute]: () => json({ definitions: sources, rights }),
    'GET /integrations/connect-links/*': () => json(connectLink({ status: 'revoked' })),
  };
  const pageOf = (...links: readonly ConnectLink[]) => ({
    [linksRoute]: () => json({ data: links, meta: { cursor: null, has_more: false } }),
  });
  const two = pageOf(connectLink(), connectLink({ id: 'link-2', audience: 'guest', inviter: 'Ana Silva' }));
  const titles = ({ widget }: Harness) =>
    [...widget.renderRoot.querySelectorAll('[part="link-entry"] .line-title')].map(
      ({ textContent }) => textContent,
    );
  const cancelFirst = async (harness: Harness) => {
    (await harness.find(cancelButton)).focus();
    await userEvent.keyboard('{Enter}');
  };

  test('are those for the connection and its source that have not expired', async () => {
    const past = new Date(Date.now() - 1000).toISOString();
    const harness = await manage({
      ...allowed,
      ...pageOf(
        connectLink({ connector_id: mine.id }),
        connectLink({ id: 'link-2', audience: 'guest', inviter: 'Ana Silva' }),
        connectLink({ id: 'link-3', connector_id: 'another' }),
        connectLink({ id: 'link-4', expires_at: past }),
      ),
    });
    await harness.find('[part="links"]');
    expect(titles(harness)).toEqual(['For a colleague', 'For a guest invited by Ana Silva']);
    expect(harness.service.requestsTo(linksRoute)[0]?.url).toMatch(/\?connector_type=granola$/);
    await expectText(harness, '[part="link-entry"] time', 'Expires in 1 hr');
  });

  test('are cancelled one by one, and focus stays with them as long as there are any', async () => {
    const harness = await manage({ ...allowed, ...two });
    const section = await harness.find('[part="links"]');
    harness.service.use({ [linksRoute]: never });
    await cancelFirst(harness);
    await until(() => {
      expect(titles(harness)).toEqual(['For a guest invited by Ana Silva']);
    });
    expect(harness.service.requestsTo(cancelRoute)[0]?.url).toMatch(/connect-links\/link-1$/);
    expect(harness.announcements.at(-1)).toBe('The link was cancelled');
    await until(() => {
      expect(focused()?.textContent).toBe('Open links');
    });
    await cancelFirst(harness);
    await until(() => {
      expect(focused()?.getAttribute('part')).toBe('status');
    });
    expect(section.isConnected).toBe(false);
  });

  test('stay if cancelling fails, with what to do', async () => {
    const harness = await manage({ ...allowed, ...two, [cancelRoute]: outage });
    await cancelFirst(harness);
    await expectText(harness, '.notice strong', 'Couldn’t cancel the link');
    await expectText(harness, '.notice [part="hint"]', 'Check your internet connection and try again.');
    await until(() => {
      expect(focused()?.getAttribute('part')).toBe('notice');
    });
    expect(titles(harness)).toHaveLength(2);
  });

  test('show the connection as it is now if a link was used just before', async () => {
    const used = connectLink({ status: 'used', connector_id: mine.id });
    const harness = await manage({
      ...allowed,
      ...two,
      'GET /integrations/connect-links/*': () => json(used),
      [oneRoute]: () => json({ ...mine, status: 'needs_reauth' }),
    });
    await harness.find('[part="links"]');
    harness.service.use({ ...pageOf(connectLink({ id: 'link-2' })) });
    await cancelFirst(harness);
    await expectText(harness, '.strip .status', 'Needs reconnecting');
    await until(() => {
      expect(titles(harness)).toHaveLength(1);
    });
    expect(harness.announcements).not.toContain('The link was cancelled');
  });

  test.each([
    ['the token does not allow links', { ...two }],
    ['the service is older', { ...allowed, [linksRoute]: () => problem(404, 'route_not_found') }],
    ['there are none', allowed],
  ])('are hidden if %s', async (_title, routes) => {
    const activity = vi.fn(() => json({ data: [], meta: { cursor: null, has_more: false } }));
    const harness = await manage({ ...routes, [activityRoute]: activity });
    await until(() => {
      expect(activity).toHaveBeenCalled();
    });
    expect(harness.widget.renderRoot.querySelector('[part="links"], .notice')).toBeNull();
    expect(harness.service.requestsTo(linksRoute)).toHaveLength(catalogRoute in routes ? 1 : 0);
  });
});

describe('disconnecting', () => {
  const restoreRoute = 'POST /integrations/connectors/*/restore';
  const disconnect = async (routes: Readonly<Record<string, Handler>> = {}) => {
    const harness = await manage(routes, 'disconnect');
    const names: string[] = [];
    harness.widget.addEventListener('connector-auth-disconnected', ({ type }) => names.push(type));
    (await harness.find('[part="confirm-button"]')).focus();
    await userEvent.keyboard('{Enter}');
    await harness.find('.confirm:has(.primary) .cancel');
    return { harness, names };
  };

  test('is undone with the focused button, and returns to the connection without an event', async () => {
    const { harness, names } = await disconnect({ [restoreRoute]: () => json(mine) });
    await until(() => {
      expect(focused()?.textContent.trim()).toBe('Undo');
    });
    await userEvent.keyboard('{Enter}');
    await until(() => {
      expect(focused()?.getAttribute('part')).toBe('disconnect-button');
    });
    expect(harness.announcements.at(-1)).toBe('Granola is connected');
    expect(names).toEqual([]);
    (await harness.find('.back')).click();
    expect(await harness.find('[part="connector"]')).toBeDefined();
    expect(names).toEqual([]);
  });

  test('can be tried again to be undone', async () => {
    const { harness } = await disconnect({ [restoreRoute]: outage });
    (await harness.find('.confirm:has(.primary) .cancel')).click();
    await expectText(harness, '.notice strong', 'Couldn’t save your changes');
    harness.service.use({ [restoreRoute]: () => json(mine) });
    (await harness.find('.confirm:has(.primary) .cancel')).click();
    await harness.find('[part="disconnect-button"]');
  });

  test('is over after 30 seconds, and then reported to the page', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { harness, names } = await disconnect();
    await vi.advanceTimersByTimeAsync(undoSeconds * 1000 - 1000);
    expect(names).toEqual([]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(names).toEqual(['connector-auth-disconnected']);
    await harness.find('[part="sources"]');
  });

  test('is reported when the dialog closes, before that', async () => {
    const harness = await manage({});
    harness.widget.open();
    (await harness.find('[data-id="mine"]')).click();
    (await harness.find('[part="disconnect-button"]')).click();
    (await harness.find('[part="confirm-button"]')).click();
    await harness.find('.confirm:has(.primary) .cancel');
    const names: string[] = [];
    for (const name of ['connector-auth-disconnected', 'connector-auth-close'] as const)
      harness.widget.addEventListener(name, ({ type }) => names.push(type));
    harness.widget.close();
    await until(() => {
      expect(names).toEqual(['connector-auth-disconnected', 'connector-auth-close']);
    });
  });

  test('is in view without scrolling, however many types of data there are', async () => {
    const entities = Object.fromEntries(
      Array.from({ length: 11 }, (_, index) => [`type${index}`, entity({ title: `Type ${index}` })]),
    );
    const harness = await manage(withMine(connector({ id: 'mine', sync: { status: 'ready', entities } })));
    const button = await harness.find('[part="disconnect-button"]');
    const scroller = await harness.find('.scroller');
    expect(scroller.scrollHeight).toBeGreaterThan(scroller.clientHeight);
    // The screen moves while it appears.
    await until(() => {
      const { bottom } = scroller.getBoundingClientRect();
      expect(button.getBoundingClientRect().bottom).toBeLessThanOrEqual(bottom);
    });
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
    const accounts = { current: 'Acme EMEA', given: 'Acme US' };
    const harness = await manage(
      { [changeRoute]: () => problem(409, 'different_account', { accounts }) },
      'reconnect',
    );
    await userEvent.fill(await harness.find(keyField), secret);
    await userEvent.keyboard('{Enter}');
    await expectText(harness, '.confirm h2', 'You signed in to a different Granola account');
    await expectText(harness, '[part="accounts"]', /^Current account\s+Acme EMEA\s+New account\s+Acme US$/);
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
      await expectText(harness, '[part="connector"] .status', 'Paused');
      (await harness.find('[data-id="mine"]')).click();
      await expectText(harness, '[part="hint"]', 'Acme paused this connection. Your imported data is kept.');
      expect((await harness.find('[part="support-link"]')).getAttribute('href')).toBe(
        'https://acme.example/help',
      );
      await harness.find('[part="rename-button"]');
      const buttons = (part: string) =>
        harness.widget.shadowRoot?.querySelectorAll(`[part="${part}-button"]`).length;
      expect(buttons('primary')).toBe(0);
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
    await expectText(harness, '.line-value', '1,200 records');

    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    await vi.advanceTimersByTimeAsync(refreshMs * 5);
    const before = harness.service.requestsTo(oneRoute).length;
    await vi.advanceTimersByTimeAsync(refreshMs * 5);
    expect(harness.service.requestsTo(oneRoute)).toHaveLength(before);
    hidden.mockReturnValue(false);
    harness.service.use({ [oneRoute]: () => json(importing(1300)) });
    document.dispatchEvent(new Event('visibilitychange'));
    await expectText(harness, '.line-value', '1,300 records');
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

/** Keeps the time, so that the screen shows the expected times however long a test takes. */
function stopClock(): void {
  vi.spyOn(Date, 'now').mockReturnValue(Date.now());
}

/** Returns the time that is some seconds from now. */
const seconds = (count: number) => new Date(Date.now() + count * 1000).toISOString();
const entity = (fields: Partial<EntitySync> = {}): EntitySync => ({
  state: 'done',
  records: 86,
  last_synced_at: seconds(-125),
  last_error: null,
  retry_at: null,
  ...fields,
});
const synced = (sync: Partial<SyncState> = {}, fields: Partial<Connector> = {}) =>
  connector({
    id: 'mine',
    sync: { status: 'ready', next_sync_at: seconds(48.5 * 60), entities: { notes: entity() }, ...sync },
    ...fields,
  });
const tooBusy = { state: 'failed', last_error: 'Granola: 503', last_error_code: 'vendor_failed' } as const;
const importingNotes = { notes: entity({ state: 'running', last_synced_at: null }) };

describe('state', () => {
  beforeEach(stopClock);
  const wordsIn = ({ widget }: Harness, selector: string) =>
    widget.shadowRoot?.querySelector(selector)?.textContent.trim().replaceAll(/\s+/g, ' ');
  const expectWords = (harness: Harness, selector: string, expected: string | RegExp) =>
    until(() => {
      expect(wordsIn(harness, selector)).toEqual(
        typeof expected === 'string' ? expected : expect.stringMatching(expected),
      );
    });
  const all = ({ widget }: Harness, selector: string) => [
    ...(widget.shadowRoot?.querySelectorAll<HTMLElement>(selector) ?? []),
  ];

  test('says when the data was synced and when it will be next, with the absolute times', async () => {
    const harness = await manage(withMine(synced()));
    await expectWords(harness, '[part="state"]', 'Up to date · 2 min ago');
    await expectWords(harness, '[part="hint"]', 'Next sync in 48 min');
    const time = (await harness.find('[part="state"] time')) as HTMLTimeElement;
    expect(Date.parse(time.dateTime)).toBeLessThan(Date.now());
    expect(time.title).toMatch(/\d{4}/);
  });

  test('keeps relative times correct, although nothing else changes', async () => {
    // The screen is rendered again when the activity arrives.
    const harness = await manage({ ...withMine(synced()), [activityRoute]: never });
    await until(() => {
      expect(harness.announcements).toContain('Granola');
    });
    await harness.widget.updateComplete;
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3 * 60_000);
    await until(async () => {
      await expectWords(harness, '[part="state"]', 'Up to date · 5 min ago');
    });
    await expectWords(harness, '[part="hint"]', 'Next sync in 45 min');
  });

  test('explains an error in plain words, once, and says when it is retried', async () => {
    const harness = await manage(
      withMine(
        synced({
          entities: {
            folders: entity({ title: 'Folders' }),
            notes: entity({ ...tooBusy, retry_at: seconds(30) }),
          },
        }),
      ),
    );
    await expectWords(harness, '[part="state"]', 'Partly failing');
    await expectWords(harness, '[part="hint"]', /^Granola isn’t responding\. ?Data imported/);
    const rows = all(harness, '[part="sync-entity"]').map(row =>
      row.innerText.replaceAll(/\s+/g, ' ').trim(),
    );
    expect(rows).toEqual(['Folders 86 records Synced 2 min ago', 'Notes 86 records Retrying in 30 sec']);
  });

  test('explains different errors in their rows', async () => {
    const forbidden = {
      state: 'failed',
      last_error: 'No',
      last_error_code: 'vendor_permission_missing',
    } as const;
    const harness = await manage(
      withMine(synced({ entities: { folders: entity(forbidden), notes: entity(tooBusy) } })),
    );
    await expectWords(harness, '[part="state"]', 'Sync failing');
    await expectWords(harness, '[part="hint"]', 'Data imported so far stays available.');
    expect(all(harness, '[part="sync-error"]').map(({ innerText }) => innerText)).toEqual([
      'Your Granola account doesn’t have permission to read this. Ask a Granola admin for access.',
      'Granola isn’t responding.',
    ]);
  });

  test('says that the integrator has to repair what only it can, instead of offering to sync', async () => {
    const failed = entity({ state: 'failed', last_error: 'No', last_error_code: 'vendor_misconfigured' });
    const harness = await manage(withMine(synced({ entities: { notes: failed } })));
    await expectWords(harness, '[part="hint"]', /^This app has to repair its connection to Granola\./);
    await expectWords(harness, '[part="sync-entity"]', /Stopped · last synced 2 min ago$/);
    expect(all(harness, '[part="sync-button"]')).toEqual([]);
  });

  test('offers no sync before the time at which the service allows one', async () => {
    const headers = { 'content-type': 'application/problem+json', 'retry-after': '18060' };
    const body = JSON.stringify({ code: 'vendor_rate_limited', detail: '15,000 of 15,000 operations' });
    const harness = await manage({
      ...withMine(synced()),
      [syncRoute]: () => new Response(body, { status: 429, headers }),
    });
    (await harness.find('[part="sync-button"]')).click();
    await expectWords(harness, '[part="notice"] [part="heading"]', 'Can’t sync right now');
    await expectWords(harness, '[part="notice"] [part="hint"]', /Try again in 5 hr\.$/);
    expect(all(harness, '[part="status"] button')).toEqual([]);
  });

  test('requests a sync, then shows its progress with focus on the state', async () => {
    const syncing = synced({ status: 'ready', entities: importingNotes });
    let respond = (_response: Response) => {};
    const response = new Promise<Response>(resolve => {
      respond = resolve;
    });
    const harness = await manage({ ...withMine(synced()), [syncRoute]: () => response });
    (await harness.find('[part="sync-button"]')).focus();
    await userEvent.keyboard('{Enter}');
    await harness.find('[part="sync-button"][aria-disabled="true"]');
    expect(focused()?.getAttribute('part')).toBe('sync-button');
    respond(json(syncing));
    const bar = (await harness.find('progress')) as HTMLProgressElement;
    expect([bar.position, bar.getAttribute('aria-label')]).toEqual([-1, 'Syncing']);
    await expectWords(harness, '[part="state"]', 'Syncing');
    expect(all(harness, '[part="sync-button"]')).toEqual([]);
    await until(() => {
      expect(focused()?.getAttribute('part')).toBe('status');
    });
  });

  test('says why a sync cannot be requested, and that the data is still up to date', async () => {
    const harness = await manage({ ...withMine(synced()), [syncRoute]: () => problem(429, 'rate_limited') });
    (await harness.find('[part="sync-button"]')).click();
    await expectWords(harness, '[part="notice"] [part="heading"]', 'Can’t sync right now');
    await expectWords(harness, '[part="state"]', 'Up to date · 2 min ago');
    // The state says when, and the rows do not repeat it.
    expect(wordsIn(harness, '[part="sync-entity"]')).not.toContain('Synced');
    await expectText(harness, '[part="status"] button', 'Sync now');
  });

  test('announces a new state, and keeps focus when its button disappears', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const harness = await manage({
      ...withMine(synced()),
      [oneRoute]: () => json(synced({ entities: importingNotes })),
    });
    await waitForPollTimer(harness);
    (await harness.find('[part="sync-button"]')).focus();
    await vi.advanceTimersByTimeAsync(refreshMs);
    await until(() => {
      expect(harness.announcements).toContain('Syncing');
      expect(focused()?.getAttribute('part')).toBe('back-button');
    });
  });

  test('offers to reconnect as the only primary action if the sign-in has expired', async () => {
    const harness = await manage(withMine(synced({}, { status: 'needs_reauth' })));
    await expectWords(harness, '[part="state"]', 'Needs reconnecting');
    expect(all(harness, '.primary').map(({ textContent }) => textContent.trim())).toEqual(['Reconnect']);
    expect(all(harness, '[part="sync-button"]')).toEqual([]);
    (await harness.find('.primary')).click();
    await harness.find(keyField);
  });
});

describe('what the token allows', () => {
  const withRights = (rights: unknown, more = {}) => ({
    ...withMine(synced({}, { replication_config: { workspaces: ['1', '2'] }, ...more })),
    [listRoute]: () =>
      json({ definitions: [{ ...sources[0], accounts_setting: 'workspaces' }], integrator: null, rights }),
  });
  const parts = ({ widget }: Harness) =>
    [...(widget.shadowRoot?.querySelectorAll('.manage button') ?? [])].map(button =>
      button.getAttribute('part'),
    );

  test.each([
    [
      'everything if the rights are unknown',
      undefined,
      [
        'back-button',
        'rename-button',
        'sync-button',
        'accounts-button',
        'reconnect-button',
        'disconnect-button',
      ],
    ],
    ['nothing without rights', { actions: ['list'], management: [] }, ['back-button']],
    [
      'only what the rights include',
      { actions: ['search'], management: ['rename', 'settings'] },
      ['back-button', 'rename-button', 'sync-button', 'accounts-button'],
    ],
  ])('offers %s', async (_what, rights, offered) => {
    const harness = await manage(withRights(rights));
    await harness.find('[part="accounts"]');
    expect(parts(harness)).toEqual(offered);
  });

  test('asks for help instead of reconnecting if the token does not allow it', async () => {
    const harness = await manage(
      withRights({ actions: [], management: ['rename'] }, { status: 'needs_reauth' }),
    );
    await expectText(harness, '[part="hint"]', 'Contact support to find out more.');
  });

  test('says that the connection is read only', async () => {
    const harness = await manage(withRights(undefined, { access: 'read' }));
    await expectText(harness, '[part="read-only"]', 'Read only');
  });

  test.each([
    [{ workspaces: ['1', '2'] }, '2 accounts'],
    [{ workspaces: ['1'] }, '1 account'],
    [{}, 'All'],
  ])('shows the number of chosen accounts: %o', async (replication_config, count) => {
    const harness = await manage(withRights(undefined, { replication_config }));
    await expectText(harness, '[part="accounts"] span', count);
  });

  test('opens the choice of accounts, from which focus returns to its button', async () => {
    const accountsRoute = 'GET /integrations/connectors/*/accounts';
    const harness = await manage({ ...withRights(undefined), [accountsRoute]: never });
    (await harness.find('[part="accounts-button"]')).focus();
    await userEvent.keyboard('{Enter}');
    await until(() => {
      expect(harness.service.requestsTo(accountsRoute)).toHaveLength(1);
    });
    (await harness.find('.back')).click();
    await until(() => {
      expect(focused()?.getAttribute('part')).toBe('accounts-button');
    });
  });
});

describe('recent activity', () => {
  beforeEach(stopClock);
  const entry = (fields: Partial<ActivityEntry>): ActivityEntry => ({
    id: String(Math.random()),
    at: seconds(-125),
    actor: 'sync',
    action: 'sync',
    entity: null,
    outcome: 'ok',
    records: null,
    ...fields,
  });
  const withActivity = (...data: ActivityEntry[]) => ({
    ...withMine(synced()),
    [activityRoute]: () => json({ data, meta: { cursor: null, has_more: false } }),
    [listRoute]: () =>
      json({ definitions: sources, integrator: { name: 'Fieldbook', logo_url: null, support_url: null } }),
  });
  const lines = async (harness: Harness) => {
    await harness.find('[part="activity-entry"]');
    return [
      ...(harness.widget.shadowRoot?.querySelectorAll<HTMLElement>('[part="activity-entry"]') ?? []),
    ].map(line => line.innerText.replaceAll(/\s+/g, ' ').trim());
  };

  test('says in plain words who did what, and combines the syncs of several entities', async () => {
    const harness = await manage(
      withActivity(
        entry({ entity: 'notes', records: 12 }),
        entry({ entity: 'folders', records: 1200 }),
        entry({ actor: 'integrator', action: 'get' }),
        entry({ actor: 'integrator', action: 'oauth.initiated' }),
        entry({ outcome: 'vendor_failed' }),
        entry({ actor: 'operator', action: 'connector.enabled' }),
        entry({ actor: 'customer', action: 'connector.created' }),
        entry({ actor: 'customer', action: 'check' }),
      ),
    );
    expect(await lines(harness)).toEqual([
      'Sync · 1,212 records Automatic 2 min ago',
      'Data access Fieldbook 2 min ago',
      'Sync · Failed Automatic 2 min ago',
      'Resumed Support 2 min ago',
      'Connected You 2 min ago',
      // Shown when the user opens the disclosure.
      '',
    ]);
    (await harness.find('details[part="activity"] summary')).click();
    expect((await lines(harness)).at(-1)).toBe('Connection check You 2 min ago');
  });

  test('is hidden if there is none that concerns the user', async () => {
    const harness = await manage(withActivity(entry({ action: 'oauth.initiated' })));
    await until(() => {
      expect(harness.service.requestsTo(activityRoute)).toHaveLength(1);
    });
    await harness.widget.updateComplete;
    expect(harness.widget.shadowRoot?.querySelector('[part="activity"]')).toBe(null);
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

  test.each([
    [{ source: 'granola' }, ['Granola', 'Gong', 'Google Ads', 'TikTok Marketing']],
    [{ source: 'granola', sources: 'granola, gong' }, ['Granola', 'Gong']],
  ])('opens a source immediately and keeps the others in the list: %o', async (attributes, listed) => {
    const harness = mountWith(attributes);
    await harness.find(keyField);
    expect(harness.events.map(({ type }) => type)).toContain('connector-auth-ready');
    (await harness.find('.back')).click();
    await harness.find('[data-id]');
    expect(rows(harness)).toEqual(listed);
  });

  test('opens the connector of a source that is connected', async () => {
    const other = { ...mine, id: 'other', connector_type: 'gong', definition_id: 'def-gong' };
    const harness = mountWith({ source: 'granola', sources: 'granola, gong' }, withMine(mine, other));
    await harness.find('[part="disconnect-button"]');
    expect(harness.events[0]).toMatchObject({
      detail: { sources: 2, connectors: [mine, other].map(({ id }) => ({ id })) },
    });
    (await harness.find('.back')).click();
    await harness.find('[data-id]');
    expect(rows(harness)).toEqual(['Granola', 'Gong']);
  });

  test('reconnects a source whose sign-in has expired', async () => {
    const harness = mountWith({ source: 'granola' }, withMine({ ...mine, status: 'needs_reauth' }));
    await expectText(harness, 'h2', 'Reconnect Granola');
  });

  test('lets the user choose among several connectors of a source', async () => {
    const harness = mountWith({ source: 'granola' }, withMine(mine, { ...mine, id: 'second' }));
    await harness.find('[data-id="second"]');
  });

  test.each([{ source: 'salesforce' }, { source: 'gong', sources: 'granola' }])(
    'lists the sources and reports to the integrator that one cannot be opened: %o',
    async attributes => {
      const log = vi.spyOn(console, 'error').mockImplementation(() => {});
      const harness = mountWith(attributes);
      await harness.find('[data-id="def-granola"]');
      expect(log.mock.calls).toEqual([[expect.stringContaining(`source="${attributes.source}"`)]]);
    },
  );
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

  test('asks for the accounts beside a key for which the vendor cannot list them', async () => {
    const accounts_setting = 'advertiser_ids';
    const source = detail({ ...sources[0], replication_schema, accounts_setting });
    const harness = mountWidget({ [route]: () => json(source) });
    (await harness.find('[data-id="def-granola"]')).click();
    await harness.find(keyField);
    const field = (name: string) => harness.find(`[id="field-replication_config.${name}"]`);
    expect((await field('advertiser_ids')).closest('details')).toBeNull();
    expect((await field('start_date')).closest('details')).not.toBeNull();
  });

  test('asks for required settings beside the key', async () => {
    const required = ['advertiser_ids'];
    const source = detail({ ...sources[0], replication_schema: { ...replication_schema, required } });
    const harness = mountWidget({ [route]: () => json(source) });
    (await harness.find('[data-id="def-granola"]')).click();
    const field = (name: string) => harness.find(`[id="field-replication_config.${name}"]`);
    expect((await field('advertiser_ids')).closest('details')).toBeNull();
    expect((await field('start_date')).closest('details')).not.toBeNull();
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
    await expectText(harness, 'details[open] .field-error', 'Too early');
  });
});
