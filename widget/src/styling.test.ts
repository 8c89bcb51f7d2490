import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { FakeService, json } from '../gallery/fake-service.ts';
import { scenes, setScene } from '../gallery/scenes.ts';
import { listRoute, text } from '../test/actions.ts';
import { mountWidget, useTokenUrl } from '../test/harness.ts';
import { until } from '../test/until.ts';

describe('everything a person reads', () => {
  it.each(scenes.map(scene => [scene.name, scene] as const))('is in a part: %s', async (_name, scene) => {
    // One scene is a mistake in the set-up, which is logged.
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const service = new FakeService(scene.routes);
    const widget = await setScene(scene, document.body, service);
    onTestFinished(() => {
      widget.remove();
      service.close();
    });
    const panel = widget.shadowRoot?.querySelector('.panel');
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
    expect(outside).toEqual([]);
  });
});

describe('slots', () => {
  const fill = (slot: string, words: string) => (widget: HTMLElement, service: FakeService) => {
    const own = document.createElement('p');
    own.slot = slot;
    own.textContent = words;
    widget.append(own);
    useTokenUrl(widget as Parameters<typeof useTokenUrl>[0], service);
  };

  it.each(['header', 'footer'])('%s stands in the panel on every screen', async slot => {
    const { widget, find } = mountWidget({}, fill(slot, 'Own words'));
    const source = await find('[data-id="def-granola"]');
    const panel = await find('.panel');
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

  it('empty stands in place of our own words, when there is nothing to list', async () => {
    const harness = mountWidget({ [listRoute]: () => json({ definitions: [] }) }, fill('empty', 'Ask sales'));
    await harness.find('slot[name="empty"]');
    const own = harness.widget.querySelector('p');
    await until(() => {
      expect(own?.checkVisibility()).toBe(true);
    });
    const message = await harness.find('slot[name="empty"] [part="message"]');
    expect(message.checkVisibility()).toBe(false);
    expect(await text(harness, '.head [part="title"]')).toBe('Connect a source');
  });

  it('take no room when they are empty', async () => {
    const { find } = mountWidget();
    // Where it is laid out: it is moved there by an animation.
    expect((await find('.top')).offsetTop).toBe(0);
  });
});
