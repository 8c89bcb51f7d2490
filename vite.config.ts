import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { chromiumLaunchOptions } from './scripts/chromium.ts';

/** Packages resolve each other's sources, so no test ever reads a stale build. */
const source = { resolve: { conditions: ['source'] }, ssr: { resolve: { conditions: ['source'] } } };

export default defineConfig({
  test: {
    projects: [
      {
        ...source,
        test: {
          name: 'node',
          environment: 'node',
          // Seconds suffice, but a small machine runs three projects at once.
          testTimeout: 30_000,
          hookTimeout: 60_000,
          include: [
            'api/**/*.test.ts',
            'connectors/**/*.test.ts',
            'sandbox/**/*.test.ts',
            'server-helper/**/*.test.ts',
            'scripts/**/*.test.ts',
            'e2e/packages/**/*.test.ts',
            'widget/build/**/*.test.ts',
          ],
        },
      },
      {
        ...source,
        test: {
          name: 'service',
          environment: 'node',
          include: ['service/**/*.test.ts'],
          globalSetup: ['service/test/postgres.ts'],
        },
      },
      {
        root: 'widget',
        resolve: { conditions: ['source'] },
        // A file that is saved, or a package that is found, while tests run would reload the page under them, and the
        // run would wait for ever.
        ...(process.argv.includes('run') ? { server: { watch: null, hmr: false as const } } : {}),
        optimizeDeps: {
          noDiscovery: true,
          include: [
            'lit',
            'lit/directives/if-defined.js',
            'axe-core',
            '@lit/react',
            'react',
            'react-dom/client',
          ],
        },
        test: {
          name: 'browser',
          include: ['src/**/*.test.ts'],
          restoreMocks: true,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: chromiumLaunchOptions() }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
});
