import { defineConfig } from 'vitest/config';
import { widgetTests } from '../../vite.config.ts';
import { installedFirefox } from './firefox-provider.ts';
import { webKitGtk } from './webkit-provider.ts';

const { browser } = widgetTests.test;
const widget = new URL('../../widget', import.meta.url).pathname;

/** The widget's tests in Firefox and WebKit; `--project firefox` runs one of them. */
export default defineConfig({
  test: {
    maxWorkers: 1,
    projects: [
      {
        ...widgetTests,
        root: widget,
        test: {
          ...widgetTests.test,
          name: 'firefox',
          browser: {
            ...browser,
            provider: installedFirefox(),
            instances: [{ browser: 'firefox' }],
          },
        },
      },
      {
        ...widgetTests,
        root: widget,
        test: {
          ...widgetTests.test,
          name: 'webkit',
          setupFiles: [new URL('element-numbers.ts', import.meta.url).pathname],
          browser: {
            ...browser,
            headless: false,
            provider: webKitGtk(),
            instances: [{ browser: 'webkit' }],
          },
        },
      },
    ],
  },
});
