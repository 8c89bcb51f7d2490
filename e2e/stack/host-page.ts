/** Extends Playwright's `test` with a running demo, a host page, and the steps that OAuth journeys share. */
import { expect, type Locator, type Page } from '@playwright/test';
import { test as base, type Demo } from './demo.ts';
import { runProgram } from './processes.ts';

export { expect } from '@playwright/test';
export type { Demo } from './demo.ts';

/** An integrator's page with the widget. */
export interface HostPage {
  readonly url: string;
  /** Returns the page's URL for a customer. `settings` are its query parameters; see host-page-server.ts. */
  addressFor(customer: string, settings?: Readonly<Record<string, string>>): string;
  /** Opens the page for a customer. */
  open(page: Page, customer: string, settings?: Readonly<Record<string, string>>): Promise<void>;
  /** Lists the customer's connectors. */
  connectorsOf(customer: string): Promise<readonly StoredConnector[]>;
  /** Deletes all of the customer's connectors. */
  disconnectAll(customer: string): Promise<void>;
  /** Changes settings of a simulated vendor until the end of the test. */
  setVendor(vendor: string, settings: Readonly<Record<string, unknown>>): Promise<void>;
}

export interface StoredConnector {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly replication_config: Readonly<Record<string, unknown>>;
}

export const test = base.extend<{ host: HostPage }, { hostUrl: string }>({
  hostUrl: [
    async ({ demo }, use) => {
      const page = runProgram([
        'e2e/stack/host-page-server.ts',
        demo.serviceUrl,
        demo.clientId,
        demo.clientSecret,
      ]);
      try {
        const [, url = ''] = await page.waitForOutput(/host page at (\S+)/);
        await use(url);
      } finally {
        await page.stop();
      }
    },
    { scope: 'worker' },
  ],
  host: async ({ demo, hostUrl }, use) => {
    const customers = new Set<string>();
    const host = hostAt(hostUrl, demo, customers);
    await use(host);
    // Stops the customers' syncs, which would use up the rate limits and CPU time of the next journey.
    for (const customer of customers) await host.disconnectAll(customer);
    await fetch(`${demo.sandboxUrl}/_sandbox/reset`, { method: 'POST' });
  },
});

/** @param customers receives the names of the customers whose page was opened */
function hostAt(url: string, demo: Demo, customers: Set<string>): HostPage {
  /** Calls the service as the customer's page would. */
  async function call(customer: string, method: string, path: string): Promise<Response> {
    const token = await fetch(`${url}/connect-to-write/widget-token?customer=${customer}`, {
      method: 'POST',
      headers: { origin: url },
    });
    const { token: bearer } = (await token.json()) as { token: string };
    return fetch(`${demo.serviceUrl}/api/v1/integrations/connectors${path}`, {
      method,
      headers: { authorization: `Bearer ${bearer}`, origin: url },
    });
  }

  return {
    url,
    addressFor(customer, settings = {}) {
      customers.add(customer);
      return `${url}/?${new URLSearchParams({ customer, ...settings }).toString()}`;
    },
    async open(page, customer, settings) {
      await page.goto(this.addressFor(customer, settings));
    },
    async connectorsOf(customer) {
      const response = await call(customer, 'GET', '');
      return ((await response.json()) as { data: StoredConnector[] }).data;
    },
    async disconnectAll(customer) {
      for (const { id } of await this.connectorsOf(customer)) {
        expect((await call(customer, 'DELETE', `/${id}`)).status).toBe(204);
      }
    },
    async setVendor(vendor, settings) {
      const response = await fetch(`${demo.sandboxUrl}/_sandbox/vendors/${vendor}/settings`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(settings),
      });
      expect(response.status).toBe(200);
    },
  };
}

/** Chooses a source, and the sign-in on the screen that introduces it. */
export async function chooseSignIn(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
  await signInButton(page).click();
}

/** Opens a source's consent page in a popup; resolves with the popup's page. */
export async function signInTo(page: Page, name: string): Promise<Page> {
  const popup = page.waitForEvent('popup');
  await chooseSignIn(page, name);
  return popup;
}

/** Opens Gong's consent page in a popup; resolves with the popup's page. */
export function signInToGong(page: Page): Promise<Page> {
  return signInTo(page, 'Gong');
}

/** The primary action of the screen that introduces a source. */
export function signInButton(page: Page): Locator {
  return page.getByRole('button', { name: /^Sign in with/ });
}

/** Chooses an account on a vendor's consent page, which folds all but the customer's own. */
export async function chooseAccount(consent: Page, name: string): Promise<void> {
  await consent.getByText('More test accounts').click();
  await consent.getByLabel(name).check();
}

/** Allows access on a vendor's consent page. */
export async function allow(consent: Page): Promise<void> {
  await consent.getByRole('button', { name: 'Allow' }).click();
}

/** The primary action of the screen on which users choose accounts. */
export function syncButton(page: Page): Locator {
  return page.getByRole('button', { name: /^(Sync .+|Connect)$/ });
}

/** Syncs all accounts of a new connection, for which users choose them after the consent. */
export async function syncAllAccounts(page: Page): Promise<void> {
  await expect(page.getByRole('checkbox', { name: /^Select all/ })).toBeChecked();
  await syncButton(page).click();
}

/** Waits until the widget shows that the source is connected. */
export async function expectConnected(page: Page, name = 'Gong'): Promise<void> {
  await expect(page.getByRole('heading', { name: `${name} is connected` })).toBeVisible();
}
