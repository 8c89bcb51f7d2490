import { defineConfig } from '@playwright/test';
import { chromiumLaunchOptions } from '../scripts/chromium.ts';

export default defineConfig({
  testDir: './journeys',
  outputDir: '../test-results',
  globalSetup: '../scripts/ensure-built.ts',
  // One demo at a time: it is a whole stack, and the machine is small.
  workers: 1,
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
