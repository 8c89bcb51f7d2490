import { availableParallelism } from 'node:os';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { chromiumLaunchOptions } from './scripts/chromium.ts';

/** What takes long, `*.full.test.ts`, is run by `pnpm test:full`; that also makes other tests do more. */
const tooLong = process.env['TEST_FULL'] ? [] : ['**/*.full.test.ts'];

/** Packages resolve each other's sources, so no test ever reads a stale build. */
const source = { resolve: { conditions: ['source'] }, ssr: { resolve: { conditions: ['source'] } } };

const onNode = {
  environment: 'node',
  // Nothing happens on import here, so files need no process of their own: loading the code for each cost half the time.
  isolate: false,
  // Seconds suffice, but a small machine runs several projects at once.
  testTimeout: 30_000,
  hookTimeout: 60_000,
} as const;

export default defineConfig({
  test: {
    // Vitest leaves one processor alone, which is half of a small machine, and its tests wait much.
    maxWorkers: availableParallelism(),
    projects: [
      {
        ...source,
        test: {
          name: 'node',
          ...onNode,
          include: [
            'api/**/*.test.ts',
            'connectors/**/*.test.ts',
            'sandbox/**/*.test.ts',
            'server-helper/**/*.test.ts',
            'scripts/**/*.test.ts',
            'widget/build/**/*.test.ts',
          ],
        },
      },
      {
        ...source,
        test: {
          name: 'packages',
          ...onNode,
          include: ['e2e/packages/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...tooLong],
          globalSetup: ['scripts/ensure-built.ts'],
        },
      },
      {
        ...source,
        test: {
          name: 'service',
          ...onNode,
          include: ['service/**/*.test.ts'],
          globalSetup: ['service/test/postgres.ts'],
          // Each file opens PGlite and closes it soon: compiling its WebAssembly once more, for speed, does not pay there.
          execArgv: ['--liftoff-only'],
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
          // For the same reason as on Node.
          testTimeout: 30_000,
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
