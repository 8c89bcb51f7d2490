import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { playwright } from '@vitest/browser-playwright';
import { build, type UserConfig, type ViteBuilder } from 'vite';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { consoleBuild } from './console/build/vite.ts';
import { demoBuild } from './demo/src/vite.ts';
import { chromiumLaunchOptions } from './scripts/chromium.ts';
import { widgetBuild } from './widget/build/vite.ts';

/**
 * Everything that Vite builds, by mode: `vite build --mode console`. `vite build` without a mode builds all of them.
 * Packages for servers are compiled by tsc, see `scripts/build-servers.ts`.
 */
const builds: Readonly<Record<string, UserConfig>> = {
  widget: widgetBuild('modules'),
  'widget-script': widgetBuild('script'),
  'widget-headless': widgetBuild('headless'),
  'widget-server': widgetBuild('server'),
  'widget-gallery': widgetBuild('gallery'),
  console: consoleBuild,
  demo: demoBuild,
};

/** Runs all builds instead of the one that Vite has prepared. */
async function buildAll(prepared: ViteBuilder): Promise<void> {
  for (const mode of Object.keys(builds)) await build({ configFile: import.meta.filename, mode });
  for (const environment of Object.values(prepared.environments)) environment.isBuilt = true;
}

/**
 * Excludes the slow tests in `*.full.test.ts`, which only `pnpm test:full` runs. It sets `TEST_FULL`, which
 * some other tests also read.
 */
const tooLong = process.env['TEST_FULL'] ? [] : ['**/*.full.test.ts'];

/** Resolves workspace packages to their sources, so that no test reads a stale build. */
const source = { resolve: { conditions: ['source'] }, ssr: { resolve: { conditions: ['source'] } } };

const onNode = {
  environment: 'node',
  // Modules have no side effects, so test files can share a process. Loading the code for each file
  // separately took half of the time.
  isolate: false,
  // Tests take a few seconds at most, but a busy machine can be ten times slower. The timeouts only stop
  // tests that hang.
  testTimeout: 120_000,
  hookTimeout: 180_000,
} as const;

/** Lets Node load the sources itself, as in development. Transforming them for each worker took a quarter of the processor time. */
const loadedByNode = {
  experimental: { viteModuleRunner: false, nodeLoader: false },
  execArgv: ['--conditions=source'],
};

/** The widget's tests, which run in Chromium. `e2e/browsers` runs them in other browsers. */
export const widgetTests = {
  root: 'widget',
  resolve: { conditions: ['source'] },
  // A page reload after a file is saved or a dependency is discovered would keep a run from ending.
  ...(process.argv.includes('run') ? { server: { watch: null, hmr: false as const } } : {}),
  optimizeDeps: {
    noDiscovery: true,
    include: [
      'lit',
      'lit/directives/if-defined.js',
      '@lit/context',
      'axe-core',
      '@lit/react',
      'react',
      'react-dom/client',
    ],
  },
  test: {
    name: 'browser',
    include: ['src/**/*.test.ts'],
    exclude: ['**/node_modules/**', ...tooLong],
    env: process.env['TEST_FULL'] ? { TEST_FULL: 'yes' } : {},
    // As on Node, the timeout only stops tests that hang.
    testTimeout: 120_000,
    // By default, a second, which a busy machine can need. As long as `until` in the widget's tests.
    expect: { poll: { timeout: 10_000 } },
    restoreMocks: true,
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      // As in the journeys, animations would cost processor time. Tests of motion ask for it themselves.
      provider: playwright({
        launchOptions: chromiumLaunchOptions(),
        contextOptions: { reducedMotion: 'reduce' },
      }),
      instances: [
        { browser: 'chromium', setupFiles: [join(import.meta.dirname, 'widget/test/unpainted.ts')] },
      ],
    },
  },
} satisfies TestProjectInlineConfiguration;

const tests = defineConfig({
  test: {
    reporters: ['default', join(import.meta.dirname, 'scripts/failed-tests.ts')],
    // One more than there are cores, because tests sometimes wait. A worker and the database keep one core busy, and each
    // worker compiles the code of all others again.
    maxWorkers: availableParallelism() + 1,
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
            'create-source/test/**/*.test.ts',
            'server-helper/**/*.test.ts',
            'scripts/**/*.test.ts',
            'widget/{build,gallery}/**/*.test.ts',
            'demo/**/*.test.ts',
            'sources/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', 'demo/src/page/**', ...tooLong],
          ...loadedByNode,
        },
      },
      {
        ...source,
        test: {
          name: 'pages',
          ...onNode,
          // Code for browsers is written for Vite: it imports other files than JavaScript, and has decorators.
          include: ['{console/src,demo/src/page}/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...tooLong],
        },
      },
      {
        ...source,
        test: {
          name: 'packages',
          ...onNode,
          include: ['e2e/packages/**/*.test.ts'],
          // All of these tests are slow. A command that names the project asks for them.
          exclude: ['**/node_modules/**', ...(process.argv.includes('packages') ? [] : tooLong)],
          globalSetup: ['scripts/ensure-built.ts'],
        },
      },
      {
        ...source,
        test: {
          name: 'service',
          ...onNode,
          // The console's tests use the service, and would otherwise start another database server.
          include: ['service/**/*.test.ts', 'console/test/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...tooLong],
          globalSetup: ['service/test/postgres.ts', 'scripts/ensure-console.ts'],
          // By default, a second, which a busy machine can need for one page.
          expect: { poll: { timeout: 15_000 } },
          ...loadedByNode,
          // PGlite runs only for seconds, so optimizing its WebAssembly would take longer than it saves.
          execArgv: [...loadedByNode.execArgv, '--liftoff-only'],
        },
      },
      widgetTests,
    ],
  },
});

export default defineConfig(({ mode }) => builds[mode] ?? { ...tests, builder: { buildApp: buildAll } });
