/** Playwright's `test` with a running demo and a host page of its own, and what consent journeys do there. */
import { expect, type Page } from '@playwright/test';
import { test as base, type Demo } from './demo-fixture.ts';
import { runProgram } from './processes.ts';

export { expect } from '@playwright/test';
export type { Demo } from './demo-fixture.ts';

/** A page with the widget, for a customer that nobody else is. */
export interface HostPage {
  readonly url: string;
  /** Opens the page with these settings for a customer; see host-page.ts. */
  open(page: Page, customer: string, settings?: Readonly<Record<string, string>>): Promise<void>;
  /** The connectors the service has for a customer. */
  connectorsOf(customer: string): Promise<readonly StoredConnector[]>;
  /** Deletes them all. */
  disconnectAll(customer: string): Promise<void>;
  /** Switches of a simulated vendor, from now until the test is over. */
  setVendor(vendor: string, settings: Readonly<Record<string, unknown>>): Promise<void>;
}

export interface StoredConnector {
  readonly id: string;
  readonly name: string;
  readonly status: string;
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
    // Copying on what nobody looks at any more would keep the vendors, and the machine, from the next journey.
    for (const customer of customers) await host.disconnectAll(customer);
    await fetch(`${demo.sandboxUrl}/_sandbox/reset`, { method: 'POST' });
  },
});

/** @param customers is told whose page was opened */
function hostAt(url: string, demo: Demo, customers: Set<string>): HostPage {
  /** A call that the customer's own page could make. */
  async function call(customer: string, method: string, path: string): Promise<Response> {
    const token = await fetch(`${url}/connect/widget-token?customer=${customer}`, {
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
    async open(page, customer, settings = {}) {
      customers.add(customer);
      await page.goto(`${url}/?${new URLSearchParams({ customer, ...settings }).toString()}`);
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

/** Goes to Gong's consent; resolves with its window. */
export async function signInToGong(page: Page): Promise<Page> {
  await page.getByRole('button', { name: /^Gong/ }).click();
  const popup = page.waitForEvent('popup');
  await page.getByRole('button', { name: /^Sign in with Gong/ }).click();
  return popup;
}

/** Allows access on a vendor's page. */
export async function allow(consent: Page): Promise<void> {
  await consent.getByRole('button', { name: 'Allow' }).click();
}

/** The widget says that it is done. */
export async function expectConnected(page: Page, name = 'Gong'): Promise<void> {
  await expect(page.getByRole('heading', { name: `${name} is connected` })).toBeVisible();
}
