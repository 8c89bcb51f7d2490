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
  timeout: 60_000,
  expect: { timeout: 15_000 },
  // A trace costs a quarter of the processor; `--trace retain-on-failure` keeps one. So do movements that nobody watches.
  use: {
    browserName: 'chromium',
    launchOptions: chromiumLaunchOptions(),
    contextOptions: { reducedMotion: 'reduce' },
  },
});
