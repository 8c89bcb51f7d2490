/// <reference types="@vitest/browser-playwright" />
import axe from 'axe-core';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { cdp, server, userEvent } from 'vitest/browser';
import { connector, json, never, problem } from '../../gallery/fake-service.ts';
import { appearing } from '../../gallery/scenes.ts';
import { keyField, listRoute, mineRoute, secret, withMine } from '../../test/actions.ts';
import { focused } from '../../test/harness.ts';
import { mountProvider, shows, type Page } from '../../test/provider.ts';
import { until } from '../../test/until.ts';

const gong = connector({ name: 'Gong', connector_type: 'gong', definition_id: 'def-gong' });
const granola = connector({ name: 'Granola' });
const buttonTag = '<connector-auth-button source="gong"></connector-auth-button>';
const statusTag = '<connector-auth-status source="gong">Not connected</connector-auth-status>';

const button = (page: Page) => page.at('connector-auth-button');
const status = (page: Page) => page.at('connector-auth-status');
/** Resolves with the dialog that the provider made. */
const dialogOf = (page: Page) => appearing(page.provider, 'connector-auth');
const titleIn = async (widget: HTMLElement, title: string) => {
  await until(() => {
    expect(widget.shadowRoot?.querySelector('h2')?.textContent.trim()).toBe(title);
  });
};

describe('a button', () => {
  test('is disabled while loading, and names its source afterwards', async () => {
    let respond = () => {};
    const page = mountProvider(buttonTag, {
      [mineRoute]: () =>
        new Promise(resolve => {
          respond = () => {
            resolve(json({ data: [] }));
          };
        }),
    });
    const inner = await appearing(button(page), 'button');
    expect(inner.ariaDisabled).toBe('true');
    await until(() => {
      expect(page.service.requestsTo(mineRoute)).toHaveLength(1);
    });
    respond();
    await shows(button(page), /^Connect Gong$/);
    expect(inner.ariaDisabled).toBeNull();
  });

  test('opens the form of its source in a dialog and returns focus', async () => {
    const page = mountProvider(buttonTag + statusTag);
    await shows(button(page), /^Connect Gong$/);
    await userEvent.click(button(page));
    const dialog = await dialogOf(page);
    await titleIn(dialog, 'Connect Gong');
    await userEvent.fill(await appearing(dialog, keyField), secret);
    await userEvent.keyboard('{Enter}');
    await userEvent.click(await appearing(dialog, '.success ~ .footer .primary'));
    await until(() => {
      expect(focused()).toBe(button(page).shadowRoot?.querySelector('button'));
    });
    expect(page.events.map(({ type }) => type)).toEqual(['connector-auth-ready', 'connector-auth-connected']);
    expect(page.provider.state.name).toBe('catalog');
    // The fake service stores it as a connector of Granola.
    expect(page.service.requestsTo(listRoute)).toHaveLength(1);
  });

  test('opens its source in the widget inside the provider, and moves focus there', async () => {
    const page = mountProvider(`${buttonTag}<connector-auth></connector-auth>`);
    await shows(button(page), /^Connect Gong$/);
    await appearing(page.widget, '[data-id]');
    await userEvent.click(button(page));
    await titleIn(page.widget, 'Connect Gong');
    await until(() => {
      expect(focused()?.getRootNode()).toBe(page.widget.shadowRoot);
    });
    expect(page.provider.shadowRoot?.querySelector('connector-auth')).toBeNull();
  });

  test('prefers the page’s own dialog, and ignores a widget that is hidden', async () => {
    const page = mountProvider(
      `${buttonTag}<div hidden><connector-auth id="hidden"></connector-auth></div><connector-auth id="own" modal></connector-auth>`,
    );
    await shows(button(page), /^Connect Gong$/);
    await userEvent.click(button(page));
    await titleIn(page.at('#own'), 'Connect Gong');
    expect(page.at('#own').shadowRoot?.querySelector('dialog')?.open).toBe(true);
  });

  test('leaves another source that was opened before', async () => {
    const page = mountProvider(`${buttonTag}<connector-auth></connector-auth>`);
    (await appearing(page.widget, '[data-id="def-granola"]')).click();
    await titleIn(page.widget, 'Connect Granola');
    await userEvent.click(button(page));
    await titleIn(page.widget, 'Connect Gong');
  });

  test('says which source is connected, and opens the connector', async () => {
    const page = mountProvider(buttonTag, withMine(granola, gong));
    await shows(button(page), /^Gong · Connected$/);
    expect(button(page).shadowRoot?.querySelector('.visually-hidden')).toBeNull();
    await userEvent.click(button(page));
    await appearing(await dialogOf(page), '[part="disconnect-button"]');
    expect(page.provider.state).toMatchObject({ name: 'managing', connector: { id: gong.id } });
  });

  test('lets the customer choose among several connectors', async () => {
    const page = mountProvider(buttonTag, withMine(gong, { ...gong, id: 'second' }));
    await shows(button(page), /^Gong · Connected$/);
    await userEvent.click(button(page));
    await appearing(await dialogOf(page), '[data-id="second"]');
  });

  test('reconnects a source whose sign-in has expired', async () => {
    const page = mountProvider(buttonTag, withMine(gong, { ...gong, id: 'old', status: 'needs_reauth' }));
    await shows(button(page), /^Reconnect Gong$/);
    await userEvent.click(button(page));
    await titleIn(await dialogOf(page), 'Reconnect Gong');
    expect(page.provider.state).toMatchObject({ target: { id: 'old' } });
  });

  test('lists all sources if it has none', async () => {
    const page = mountProvider('<connector-auth-button></connector-auth-button>');
    await shows(button(page), /^Connect a source$/);
    await until(() => {
      expect(page.provider.state.name).toBe('catalog');
    });
    await userEvent.click(button(page));
    await appearing(await dialogOf(page), '[data-id="def-gong"]');
  });

  test('shows why the sources cannot be loaded', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    const page = mountProvider(buttonTag, { [listRoute]: () => problem(403, 'action_not_allowed') });
    await until(() => {
      expect(page.provider.state.name).toBe('unavailable');
    });
    expect(logged.mock.calls.flat().join()).toContain('action_not_allowed');
    await userEvent.click(button(page));
    await appearing(await dialogOf(page), '.primary');
  });

  test('is disabled for a source that the customer cannot connect', async () => {
    const page = mountProvider('<connector-auth-button source="no-such-source"></connector-auth-button>');
    await until(() => {
      expect(button(page).shadowRoot?.querySelector('button')?.part).toContain('unavailable');
    });
    button(page).shadowRoot?.querySelector('button')?.click();
    expect(page.provider.shadowRoot?.querySelector('connector-auth')).toBeNull();
  });

  test('has slots for the page’s own labels', async () => {
    const page = mountProvider(
      '<connector-auth-button source="gong">Add Gong<b slot="connected">Gong is on</b></connector-auth-button>',
      withMine(gong),
    );
    const slot = await appearing(button(page), 'slot[name="connected"]');
    expect((slot as HTMLSlotElement).assignedElements()[0]?.textContent).toBe('Gong is on');
  });
});

describe('a status', () => {
  test.each([
    [{}, 'Connected', 'current'],
    [{ status: 'needs_reauth' }, 'Needs reconnecting', 'expired'],
    [{ status: 'disabled' }, 'Paused', 'paused'],
  ] as const)('shows %j as “%s”', async (fields, words, part) => {
    const page = mountProvider(statusTag, withMine({ ...gong, ...fields }));
    await shows(status(page), new RegExp(`^${words}$`));
    const inner = await appearing(status(page), '[role="status"]');
    expect([...inner.part]).toEqual(['status', part]);
    expect(inner.ariaLive).toBe('off');
  });

  test('shows the connection that needs attention most', async () => {
    const page = mountProvider(statusTag, withMine(gong, { ...gong, id: 'old', status: 'needs_reauth' }));
    await shows(status(page), /^Needs reconnecting$/);
  });

  test('shows its content if nothing is connected', async () => {
    const page = mountProvider(statusTag, withMine(granola));
    await appearing(status(page), 'slot');
  });

  test('shows nothing while loading or after a failure', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const loading = mountProvider(statusTag, { [mineRoute]: never });
    const failed = mountProvider(statusTag, { [mineRoute]: () => problem(403, 'action_not_allowed') });
    await until(() => {
      expect([loading, failed].map(({ provider }) => provider.state.name)).toEqual([
        'loading',
        'unavailable',
      ]);
    });
    for (const page of [loading, failed]) {
      expect(status(page).shadowRoot?.querySelector('*:not(style)')).toBeNull();
    }
  });

  test('follows the language of the page', async () => {
    const page = mountProvider(statusTag + buttonTag, withMine({ ...gong, status: 'needs_reauth' }));
    page.provider.lang = 'de';
    await shows(status(page), /^Neu verbinden nötig$/);
    await shows(button(page), /^Gong neu verbinden$/);
    page.provider.lang = 'ar';
    await until(() => {
      expect(status(page).shadowRoot?.querySelector<HTMLElement>('.status')?.dir).toBe('rtl');
    });
  });
});

describe('accessibility', () => {
  const all = ['granola', 'gong', 'google-ads', 'tiktok-marketing', 'no-such-source']
    .map(source => `<p>${[buttonTag, statusTag].join(' ').replaceAll('gong', source)}</p>`)
    .join('');
  const mine = withMine(
    granola,
    { ...gong, status: 'needs_reauth' },
    connector({ connector_type: 'google-ads', definition_id: 'def-google-ads', status: 'disabled' }),
  );
  const emulate = (features: { name: string; value: string }[]) =>
    cdp().send('Emulation.setEmulatedMedia', { features });

  afterEach(async () => {
    document.documentElement.removeAttribute('style');
    if (server.browser === 'chromium') await emulate([]);
  });

  test.each(['light', 'dark'])('has no axe violations in any state in the %s theme', async scheme => {
    document.documentElement.style.colorScheme = scheme;
    document.documentElement.style.background = scheme === 'dark' ? '#15171c' : '#fff';
    const page = mountProvider(all, mine);
    await shows(button(page), /^Granola · Connected$/);
    for (const { shadowRoot } of page.provider.querySelectorAll('connector-auth-button')) {
      for (const transition of shadowRoot?.getAnimations() ?? []) transition.finish();
    }
    const { violations } = await axe.run(page.provider, { resultTypes: ['violations'] });
    expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))).toEqual([]);
  });

  test.runIf(server.browser === 'chromium')(
    'keeps borders and states visible in forced colours',
    async () => {
      await emulate([{ name: 'forced-colors', value: 'active' }]);
      const page = mountProvider(all, mine);
      await shows(button(page), /^Granola · Connected$/);
      const inner = await appearing(button(page), 'button');
      expect(getComputedStyle(inner).borderStyle).toBe('solid');
      inner.focus({ focusVisible: true });
      expect(getComputedStyle(inner).outlineStyle).toBe('solid');
    },
  );
});
