import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import {
  connector,
  consentMethod,
  detail,
  FakeService,
  json,
  never,
  sources,
} from '../../gallery/fake-service.ts';
import { interceptWindows } from '../../gallery/fake-windows.ts';
import { appearing } from '../../gallery/scenes.ts';
import { createRoute, keyField, listRoute, mineRoute, secret, withMine } from '../../test/actions.ts';
import { focused } from '../../test/harness.ts';
import { mountProvider, shows, TestBadge, type Page } from '../../test/provider.ts';
import { until } from '../../test/until.ts';
import type { ConnectorAuthElement } from '../connector-auth.ts';
import { loadedSteps } from '../screens/load-steps.ts';
import { refreshMs } from './provider.ts';

/** Connects Granola in a widget. */
async function connectIn(widget: HTMLElement): Promise<void> {
  (await appearing(widget, '[data-id="def-granola"]')).click();
  await userEvent.fill(await appearing(widget, keyField), secret);
  (await appearing(widget, '.primary')).click();
  await appearing(widget, '.success');
}

const requestsToList = ({ service }: Page) => service.requestsTo(listRoute).length;
const gong = connector({ name: 'Gong', connector_type: 'gong', definition_id: 'def-gong' });
const errors = () => vi.spyOn(console, 'error').mockImplementation(() => {});

describe('a provider', () => {
  // The first test, because all widgets on the page share the code of the steps.
  test('loads nothing but the catalog while no widget is on the page', async () => {
    const page = mountProvider('<test-badge></test-badge>', withMine(gong));
    await shows(page.badge, /^catalog: Gong$/);
    expect(page.badge.flow.connectorsOf('gong')).toEqual([gong]);
    expect(page.badge.flow.connectorsOf('granola')).toEqual([]);
    expect(page.badge.flow.sources).toHaveLength(4);
    // Only `loadSteps` makes the code known. A load that had started before would have ended by now.
    await import('../screens/steps.ts');
    await new Promise(requestAnimationFrame);
    expect(loadedSteps()).toBeUndefined();
    expect(page.events).toEqual([{ type: 'connector-auth-ready', target: page.provider }]);
  });

  test('shares one flow with a widget and an element of the page', async () => {
    const page = mountProvider('<test-badge></test-badge><connector-auth></connector-auth>');
    await shows(page.badge, /^catalog:$/);
    await connectIn(page.widget);
    await shows(page.badge, /^connected: Granola$/);
    expect(requestsToList(page)).toBe(1);
    expect(page.service.requestsTo('POST /token')).toHaveLength(1);
  });

  test('dispatches each event once, from the widget that the customer used', async () => {
    const page = mountProvider(
      '<connector-auth id="one"></connector-auth><connector-auth id="two"></connector-auth>',
    );
    await connectIn(page.at('#one'));
    await appearing(page.at('#two'), '.success');
    expect(page.events.filter(({ type }) => type === 'connector-auth-connected')).toEqual([
      { type: 'connector-auth-connected', target: page.at('#one') },
    ]);
    expect(page.events.filter(({ type }) => type === 'connector-auth-ready')).toHaveLength(1);
  });

  test('moves focus and announces only in the widget that the customer used', async () => {
    const page = mountProvider(
      '<connector-auth id="one"></connector-auth><connector-auth id="two"></connector-auth>',
    );
    const said = page.at('#two').shadowRoot;
    await appearing(page.at('#two'), '[data-id]');
    await userEvent.click(await appearing(page.at('#one'), '[data-id="def-granola"]'));
    await until(() => {
      expect(focused()?.id).toBe('field-credentials.api_key');
    });
    expect(focused()?.getRootNode()).toBe(page.at('#one').shadowRoot);
    expect(said?.querySelector('[role="status"]')?.textContent).not.toMatch(/Granola/);
  });

  test('lets a widget with a token of its own have a flow of its own', async () => {
    const page = mountProvider('<test-badge></test-badge>');
    const other = new FakeService(withMine(gong));
    onTestFinished(() => {
      other.close();
    });
    const widget = document.createElement('connector-auth');
    widget.tokenUrl = other.tokenUrl;
    page.provider.append(widget);
    await appearing(widget, '[data-id]');
    expect(other.requestsTo(listRoute)).toHaveLength(1);
    await shows(page.badge, /^catalog:$/);
  });

  test('names the settings of a widget that only the provider’s own can replace', async () => {
    const logged = errors();
    const page = mountProvider('<connector-auth sources="gong" oauth-mode="popup"></connector-auth>');
    await appearing(page.widget, '[data-id="def-granola"]');
    expect(logged.mock.calls.flat()).toEqual([
      '<connector-auth>: sources, oauth-mode has no effect inside <connector-auth-provider>: set it on the provider',
    ]);
  });

  test('restricts and opens sources', async () => {
    const page = mountProvider('<connector-auth></connector-auth>');
    page.provider.source = 'gong';
    await until(() => {
      expect(page.widget.shadowRoot?.querySelector('h2')?.textContent).toBe('Connect Gong');
    });
    page.provider.source = null;
    page.provider.sources = 'granola,gong';
    await until(() => {
      expect(page.widget.shadowRoot?.querySelectorAll('[part="source"]')).toHaveLength(2);
    });
  });

  test('reports invalid settings in the console and in its widgets', async () => {
    const logged = errors();
    const page = mountProvider('<connector-auth></connector-auth><test-badge></test-badge>');
    page.provider.serviceUrl = 'javascript:1';
    await shows(page.badge, /^unavailable/);
    await until(() => {
      expect(page.widget.shadowRoot?.querySelector('h2')?.textContent).toBe('This feature isn’t set up yet');
    });
    expect(logged.mock.calls.flat().join()).toContain('service-url="javascript:1" must be an http(s) URL');
  });

  test('stops everything when it is removed, and restarts when it is inserted again', async () => {
    const page = mountProvider('<test-badge></test-badge><connector-auth></connector-auth>', {
      [mineRoute]: never,
    });
    await until(() => {
      expect(page.service.requestsTo(mineRoute)).toHaveLength(1);
    });
    page.provider.remove();
    await until(() => {
      expect(page.service.requestsTo(mineRoute)[0]?.signal.aborted).toBe(true);
    });
    expect(page.provider.state.name).toBe('idle');
    page.service.use(withMine(gong));
    document.body.append(page.provider);
    await shows(page.badge, /^catalog: Gong$/);
    await appearing(page.widget, '[part="connector"]');
  });

  test('keeps the customer’s input while it is moved', async () => {
    const page = mountProvider('<connector-auth></connector-auth>');
    (await appearing(page.widget, '[data-id="def-granola"]')).click();
    await userEvent.fill(await appearing(page.widget, keyField), secret);
    const place = document.createElement('div');
    document.body.append(place);
    onTestFinished(() => {
      place.remove();
    });
    place.append(page.provider);
    await page.widget.updateComplete;
    expect(((await appearing(page.widget, keyField)) as HTMLInputElement).value).toBe(secret);
    expect(requestsToList(page)).toBe(1);
  });

  test('returns to the catalog when the last widget is removed', async () => {
    const page = mountProvider('<test-badge></test-badge><connector-auth></connector-auth>');
    (await appearing(page.widget, '[data-id="def-granola"]')).click();
    await shows(page.badge, /^filling/);
    page.widget.remove();
    await shows(page.badge, /^catalog/);
  });

  test('lets a request finish that changes something when the last widget is removed', async () => {
    let respond = () => {};
    const page = mountProvider('<test-badge></test-badge><connector-auth></connector-auth>', {
      [createRoute]: () =>
        new Promise(resolve => {
          respond = () => {
            resolve(json(connector(), 201));
          };
        }),
    });
    (await appearing(page.widget, '[data-id="def-granola"]')).click();
    await userEvent.fill(await appearing(page.widget, keyField), secret);
    (await appearing(page.widget, '.primary')).click();
    await shows(page.badge, /^submitting/);
    page.widget.remove();
    await Promise.resolve();
    respond();
    await shows(page.badge, /^catalog: Granola$/);
    expect(page.events.at(-1)).toEqual({ type: 'connector-auth-connected', target: page.provider });
  });

  test('loses a widget to a nearer provider, and follows a widget that is moved to another one', async () => {
    const outer = mountProvider('<test-badge></test-badge><connector-auth></connector-auth>');
    const inner = mountProvider('', withMine(gong));
    const { widget, badge } = outer;
    await appearing(widget, '[data-id="def-granola"]');
    outer.provider.append(inner.provider);
    inner.provider.append(widget, badge);
    await appearing(widget, '[part="connector"]');
    await shows(badge, /^catalog: Gong$/);
    outer.provider.append(widget, badge);
    await shows(badge, /^catalog:$/);
    await until(() => {
      expect(widget.shadowRoot?.querySelector('[part="connector"]')).toBeNull();
      expect(widget.shadowRoot?.querySelector('[data-id="def-granola"]')).not.toBeNull();
    });
  });

  test('includes elements in shadow roots', async () => {
    const page = mountProvider('<div></div>');
    const root = page.at('div').attachShadow({ mode: 'open' });
    root.innerHTML = '<test-badge></test-badge><connector-auth></connector-auth>';
    const [badge, widget] = root.children;
    await shows(badge as TestBadge, /^catalog/);
    await appearing(widget as ConnectorAuthElement, '[data-id]');
    expect(requestsToList(page)).toBe(1);
  });

  test('restarts with new settings, and forgets what it knew', async () => {
    const page = mountProvider('<test-badge></test-badge>', withMine(gong));
    await shows(page.badge, /^catalog: Gong$/);
    const other = new FakeService({ [mineRoute]: never });
    onTestFinished(() => {
      other.close();
    });
    page.provider.tokenUrl = other.tokenUrl;
    await shows(page.badge, /^loading:$/);
  });

  test('keeps what it knows while it loads again', async () => {
    const page = mountProvider('<test-badge></test-badge>', withMine(gong));
    await shows(page.badge, /^catalog: Gong$/);
    page.service.use({ [mineRoute]: never });
    page.provider.reload();
    await shows(page.badge, /^loading: Gong$/);
  });

  test('follows a sync while no widget is shown, without events', async () => {
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const entity = { title: 'Calls', records: 0, last_synced_at: null, last_error: null, retry_at: null };
    const syncing = (state: 'running' | 'done') =>
      withMine({ ...gong, sync: { status: 'building', entities: { calls: { ...entity, state } } } });
    const page = mountProvider('<connector-auth-status></connector-auth-status>', syncing('running'));
    const status = page.at('connector-auth-status');
    await shows(status, /Syncing/);
    page.service.use(syncing('done'));
    await vi.advanceTimersByTimeAsync(refreshMs);
    await shows(status, /Up to date/);
    await vi.advanceTimersByTimeAsync(refreshMs);
    expect(requestsToList(page)).toBe(2);
    expect(page.events.map(({ type }) => type)).toEqual(['connector-auth-ready']);
  });

  test('asks an element outside a provider once to be put into one', async () => {
    const logged = errors();
    const badge = new TestBadge();
    document.body.append(badge);
    onTestFinished(() => {
      badge.remove();
    });
    await shows(badge, /^idle:$/);
    badge.flow.open('gong');
    badge.remove();
    document.body.append(badge);
    await shows(badge, /^idle:$/);
    expect(logged.mock.calls.flat()).toEqual([
      '<test-badge>: put this element into <connector-auth-provider token-url="/connector-auth/widget-token">',
    ]);
  });
});

describe('consent', () => {
  const key = 'connector-auth-provider-consent-';
  const detailRoute = {
    [`${listRoute}/*`]: () => json(detail({ ...sources[1], auth_methods: [consentMethod] })),
  };
  const sessionRoute = 'GET /integrations/connectors/oauth/sessions/*';

  test('opens the pop-up during the click, and adopts the look of the widget', async () => {
    const windows = interceptWindows();
    onTestFinished(windows.release);
    const page = mountProvider('<connector-auth></connector-auth>', detailRoute);
    page.widget.lang = 'de';
    (await appearing(page.widget, '[data-id="def-gong"]')).click();
    const signIn = await appearing(page.widget, '.primary');
    await shows(page.widget, /Gong verbinden/);
    expect(windows.opened).toEqual([]);
    signIn.click();
    const { document } = windows.opened[0] ?? {};
    expect(document?.documentElement.lang).toBe('de');
    expect(document?.body.style.background).toBe(
      getComputedStyle(await appearing(page.widget, '.panel')).backgroundColor,
    );
    await until(() => {
      expect(page.service.requestsTo(sessionRoute)).toHaveLength(1);
    });
    page.provider.remove();
    await until(() => {
      expect(windows.opened[0]?.closed).toBe(true);
    });
  });

  test('continues in a dialog after a redirect from a page without a visible widget', async () => {
    const request = { definitionId: 'def-gong', connectorId: null, entry: {}, sessionId: 's', hash: '' };
    const { href } = location;
    sessionStorage.setItem(key, JSON.stringify(request));
    history.replaceState(null, '', '?secret_id=secret-1');
    onTestFinished(() => {
      sessionStorage.clear();
      history.replaceState(null, '', href);
    });
    const page = mountProvider('<test-badge></test-badge>', detailRoute);
    const dialog = await appearing(page.provider, 'connector-auth');
    await appearing(dialog, '.success');
    await shows(page.badge, /^connected: Gong$/);
    const [sent] = page.service.requestsTo(createRoute);
    expect(await sent?.json()).toMatchObject({ server_side_oauth_secret_id: 'secret-1' });
    expect(location.search).toBe('');
  });

  test('is stored by the provider if it replaces the page', async () => {
    const windows = interceptWindows();
    onTestFinished(() => {
      windows.release();
      sessionStorage.clear();
    });
    sessionStorage.setItem(key, '{}');
    const page = mountProvider('<connector-auth></connector-auth>', detailRoute);
    page.provider.oauthMode = 'redirect';
    // The provider removes an earlier purpose late after it started.
    await until(() => {
      expect(sessionStorage.getItem(key)).toBeNull();
    });
    (await appearing(page.widget, '[data-id="def-gong"]')).click();
    (await appearing(page.widget, '.primary')).click();
    await until(() => {
      expect(sessionStorage.getItem(key) ?? '').toContain('def-gong');
    });
    expect(windows.opened).toEqual([]);
  });
});
