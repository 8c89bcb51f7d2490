import { createClient } from '@connector-auth/api/client';
import {
  allow,
  expect,
  expectConnected,
  signInTo,
  syncAllAccounts,
  test,
  type Demo,
} from '../stack/host-page.ts';

/** Pauses a campaign of a simulated account. */
const update = {
  entity: 'campaigns',
  action: 'update',
  params: {
    customer_id: '6120459183',
    operations: [
      { update: { resourceName: 'customers/6120459183/campaigns/20511124485', status: 'PAUSED' } },
    ],
  },
} as const;

/** Returns a client for a customer's data that is allowed to change it. */
function writerFor({ serviceUrl: baseUrl, clientId, clientSecret }: Demo, customer: string) {
  return createClient({ baseUrl, clientId, clientSecret }).forCustomer(customer, {
    allowed_actions: ['list', 'update'],
  });
}

test('promises to change nothing, and then the service rejects every change', async ({
  page,
  demo,
  host,
}) => {
  await host.open(page, 'reader', { access: 'read' });
  await page.getByRole('button', { name: /^Google Ads/ }).click();
  await expect(page.getByText('Never changes your campaigns, ad groups, or labels')).toBeVisible();
  // The vendor has no scope that is limited to reading.
  await expect(page.getByText('Google will say “edit”. Fieldbook only reads.')).toBeVisible();
  await page.getByRole('button', { name: 'Back' }).click();
  await allow(await signInTo(page, 'Google Ads'));
  await syncAllAccounts(page);
  await expectConnected(page, 'Google Ads');
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Manage Google Ads' }).click();
  await expect(page.getByText('Read only')).toBeVisible();

  const [connector] = await host.connectorsOf('reader');
  const execution = writerFor(demo, 'reader').execute(connector?.id ?? '', update);
  await expect(execution).rejects.toMatchObject({ status: 403, code: 'action_not_allowed' });
});

test('says what the integrator can change, and then the service allows it', async ({ page, demo, host }) => {
  await host.open(page, 'writer', { access: 'write' });
  await page.getByRole('button', { name: /^Google Ads/ }).click();
  await expect(page.getByText('Fieldbook can change your campaigns, ad groups, and labels')).toBeVisible();
  await page.getByRole('button', { name: 'Back' }).click();
  await allow(await signInTo(page, 'Google Ads'));
  await syncAllAccounts(page);
  await expectConnected(page, 'Google Ads');
  const [connector] = await host.connectorsOf('writer');
  const { result } = await writerFor(demo, 'writer').execute(connector?.id ?? '', update);
  expect(result).toEqual({ results: [{ resourceName: 'customers/6120459183/campaigns/20511124485' }] });
});
