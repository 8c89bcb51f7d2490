import { defineConfig } from '@playwright/test';
import { chromiumLaunchOptions } from '../scripts/chromium.ts';

export default defineConfig({
  testDir: './journeys',
  outputDir: '../test-results',
  globalSetup: '../scripts/ensure-built.ts',
  // Each worker has a demo of its own, which is a whole stack: more of them at a time are slower, not faster.
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  // As for the other tests, these only end what hangs.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  // No trace by default, because it costs a quarter of the CPU (`--trace retain-on-failure` keeps one);
  // animations too.
  use: {
    browserName: 'chromium',
    launchOptions: chromiumLaunchOptions(),
    contextOptions: { reducedMotion: 'reduce' },
  },
});
