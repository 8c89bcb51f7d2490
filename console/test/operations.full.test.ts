/** What the console shows in less usual situations. `operations.test.ts` has one test of each part that changes something. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { useConsole } from './harness.ts';
import { changeResponses } from './responses.ts';

const harness = useConsole();

test('updates a connector that syncs without moving the page or repeating announcements', async () => {
  const page = await harness.open('/connectors/{Sales calls}', { set: page => page.clock.install() });
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
  await changeResponses(page, 'getConnector', connector => {
    Object.assign(connector.entities['calls'] ?? {}, { records: 18_999 });
    return connector;
  });
  await page.clock.runFor(5_000);
  await expect.poll(() => records.innerText()).toBe('18,999');
  expect(await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)).toEqual([]);
  expect(harness.requestsFor('listAudit')).toBe(1);
});

test('does not poll a connector on which nothing changes, or a page in the background', async () => {
  const page = await harness.open('/vendor-quotas', { set: page => page.clock.install() });
  await page.getByText('13,480').waitFor();
  await page.evaluate(() => Object.defineProperty(document, 'hidden', { value: true, configurable: true }));
  const before = harness.requestsFor('listVendorQuotas');
  await page.clock.runFor(120_000);
  expect(harness.requestsFor('listVendorQuotas')).toBe(before);
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: false, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await expect.poll(() => harness.requestsFor('listVendorQuotas')).toBeGreaterThan(before);

  const quiet = await harness.open('/connectors/{Meeting notes}', { set: page => page.clock.install() });
  await quiet.getByRole('heading', { name: 'Meeting notes', level: 1 }).waitFor();
  await quiet.getByText('1,204', { exact: true }).waitFor();
  const loaded = harness.requestsFor('getConnector');
  await quiet.clock.runFor(60_000);
  expect(harness.requestsFor('getConnector')).toBe(loaded);
});

test('offers nothing to change to a key that can only read', async () => {
  for (const path of [
    '/connectors/{Meeting notes}',
    '/customers/{juniper-bakery}',
    '/incidents/{leaked token}',
  ]) {
    const page = await harness.open(path, { as: 'Monitoring' });
    await page.getByRole('heading', { name: 'Details' }).waitFor();
    const labels = await page.locator('main button').allInnerTexts();
    expect(labels.filter(label => /Disable|Delete|Undo|Revoke tokens|Sync now/.test(label))).toEqual([]);
  }
});

test('finds the customer and the connector of audit entries by a part of their names', async () => {
  const page = await harness.open('/audit');
  const choose = async (label: string, part: string, name: RegExp) => {
    const field = page.getByLabel(label, { exact: true });
    await field.fill(part);
    const option = page.locator('datalist option').and(page.locator(`[value^="${part}"]`));
    await option.first().waitFor({ state: 'attached' });
    const value = (await option.first().getAttribute('value')) ?? '';
    expect(value).toMatch(name);
    // Choosing an option of the browser’s list is like typing it.
    await field.fill(value);
    await field.press('Enter');
  };
  await choose('Customer', 'acm', /^acme$/);
  await choose('Connector', 'Sales', /^Sales calls \(Gong, acme\)$/);
  await expect
    .poll(() => Object.fromEntries(new URL(page.url()).searchParams))
    .toEqual({ customer_name: 'acme', connector_id: harness.seeded.idOf('Sales calls') });
  await page.reload();
  await expect.poll(() => page.getByLabel('Connector', { exact: true }).inputValue()).toBe('Sales calls');
  // Early in the day, the newest entry is of the day before.
  await page
    .getByRole('rowheader', { name: /^(Today|Yesterday)$/ })
    .first()
    .waitFor();
});

test('shows a customer only their own audit entries', async () => {
  const queries: string[] = [];
  const page = await harness.open('/customers/{juniper-bakery}', {
    set: async page => {
      page.on('request', request => {
        const { pathname, searchParams } = new URL(request.url());
        if (pathname.endsWith('/audit')) queries.push(searchParams.get('customer_name') ?? '');
      });
    },
  });
  const timeline = page.locator('section', { has: page.getByRole('heading', { name: 'Timeline' }) });
  await timeline
    .getByRole('button', { name: /^List / })
    .first()
    .click();
  await page.getByRole('dialog').getByText('juniper-bakery').waitFor();
  expect(new Set(queries)).toEqual(new Set(['juniper-bakery']));
});

test('turns green when the first customer connects', async () => {
  const page = await harness.open('/start?organization={Fieldbook}', { set: page => page.clock.install() });
  await page.getByRole('button', { name: 'Continue with a new secret' }).click();
  await page.getByText('Waiting for your first connection…').waitFor();
  await expect.poll(() => harness.requestsFor('listConnectors')).toBeGreaterThan(0);
  const before = harness.requestsFor('listConnectors');
  await page.clock.runFor(3_000);
  await expect.poll(() => harness.requestsFor('listConnectors')).toBeGreaterThan(before);
  await changeResponses(page, 'listConnectors', ({ data: [newest], meta }) => ({
    data: newest ? [{ ...newest, id: randomUUID(), name: 'First calls' }] : [],
    meta,
  }));
  await page.clock.runFor(3_000);
  await page.getByRole('status').getByRole('link', { name: 'First calls' }).waitFor();
  expect(await page.locator('.notice.good').count()).toBe(1);
});

test('shows an invalid filter in the URL as an error that can be cleared', async () => {
  const page = await harness.open('/audit?connector_id=nonsense');
  await page.getByRole('alert').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => page.locator('tbody tr:not(.group)').count()).toBe(50);
});

test('counts the receipts of an incident while its grants are revoked', async () => {
  const page = await harness.open('/incidents/{leaked token}', { set: page => page.clock.install() });
  const numbers = page.locator('.tile strong');
  await expect.poll(() => numbers.allInnerTexts()).toEqual(['4', '1', '1', '2']);
  await changeResponses(page, 'getIncident', incident => ({
    ...incident,
    receipts: { confirmed: 2, pending: 0, vendor_cannot: 2 },
  }));
  await changeResponses(page, 'listReceipts', ({ data, meta }) => ({
    data: data.map(receipt => ({
      ...receipt,
      state: receipt.state === 'pending' ? 'confirmed' : receipt.state,
    })),
    meta,
  }));
  await page.clock.runFor(3_000);
  await expect.poll(() => numbers.allInnerTexts()).toEqual(['4', '2', '0', '2']);
  await expect.poll(() => page.locator('tbody').getByText('Revoked', { exact: true }).count()).toBe(2);
  const link = page.getByRole('link', { name: /^Revoke it at Granola/ });
  expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
});

test('says which grants must be revoked by hand before an incident is declared and before it is undone', async () => {
  const preview = await harness.open('/incidents/new?scope=organization&target={Harbor Analytics}');
  await preview.getByText('The customer must revoke these at the vendor').waitFor();
  await preview.getByText('wasn’t revoked at the vendor work again').waitFor();
  const page = await harness.open('/incidents/{leaked token}');
  await page.getByText('2 grants must be revoked by hand').waitFor();
  await page.getByRole('button', { name: 'Undo…' }).click();
  await page.getByRole('dialog').getByText('2 grants could only be revoked by hand').waitFor();
});

test('names what an audit entry changed, with the id below', async () => {
  const page = await harness.open('/audit?action=application.disabled');
  const row = page.getByRole('row', { name: /^Application disabled/ });
  await row.getByText('Leaked test client').waitFor();
  await row.getByRole('button').click();
  const changed = page.getByRole('dialog').locator('div', { hasText: /^\s*Changed/ });
  expect(await changed.getByRole('link').innerText()).toBe('Leaked test client');
  expect(await changed.locator('code').innerText()).toBe(harness.seeded.idOf('Leaked test client'));
});
