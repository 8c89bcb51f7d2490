import { setTimeout } from 'node:timers/promises';
import { createClient } from '@connector-auth/api/client';
import { expect, openConsole, test, type Installation } from '../stack/console.ts';

/** A backend that uses whatever secret is deployed, and gets a new token for each request. */
function startBackend({ url }: Installation, clientId: string, clientSecret: string) {
  let deployed = clientSecret;
  const stopping = new AbortController();
  let requests = 0;
  const failures: unknown[] = [];
  const request = async () => {
    try {
      await createClient({ baseUrl: url, clientId, clientSecret: deployed }).connectors.list();
    } catch (error) {
      failures.push(error);
    }
    requests += 1;
  };
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await request();
      // Leaves the processor to the page.
      await setTimeout(50);
    }
  })();
  return {
    deploy(secret: string) {
      deployed = secret;
    },
    /** Resolves after two more requests, of which the second began after this call. */
    async nextRequest() {
      const before = requests;
      await expect.poll(() => requests).toBeGreaterThan(before + 1);
    },
    async stop() {
      stopping.abort();
      await running;
      return failures;
    },
  };
}

test('rotates the secret of an application with no failed request', async ({ page, installation }) => {
  await installation.admin('POST', '/organizations', { name: 'Harbour' });
  await openConsole(page, installation);
  await page.getByRole('link', { name: 'Applications', exact: true }).click();
  await page.getByRole('link', { name: 'New application' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Harbour backend');
  await page.getByRole('checkbox', { name: 'Harbour' }).check();
  await page.getByRole('button', { name: 'Create application' }).click();
  await expect(page.getByRole('heading', { name: 'Harbour backend is ready' })).toBeFocused();
  const first = await page.locator('.secret-value code').innerText();
  await page.getByRole('link', { name: 'I’ve stored it, continue' }).click();
  const clientId = await page.locator('.secret-value code').innerText();

  const backend = startBackend(installation, clientId, first);
  await backend.nextRequest();
  await page.getByRole('button', { name: 'Add a second secret' }).click();
  await page.getByRole('button', { name: 'Add secret', exact: true }).click();
  const panel = page.locator('.secret-panel');
  await expect(panel.getByRole('heading', { name: 'New client secret' })).toBeFocused();
  const second = await panel.locator('.secret-value code').innerText();
  expect(second).not.toBe(first);
  await backend.nextRequest();
  backend.deploy(second);
  await backend.nextRequest();
  await page.getByRole('button', { name: 'I’ve stored it, close' }).click();

  await page
    .getByRole('button', { name: /^Delete the secret/ })
    .first()
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete secret' }).click();
  await expect(page.getByRole('button', { name: /^Delete the secret/ })).toHaveCount(1);
  await backend.nextRequest();
  expect(await backend.stop()).toEqual([]);
  const old = createClient({ baseUrl: installation.url, clientId, clientSecret: first });
  await expect(old.connectors.list()).rejects.toMatchObject({ code: 'client_credentials_invalid' });

  await page.reload();
  await expect(page.getByRole('button', { name: /^Delete the secret/ })).toHaveCount(1);
  await expect(page.locator('body')).not.toContainText(second);
});
