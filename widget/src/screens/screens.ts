import { adoptStyles, nothing, type TemplateResult } from 'lit';
import type { State } from '../flow/flow.ts';
import { widgetStyles } from '../styles/styles.ts';
import { CatalogScreen } from './catalog.ts';
import { errorScreen } from './error.ts';
import { loadedSteps } from './load-steps.ts';
import { openingScreen } from './opening.ts';
import type { Misconfigured, RenderContext } from './render-context.ts';
import type { DrawStep } from './steps.ts';

/**
 * Delay before the catalog's skeleton is drawn, in milliseconds. Drawing it immediately would delay the
 * catalog of a fast service.
 */
export const skeletonDelayMs = 120;
/** Delay after the last change of the catalog before the steps are prepared, in milliseconds. */
const idleDelayMs = 300;

/** Renders the screen of each state. Keeps the objects of the current screens and discards the others. */
export interface Screens {
  readonly render: (view: State | Misconfigured) => TemplateResult | typeof nothing;
  /** Discards all screens. */
  readonly stop: () => void;
}

export function createScreens(context: RenderContext): Screens {
  const { host } = context;
  let catalog: CatalogScreen | undefined;
  let drawStep: DrawStep | undefined;
  let hasStepStyles = false;
  let idleTimer: ReturnType<typeof setTimeout> | undefined;
  let skeletonTimer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the skeleton is shown because the catalog takes a long time to load. */
  let isSlow = false;
  let screen: Element | null = null;
  host.addController({
    hostUpdated: () => {
      const previous = screen;
      const current = host.renderRoot.querySelector('.screen');
      // Browsers keep the scroll position when one screen replaces another. Scrolling computes the layout, which
      // would delay the catalog.
      if (previous && current !== previous) host.renderRoot.querySelector('.scroller')?.scrollTo(0, 0);
      screen = isSlow ? null : current;
    },
  });
  return { render, stop };

  function render(view: State | Misconfigured): ReturnType<Screens['render']> {
    if (view.name !== 'idle' && view.name !== 'loading') hideSkeleton();
    else if (host.isConnected) {
      skeletonTimer ??= setTimeout(() => {
        isSlow = true;
        host.requestUpdate();
      }, skeletonDelayMs);
    }
    if (view.name !== 'catalog') catalog?.leave();
    if (view.name === 'idle' || view.name === 'loading' || view.name === 'catalog') {
      // Discards the user's input in the steps.
      drawStep?.stop();
      drawStep = undefined;
      catalog ??= new CatalogScreen(context);
      const state = view.name === 'catalog' ? view : undefined;
      if (state) catalog.enter(state);
      clearTimeout(idleTimer);
      if (state && !hasStepStyles) idleTimer = setTimeout(prepareSteps, idleDelayMs);
      return state || isSlow ? catalog.render(state) : nothing;
    }
    const steps = loadedSteps();
    adoptStepStyles();
    switch (view.name) {
      case 'opening':
      case 'openingAgents':
        return openingScreen(view, context);
      case 'misconfigured':
        return errorScreen(view, context);
      case 'unavailable':
      case 'unopened':
        return (steps?.failureScreen ?? errorScreen)(view, context);
      default:
    }
    // `managing` is the only step that users can reach before the code for the steps is loaded.
    if (!steps) return view.name === 'managing' ? openingScreen(view, context) : nothing;
    drawStep ??= steps.createStepScreens(context);
    return drawStep(view);
  }

  function adoptStepStyles(): void {
    const steps = loadedSteps();
    if (!steps || hasStepStyles || !host.hasUpdated) return;
    hasStepStyles = true;
    // Lit's default render root is a shadow root.
    adoptStyles(host.renderRoot as ShadowRoot, [...widgetStyles, ...steps.stepStyles]);
  }

  /** Does what takes a slow phone 20 to 80 milliseconds each in the first steps that users open. */
  function prepareSteps(): void {
    adoptStepStyles();
    loadedSteps()?.loadFormats(context.messages);
  }

  function stop(): void {
    hideSkeleton();
    clearTimeout(idleTimer);
    catalog?.stop();
    drawStep?.stop();
    catalog = drawStep = undefined;
  }

  function hideSkeleton(): void {
    clearTimeout(skeletonTimer);
    skeletonTimer = undefined;
    isSlow = false;
  }
}
