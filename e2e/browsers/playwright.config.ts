import { defineConfig } from '@playwright/test';
import { describeMissingBrowsers } from '../../scripts/find-browsers.ts';
import type { EngineOption } from './stack.ts';

const problem = describeMissingBrowsers();
if (problem !== null) throw new Error(problem);

/** The journeys in Firefox and WebKit; `--project firefox` runs one of them. */
export default defineConfig<EngineOption>({
  testDir: './journeys',
  outputDir: '../../test-results',
  globalSetup: '../../scripts/ensure-served.ts',
  // Each worker starts its own demo.
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  // As in the other test suites, timeouts exist only to stop tests that hang.
  timeout: 180_000,
  expect: { timeout: 60_000 },
  projects: [
    { name: 'firefox', use: { engine: 'firefox' } },
    { name: 'webkit', use: { engine: 'webkit' } },
  ],
});
