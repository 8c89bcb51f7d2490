import { chromium, type Browser, type Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished } from 'vitest';
import type { AdminEndpointName } from '../../api/src/admin.ts';
import { chromiumLaunchOptions } from '../../scripts/chromium.ts';
import { makeDatabase } from '../../service/test/engines.ts';
import { closePage, openPage, type OpenOptions } from './open-page.ts';
import { nameOfRequest } from './responses.ts';
import { publicUrl, startSeededService, type SeededService } from './seeded-service.ts';

/** A browser on the console of a seeded service. */
export interface Harness {
  readonly seeded: SeededService;
  /** The requests of the current test’s pages to the API, such as `listOrganizations`. */
  readonly requests: AdminEndpointName[];
  /** Returns the number of these requests to one endpoint. */
  requestsFor(name: AdminEndpointName): number;
  /**
   * Opens a page of the console in a browser of its own. The test fails if the page violates the content security
   * policy, requests anything from another origin, or throws an error.
   */
  open(path: string, options?: OpenOptions): Promise<Page>;
}

/** Starts the service and a browser for the tests of a file. */
export function useConsole(): Harness {
  let seeded: SeededService | undefined;
  let browser: Browser | undefined;
  const requests: AdminEndpointName[] = [];
  beforeAll(async () => {
    [seeded, browser] = await Promise.all([
      makeDatabase('postgres').then(startSeededService),
      chromium.launch(chromiumLaunchOptions()),
    ]);
  });
  beforeEach(() => {
    requests.length = 0;
  });
  afterAll(async () => {
    await browser?.close();
    await seeded?.close();
  });
  return {
    requests,
    requestsFor: name => requests.filter(other => other === name).length,
    get seeded() {
      if (!seeded) throw new Error('Use it in a test');
      return seeded;
    },
    async open(path, options) {
      if (!seeded || !browser) throw new Error('Use it in a test');
      const { url } = seeded;
      return await openPage(browser, seeded, path, {
        ...options,
        async set(page) {
          const problems = watch(page, url);
          page.on('request', request => {
            const name = nameOfRequest(request.method(), request.url());
            if (name !== null) requests.push(name);
          });
          onTestFinished(async () => {
            await closePage(page);
            expect(problems).toEqual([]);
          });
          await options?.set?.(page);
        },
      });
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
    const isOwn = [url, publicUrl, 'data:'].some(start => request.url().startsWith(start));
    if (!isOwn) problems.push(request.url());
  });
  return problems;
}
