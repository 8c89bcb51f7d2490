/** Extends Playwright's `test` with connect links for customers of the demo, and browsers of the people who open them. */
import { createClient, type Client } from '@connector-auth/api/client';
import { expect, type BrowserContextOptions, type Locator, type Page } from '@playwright/test';
import { test as base, type Demo } from './host-page.ts';

export { expect } from '@playwright/test';

export const customer = 'okafor-dental';
export const otherCustomer = 'northquay-logistics';

/** The people who open links, each with a browser of their own. */
export interface People {
  /** Opens the browser of a person who is signed in to the demo as this customer. */
  signedInAs(customer: string, options?: BrowserContextOptions): Promise<Page>;
  /** Opens the browser of a person who is not signed in. */
  signedOut(options?: BrowserContextOptions): Promise<Page>;
}

export const test = base.extend<{ client: Client; people: People }>({
  client: async ({ demo }, use) => {
    const client = clientOf(demo);
    await use(client);
    for (const { id } of (await client.connectors.list()).data) await client.connectors.delete(id);
    await fetch(`${demo.sandboxUrl}/_sandbox/reset`, { method: 'POST' });
  },
  people: async ({ browser, demo }, use) => {
    const pages: Page[] = [];
    const signedOut: People['signedOut'] = async options => {
      const page = await browser.newPage(options);
      pages.push(page);
      return page;
    };
    await use({
      signedOut,
      signedInAs: async (name, options) => {
        const page = await signedOut(options);
        await signIn(page, demo, name);
        return page;
      },
    });
    for (const page of pages) await page.context().close();
  },
});

export function clientOf({ serviceUrl, clientId, clientSecret }: Demo): Client {
  return createClient({ baseUrl: serviceUrl, clientId, clientSecret });
}

/** Signs a browser in to the demo as a customer, without opening a page. */
export async function signIn(page: Page, demo: Demo, name: string): Promise<void> {
  const session = await page.request.post(`${demo.url}/sign-in`, { form: { customer: name } });
  expect(session.status()).toBe(200);
}

/** The button of a link's page that confirms the person. */
export function continueButton(page: Page): Locator {
  return page.getByRole('button', { name: /^Continue/ });
}

/** The field of a link's page for Granola, which only a confirmed browser shows. */
export function keyField(page: Page): Locator {
  return page.getByLabel('API key', { exact: true });
}

/** Enters the sandbox's Granola key on the page of a link for Granola. */
export async function connectGranola(page: Page): Promise<void> {
  await keyField(page).fill('grn_sandbox_demo');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
}

/** Waits until the page of a link shows a heading: the outcome, or why it continues no further. */
export async function expectHeading(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('heading', { name })).toBeVisible();
}
