import { availableParallelism } from 'node:os';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { chromiumLaunchOptions } from './scripts/chromium.ts';

/** `pnpm test:full` also runs `*.full.test.ts`, which take long. It sets `TEST_FULL`, which other tests read as well. */
const tooLong = process.env['TEST_FULL'] ? [] : ['**/*.full.test.ts'];

/** Resolves workspace packages to their sources, so that no test reads a stale build. */
const source = { resolve: { conditions: ['source'] }, ssr: { resolve: { conditions: ['source'] } } };

const onNode = {
  environment: 'node',
  // Modules have no side effects, so test files can share a process: loading the code for each took half the time.
  isolate: false,
  // Tests take seconds at most, but a busy machine can be ten times slower: a timeout only ends what hangs.
  testTimeout: 120_000,
  hookTimeout: 180_000,
} as const;

export default defineConfig({
  test: {
    // By default Vitest leaves one core unused, which is half of a small machine.
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
          // PGlite is open for seconds only: optimising its WebAssembly would take longer than it saves.
          execArgv: ['--liftoff-only'],
        },
      },
      {
        root: 'widget',
        resolve: { conditions: ['source'] },
        // A reload of the page, after a file was saved or a package was found, would keep a run from ending.
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
          testTimeout: 120_000,
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
