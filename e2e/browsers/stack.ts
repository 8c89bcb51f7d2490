/** Extends the journeys' `test` with a window of the project's browser. */
import { test as base } from '../stack/host-page.ts';
import { openFirefox } from './firefox-driver.ts';
import { Tab } from './tab.ts';
import { openWebKit } from './webkit-driver.ts';

export { expect } from '../stack/host-page.ts';

export interface EngineOption {
  /** The browser in which the journeys run. */
  readonly engine: 'firefox' | 'webkit';
}

export const test = base.extend<
  EngineOption & {
    /** Whether the user prefers dark pages. */
    readonly isDark: boolean;
    readonly tab: Tab;
  }
>({
  engine: ['firefox', { option: true }],
  isDark: [false, { option: true }],
  tab: async ({ engine, isDark }, use, { annotations }) => {
    const browser = await (engine === 'firefox' ? openFirefox : openWebKit)({ isDark });
    annotations.push({ type: 'browser', description: browser.name });
    try {
      await use(new Tab(browser.window));
    } finally {
      await browser.close();
    }
  },
});
