import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import {
  apiKeyMethod,
  connector,
  detail,
  FakeService,
  json,
  never,
  outage,
  problem,
  sources,
} from '../gallery/fake-service.ts';
import packageJson from '../package.json' with { type: 'json' };
import {
  connect,
  createRoute,
  keyField,
  listRoute,
  openForm,
  secret,
  withMine,
  withSearch,
} from '../test/actions.ts';
import { focused, mountWidget, useTokenUrl } from '../test/harness.ts';
import { until } from '../test/until.ts';
import { version } from './messages/version.ts';

describe('keyboard and announcements', () => {
  test('never takes focus from the page', async () => {
    const elsewhere = document.createElement('input');
    document.body.append(elsewhere);
    onTestFinished(() => {
      elsewhere.remove();
    });
    elsewhere.focus();
    const harness = mountWidget();
    await harness.find('[data-id]');
    await harness.widget.updateComplete;
    expect(focused()).toBe(elsewhere);
  });

  test('lets keyboard users connect, manage and disconnect, with a focused element after every step', async () => {
    const harness = mountWidget(withSearch);
    (await harness.find('input')).focus();
    const press = userEvent.keyboard;
    const focus = (attribute: string, value: string) =>
      until(() => {
        expect(focused()?.getAttribute(attribute)).toBe(value);
      });

    await press('{ArrowDown}{ArrowDown}{ArrowUp}{Enter}');
    await focus('id', 'field-credentials.api_key');
    await press(`${secret}{Enter}`);
    await until(() => {
      expect(focused()?.textContent.trim()).toBe('Done');
    });
    await press('{Enter}');
    await focus('part', 'connector');
    await press('{Enter}');
    await focus('part', 'back-button');
    await press('{Tab}{Tab}{Tab}{Enter}');
    await focus('class', 'button cancel target');
    await press('{Tab}{Enter}');
    await until(() => {
      expect(focused()?.textContent.trim()).toBe('Undo');
    });
    await press('{Tab}{Enter}');
    await focus('part', 'search-input');

    expect(harness.announcements.filter(sentence => sentence !== '')).toEqual([
      '8 sources',
      'Opening Granola',
      'Connect Granola',
      'Connecting Granola…',
      'Granola is connected',
      'Connect a source',
      'Granola',
      'Disconnect Granola?',
      'Disconnecting…',
      'Granola is disconnected',
      'Connect a source',
    ]);
  });

  test('moves focus to the ends of the list with Home and End', async () => {
    const harness = mountWidget();
    (await harness.find('[data-id="def-gong"]')).focus();
    await userEvent.keyboard('{End}');
    expect(focused()?.getAttribute('data-id')).toBe('def-tiktok-marketing');
    await userEvent.keyboard('{Home}');
    expect(focused()?.getAttribute('data-id')).toBe('def-granola');
  });

  test('draws the focus ring on the row that an arrow key reaches after a click into the search field', async () => {
    const harness = mountWidget(withSearch);
    await harness.find('[data-id]');
    await userEvent.click(await harness.find('input'));
    await userEvent.keyboard('{ArrowDown}');
    expect(focused()?.matches('.row:focus-visible')).toBe(true);
  });

  test('moves focus to each step in browsers that do not focus clicked buttons', async () => {
    const harness = mountWidget({
      ...withMine(connector({ id: 'mine-1', definition_id: 'def-gong' })),
      [createRoute]: () =>
        problem(422, 'credentials_refused', {
          errors: [{ path: 'credentials.api_key', message: 'is not valid' }],
        }),
    });
    // Safari on macOS leaves the focus to the body.
    harness.widget.addEventListener('mousedown', event => {
      event.preventDefault();
      if (focused() instanceof HTMLElement) (focused() as HTMLElement).blur();
    });
    const focus = (selector: string) =>
      until(() => {
        expect(focused()?.matches(selector)).toBe(true);
      });
    await userEvent.click(await harness.find('[data-id="def-granola"]'));
    await focus(keyField);
    await userEvent.keyboard(secret);
    await userEvent.click(await harness.find('[part="primary-button"]'));
    await focus('[aria-invalid="true"]');
    await userEvent.click(await harness.find('[part="back-button"]'));
    await userEvent.click(await harness.find('[data-id="mine-1"]'));
    await focus('[part="back-button"]');
    await userEvent.click(await harness.find('[part="rename-button"]'));
    await focus('input');
  });

  test('announces the number of results only after the user stops typing', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const harness = mountWidget(withSearch);
    const search = (await harness.find('input')) as HTMLInputElement;
    for (const query of ['g', 'go', 'gon']) {
      search.value = query;
      search.dispatchEvent(new InputEvent('input', { bubbles: true }));
      await harness.widget.updateComplete;
      vi.advanceTimersByTime(300);
    }
    vi.advanceTimersByTime(600);
    await until(() => {
      expect(harness.announcements).toEqual(['8 sources', '1 source']);
    });
  });
});

describe('guest in a page', () => {
  test('aborts requests when the element is removed and restarts when it is inserted again', async () => {
    const harness = mountWidget({ [listRoute]: never });
    await until(() => {
      expect(harness.service.requestsTo(listRoute)).toHaveLength(1);
    });
    const signal = harness.service.requestsTo(listRoute)[0]?.signal;
    harness.widget.remove();
    await until(() => {
      expect(signal?.aborted).toBe(true);
    });
    expect(harness.events).toEqual([]);
    harness.service.use({ [listRoute]: () => json({ definitions: sources }) });
    document.body.append(harness.widget);
    await harness.find('[data-id]');
  });

  test('keeps the user’s input when the page moves the element', async () => {
    const harness = mountWidget();
    await userEvent.fill(await openForm(harness), secret);
    const place = document.createElement('div');
    document.body.append(place);
    onTestFinished(() => {
      place.remove();
    });
    place.append(harness.widget);
    await harness.widget.updateComplete;
    await Promise.resolve();
    expect(harness.widget.shadowRoot?.querySelector<HTMLInputElement>(keyField)?.value).toBe(secret);
  });

  test('leaves no listener, timer, style or global variable behind after removal', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const targets = [window, document, document.body, document.documentElement];
    const added = targets.map(target => vi.spyOn(target, 'addEventListener'));
    const globals = new Set(Object.getOwnPropertyNames(window));
    const head = document.head.innerHTML;
    const harness = mountWidget();
    await connect(harness);
    await harness.find('.icon-circle.good');
    (await harness.find('.primary')).click();
    (await harness.find('[part="connector"]')).click();
    await harness.find('[part="rename-button"]');
    // The screen polls the displayed connector, and its times advance.
    expect(vi.getTimerCount()).toBeGreaterThan(1);
    // What the start left for the next task has run long before anyone removes the widget.
    vi.advanceTimersByTime(0);
    harness.widget.remove();
    await nextTask();
    expect(vi.getTimerCount()).toBe(0);
    for (const spy of added) expect(spy).not.toHaveBeenCalled();
    expect(document.head.innerHTML).toBe(head);
    expect(Object.getOwnPropertyNames(window).filter(name => !globals.has(name))).toEqual([]);
  });

  test('renders no style elements, and sets no style but the hue of a letter tile', async () => {
    const harness = mountWidget();
    await connect(harness);
    await harness.find('.icon-circle.good');
    expect(harness.widget.shadowRoot?.querySelector('style, [style]:not(.letter)')).toBeNull();
    expect(harness.widget.shadowRoot?.adoptedStyleSheets.length).toBeGreaterThan(0);
    expect(harness.widget.hasAttribute('style')).toBe(false);
  });

  test('has the same height on every screen', async () => {
    const harness = mountWidget({ ...withSearch, ...withMine(connector({ id: 'mine-1' })) });
    const below = document.createElement('p');
    document.body.append(below);
    onTestFinished(() => {
      below.remove();
    });
    await harness.widget.updateComplete;
    const { top } = below.getBoundingClientRect();
    const tops = new Set<number>();
    const watch = () => {
      tops.add(below.getBoundingClientRect().top);
      if (below.isConnected) requestAnimationFrame(watch);
    };
    requestAnimationFrame(watch);
    await userEvent.fill(await harness.find('input'), 'nothing like it');
    await harness.find('.empty-state');
    (await harness.find('.empty-state .button')).click();
    await connect(harness);
    await harness.find('.good');
    (await harness.find('.button')).click();
    (await harness.find('[data-id="mine-1"]')).click();
    (await harness.find('[part="disconnect-button"]')).click();
    await harness.find('.cancel');
    expect([...tops]).toEqual([top]);
  });

  test('works independently of a second widget on the page', async () => {
    const one = mountWidget();
    const other = mountWidget({ [listRoute]: () => json({ definitions: [] }) });
    await other.find('.empty-state');
    await openForm(one);
    expect(other.widget.shadowRoot?.querySelector('form')).toBeNull();
  });

  test('names the provider once in the console if widgets with the same token do not share a flow', async () => {
    const logged = vi.spyOn(console, 'info').mockImplementation(() => {});
    const one = mountWidget();
    await one.find('[data-id]');
    const alike = () =>
      mountWidget({}, widget => {
        widget.tokenUrl = one.widget.tokenUrl;
      });
    mountWidget();
    one.widget.remove();
    document.body.append(one.widget);
    await one.find('[data-id]');
    expect(logged.mock.calls).toEqual([]);
    for (const { find } of [alike(), alike()]) await find('[data-id]');
    expect(logged.mock.calls).toEqual([[expect.stringContaining('<connector-auth-provider>')]]);
  });

  test('leaves no listener, node or request behind after 300 mounts', async () => {
    const targets = [window, document, document.body, document.documentElement];
    const added = targets.map(target => vi.spyOn(target, 'addEventListener'));
    const nodes = document.querySelectorAll('*').length;
    const service = new FakeService({ [listRoute]: never });
    onTestFinished(() => {
      service.close();
    });
    for (let time = 0; time < 300; time++) {
      const widget = document.createElement('connector-auth');
      useTokenUrl(widget, service);
      document.body.append(widget);
      await widget.updateComplete;
      widget.remove();
    }
    for (const spy of added) expect(spy).not.toHaveBeenCalled();
    expect(document.querySelectorAll('*')).toHaveLength(nodes);
    await until(() => {
      expect(service.requests.filter(({ signal }) => !signal.aborted).length).toBe(0);
    });
  });

  test('ignores messages from other scripts', async () => {
    const harness = mountWidget();
    await openForm(harness);
    const before = harness.widget.shadowRoot?.innerHTML;
    const events = harness.events.length;
    for (const type of ['connector-auth-connected', 'oauth', 'success', 'flow']) {
      window.postMessage(
        { type, secret_id: 'forged', status: 'completed', connector: { id: 'forged' } },
        '*',
      );
    }
    // Messages arrive in order, and this message is the last.
    await new Promise(resolve => {
      window.addEventListener('message', ({ data }) => {
        if (data === 'last') resolve(null);
      });
      window.postMessage('last', '*');
    });
    await harness.widget.updateComplete;
    expect(harness.widget.shadowRoot?.innerHTML).toBe(before);
    expect(harness.events).toHaveLength(events);
  });

  test('reloads the catalog from any screen with reload()', async () => {
    const harness = mountWidget();
    await openForm(harness);
    const ready = harness.nextEvent('connector-auth-ready');
    harness.widget.reload();
    expect(await ready).toMatchObject({ sources: 4 });
    expect(harness.service.requestsTo(listRoute)).toHaveLength(2);
    await harness.find('[data-id]');
  });

  test('exposes the package version', () => {
    expect(version).toBe(packageJson.version);
  });
});

describe('accent colours', () => {
  const accents = [
    '#000',
    '#fff',
    '#808080',
    '#777',
    '#ff0',
    '#0ff',
    '#00f',
    '#e91e63',
    '#3150d3',
    '#0a7',
    '#767676',
  ];

  test('renders text with enough contrast on every accent', async () => {
    const harness = mountWidget({ [listRoute]: outage });
    // Otherwise, colours would change gradually.
    harness.widget.setAttribute('motion', 'reduce');
    const button = await harness.find('.primary');
    for (const accent of accents) {
      harness.widget.style.setProperty('--connector-auth-accent', accent);
      const { backgroundColor, color } = getComputedStyle(button);
      expect.soft(contrast(luminance(backgroundColor), luminance(color)), accent).toBeGreaterThanOrEqual(4.5);
    }
  });

  test.each(['light', 'dark'] as const)(
    'links and badges have enough contrast with every accent in %s',
    async theme => {
      const harness = mountWidget({
        [`${listRoute}/*`]: () =>
          json(detail({ auth_methods: [{ ...apiKeyMethod, help_url: 'https://example.com' }] })),
      });
      harness.widget.theme = theme;
      harness.widget.setAttribute('motion', 'reduce');
      const surface = getComputedStyle(await harness.find('.panel')).backgroundColor;
      const expectContrast = async (selector: string) => {
        const element = await harness.find(selector);
        for (const accent of accents) {
          harness.widget.style.setProperty('--connector-auth-accent', accent);
          const { color } = getComputedStyle(element);
          expect
            .soft(contrast(luminance(surface), luminance(color)), `${selector} with ${accent}`)
            .toBeGreaterThanOrEqual(4.5);
        }
      };
      await expectContrast('.badge');
      await openForm(harness);
      await expectContrast('.link');
    },
  );
});

/** Resolves in a new task, after all microtasks. */
function nextTask(): Promise<unknown> {
  const { port1, port2 } = new MessageChannel();
  return new Promise(resolve => {
    port1.addEventListener('message', resolve, { once: true });
    port1.start();
    port2.postMessage(null);
  });
}

/** Returns the WCAG relative luminance of a CSS colour as the browser paints it. */
function luminance(color: string): number {
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  if (context === null) throw new Error('No canvas');
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = [...context.getImageData(0, 0, 1, 1).data].map(byte => {
    const value = byte / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}
