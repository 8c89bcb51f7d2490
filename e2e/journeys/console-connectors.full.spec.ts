import {
  confirmWithName,
  connectNotes,
  expect,
  openConsole,
  reloadUntilVisible,
  test,
} from '../stack/console.ts';

const execute = { entity: 'notes', action: 'list', params: { page_size: 1 } } as const;

test('disables a connector, which rejects its use until the operator enables it', async ({
  page,
  installation,
}) => {
  const { client } = await installation.addIntegrator('Harbor');
  const { id } = await connectNotes(client, 'acme', 'Sales notes');
  await connectNotes(client, 'acme', 'Other notes');
  expect((await client.execute(id, execute)).result).toHaveLength(1);

  await openConsole(page, installation);
  await page.getByRole('link', { name: 'Connectors', exact: true }).click();
  await page.getByRole('searchbox', { name: 'Search connectors' }).fill('sales');
  await expect(page.getByRole('link', { name: 'Other notes' })).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('searchbox')).toHaveValue('sales');
  await page.getByRole('link', { name: 'Sales notes' }).click();
  await expect(page.getByRole('heading', { name: 'Sales notes', level: 1 })).toBeFocused();

  await page.getByRole('button', { name: 'Disable…' }).click();
  await confirmWithName(page, 'Sales notes', 'Disable connector');
  await expect(page.getByRole('heading', { name: 'Sales notes' })).toBeFocused();
  await expect(page.getByText('An operator disabled this connector')).toBeVisible();
  await expect(client.execute(id, execute)).rejects.toMatchObject({ code: 'connector_disabled' });

  const timeline = page.locator('section', { has: page.getByRole('heading', { name: 'Timeline' }) });
  // The act of the operator, and the use that was rejected.
  await reloadUntilVisible(page, timeline.getByText('Connector disabled').nth(1));
  await expect(page.getByText('An operator disabled this connector')).toBeVisible();
  await page.getByRole('button', { name: 'Enable…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Enable connector' }).click();
  await expect(page.getByText('An operator disabled this connector')).toHaveCount(0);
  expect((await client.execute(id, execute)).result).toHaveLength(1);
});

test('deletes a customer only after their name was typed', async ({ page, installation }) => {
  const { client } = await installation.addIntegrator('Fieldbook');
  const { id } = await connectNotes(client, 'leaving', 'Notes');
  await openConsole(page, installation, '/customers?search=leaving');
  await page.getByRole('link', { name: 'leaving' }).click();
  await expect(page.getByRole('link', { name: 'Notes', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Delete…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('staying');
  await expect(dialog.getByRole('button', { name: 'Delete customer' })).toBeDisabled();
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('The name doesn’t match')).toBeVisible();
  expect((await client.connectors.get(id)).id).toBe(id);
  await confirmWithName(page, 'leaving', 'Delete customer');
  await expect(page.getByRole('heading', { name: 'Customers', level: 1 })).toBeVisible();
  await expect(client.connectors.get(id)).rejects.toMatchObject({ code: 'connector_not_found' });
});
