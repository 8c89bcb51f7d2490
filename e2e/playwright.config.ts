import { registerHooks } from 'node:module';
import { defineConfig } from '@playwright/test';
import { chromiumLaunchOptions } from '../scripts/chromium.ts';

// Resolves workspace packages to their sources, so that no journey needs or reads a stale build. Each worker runs this too.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, { ...context, conditions: ['source', ...context.conditions] }),
});

const isFull = process.env['TEST_FULL'] !== undefined;

export default defineConfig({
  testDir: './journeys',
  // The longer ones are for `pnpm test:full`.
  testIgnore: isFull ? [] : '**/*.full.spec.ts',
  outputDir: '../test-results',
  globalSetup: '../scripts/ensure-served.ts',
  // Each worker starts its own demo, which is a complete stack and takes as much processor time as four journeys.
  workers: isFull ? 2 : 1,
  fullyParallel: false,
  forbidOnly: true,
  // As in the other test suites, timeouts exist only to stop tests that hang.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  // Tracing is off by default because it costs a quarter of the CPU time (`--trace retain-on-failure` turns
  // it on). Animations are off for the same reason.
  use: {
    browserName: 'chromium',
    launchOptions: chromiumLaunchOptions(),
    contextOptions: { reducedMotion: 'reduce' },
  },
});
