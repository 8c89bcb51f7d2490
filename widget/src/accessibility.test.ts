/// <reference types="@vitest/browser-playwright" />
import axe from 'axe-core';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { cdp, server } from 'vitest/browser';
import { FakeService } from '../gallery/fake-service.ts';
import { scenes, setScene, type Scene } from '../gallery/scenes.ts';
import type { ConnectorAuthElement } from './index.ts';
import './index.ts';

afterEach(() => {
  vi.restoreAllMocks();
  document.body.replaceChildren();
});

/** Whether `pnpm test:full` runs the tests. */
const isFull = server.config.env['TEST_FULL'] !== undefined;

/** The axe rules that concern only the page around the widget. */
const rulesOfPages = ['region', 'page-has-heading-one'];
/** The axe rules that several widgets on one page violate. */
const rulesOfOne = ['landmark-no-duplicate-banner', 'landmark-unique'];

/** Returns one line for each violation that axe found, with some rules excluded or only a few included. */
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
 * Mounts a scene until the test ends. Finishes its animations by default, so that the final layout is
 * measured.
 */
async function mountScene(
  scene: Scene,
  parent: Element = document.body,
  { isFinished = true } = {},
): Promise<ConnectorAuthElement> {
  // One scene has invalid settings, which the widget logs.
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const service = new FakeService(scene.routes);
  onTestFinished(() => {
    service.close();
  });
  const widget = await setScene(scene, parent, service);
  if (isFinished) finishAnimations(widget);
  return widget;
}

function finishAnimations(widget: ConnectorAuthElement): void {
  for (const animation of widget.shadowRoot?.getAnimations() ?? []) animation.cancel();
}

/** Mounts every scene in one page. */
async function mountAllScenes(
  parent: Element = document.body,
): Promise<readonly (readonly [string, ConnectorAuthElement])[]> {
  const all: [string, ConnectorAuthElement][] = [];
  for (const scene of scenes) all.push([scene.name, await mountScene(scene, parent)]);
  return all;
}

/** Returns the visible controls that are not disabled. */
function targets({ shadowRoot }: ConnectorAuthElement): readonly HTMLElement[] {
  const all = shadowRoot?.querySelectorAll<HTMLElement>('button, input, select, textarea, a, summary') ?? [];
  return [...all].filter(
    target => target.checkVisibility({ visibilityProperty: true }) && !target.matches(':disabled'),
  );
}

/** Returns the results of `check` in the light theme and then in the dark theme. */
async function inBothThemes(
  widgets: readonly ConnectorAuthElement[],
  check: (isDark: boolean) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const isDark of [false, true]) {
    document.body.style.background = isDark ? '#0c0d10' : '';
    for (const widget of widgets) {
      widget.theme = isDark ? 'dark' : 'light';
      await widget.updateComplete;
      finishAnimations(widget);
    }
    found.push(...(await check(isDark)).map(finding => `${isDark ? 'dark' : 'light'}, ${finding}`));
  }
  return found;
}

describe.each(isFull ? ['ltr', 'rtl'] : ['ltr'])('%s', direction => {
  beforeEach(() => {
    document.documentElement.dir = direction;
  });
  afterEach(() => {
    document.documentElement.removeAttribute('dir');
    document.body.removeAttribute('style');
  });

  test('has no axe violations in any state in the light or dark theme', async () => {
    // All scenes are checked at once, which halves the time. The id identifies the scene in a violation.
    const widgets = (await mountAllScenes()).map(([name, widget]) => Object.assign(widget, { id: name }));
    const found = await inBothThemes(widgets, isDark =>
      findings(document.body, isDark ? { only: ['color-contrast'] } : { without: rulesOfOne }),
    );
    expect(found).toEqual([]);
  });

  test.each(isFull ? named : named.slice(0, 6))(
    'has no axe violations in a dialog with %s in the light or dark theme',
    async (_name, scene) => {
      const widget = await mountScene(scene);
      expect(await findings(widget, { only: rulesOfOne })).toEqual([]);
      widget.open();
      const found = await inBothThemes([widget], isDark =>
        findings(widget, isDark ? { only: ['color-contrast'] } : {}),
      );
      expect(found).toEqual([]);
    },
  );
});

test.each([
  ['a small phone or 400 % zoom', 320, 'medium'],
  ['a phone with text twice as large', 390, '32px'],
  ...(isFull
    ? [
        ['a sidebar', 280, 'medium'],
        ['half a screen or 200 % zoom', 640, 'medium'],
        ['a 4K screen', 3840, 'medium'],
      ]
    : []),
])('every state fits %s, with targets that are large enough', async (_what, width, fontSize) => {
  const parent = document.createElement('div');
  parent.style.cssText = `inline-size: ${width}px; --connector-auth-font-size: ${fontSize}`;
  document.body.append(parent);
  for (const [name, widget] of await mountAllScenes(parent)) {
    finishAnimations(widget);
    const panel = widget.shadowRoot?.querySelector('.scroller');
    expect(panel?.clientWidth, name).toBeGreaterThan(0);
    expect(panel?.scrollWidth, name).toBeLessThanOrEqual(panel?.clientWidth ?? 0);
    for (const target of targets(widget)) {
      // Users can also click the label of a checkbox.
      const { height, width } = (target.closest('label') ?? target).getBoundingClientRect();
      expect(Math.min(height, width), `${name}: ${target.outerHTML}`).toBeGreaterThanOrEqual(24);
    }
  }
});

test('shows which element has focus in every state', async () => {
  for (const [name, widget] of await mountAllScenes()) {
    for (const target of targets(widget)) {
      target.focus({ focusVisible: true });
      const { outlineStyle, outlineWidth } = getComputedStyle(target);
      expect(`${outlineStyle} ${outlineWidth}`, `${name}: ${target.outerHTML}`).toMatch(
        /^(solid|auto) [2-9]px$/,
      );
    }
  }
});

// Only Chromium can imitate these preferences in a test.
if (server.browser === 'chromium') {
  describe('user preferences', () => {
    const emulate = (features: { name: string; value: string }[]) =>
      cdp().send('Emulation.setEmulatedMedia', { features });
    afterEach(() => emulate([]));

    /** Returns the animated properties of a scene that move something. */
    const movedIn = async (scene: Scene) => {
      const moving = ['translate', 'rotate', 'scale', 'transform', 'strokeDashoffset'];
      const widget = await mountScene(scene, document.body, { isFinished: false });
      const frames = (widget.shadowRoot?.getAnimations() ?? []).flatMap(({ effect }) =>
        effect instanceof KeyframeEffect ? effect.getKeyframes() : [],
      );
      return frames.flatMap(frame => moving.filter(property => property in frame));
    };

    test('moves nothing in any state if the user prefers reduced motion', async () => {
      await emulate([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
      for (const scene of scenes) expect(await movedIn(scene), scene.name).toEqual([]);
    });

    test.each(['form', 'connected'])('moves nothing in “%s” with motion="reduce"', async name => {
      const scene = scenes.find(scene => scene.name === name);
      if (scene === undefined) throw new Error('No such scene');
      expect(await movedIn(scene)).not.toEqual([]);
      expect(await movedIn({ ...scene, attributes: { ...scene.attributes, motion: 'reduce' } })).toEqual([]);
    });

    test('keeps borders, focus and connector states visible in forced colours', async () => {
      await emulate([{ name: 'forced-colors', value: 'active' }]);
      const scene = scenes.find(({ name }) => name === 'catalog with connectors');
      if (scene === undefined) throw new Error('No such scene');
      const widget = await mountScene(scene);
      expect(matchMedia('(forced-colors: active)').matches).toBe(true);
      const tile = widget.shadowRoot?.querySelector('.tile');
      expect(tile && getComputedStyle(tile).borderStyle).toBe('solid');
      const row = widget.shadowRoot?.querySelector<HTMLElement>('.row');
      row?.focus({ focusVisible: true });
      expect(row && getComputedStyle(row).outlineStyle).toBe('solid');
      // The state must also be shown as text, not only by colour.
      expect(widget.shadowRoot?.querySelector('.status.expired')?.textContent.trim()).toBe('Sign-in expired');
    });
  });
}

test('detects text with insufficient contrast', async () => {
  const [catalog] = scenes;
  if (catalog === undefined) throw new Error('No scene');
  const widget = await mountScene(catalog);
  widget.style.setProperty('--connector-auth-muted', '#ccc');
  finishAnimations(widget);
  expect((await findings(widget)).join()).toContain('color-contrast');
});
