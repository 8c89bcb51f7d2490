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
  // Real windows on a busy machine: a second attempt is allowed where nobody watches, and is told in the summary.
  retries: process.env['CI'] ? 1 : 0,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  use: { browserName: 'chromium', launchOptions: chromiumLaunchOptions(), trace: 'retain-on-failure' },
});
