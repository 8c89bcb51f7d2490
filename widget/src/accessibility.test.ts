/// <reference types="@vitest/browser-playwright" />
import axe from 'axe-core';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { cdp } from 'vitest/browser';
import { PretendService } from '../gallery/pretend-service.ts';
import { scenes, setScene, type Scene } from '../gallery/scenes.ts';
import type { ConnectorAuthElement } from './index.ts';
import './index.ts';

afterEach(() => {
  vi.restoreAllMocks();
  document.body.replaceChildren();
});

/** What axe found, in lines one can act on; of one rule only if it is given. */
async function findings(element: Element, rule?: string): Promise<readonly string[]> {
  const { violations } = await axe.run(element, {
    resultTypes: ['violations'],
    ...(rule === undefined
      ? // Belongs to the page around the widget.
        { rules: { region: { enabled: false }, 'page-has-heading-one': { enabled: false } } }
      : { runOnly: rule }),
  });
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id}: ${help} at ${JSON.stringify(target)}: ${failureSummary}`,
    ),
  );
}

const named = scenes.map(scene => [scene.name, scene] as const);

/** Sets a scene for the length of the test, with its movements over: things are measured where they end. */
async function set(scene: Scene, parent: Element = document.body): Promise<ConnectorAuthElement> {
  // One scene is a mistake in the set-up, which is logged.
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const service = new PretendService(scene.routes);
  onTestFinished(() => {
    service.close();
  });
  const widget = await setScene(scene, parent, service);
  finishMovements(widget);
  return widget;
}

function finishMovements(widget: ConnectorAuthElement): void {
  for (const animation of widget.shadowRoot?.getAnimations() ?? []) animation.cancel();
}

/** What a finger or the keyboard reaches, as it is drawn. */
function targets({ shadowRoot }: ConnectorAuthElement): readonly HTMLElement[] {
  const all = shadowRoot?.querySelectorAll<HTMLElement>('button, input, select, textarea, a') ?? [];
  return [...all].filter(target => target.checkVisibility());
}

describe.each(['ltr', 'rtl'])('%s', direction => {
  describe.each(['inline', 'modal'])('%s', place => {
    it.each(named)('%s has nothing axe objects to, light or dark', async (_name, scene) => {
      document.documentElement.dir = direction;
      onTestFinished(() => {
        document.documentElement.removeAttribute('dir');
        document.body.removeAttribute('style');
      });
      const widget = await set({
        ...scene,
        attributes: { ...scene.attributes, theme: scene.attributes?.['theme'] ?? 'light' },
      });
      if (place === 'modal') {
        widget.open();
        await widget.updateComplete;
        finishMovements(widget);
      }
      expect(await findings(widget)).toEqual([]);
      document.body.style.background = '#0c0d10';
      widget.theme = 'dark';
      await widget.updateComplete;
      finishMovements(widget);
      expect(await findings(widget, 'color-contrast')).toEqual([]);
    });
  });
});

describe.each([
  ['a small phone, or 400 % zoom', 320, 'medium'],
  ['a phone with letters of twice the size', 390, '32px'],
  ['a sidebar', 280, 'medium'],
  ['half a screen, or 200 % zoom', 640, 'medium'],
  ['a 4K screen', 3840, 'medium'],
])('at the width of %s', (_what, width, fontSize) => {
  it.each(named)('%s fits, and its targets are large enough', async (_name, scene) => {
    const parent = document.createElement('div');
    parent.style.cssText = `inline-size: ${width}px; --connector-auth-font-size: ${fontSize}`;
    document.body.append(parent);
    const widget = await set(scene, parent);
    const panel = widget.shadowRoot?.querySelector('.panel');
    expect(panel?.scrollWidth).toBeLessThanOrEqual(panel?.clientWidth ?? 0);
    for (const target of targets(widget)) {
      // A checkbox is pressed by its label as well.
      const { height, width } = (target.closest('label') ?? target).getBoundingClientRect();
      expect(Math.min(height, width), target.outerHTML).toBeGreaterThanOrEqual(24);
    }
  });
});

it.each(named)('%s shows where the focus is', async (_name, scene) => {
  const widget = await set(scene);
  for (const target of targets(widget)) {
    target.focus({ focusVisible: true });
    const { outlineStyle, outlineWidth } = getComputedStyle(target);
    expect(`${outlineStyle} ${outlineWidth}`, target.outerHTML).toMatch(/^(solid|auto) [2-9]px$/);
  }
});

describe('with settings of the person', () => {
  const emulate = (features: { name: string; value: string }[]) =>
    cdp().send('Emulation.setEmulatedMedia', { features });
  afterEach(() => emulate([]));

  it.each(named)('%s stays still where reduced motion is asked for', async (_name, scene) => {
    await emulate([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
    const service = new PretendService(scene.routes);
    onTestFinished(() => {
      service.close();
    });
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const widget = await setScene(scene, document.body, service);
    expect(widget.shadowRoot?.getAnimations()).toEqual([]);
  });

  it('keeps edges, focus and the state of a connector in forced colours', async () => {
    await emulate([{ name: 'forced-colors', value: 'active' }]);
    const scene = scenes.find(({ name }) => name === 'catalog with connectors');
    if (scene === undefined) throw new Error('No such scene');
    const widget = await set(scene);
    expect(matchMedia('(forced-colors: active)').matches).toBe(true);
    const tile = widget.shadowRoot?.querySelector('.tile');
    expect(tile && getComputedStyle(tile).borderStyle).toBe('solid');
    const row = widget.shadowRoot?.querySelector<HTMLElement>('.row');
    row?.focus({ focusVisible: true });
    expect(row && getComputedStyle(row).outlineStyle).toBe('solid');
    // Said in words too, not by colour alone.
    expect(widget.shadowRoot?.querySelector('.status.needs_reauth')?.textContent.trim()).toBe(
      'Needs attention',
    );
  });
});

it('would see a text that is too pale', async () => {
  const [catalog] = scenes;
  if (catalog === undefined) throw new Error('No scene');
  const widget = await set(catalog);
  widget.style.setProperty('--connector-auth-muted', '#ccc');
  finishMovements(widget);
  expect((await findings(widget)).join()).toContain('color-contrast');
});
