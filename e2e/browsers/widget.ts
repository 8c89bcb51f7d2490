/** The steps that the journeys share. */
import type { HostPage } from '../stack/host-page.ts';
import { waitUntil, type Tab } from './tab.ts';

/** Chooses a source in the catalog. */
export async function pick(tab: Tab, name: string): Promise<void> {
  await tab.click('[part="source"]', new RegExp(`^${name}`));
}

/** Chooses a source and starts its OAuth flow; resolves with the window of the vendor. */
export async function signIn(tab: Tab, name: string): Promise<Tab> {
  await pick(tab, name);
  return tab.opened(() => tab.click('[data-id="oauth"]'));
}

/** Allows access on a vendor's page. */
export async function allow(consent: Tab): Promise<void> {
  await consent.click('button', /^Allow$/);
}

/** Confirms the choice of accounts, which follows the consent if the vendor lists them. */
export async function syncAccounts(tab: Tab): Promise<readonly string[]> {
  await tab.see('[part="account"]');
  const accounts = await tab.texts('[part="account"]');
  await tab.click('[part="primary-button"]');
  return accounts;
}

/** Waits for the success screen. */
export async function seeConnected(tab: Tab, name: string): Promise<void> {
  await tab.see('h2', new RegExp(`^${name} is connected`));
}

/** Resolves once the service has synced records of the customer's only connector. */
export async function waitForData(host: HostPage, customer: string): Promise<void> {
  await waitUntil(
    async () => {
      const [connector] = await host.connectorsOf(customer);
      return Object.values(connector?.sync.entities ?? {}).some(({ records }) => records > 0);
    },
    () => `nothing was synced for ${customer}`,
  );
}
