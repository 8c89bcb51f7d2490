import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { FakeService, json } from '../gallery/fake-service.ts';
import { appearing, scenes, setScene } from '../gallery/scenes.ts';
import { expectText, listRoute } from '../test/actions.ts';
import { mountWidget, useTokenUrl } from '../test/harness.ts';
import { until } from '../test/until.ts';
// oxlint-disable-next-line default -- Vite exports the text
import source from './connector-auth.ts?raw';

test('shows all text in a part, and exactly the documented parts, slots and custom properties', async () => {
  // One scene has invalid settings, which the widget logs.
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const found = { parts: new Set<string>(), slots: new Set<string>(), sheets: new Set<CSSStyleSheet>() };
  const outside: Record<string, readonly string[]> = {};
  // Computing the layout would take half of the time.
  const parent = document.createElement('div');
  parent.hidden = true;
  document.body.append(parent);
  onTestFinished(() => {
    parent.remove();
  });
  for (const scene of scenes) {
    const service = new FakeService(scene.routes);
    const widget = await setScene(scene, parent, service);
    collect(widget);
    const texts = textOutsideParts(widget);
    if (texts.length > 0) outside[scene.name] = texts;
    if (scene.name === 'catalog') {
      widget.open();
      await appearing(widget, 'dialog');
      collect(widget);
    }
    widget.remove();
    service.close();
  }
  expect(outside).toEqual({});
  expect([...found.parts].sort()).toEqual(documented('csspart'));
  expect([...found.slots].sort()).toEqual(documented('slot'));
  const rules = [...found.sheets]
    .flatMap(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText))
    .join('');
  const properties = [...rules.matchAll(/var\(\s*(--connector-auth-[a-z-]+)/g)].map(([, name = '']) => name);
  expect([...new Set(properties)].sort()).toEqual(documented('cssproperty'));

  /** Returns the names in the comment above the class. */
  function documented(tag: string): readonly string[] {
    return [...source.matchAll(new RegExp(`@${tag} (\\S+)`, 'g'))].map(([, name = '']) => name).sort();
  }

  function collect({ shadowRoot: root }: HTMLElement) {
    for (const element of root?.querySelectorAll('[part]') ?? []) {
      for (const part of element.part) found.parts.add(part);
    }
    for (const { name } of root?.querySelectorAll('slot') ?? []) found.slots.add(name);
    for (const sheet of root?.adoptedStyleSheets ?? []) found.sheets.add(sheet);
  }
});

/** Returns the visible text of a widget that pages cannot style. */
function textOutsideParts({ shadowRoot }: HTMLElement): readonly string[] {
  const panel = shadowRoot?.querySelector('.panel');
  if (!panel) throw new Error('No panel');
  const texts = document.createTreeWalker(panel, NodeFilter.SHOW_TEXT);
  const outside: string[] = [];
  while (texts.nextNode()) {
    const { parentElement, textContent } = texts.currentNode;
    if (textContent === null || textContent.trim() === '' || parentElement === null) continue;
    const part = parentElement.closest('[part]');
    const isHidden = parentElement.closest('.visually-hidden') !== null;
    if (!isHidden && (part === null || part === panel)) outside.push(textContent.trim());
  }
  return outside;
}

describe('slots', () => {
  const fill = (slot: string, words: string) => (widget: HTMLElement, service: FakeService) => {
    const own = document.createElement('p');
    own.slot = slot;
    own.textContent = words;
    widget.append(own);
    useTokenUrl(widget as Parameters<typeof useTokenUrl>[0], service);
  };

  test.each(['header', 'footer'])('renders the slot %s in the panel on every screen', async slot => {
    const { widget, find } = mountWidget({}, fill(slot, 'Own words'));
    const source = await find('[data-id="def-granola"]');
    const panel = await find('.scroller');
    expect(panel.scrollHeight).toBe(panel.clientHeight);
    source.click();
    await find('form');
    const own = widget.querySelector('p');
    expect(own?.checkVisibility()).toBe(true);
    expect(own?.assignedSlot?.closest('[part="panel"]')).not.toBeNull();
    const screen = (await find('form')).getBoundingClientRect();
    const { top } = own?.getBoundingClientRect() ?? new DOMRect();
    expect(top < screen.top).toBe(slot === 'header');
  });

  test('replaces the message about missing sources with the content of the slot empty', async () => {
    const harness = mountWidget({ [listRoute]: () => json({ definitions: [] }) }, fill('empty', 'Ask sales'));
    await harness.find('slot[name="empty"]');
    const own = harness.widget.querySelector('p');
    await until(() => {
      expect(own?.checkVisibility()).toBe(true);
    });
    const message = await harness.find('slot[name="empty"] [part="message"]');
    expect(message.checkVisibility()).toBe(false);
    await expectText(harness, '.head [part="title"]', 'Connect a source');
  });

  test('reserves no space for empty slots', async () => {
    const { find } = mountWidget();
    // `offsetTop` is the final position, regardless of the animation that moves the screen there.
    expect((await find('.top')).offsetTop).toBe(0);
  });
});
