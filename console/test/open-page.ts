import type { Browser, BrowserContext, Page } from 'playwright';
import { publicUrl, type SeededService } from './seeded-service.ts';

export interface OpenOptions {
  /** The name of the admin key to sign in with. Null to stay signed out. Default: {@link writer}. */
  readonly as?: string | null;
  /** Prepares the page before it loads, for example changes responses. */
  readonly set?: (page: Page) => Promise<void> | void;
}

/** The name of the admin key that can change everything. */
export const writer = 'Mara’s laptop';

/** Opens a page of the console in a browser context of its own. */
export async function openPage(
  browser: Browser,
  seeded: SeededService,
  path: string,
  { as = writer, set }: OpenOptions = {},
): Promise<Page> {
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    viewport: { width: 1280, height: 900 },
  });
  context.setDefaultTimeout(15_000);
  if (as !== null) await signIn(context, seeded, as);
  // The logos of organizations.
  await context.route(`${publicUrl}/**`, async route => {
    const response = await route.fetch({ url: route.request().url().replace(publicUrl, seeded.apiUrl) });
    await route.fulfill({ response });
  });
  const page = await context.newPage();
  await set?.(page);
  await page.goto(seeded.urlOf(path));
  await page.locator('h1').first().waitFor();
  return page;
}

/** Closes a page and its context. Requests that are being handled are abandoned. */
export async function closePage(page: Page): Promise<void> {
  if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.context().close();
}

/** Signs a browser in to the console. */
export async function signIn(
  context: BrowserContext,
  { url, keys }: SeededService,
  key: string,
): Promise<void> {
  const response = await context.request.post(`${url}/api/v1/admin/session`, {
    data: { key: keys[key] },
    headers: { origin: url },
  });
  if (!response.ok()) throw new Error(await response.text());
}

/** Ends the page’s session, as if an operator had ended it in another tab. */
export async function endSession(page: Page): Promise<void> {
  await page.evaluate(() => fetch('/api/v1/admin/session', { method: 'DELETE' }));
}

/** Starts to close the tab, and stays on the page. Rejects if the browser does not ask. */
export async function keepTab(page: Page): Promise<void> {
  const asking = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const question = await asking;
  if (question.type() !== 'beforeunload') throw new Error(`A dialog of another type: ${question.message()}`);
  await question.dismiss();
}
