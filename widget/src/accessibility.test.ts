/// <reference types="@vitest/browser-playwright" />
import axe from 'axe-core';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { cdp } from 'vitest/browser';
import { FakeService } from '../gallery/fake-service.ts';
import { scenes, setScene, type Scene } from '../gallery/scenes.ts';
import type { ConnectorAuthElement } from './index.ts';
import './index.ts';

afterEach(() => {
  vi.restoreAllMocks();
  document.body.replaceChildren();
});

/** Belong to the page around the widget. */
const rulesOfPages = ['region', 'page-has-heading-one'];
/** Are broken by having several widgets in one page. */
const rulesOfOne = ['landmark-no-duplicate-banner', 'landmark-unique'];

/** What axe found, in lines one can act on: by all rules but some, or by a few only. */
async function findings(
  element: Element,
  { without = [], only }: { readonly without?: readonly string[]; readonly only?: string[] } = {},
): Promise<readonly string[]> {
  const off = [...rulesOfPages, ...without].map(rule => [rule, { enabled: false }] as const);
  const { violations } = await axe.run(element, {
    resultTypes: ['violations'],
    ...(only === undefined ? { rules: Object.fromEntries(off) } : { runOnly: only }),
  });
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id}: ${help} at ${JSON.stringify(target)}: ${failureSummary}`,
    ),
  );
}

const named = scenes.map(scene => [scene.name, scene] as const);

/**
 * Sets a scene for the length of the test, with its movements over unless told: things are measured where
 * they end.
 */
async function set(
  scene: Scene,
  parent: Element = document.body,
  { isFinished = true } = {},
): Promise<ConnectorAuthElement> {
  // One scene is a mistake in the set-up, which is logged.
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const service = new FakeService(scene.routes);
  onTestFinished(() => {
    service.close();
  });
  const widget = await setScene(scene, parent, service);
  if (isFinished) finishMovements(widget);
  return widget;
}

function finishMovements(widget: ConnectorAuthElement): void {
  for (const animation of widget.shadowRoot?.getAnimations() ?? []) animation.cancel();
}

/** Sets every scene, one below the other in one page. */
async function setAll(
  parent: Element = document.body,
): Promise<readonly (readonly [string, ConnectorAuthElement])[]> {
  const all: [string, ConnectorAuthElement][] = [];
  for (const scene of scenes) all.push([scene.name, await set(scene, parent)]);
  return all;
}

/** What a finger or the keyboard reaches, as it is drawn. */
function targets({ shadowRoot }: ConnectorAuthElement): readonly HTMLElement[] {
  const all = shadowRoot?.querySelectorAll<HTMLElement>('button, input, select, textarea, a') ?? [];
  return [...all].filter(target => target.checkVisibility());
}

/** What `look` finds in light and then in dark, after it was told which. */
async function inBothThemes(
  widgets: readonly ConnectorAuthElement[],
  look: (isDark: boolean) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const isDark of [false, true]) {
    document.body.style.background = isDark ? '#0c0d10' : '';
    for (const widget of widgets) {
      widget.theme = isDark ? 'dark' : 'light';
      await widget.updateComplete;
      finishMovements(widget);
    }
    found.push(...(await look(isDark)).map(finding => `${isDark ? 'dark' : 'light'}, ${finding}`));
  }
  return found;
}

describe.each(['ltr', 'rtl'])('%s', direction => {
  beforeEach(() => {
    document.documentElement.dir = direction;
  });
  afterEach(() => {
    document.documentElement.removeAttribute('dir');
    document.body.removeAttribute('style');
  });

  it('axe objects to nothing in any state, light or dark', async () => {
    // At once, which takes axe half the time; the way to an element it complains of begins with its scene.
    const widgets = (await setAll()).map(([name, widget]) => Object.assign(widget, { id: name }));
    const found = await inBothThemes(widgets, isDark =>
      findings(document.body, isDark ? { only: ['color-contrast'] } : { without: rulesOfOne }),
    );
    expect(found).toEqual([]);
  });

  it.each(named)('axe objects to nothing in a dialog with %s, light or dark', async (_name, scene) => {
    const widget = await set(scene);
    expect(await findings(widget, { only: rulesOfOne })).toEqual([]);
    widget.open();
    const found = await inBothThemes([widget], isDark =>
      findings(widget, isDark ? { only: ['color-contrast'] } : {}),
    );
    expect(found).toEqual([]);
  });
});

it.each([
  ['a small phone, or 400 % zoom', 320, 'medium'],
  ['a phone with letters of twice the size', 390, '32px'],
  ['a sidebar', 280, 'medium'],
  ['half a screen, or 200 % zoom', 640, 'medium'],
  ['a 4K screen', 3840, 'medium'],
])(
  'at the width of %s every state fits, and its targets are large enough',
  async (_what, width, fontSize) => {
    const parent = document.createElement('div');
    parent.style.cssText = `inline-size: ${width}px; --connector-auth-font-size: ${fontSize}`;
    document.body.append(parent);
    for (const [name, widget] of await setAll(parent)) {
      const panel = widget.shadowRoot?.querySelector('.panel');
      expect(panel?.clientWidth, name).toBeGreaterThan(0);
      expect(panel?.scrollWidth, name).toBeLessThanOrEqual(panel?.clientWidth ?? 0);
      for (const target of targets(widget)) {
        // A checkbox is pressed by its label as well.
        const { height, width } = (target.closest('label') ?? target).getBoundingClientRect();
        expect(Math.min(height, width), `${name}: ${target.outerHTML}`).toBeGreaterThanOrEqual(24);
      }
    }
  },
);

it('every state shows where the focus is', async () => {
  for (const [name, widget] of await setAll()) {
    for (const target of targets(widget)) {
      target.focus({ focusVisible: true });
      const { outlineStyle, outlineWidth } = getComputedStyle(target);
      expect(`${outlineStyle} ${outlineWidth}`, `${name}: ${target.outerHTML}`).toMatch(
        /^(solid|auto) [2-9]px$/,
      );
    }
  }
});

describe('with settings of the person', () => {
  const emulate = (features: { name: string; value: string }[]) =>
    cdp().send('Emulation.setEmulatedMedia', { features });
  afterEach(() => emulate([]));

  it('every state stays still where reduced motion is asked for', async () => {
    await emulate([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
    for (const scene of scenes) {
      const widget = await set(scene, document.body, { isFinished: false });
      expect(widget.shadowRoot?.getAnimations(), scene.name).toEqual([]);
    }
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
