import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { fullTest } from '../../scripts/full-test.ts';
import { useConsole } from './harness.ts';
import { endSession, keepTab, writer } from './open-page.ts';
import { changeResponses, intercept, rejectRequests } from './responses.ts';

const harness = useConsole();

/** Resolves when the list shows the names of these items, in this order. */
async function expectNames(page: Page, names: readonly string[]): Promise<void> {
  await expect.poll(() => page.locator('main tbody th a').allInnerTexts()).toEqual(names);
}

async function confirm(page: Page, name: string, action: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  await dialog.getByRole('button', { name: action, exact: true }).click();
}

/** Creates an application of Harbor Analytics with one or two client secrets. */
async function addApplication(name: string, secrets = 1): Promise<{ id: string }> {
  const { admin, idOf } = harness.seeded;
  const application = await admin('POST', '/applications', {
    name,
    organization_ids: [idOf('Harbor Analytics')],
  });
  if (secrets === 2) await admin('POST', `/applications/${application.id}/secrets`, {});
  return application;
}

fullTest('keeps the search, filters and order of connectors in the URL', async () => {
  const page = await harness.open('/connectors');
  await page.getByLabel('Status').selectOption('Paused by an incident');
  await page.getByLabel('Kind').selectOption('Gong');
  await expectNames(page, ['Leaked calls']);
  expect(new URL(page.url()).searchParams.get('status')).toBe('frozen');
  await page.reload();
  await expectNames(page, ['Leaked calls']);
  await expect.poll(() => page.getByLabel('Kind').locator('option:checked').innerText()).toBe('Gong');
  await page.getByLabel('Status').selectOption('All');
  await page.getByLabel('Kind').selectOption('All');
  await page.getByRole('searchbox').fill('leaked');
  await page.getByRole('button', { name: 'Name', exact: true }).click();
  await expectNames(page, ['Leaked ads', 'Leaked calls', 'Leaked clips', 'Leaked notes']);
  await page.getByRole('link', { name: 'Leaked clips' }).click();
  await page.getByRole('heading', { name: 'Leaked clips', level: 1 }).waitFor();
  await page.goBack();
  await expectNames(page, ['Leaked ads', 'Leaked calls', 'Leaked clips', 'Leaked notes']);
});

fullTest('shows a sync error once for all entities that report it', async () => {
  const page = await harness.open('/connectors/{Sales calls}');
  await page.getByText('Can’t sync calls extensive and users').waitFor();
  expect(await page.getByText('missing the scope').count()).toBe(1);
  expect(await page.getByText('Failed 5 times in a row').count()).toBe(1);
});

fullTest('explains why a connector cannot be synced now, and keeps the page', async () => {
  const page = await harness.open('/connectors/{Meeting notes}');
  await rejectRequests(page, 'resyncConnector', {
    code: 'vendor_rate_limited',
    detail: 'Gong asks to wait 40 s',
  });
  await page.getByRole('button', { name: 'Sync now' }).click();
  await page.getByRole('alert').filter({ hasText: 'Gong asks to wait 40 s' }).waitFor();
  expect(await page.getByRole('heading', { name: 'Timeline' }).isVisible()).toBe(true);
});

test('continues with a dialog after the session ended', async () => {
  const page = await harness.open('/connectors/{Interviews}');
  await page.getByRole('button', { name: 'Disable…' }).click();
  await endSession(page);
  await confirm(page, 'Interviews', 'Disable connector');
  await page.getByLabel('Admin key', { exact: true }).fill(harness.seeded.keys[writer] ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('An operator disabled this connector').waitFor();
  const { idOf, admin } = harness.seeded;
  expect((await admin('GET', `/connectors/${idOf('Interviews')}`)).status).toBe('disabled');
});

test('shows markup in names as text', async () => {
  const page = await harness.open(`/customers?search=${encodeURIComponent('<img')}`);
  await page.getByRole('link', { name: /^<img src=x onerror=/ }).click();
  await page.getByRole('heading', { name: /^<img src=x onerror=/, level: 1 }).waitFor();
  await page.getByRole('link', { name: /^<b>Überlang/ }).waitFor();
  expect(await page.locator('main img').count()).toBe(0);
  expect(await page.locator('main b').count()).toBe(0);
});

fullTest('filters the audit log, keeps the filters in the URL and shows an entry in full', async () => {
  const page = await harness.open('/audit');
  await page.getByLabel('Outcome').selectOption('Any error');
  await page.getByLabel('Action').selectOption('List');
  await page.getByRole('button', { name: 'Last hour' }).click();
  await expect.poll(() => page.locator('tbody tr:not(.group)').count()).toBe(1);
  await page.reload();
  await page.getByRole('button', { name: 'List campaigns' }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.innerText()).toContain('connector_disabled');
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => page.locator('tbody tr:not(.group)').count()).toBe(50);
  expect(new URL(page.url()).search).toBe('');
  expect(await page.getByLabel('Outcome').inputValue()).toBe('');
});

fullTest('shows problems by cause, and has one action for all connectors with the same problem', async () => {
  const page = await harness.open('');
  await page.getByRole('link', { name: '3 Google Ads sign-ins expired' }).waitFor();
  await page.getByRole('heading', { name: '4 connectors need reconnecting' }).waitFor();
  await page.getByRole('button', { name: 'Create reconnect links…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create links' }).click();
  const links = page.locator('section', { has: page.getByRole('heading', { name: 'Reconnect links' }) });
  await links
    .getByRole('row', { name: /^ember-coffee/ })
    .getByText('connect_helper_url')
    .waitFor();
  const link = links.getByRole('row', { name: /^cedar-clinic/ }).locator('console-copy');
  expect(await link.evaluate(element => (element as unknown as { text: string }).text)).toMatch(
    /^https:\/\/connect\.example\.com\/connect\/[\w-]+#/,
  );
  expect(harness.requestsFor('createReconnectLink')).toBe(4);
  await page.getByLabel('Organization').selectOption('Fieldbook');
  await page.getByRole('heading', { name: '1 connector needs reconnecting' }).waitFor();
  await page.getByLabel('Organization').selectOption('All');
  await rejectRequests(page, 'resyncConnector', { code: 'overloaded', detail: 'Too busy', times: 1 });
  await page.getByRole('button', { name: 'Retry all' }).click();
  const failed = page.locator('section', { has: page.getByRole('heading', { name: 'Not retried' }) });
  const row = failed.getByRole('row', { name: /Too busy/ });
  expect(await row.innerText()).toMatch(/^(fern-legal.*Client calls|acme.*Sales calls)/s);
  await page.getByRole('button', { name: 'Retry all' }).click();
  await page.getByText('Retrying 2 connectors').waitFor();
  expect(harness.requestsFor('resyncConnector')).toBe(4);
});

fullTest('exports all pages of the filtered audit log into one file', async () => {
  const { data: expected } = await harness.seeded.admin('GET', '/audit?outcome=ok&limit=1000');
  const page = await harness.open('/audit?outcome=ok');
  let requests = 0;
  await intercept(page, 'exportAudit', async route => {
    requests += 1;
    if (requests === 2) await endSession(page);
    const url = new URL(route.request().url());
    url.searchParams.set('limit', '50');
    await route.continue({ url: url.href });
  });
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export NDJSON' }).click();
  await page.getByLabel('Admin key', { exact: true }).fill(harness.seeded.keys[writer] ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^audit-\d{4}-\d\d-\d\d\.ndjson$/);
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\n');
  // Newer entries follow, such as that of the sign-in.
  const ids = lines.map(line => (JSON.parse(line) as { id: string }).id);
  expect(expected.length).toBeGreaterThan(50);
  expect(ids.slice(0, expected.length)).toEqual(expected.map(({ id }: { id: string }) => id).toReversed());
  expect(new Set(ids).size).toBe(ids.length);
});

test('declares an incident once, even if the response is lost', async () => {
  const incidents = async () => (await harness.seeded.admin('GET', '/incidents')).data.length;
  const before = await incidents();
  const page = await harness.open('/incidents/new?scope=customer&target={atlas-travel}');
  await page.getByRole('button', { name: 'Declare incident…' }).click();
  await intercept(
    page,
    'declareIncident',
    async route => {
      await route.fetch();
      await route.abort();
    },
    1,
  );
  await confirm(page, 'atlas-travel', 'Declare incident');
  await page.getByRole('dialog').getByRole('alert').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Declare incident', exact: true }).click();
  await page.getByRole('heading', { name: 'Incident: atlas-travel' }).waitFor();
  expect(await incidents()).toBe(before + 1);
});

fullTest('shows a stored name without characters that change the text direction', async () => {
  const page = await harness.open('/incidents/new?scope=customer&target={acme}', {
    set: page => changeResponses(page, 'getCustomer', customer => ({ ...customer, name: 'ac\u202eme' })),
  });
  await page.getByText('Every token of ac\ufffdme issued until now').waitFor();
});

test('updates the secrets of an application and keeps unsaved input and its conflicts', async () => {
  const { id } = await addApplication('Rotating backend', 2);
  let minutes = 0;
  const page = await harness.open(`/applications/${id}`, {
    set: async page => {
      await page.clock.install();
      await changeResponses(page, 'getApplication', application => ({
        ...application,
        secrets: application.secrets.map((secret, index) => ({
          ...secret,
          last_used_at: new Date(Date.now() - (index === 0 ? minutes : 0) * 60_000).toISOString(),
        })),
      }));
    },
  });
  await page.getByText('In use').nth(1).waitFor();
  const name = page.getByLabel('Name', { exact: true });
  await name.fill('Renamed');
  minutes = 61;
  await harness.seeded.admin('PATCH', `/applications/${id}`, { version: 1, name: 'Renamed by someone else' });
  await page.clock.runFor(11_000);
  await page.getByText('Not used for an hour; tokens it issued have expired').waitFor();
  await page.getByRole('heading', { name: 'Renamed by someone else' }).waitFor();
  expect(await name.inputValue()).toBe('Renamed');
  expect(await name.evaluate(element => element === document.activeElement)).toBe(true);
  await name.press('Enter');
  await page.getByText('Someone else changed this while you were editing').waitFor();
});

test('asks before a link or the back button discards unsaved input', async () => {
  const page = await harness.open('/applications');
  await page.getByRole('link', { name: 'Harbor backend' }).click();
  const name = page.getByLabel('Name', { exact: true });
  await name.fill('Renamed');
  const dialog = page.getByRole('dialog', { name: 'Discard your changes?' });
  const stay = dialog.getByRole('button', { name: 'Stay on this page' });
  await page.getByRole('link', { name: 'Organizations', exact: true }).click();
  await stay.click();
  await page.goBack();
  await stay.click();
  expect(await name.inputValue()).toBe('Renamed');
  expect(new URL(page.url()).pathname).toMatch(/^\/console\/applications\/./);
  await page.goBack();
  await dialog.getByRole('button', { name: 'Leave page' }).click();
  await page.getByRole('heading', { name: 'Applications' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/applications');
});

test('asks before a secret that was not copied is lost, also while it is created and when the tab is closed', async () => {
  const { id } = await addApplication('Closed tab backend');
  const page = await harness.open(`/applications/${id}`);
  const { promise: created, resolve: create } = Promise.withResolvers<void>();
  await intercept(page, 'createSecret', async route => {
    await created;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Add a second secret' }).click();
  const requested = page.waitForRequest('**/secrets');
  await page.getByRole('button', { name: 'Add secret' }).click();
  await requested;
  await keepTab(page);
  create();
  await page.getByRole('button', { name: 'Copy client secret' }).waitFor();
  await keepTab(page);
  await page.getByRole('link', { name: 'Organizations', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Leave without copying the secret?' });
  await dialog.getByRole('button', { name: 'Stay on this page' }).click();
  await page.getByRole('button', { name: 'Copy client secret' }).click();
  await page.getByText('Copied').first().waitFor();
  await page.getByRole('link', { name: 'Organizations', exact: true }).click();
  await page.getByRole('heading', { name: 'Organizations', level: 1 }).waitFor();
});
