import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { beforeEach, expect, test } from 'vitest';
import { FakeProblem } from '../fixture/fake-api.ts';
import { useConsole } from './harness.ts';

const harness = useConsole();
beforeEach(() => harness.running.reset());

function connector(name: string) {
  const found = harness.running.operation.connectors.find(one => one.name === name);
  if (!found) throw new Error(`The sample data has no connector ${name}`);
  return found;
}

/** Resolves when the list shows the names of these items, in this order. */
async function expectNames(page: Page, names: readonly string[]): Promise<void> {
  await expect
    .poll(() => page.locator('main tbody th a').allInnerTexts(), { timeout: 30_000 })
    .toEqual(names);
}

function requestsFor(name: string) {
  return harness.running.api.calls.filter(call => call.name === name).map(({ call }) => call);
}

async function confirm(page: Page, name: string, action: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  await dialog.getByRole('button', { name: action, exact: true }).click();
}

test('keeps the search, filters and order of connectors in the URL', async () => {
  const page = await harness.open('/connectors');
  await page.getByLabel('Status').selectOption('Frozen');
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

test('shows a sync error once for all entities that report it', async () => {
  const page = await harness.open(`/connectors/${connector('Sales calls').id}`);
  await page.getByText('Can’t sync users and workspaces').waitFor();
  expect(await page.getByText('missing the scope').count()).toBe(1);
  expect(await page.getByText('Failed 5 times in a row').count()).toBe(1);
});

test('updates a connector that syncs without moving the page or repeating announcements', async () => {
  const { entities } = connector('Sales calls');
  const page = await harness.open(`/connectors/${connector('Sales calls').id}`);
  const records = page
    .getByRole('row', { name: /^calls/ })
    .getByRole('cell')
    .nth(1);
  await expect.poll(() => records.innerText()).toBe('18,204');
  await expect.poll(() => page.locator('.skeletons').count()).toBe(0);
  await page.evaluate(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver(list => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: 'layout-shift' });
  });
  Object.assign(entities['calls'] ?? {}, { records: 18_999 });
  await expect.poll(() => records.innerText(), { timeout: 60_000 }).toBe('18,999');
  expect(await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)).toEqual([]);
  expect(requestsFor('listAudit')).toHaveLength(2);
});

test('does not poll a connector on which nothing changes, or a page in the background', async () => {
  const page = await harness.open('/vendor-quotas');
  await page.getByText('13,480').waitFor();
  await page.clock.install();
  await page.reload();
  await page.getByText('13,480').waitFor();
  const before = requestsFor('listVendorQuotas').length;
  await page.evaluate(() => Object.defineProperty(document, 'hidden', { value: true, configurable: true }));
  await page.clock.runFor(120_000);
  expect(requestsFor('listVendorQuotas')).toHaveLength(before);
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: false, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await expect.poll(() => requestsFor('listVendorQuotas').length).toBe(before + 1);

  const quiet = await harness.open(`/connectors/${connector('Meeting notes').id}`);
  await quiet.clock.install();
  await quiet.reload();
  await quiet.getByRole('heading', { name: 'Meeting notes', level: 1 }).waitFor();
  await quiet.getByText('1,204', { exact: true }).waitFor();
  const loaded = requestsFor('getConnector').length;
  await quiet.clock.runFor(60_000);
  expect(requestsFor('getConnector')).toHaveLength(loaded);
});

test('explains why a connector cannot be synced now, and keeps the page', async () => {
  const { api } = harness.running;
  api.intercept = name => {
    if (name === 'resyncConnector') throw new FakeProblem('vendor_rate_limited', 'Gong asks to wait 40 s');
  };
  const page = await harness.open(`/connectors/${connector('Meeting notes').id}`);
  await page.getByRole('button', { name: 'Sync now' }).click();
  await page.getByRole('alert').filter({ hasText: 'Gong asks to wait 40 s' }).waitFor();
  expect(await page.getByRole('heading', { name: 'Last uses' }).isVisible()).toBe(true);
});

test('continues with a dialog after the session ended', async () => {
  const { api } = harness.running;
  const page = await harness.open(`/connectors/${connector('Meeting notes').id}`);
  await page.getByRole('button', { name: 'Disable…' }).click();
  api.isSignedIn = false;
  await confirm(page, 'Meeting notes', 'Disable connector');
  await page.getByLabel('Admin key', { exact: true }).fill('cak_right');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('An operator disabled this connector').waitFor();
  expect(connector('Meeting notes').status).toBe('disabled');
});

test('offers nothing to change to a key that can only read', async () => {
  harness.running.data.session = { name: 'Monitoring', access: 'read' };
  for (const path of [
    `/connectors/${connector('Meeting notes').id}`,
    `/customers/${connector('Meeting notes').customer.id}`,
    `/incidents/${harness.running.operation.incidents[0]?.id}`,
  ]) {
    const page = await harness.open(path);
    await page.getByRole('heading', { name: 'Details' }).waitFor();
    const labels = await page.locator('main button').allInnerTexts();
    expect(labels.filter(label => /Disable|Delete|Undo|Revoke tokens|Sync now/.test(label))).toEqual([]);
  }
});

test('shows markup in names as text', async () => {
  const page = await harness.open(`/customers?search=${encodeURIComponent('<img')}`);
  await page.getByRole('link', { name: /^<img src=x onerror=/ }).click();
  await page.getByRole('heading', { name: /^<img src=x onerror=/, level: 1 }).waitFor();
  await page.getByRole('link', { name: /^<b>Überlang/ }).waitFor();
  expect(await page.locator('main img').count()).toBe(0);
  expect(await page.locator('main b').count()).toBe(0);
});

test('filters the audit log, keeps the filters in the URL and shows an entry in full', async () => {
  const page = await harness.open('/audit');
  await page.getByLabel('Outcome').selectOption('Any error');
  await page.getByLabel('Action').fill('list');
  await page.getByLabel('Action').press('Enter');
  await page.getByRole('button', { name: 'Last hour' }).click();
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
  await page.reload();
  await page.getByRole('button', { name: 'List campaigns' }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.innerText()).toContain('connector_disabled');
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => page.locator('tbody tr').count()).toBe(50);
  expect(new URL(page.url()).search).toBe('');
  expect(await page.getByLabel('Outcome').inputValue()).toBe('');
});

test('shows an invalid filter in the URL as an error that can be cleared', async () => {
  const page = await harness.open('/audit?connector_id=nonsense');
  await page.getByRole('alert').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => page.locator('tbody tr').count()).toBe(50);
});

test('exports all pages of the filtered audit log into one file', async () => {
  const { operation, api } = harness.running;
  const page = await harness.open('/audit?outcome=ok');
  let failures = 0;
  api.intercept = name => {
    if (name !== 'exportAudit' || requestsFor('exportAudit').length !== 2 || failures > 0) return;
    failures += 1;
    api.isSignedIn = false;
  };
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export NDJSON' }).click();
  await page.getByLabel('Admin key', { exact: true }).fill('cak_right');
  await page.getByRole('button', { name: 'Sign in' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^audit-\d{4}-\d\d-\d\d\.ndjson$/);
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\n');
  const expected = operation.entries.filter(({ outcome }) => outcome === 'ok');
  expect(expected.length).toBeGreaterThan(50);
  expect(lines.map(line => (JSON.parse(line) as { id: string }).id)).toEqual(expected.map(({ id }) => id));
});

test('declares an incident once, even if the response is lost', async () => {
  const { operation } = harness.running;
  const [{ id } = { id: '' }] = operation.customers;
  const page = await harness.open(`/incidents/new?scope=customer&target=${id}`);
  await page.getByRole('button', { name: 'Declare incident…' }).click();
  const before = operation.incidents.length;
  await page.route(
    '**/admin/incidents',
    async route => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await confirm(page, 'acme', 'Declare incident');
  await page.getByRole('dialog').getByRole('alert').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Declare incident', exact: true }).click();
  await page.getByRole('heading', { name: 'Incident: acme' }).waitFor();
  expect(operation.incidents).toHaveLength(before + 1);
});

test('shows a stored name without characters that change the text direction', async () => {
  const [customer] = harness.running.operation.customers;
  if (!customer) throw new Error('The sample data has a customer');
  customer.name = 'ac\u202eme';
  const page = await harness.open(`/incidents/new?scope=customer&target=${customer.id}`);
  await page.getByText('Every token of ac\ufffdme issued until now').waitFor();
});

test('counts the receipts of an incident while its grants are revoked', async () => {
  const { operation } = harness.running;
  const [incident] = operation.incidents;
  if (!incident) throw new Error('The sample data has an incident');
  const page = await harness.open(`/incidents/${incident.id}`);
  const numbers = page.locator('.numbers dd strong');
  await expect.poll(() => numbers.allInnerTexts()).toEqual(['4', '1', '1', '2']);
  incident.receipts = { confirmed: 2, pending: 0, vendor_cannot: 2 };
  for (const receipt of operation.receipts.get(incident.id) ?? []) {
    if (receipt.state === 'pending') {
      Object.assign(receipt, { state: 'confirmed', confirmed_at: new Date().toISOString() });
    }
  }
  await expect.poll(() => numbers.allInnerTexts(), { timeout: 60_000 }).toEqual(['4', '2', '0', '2']);
  await expect.poll(() => page.locator('tbody').getByText('Revoked', { exact: true }).count()).toBe(2);
  const link = page.getByRole('link', { name: /^Revoke it at Granola/ });
  expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
});

test('says which grants must be revoked by hand before an incident is declared and before it is undone', async () => {
  const { data, operation } = harness.running;
  const preview = await harness.open(`/incidents/new?scope=organization&target=${data.organizations[0]?.id}`);
  await preview.getByText('The customer must revoke these at the vendor').waitFor();
  await preview.getByText('wasn’t revoked at the vendor work again').waitFor();
  const page = await harness.open(`/incidents/${operation.incidents[0]?.id}`);
  await page.getByText('2 grants must be revoked by hand').waitFor();
  await page.getByRole('button', { name: 'Undo…' }).click();
  await page.getByRole('dialog').getByText('2 grants could only be revoked by hand').waitFor();
});

test('names what an audit entry changed, with the id below', async () => {
  const { data, operation } = harness.running;
  const [application] = data.applications;
  operation.addEntry('application.disabled', { target_id: application?.id ?? null });
  const page = await harness.open('/audit');
  const row = page.getByRole('row', { name: /^Application disabled/ });
  await row.getByText('Harbor backend').waitFor();
  await row.getByRole('button').click();
  const changed = page.getByRole('dialog').locator('div', { hasText: /^\s*Changed/ });
  expect(await changed.getByRole('link').innerText()).toBe('Harbor backend');
  expect(await changed.locator('code').innerText()).toBe(application?.id);
});

test('updates the secrets of an application and keeps unsaved input and its conflicts', async () => {
  const { data } = harness.running;
  const application = data.applications.find(({ name }) => name === 'Harbor backend');
  const [old] = application?.secrets ?? [];
  if (!application || !old) throw new Error('The sample data has an application with two secrets');
  old.last_used_at = new Date().toISOString();
  const page = await harness.open(`/applications/${application.id}`);
  await page.clock.install();
  await page.reload();
  await page.getByText('In use').nth(1).waitFor();
  const name = page.getByLabel('Name', { exact: true });
  await name.fill('Renamed');
  old.last_used_at = new Date(Date.now() - 61 * 60_000).toISOString();
  Object.assign(application, { version: 2, name: 'Renamed by someone else' });
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

test('asks before a new secret that was not copied is lost, also when the tab is closed', async () => {
  const { data } = harness.running;
  const id = data.applications.find(({ name }) => name === 'Fieldbook backend')?.id;
  const page = await harness.open(`/applications/${id}`);
  await page.getByRole('button', { name: 'Add a second secret' }).click();
  await page.getByRole('button', { name: 'Add secret' }).click();
  await page.getByRole('heading', { name: 'New client secret' }).waitFor();
  const asking = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const question = await asking;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  await page.getByRole('link', { name: 'Organizations', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Leave without copying the secret?' });
  await dialog.getByRole('button', { name: 'Stay on this page' }).click();
  await page.getByRole('button', { name: 'Copy client secret' }).click();
  await page.getByText('Copied').first().waitFor();
  await page.getByRole('link', { name: 'Organizations', exact: true }).click();
  await page.getByRole('heading', { name: 'Organizations', level: 1 }).waitFor();
});
