import { createClient, type CustomerClient } from '@connector-auth/api/client';
import { expect, type Page } from '@playwright/test';
import { startScriptedModel } from '../packages/scripted-model.ts';
import { test, type Demo } from '../stack/demo.ts';
import { runProgram } from '../stack/processes.ts';
import { violationsOf } from '../stack/violations.ts';

test.use({ isSeeded: true, timezoneId: 'UTC' });

const spendQuestion = 'Which campaigns spent most last week?';
const dayMs = 86_400_000;

async function openChat(page: Page) {
  await page.getByRole('button', { name: 'Ask Fieldbook' }).click();
  const chat = page.getByRole('complementary', { name: 'Ask Fieldbook' });
  await expect(chat).toBeVisible();
  return chat;
}

/** Allows what the chat asks for; comes back to the chat. */
async function signIn(page: Page, maySearch = true): Promise<void> {
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  // The page starts from what the person allowed before.
  await page.getByRole('checkbox', { name: /^Search/ }).setChecked(maySearch);
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
}

function customerOf({ serviceUrl, clientId, clientSecret }: Demo): CustomerClient {
  return createClient({ baseUrl: serviceUrl, clientId, clientSecret }).forCustomer('juniper-bakery');
}

/** Waits for the first import of campaigns, and returns the id of the connector. */
async function importedAds(customer: CustomerClient): Promise<string> {
  let id = '';
  await expect
    .poll(async () => {
      const { data } = await customer.connectors.list();
      const ads = data.find(({ connector_type }) => connector_type === 'google-ads');
      id = ads?.id ?? '';
      return ads?.sync.entities['campaigns']?.last_synced_at ?? null;
    })
    .not.toBeNull();
  return id;
}

/** Returns the spend of last week by campaign, highest first, as the imported records have it. */
async function spendOfLastWeek(customer: CustomerClient, connector: string) {
  const today = new Date().setUTCHours(0, 0, 0, 0);
  const monday = today - (((new Date(today).getUTCDay() + 6) % 7) + 7) * dayMs;
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const { result } = await customer.execute(connector, {
    entity: 'campaigns',
    action: 'search',
    params: {
      query: {
        filter: {
          and: [
            { gte: { 'segments.date': day(monday) } },
            { lte: { 'segments.date': day(monday + 6 * dayMs) } },
          ],
        },
      },
      fields: ['campaign.name', 'metrics.cost_micros'],
      limit: 10_000,
    },
  });
  // Searches return these fields.
  const { data } = result as { data: { 'campaign.name': string; 'metrics.cost_micros': number | string }[] };
  const micros = new Map<string, number>();
  for (const row of data) {
    const name = row['campaign.name'];
    micros.set(name, (micros.get(name) ?? 0) + Number(row['metrics.cost_micros']));
  }
  const euros = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' });
  return [...micros]
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, spent]) => [name, euros.format(spent / 1_000_000)] as const);
}

test('answers what the person allowed, with the calls of tools, until access is revoked', async ({
  page,
  demo,
}) => {
  const customer = customerOf(demo);
  const expected = await spendOfLastWeek(customer, await importedAds(customer));
  await page.goto(demo.url);
  const chat = await openChat(page);
  await expect(chat.getByText('Scripted answers from live data.')).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);

  await chat.getByLabel('Your question').fill(spendQuestion);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Don’t allow' }).click();
  await expect(chat.getByText('You didn’t allow access.')).toBeVisible();
  await expect(chat.getByLabel('Your question')).toHaveValue(spendQuestion);
  await signIn(page);
  const calls = chat.getByRole('list', { name: 'Calls of tools' }).getByRole('listitem');
  await expect(calls).toHaveText([
    /list_sources.*OK.*2 connections.*ms/s,
    /search accounts.*OK.*Google Ads · 1 record.*ms/s,
    /read campaigns.*OK.*Google Ads · \d+ records.*ms/s,
  ]);
  const rows = chat.getByRole('table').getByRole('row');
  await expect(rows).toHaveCount(6);
  for (const [index, [name, spend]] of expected.slice(0, 5).entries()) {
    await expect(rows.nth(index + 1)).toContainText(name);
    await expect(rows.nth(index + 1)).toContainText(spend);
  }
  const [[first, spend] = []] = expected;
  await expect(chat.getByRole('status')).toContainText(`Answer: ${first} spent most last week`);
  await expect(chat.getByRole('status')).toContainText(String(spend));
  await calls.last().getByText('read campaigns').click();
  await expect(calls.last().getByRole('region', { name: 'Arguments' })).toContainText('SELECT campaign.name');

  for (const [colorScheme, width] of [
    ['light', 1280],
    ['dark', 390],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 844 });
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }

  await page.setViewportSize({ width: 1280, height: 844 });
  await page.getByRole('link', { name: 'Connections', exact: true }).click();
  await page.getByRole('button', { name: 'Apps and agents' }).click();
  await page.getByRole('button', { name: /^Revoke/ }).click();
  await page.getByRole('button', { name: /^Revoke/ }).click();
  await expect(page.getByText('no longer has access')).toBeVisible();
  await chat.getByLabel('Your question').fill('Which sources are connected?');
  await page.keyboard.press('Enter');
  await expect(chat.getByText('access has ended or was revoked')).toBeVisible();
  await signIn(page, false);
  await expect(chat.getByRole('row', { name: /Granola/ })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Connections' })).toBeVisible();
  await chat.getByLabel('Your question').fill(spendQuestion);
  await page.keyboard.press('Enter');
  await expect(chat.getByText('needs more than you allowed')).toBeVisible();
});

test('shows a call while it is running, and stops it', async ({ page, demo }) => {
  await importedAds(customerOf(demo));
  await page.goto(demo.url);
  const chat = await openChat(page);
  await signIn(page);
  await fetch(`${demo.sandboxUrl}/_sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ vendor: 'google-ads', method: 'POST', path: '*:search*', hang: true }),
  });
  try {
    await chat.getByRole('button', { name: spendQuestion }).click();
    const read = chat.getByRole('listitem').filter({ hasText: 'read campaigns' }).last();
    await expect(read).toContainText('Running');
    await chat.getByRole('button', { name: 'Stop' }).click();
    await expect(read).toContainText('Stopped');
  } finally {
    await fetch(`${demo.sandboxUrl}/_sandbox/faults`, { method: 'DELETE' });
  }
  await expect(chat.getByText('You stopped this answer.')).toBeVisible();
  await expect(chat.getByLabel('Your question')).toBeFocused();

  await page.keyboard.type('Which sources are connected?');
  await page.keyboard.press('Enter');
  await expect(chat.getByRole('row', { name: /Granola/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(chat).toBeHidden();
  await expect(page.getByRole('button', { name: 'Ask Fieldbook' })).toBeFocused();
});

test('offers to connect the source that a question needs, on a phone too', async ({ page, demo }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(demo.url);
  await page.getByRole('combobox', { name: 'Signed in as' }).selectOption({ label: 'Okafor Dental Group' });
  await expect(page.getByRole('link', { name: 'Connect Google Ads' })).toBeVisible();
  const chat = await openChat(page);
  await signIn(page);
  await expect(chat.getByRole('button', { name: 'Which sources are connected?' })).toBeVisible();
  await expect(chat.getByRole('button', { name: spendQuestion })).toBeHidden();
  await chat.getByLabel('Your question').fill(spendQuestion);
  await page.keyboard.press('Enter');
  await chat.getByRole('link', { name: 'Connect Google Ads' }).click();
  await expect(chat).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, name: 'Connections' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Sign in with Google/ })).toBeVisible();
});

test('answers with the language model at MODEL_URL', async ({ page, demo }) => {
  const api = await startScriptedModel(sources =>
    sources === undefined
      ? { tool: 'list_sources', given: {} }
      : { answer: `You have **${sources.connections.length} connections**.` },
  );
  const app = runProgram(['scripts/run.mjs', 'demo'], {
    SERVICE_URL: demo.serviceUrl,
    CLIENT_ID: demo.clientId,
    CLIENT_SECRET: demo.clientSecret,
    MODEL_URL: api.url,
    MODEL_NAME: 'tiny-model',
  });
  try {
    const [, url = ''] = await app.waitForOutput(/ready \([\d.]+ s\): +(\S+)/);
    await page.goto(url);
    const chat = await openChat(page);
    await expect(chat.getByText('Answers by tiny-model.')).toBeVisible();
    await chat.getByLabel('Your question').fill('How many connections do I have?');
    await signIn(page);
    await expect(chat.getByRole('listitem').filter({ hasText: 'list_sources' }).last()).toContainText('OK');
    await expect(chat.getByText('You have 2 connections.', { exact: true })).toBeVisible();
  } finally {
    await app.stop();
    await api.close();
  }
});
