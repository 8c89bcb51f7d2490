/** The steps that the journeys share. */
import type { Tab } from './tab.ts';

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

/** Waits until the success screen shows records. */
export async function seeRecords(tab: Tab): Promise<void> {
  await tab.see('[part="records"]', /[1-9]/);
}
