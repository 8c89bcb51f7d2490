import { chromium, type Browser, type Page } from 'playwright';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { chromiumLaunchOptions } from '../../scripts/chromium.ts';
import { startConsole, type RunningConsole } from './start-console.ts';

/** A browser on the console, with the sample data of the fake API. */
export interface Harness {
  readonly running: RunningConsole;
  /**
   * Opens a page of the console. The test fails if the page violates the content security policy, requests anything
   * from another origin, or throws an error.
   */
  open(path: string): Promise<Page>;
}

/** Starts the console and a browser for the tests of a file. */
export function useConsole(): Harness {
  let running: RunningConsole | undefined;
  let browser: Browser | undefined;
  beforeAll(async () => {
    [running, browser] = await Promise.all([startConsole(), chromium.launch(chromiumLaunchOptions())]);
  });
  afterAll(async () => {
    await browser?.close();
    await running?.close();
  });
  return {
    get running() {
      if (!running) throw new Error('Use it in a test');
      return running;
    },
    async open(path) {
      if (!running || !browser) throw new Error('Use it in a test');
      const context = await browser.newContext({
        reducedMotion: 'reduce',
        viewport: { width: 1280, height: 900 },
      });
      const page = await context.newPage();
      const problems = watch(page, running.url);
      onTestFinished(async () => {
        await context.close();
        expect(problems).toEqual([]);
      });
      await page.goto(`${running.url}/console${path}`);
      await page.locator('h1').first().waitFor();
      return page;
    },
  };
}

function watch(page: Page, url: string): string[] {
  const problems: string[] = [];
  page.on('pageerror', error => problems.push(error.message));
  page.on('console', message => {
    // Chromium also reports responses such as 401 and 409, which the console handles.
    const isResponse = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isResponse) problems.push(message.text());
  });
  page.on('request', request => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) problems.push(request.url());
  });
  return problems;
}
