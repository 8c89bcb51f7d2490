import { firefox, type Page } from 'playwright';
import { firefoxLaunchOptions } from './firefox.ts';
import type { Driver } from './tab.ts';

export interface OpenBrowser {
  readonly window: Driver;
  /** The name and version, for example `Firefox 153.7`. */
  readonly name: string;
  close(): Promise<void>;
}

/** Starts Firefox with one window. */
export async function openFirefox({ isDark }: { readonly isDark: boolean }): Promise<OpenBrowser> {
  const browser = await firefox.launch(
    // 0 is dark, 1 is light.
    firefoxLaunchOptions({ 'layout.css.prefers-color-scheme.content-override': isDark ? 0 : 1 }),
  );
  const page = await browser.newPage();
  return {
    window: driverOf(page),
    name: `Firefox ${browser.version()}`,
    close: () => browser.close(),
  };
}

function driverOf(page: Page): Driver {
  return {
    goto: async url => {
      await page.goto(url);
    },
    url: () => Promise.resolve(page.url()),
    evaluate: expression => page.evaluate(expression),
    clickAt: (x, y) => page.mouse.click(x, y),
    press: key => page.keyboard.press(key),
    opened: async action => {
      const opened = page.context().waitForEvent('page');
      await action();
      return driverOf(await opened);
    },
    isClosed: () => Promise.resolve(page.isClosed()),
    close: () => page.close(),
  };
}
