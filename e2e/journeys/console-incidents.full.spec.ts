import { confirmWithName, connectAds, connectNotes, expect, openConsole, test } from '../stack/console.ts';

const execute = { entity: 'notes', action: 'list', params: { page_size: 1 } } as const;

test('declares an incident, shows a receipt for each grant, and undoes it', async ({
  page,
  installation,
}) => {
  const { client } = await installation.addIntegrator('Lumen');
  const notes = await connectNotes(client, 'leaky', 'Notes');
  const ads = await connectAds(installation, client, 'leaky', 'Ads');
  const untouched = await connectNotes(client, 'careful', 'Careful notes');
  const customer = client.forCustomer('leaky');
  const oldToken = (await client.tokens.mintScoped({ customer_name: 'leaky' })).token;

  await openConsole(page, installation);
  await page.getByRole('link', { name: 'Incidents', exact: true }).click();
  await page.getByRole('link', { name: 'Declare an incident' }).first().click();
  await page.getByRole('radio', { name: /^A customer/ }).check();
  await page.getByRole('searchbox', { name: 'Search by name' }).fill('leak');
  await page.getByRole('button', { name: /^leaky/ }).click();
  await expect(page.getByText('2 connectors freeze: they can’t be used or synced.')).toBeVisible();
  await expect(page.getByText('Other customers of Lumen aren’t affected.')).toBeVisible();
  await page.reload();
  await expect(page.getByText('2 connectors freeze: they can’t be used or synced.')).toBeVisible();
  await page.getByLabel('Reason').fill('A token was in a screenshot');
  await page.getByRole('button', { name: 'Declare incident…' }).click();
  await confirmWithName(page, 'leaky', 'Declare incident');

  await expect(page.getByRole('heading', { name: 'Incident: leaky' })).toBeFocused();
  await expect(page.getByText('A token was in a screenshot')).toBeVisible();
  const receiptOf = (name: string) => page.getByRole('row').filter({ hasText: name });
  await expect(receiptOf('Ads').getByText('Revoked', { exact: true })).toBeVisible();
  await expect(receiptOf('Notes').getByText('Revoke by hand')).toBeVisible();
  await expect(receiptOf('Notes').getByRole('link', { name: /^Revoke it at Granola/ })).toHaveAttribute(
    'href',
    /^https:/,
  );
  await expect(page.locator('dl.tiles')).toContainText(/Frozen connectors\s*2.*Revoked\s*1.*by hand\s*1/s);
  const rejected = await fetch(`${installation.url}/api/v1/integrations/connectors`, {
    headers: { authorization: `Bearer ${oldToken}` },
  });
  expect(rejected.status).toBe(401);
  await expect(client.execute(notes.id, execute)).rejects.toMatchObject({ code: 'connector_frozen' });
  expect((await client.execute(untouched.id, execute)).result).toHaveLength(1);

  await page.getByRole('button', { name: 'Undo…' }).click();
  await expect(page.getByRole('dialog')).toContainText('change to “Needs reconnecting”');
  await confirmWithName(page, 'leaky', 'Undo incident');
  await expect(page.getByText('Undone', { exact: true }).first()).toBeVisible();
  expect((await customer.execute(notes.id, execute)).result).toHaveLength(1);
  expect((await client.connectors.get(ads.id)).status).toBe('needs_reauth');
});
