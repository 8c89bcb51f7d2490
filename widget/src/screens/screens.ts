import type { StepsCode } from '../flow/flow-controller.ts';
import type { StateName } from '../flow/flow.ts';
import { ServiceError } from '../service/failure.ts';
import { version } from '../version.ts';
import { CatalogScreen } from './catalog-screen.ts';
import { OpeningScreen } from './opening-screen.ts';
import { importSteps } from './import-steps.ts';
import type { Screen } from './screen.ts';
import type { steps } from './steps.ts';
import { TroubleScreen } from './trouble-screen.ts';

const screenOf: Record<StateName | 'misconfigured', 'catalog' | 'opening' | 'trouble' | keyof typeof steps> =
  {
    misconfigured: 'trouble',
    idle: 'catalog',
    loading: 'catalog',
    unavailable: 'trouble',
    catalog: 'catalog',
    opening: 'opening',
    unopened: 'trouble',
    choosing: 'method',
    filling: 'form',
    consenting: 'form',
    submitting: 'form',
    replacing: 'form',
    connected: 'connected',
    managing: 'manage',
    renaming: 'manage',
    saving: 'manage',
    confirming: 'manage',
    disconnecting: 'manage',
  };

/** Defines the screens that are there from the start. Called when the first widget is made, not on import. */
export function defineFirstScreens(): void {
  define({ catalog: CatalogScreen, opening: OpeningScreen, trouble: TroubleScreen });
}

let code: StepsCode | null = null;

/** The code of the steps behind the catalog, for every widget of the page; null until it was loaded. */
export function loadedSteps(): StepsCode | null {
  return code;
}

/** Loads it and defines its screens. Rejects with `unreachable` when its file cannot be had. */
export async function loadSteps(): Promise<void> {
  const { steps, ...loaded } = await importSteps().catch((cause: unknown) => {
    throw new ServiceError('unreachable', 'A file of the widget could not be loaded', { cause });
  });
  define(steps);
  code = loaded;
}

/** The tag of the screen for a state; of the skeleton while the screen's code is on its way. */
export function screenTag(state: StateName | 'misconfigured'): string {
  const tag = tagOf(screenOf[state]);
  return customElements.get(tag) === undefined ? tagOf('opening') : tag;
}

/** A new screen. */
export function createScreen(tag: string): Screen {
  // Only tags of screenTag are asked for, and those are defined: every one is a Screen.
  return document.createElement(tag) as Screen;
}

function tagOf(name: string): string {
  return `connector-auth-${name}-${version.replaceAll('.', '-')}`;
}

function define(screens: Readonly<Record<string, CustomElementConstructor>>): void {
  for (const [name, screen] of Object.entries(screens)) {
    const tag = tagOf(name);
    if (customElements.get(tag) === undefined) customElements.define(tag, screen);
  }
}
