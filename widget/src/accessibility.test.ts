/// <reference types="@vitest/browser-playwright" />
import axe from 'axe-core';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { cdp, server } from 'vitest/browser';
import { FakeService } from '../gallery/fake-service.ts';
import { scenes, setScene, type Scene } from '../gallery/scenes.ts';
import type { ConnectorAuthElement } from './index.ts';
import './index.ts';

/** Whether `pnpm test:full` runs the tests. */
const isFull = server.config.env['TEST_FULL'] !== undefined;
/** Only Chromium can imitate a user's preferences. */
const isChromium = server.browser === 'chromium';

/** The axe rules that concern only the page around the widget. */
const rulesOfPages = ['region', 'page-has-heading-one'];
/** Returns one line for each violation that axe found, of all rules or only of some. */
async function findings(
  element: Element,
  { only }: { readonly only?: string[] } = {},
): Promise<readonly string[]> {
  const off = rulesOfPages.map(rule => [rule, { enabled: false }] as const);
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
/** Scenes that have most of the colours, and are therefore also checked in the dark theme. `pnpm test:full` checks all. */
const colourful = [
  'catalog with connectors',
  'form with every kind of field',
  'credentials rejected',
  'consent, denied',
  'accounts',
  'link',
  'connected, importing',
  'manage, partly failing',
].map(sceneNamed);

/**
 * Mounts a scene until the test ends. Finishes its animations by default, so that the final layout is
 * measured.
 */
async function mountScene(scene: Scene, { isFinished = true } = {}): Promise<ConnectorAuthElement> {
  // One scene has invalid settings, which the widget logs.
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const service = new FakeService(scene.routes);
  const parent = document.createElement('div');
  document.body.append(parent);
  onTestFinished(() => {
    parent.remove();
    service.close();
  });
  const widget = await setScene(scene, parent, service);
  if (isFinished) finishAnimations(widget);
  return widget;
}

function finishAnimations(widget: ConnectorAuthElement): void {
  for (const animation of widget.shadowRoot?.getAnimations() ?? []) animation.cancel();
}

/** Returns the visible controls that are not disabled. */
function targets({ shadowRoot }: ConnectorAuthElement): readonly HTMLElement[] {
  const all = shadowRoot?.querySelectorAll<HTMLElement>('button, input, select, textarea, a, summary') ?? [];
  return [...all].filter(
    target => target.checkVisibility({ visibilityProperty: true }) && !target.matches(':disabled'),
  );
}

/** Returns what axe found in the light theme, and which contrasts are insufficient in the dark one. */
async function findingsInBothThemes(widget: ConnectorAuthElement): Promise<readonly string[]> {
  const found: string[] = [];
  for (const isDark of [false, true]) {
    document.body.style.background = isDark ? '#0c0d10' : '';
    widget.theme = isDark ? 'dark' : 'light';
    await widget.updateComplete;
    finishAnimations(widget);
    const some = await findings(widget, isDark ? { only: ['color-contrast'] } : {});
    found.push(...some.map(finding => `${isDark ? 'dark' : 'light'}, ${finding}`));
  }
  document.body.style.background = '';
  return found;
}

/** The widths and font sizes that every state fits. */
const layouts: readonly (readonly [what: string, width: number, fontSize: string])[] = [
  ['a small phone or 400 % zoom', 320, 'medium'],
  ['a phone with text twice as large', 390, '32px'],
  ...(isFull
    ? ([
        ['a sidebar', 280, 'medium'],
        ['half a screen or 200 % zoom', 640, 'medium'],
        ['a 4K screen', 3840, 'medium'],
      ] as const)
    : []),
];

/** Expects that nothing is cut off and that all targets are large enough. */
function expectFit(widget: ConnectorAuthElement, [what, width, fontSize]: (typeof layouts)[number]): void {
  const parent = widget.parentElement;
  parent?.setAttribute('style', `inline-size: ${width}px; --connector-auth-font-size: ${fontSize}`);
  finishAnimations(widget);
  const panel = widget.shadowRoot?.querySelector('.scroller');
  expect.soft(panel?.clientWidth, what).toBeGreaterThan(0);
  expect.soft(panel?.scrollWidth, what).toBeLessThanOrEqual(panel?.clientWidth ?? 0);
  for (const target of targets(widget)) {
    // Users can also click the label of a checkbox.
    const { height, width } = (target.closest('label') ?? target).getBoundingClientRect();
    expect.soft(Math.min(height, width), `${what}: ${target.outerHTML}`).toBeGreaterThanOrEqual(24);
  }
  parent?.removeAttribute('style');
}

/** Expects that every control has an outline while it has focus. */
function expectVisibleFocus(widget: ConnectorAuthElement): void {
  for (const target of targets(widget)) {
    target.focus({ focusVisible: true });
    const { outlineStyle, outlineWidth } = getComputedStyle(target);
    expect.soft(`${outlineStyle} ${outlineWidth}`, target.outerHTML).toMatch(/^(solid|auto) [2-9]px$/);
  }
}

const emulate = (features: { name: string; value: string }[]) =>
  cdp().send('Emulation.setEmulatedMedia', { features });

/** Returns the animated properties of a widget that move something. */
function movedIn({ shadowRoot }: ConnectorAuthElement): readonly string[] {
  const moving = ['translate', 'rotate', 'scale', 'transform', 'strokeDashoffset'];
  const frames = (shadowRoot?.getAnimations() ?? []).flatMap(({ effect }) =>
    effect instanceof KeyframeEffect ? effect.getKeyframes() : [],
  );
  return frames.flatMap(frame => moving.filter(property => property in frame));
}

// A scene is mounted once for all checks, because mounting takes longer than most of them.
describe.each(isFull ? ['ltr', 'rtl'] : ['ltr'])('%s', direction => {
  beforeAll(() => {
    document.documentElement.dir = direction;
  });
  afterAll(() => {
    document.documentElement.removeAttribute('dir');
  });

  test.each(named)(
    'moves nothing with reduced motion, fits phones, shows focus and has no axe violations: %s',
    async (_name, scene) => {
      const widget = await mountScene(scene, { isFinished: false });
      if (isChromium) expect.soft(movedIn(widget)).toEqual([]);
      finishAnimations(widget);
      for (const layout of layouts) expectFit(widget, layout);
      expectVisibleFocus(widget);
      const isInBoth = isFull || colourful.includes(scene);
      expect(await (isInBoth ? findingsInBothThemes(widget) : findings(widget))).toEqual([]);
    },
  );

  // Only in one theme, because axe does not measure the contrast in a modal dialog.
  test.each(isFull ? named : named.slice(0, 6))(
    'has no axe violations in a dialog: %s',
    async (_name, scene) => {
      const widget = await mountScene(scene);
      widget.open();
      finishAnimations(widget);
      expect(await findings(widget)).toEqual([]);
    },
  );
});

describe.runIf(isChromium)('user preferences', () => {
  // All other tests on this page expect reduced motion.
  afterEach(() => emulate([{ name: 'prefers-reduced-motion', value: 'reduce' }]));

  test.each(['form', 'connected'])('moves nothing in “%s” with motion="reduce"', async name => {
    await emulate([{ name: 'prefers-reduced-motion', value: 'no-preference' }]);
    const scene = sceneNamed(name);
    expect(movedIn(await mountScene(scene, { isFinished: false }))).not.toEqual([]);
    const reduced = { ...scene, attributes: { ...scene.attributes, motion: 'reduce' } };
    expect(movedIn(await mountScene(reduced, { isFinished: false }))).toEqual([]);
  });

  test('keeps borders, focus and connector states visible in forced colours', async () => {
    await emulate([{ name: 'forced-colors', value: 'active' }]);
    const widget = await mountScene(sceneNamed('catalog with connectors'));
    expect(matchMedia('(forced-colors: active)').matches).toBe(true);
    const tile = widget.shadowRoot?.querySelector('.tile');
    expect(tile && getComputedStyle(tile).borderStyle).toBe('solid');
    const row = widget.shadowRoot?.querySelector<HTMLElement>('.row');
    row?.focus({ focusVisible: true });
    expect(row && getComputedStyle(row).outlineStyle).toBe('solid');
    // The state must also be shown as text, not only by colour.
    expect(widget.shadowRoot?.querySelector('.status.warn')?.textContent.trim()).toBe('Needs reconnecting');
  });
});

test('detects text with insufficient contrast', async () => {
  const widget = await mountScene(sceneNamed('catalog'));
  widget.style.setProperty('--connector-auth-muted', '#ccc');
  finishAnimations(widget);
  expect((await findings(widget)).join()).toContain('color-contrast');
});

function sceneNamed(name: string): Scene {
  const scene = scenes.find(scene => scene.name === name);
  if (scene === undefined) throw new Error(`No scene “${name}”`);
  return scene;
}
