import { playwright, PlaywrightBrowserProvider } from '@vitest/browser-playwright';
import type { BrowserProviderOption } from 'vitest/node';
import { firefoxLaunchOptions } from './firefox.ts';

/** Runs Vitest's browser tests in the installed Firefox. */
export function installedFirefox(): BrowserProviderOption {
  const options = { launchOptions: firefoxLaunchOptions() };
  return {
    ...playwright(options),
    providerFactory: project => new FirefoxProvider(project, options),
  };
}

class FirefoxProvider extends PlaywrightBrowserProvider {
  /** Finds the tests' frame by its element: over WebDriver BiDi, Playwright often does not know its name. */
  override getCommandsContext(
    sessionId: string,
  ): ReturnType<PlaywrightBrowserProvider['getCommandsContext']> {
    const context = super.getCommandsContext(sessionId);
    return {
      ...context,
      frame: async () => {
        const iframe = await context.page.waitForSelector('[data-vitest="true"]');
        const frame = await iframe.contentFrame();
        if (!frame) throw new Error('The frame of the tests has no document');
        return frame;
      },
    };
  }
}
