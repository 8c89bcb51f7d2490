import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { useConsole } from './harness.ts';
import { endSession, keepTab, signIn, writer } from './open-page.ts';
import { firstKey, openSetUp, showEmpty } from './pages-to-show.ts';
import { intercept, rejectRequests } from './responses.ts';

const harness = useConsole();

/** The names of the requests that changed something. */
function changes(): string[] {
  return harness.requests.filter(name => !/^(get|list)/.test(name));
}

/** Returns the text or label of the focused element. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { activeElement: element } = document;
    return element?.getAttribute('aria-label') ?? element?.textContent?.replaceAll(/\s+/g, ' ').trim() ?? '';
  });
}

/** Presses Tab until an element with this label or text has focus. */
async function tabTo(page: Page, label: string): Promise<void> {
  for (let count = 0; count < 60; count += 1) {
    await page.keyboard.press('Tab');
    const reached = await page.evaluate(() => {
      const { activeElement: element } = document;
      if (!(element instanceof HTMLElement)) return '';
      const text =
        element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : element.textContent;
      return (element.getAttribute('aria-label') ?? text ?? '').replaceAll(/\s+/g, ' ').trim();
    });
    if (reached === label) return;
  }
  throw new Error(`Tab does not reach “${label}”`);
}

/** Creates an application of Fieldbook and Fieldbook staging. */
function addApplication(name: string) {
  const { admin, idOf } = harness.seeded;
  const organizations = ['Fieldbook', 'Fieldbook staging'].map(idOf);
  return admin('POST', '/applications', { name, organization_ids: organizations }).then(({ id }) =>
    admin('GET', `/applications/${id}`),
  );
}

test('leads by keyboard alone from the set-up code to the code to paste', async () => {
  const { seeded } = harness;
  const page = await harness.open('', {
    as: null,
    set: async page => {
      await openSetUp(page);
      await showEmpty(page);
      await intercept(page, 'setUp', async route => {
        await signIn(page.context(), seeded, writer);
        await route.fulfill({ status: 201, json: firstKey });
      });
    },
  });
  await page.keyboard.type('K7QF-2M9X-4T8P-8RWD-5HJZ-3CVN-6G');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Your admin key' }).waitFor();
  await expect.poll(() => focused(page)).toBe('Your admin key');
  expect(await page.locator('.secret-value').innerText()).toContain(firstKey.key);
  await tabTo(page, 'I’ve stored it, continue');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Your first connection' }).waitFor();
  await tabTo(page, 'Name');
  await page.keyboard.type('Acme');
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('Step 2 of 3: Application');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Acme backend');
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('Step 3 of 3: Code to paste');
  const code = await page.getByRole('region', { name: 'Environment' }).innerText();
  expect(code).toContain('SERVICE_URL=https://connect.example.com\n');
  const [created] = (await seeded.admin('GET', '/applications?search=acme')).data;
  expect(code).toContain(`CLIENT_ID=${created.client_id}\n`);
  expect(code).toMatch(/CLIENT_SECRET=\S/);
  const install = page.getByRole('region', { name: 'Install' });
  expect(await install.innerText()).toBe('npx -y pnpm@12 tarballs express-html');
  await page.getByRole('radio', { name: 'Next.js' }).check();
  expect(await install.innerText()).toBe('npx -y pnpm@12 tarballs next');
  await page.getByRole('region', { name: 'Backend: app/connector-auth/[...path]/route.ts' }).waitFor();
  expect(await page.locator('main').innerText()).not.toMatch(/npm (i|install) @connector-auth/);
  expect(page.url()).not.toMatch(/K7QF|ca_/);
});

test('says what to check if the set-up code was mistyped', async () => {
  const page = await harness.open('', { as: null, set: openSetUp });
  await rejectRequests(page, 'setUp', { code: 'setup_code_invalid', detail: 'The code is invalid' });
  await page.getByLabel('Set-up code').fill('K7QF-2M9X-4T8P');
  await page.getByRole('button', { name: 'Create admin key' }).click();
  const error = page.locator('.field-error');
  await error.getByText('it has 12 characters instead of 26').waitFor();
  expect(await error.innerText()).toContain('Restart the service to print a new one');
});

test('asks before the tab is closed while the first admin key is created', async () => {
  const page = await harness.open('', { as: null, set: openSetUp });
  const { promise: created, resolve: create } = Promise.withResolvers<void>();
  await intercept(page, 'setUp', async route => {
    await created;
    await route.fulfill({ status: 201, json: firstKey });
  });
  await page.getByLabel('Set-up code').fill('K7QF-2M9X-4T8P-8RWD-5HJZ-3CVN-6G');
  const requested = page.waitForRequest(request => request.method() === 'POST');
  await page.getByRole('button', { name: 'Create admin key' }).click();
  await requested;
  await keepTab(page);
  create();
  await page.getByRole('heading', { name: 'Your admin key' }).waitFor();
  await keepTab(page);
});

test('continues with an existing application and a new secret after a reload', async () => {
  const { admin } = harness.seeded;
  const organization = await admin('POST', '/organizations', { name: 'Reloaded' });
  const page = await harness.open(`/start?organization=${organization.id}`);
  await page.getByPlaceholder('Acme backend').fill('Reloaded backend');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Step 3 of 3' }).waitFor();
  page.once('dialog', question => void question.accept());
  await page.reload();
  await page.getByText('already has 1 application').waitFor();
  await page.getByRole('button', { name: 'Continue with a new secret' }).click();
  await expect.poll(() => focused(page)).toBe('Step 3 of 3: Code to paste');
  const [application] = (await admin('GET', `/applications?organization_id=${organization.id}`)).data;
  expect(application.secrets).toHaveLength(2);
  const code = await page.getByRole('region', { name: 'Environment' }).innerText();
  expect(code).toContain(`CLIENT_ID=${application.client_id}\n`);
  await page.getByRole('link', { name: 'I’ve stored it, finish' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
});

test('shows a name that is taken at its field, and distinguishes applications by client id', async () => {
  const page = await harness.open('/applications/new');
  await rejectRequests(page, 'createApplication', {
    code: 'already_exists',
    detail: 'Another application has this name',
  });
  await page.getByLabel('Name', { exact: true }).fill('Harbor backend');
  await page.getByLabel('Fieldbook', { exact: true }).check();
  await page.getByRole('button', { name: 'Create application' }).click();
  await page.locator('.field-error').getByText('Another application has this name').waitFor();
  await expect.poll(() => focused(page)).toBe('');
  await page.getByRole('link', { name: 'Cancel' }).click();
  const { admin, idOf } = harness.seeded;
  const { client_id: clientId } = await admin('GET', `/applications/${idOf('Harbor backend')}`);
  await page.getByText(clientId).waitFor();
  await page.getByRole('searchbox').fill('harbor');
  await page.getByRole('status').getByText('1 application', { exact: true }).waitFor();
});

test('has one name for connectors that need reconnecting', async () => {
  const page = await harness.open('');
  await page.getByRole('link', { name: '3 Google Ads sign-ins expired' }).click();
  await page.getByRole('heading', { name: 'Connectors' }).waitFor();
  await expect
    .poll(() => page.getByLabel('Status').locator('option:checked').innerText())
    .toBe('Needs reconnecting');
  await page.getByRole('link', { name: 'Brand campaigns' }).click();
  await page.getByText(/^Needs reconnecting: Google Ads/).waitFor();
  expect(await page.locator('h1 + .badge').innerText()).toBe('Needs reconnecting');
});

test('says that someone else used the set-up code first', async () => {
  const page = await harness.open('', { as: null, set: openSetUp });
  await page.unrouteAll();
  await page.getByLabel('Set-up code').fill('K7QF-2M9X-4T8P-8RWD-5HJZ-3CVN-6G');
  await page.getByRole('button', { name: 'Create admin key' }).click();
  await page.getByText('Someone else has set up this service').waitFor();
  await page.getByRole('link', { name: 'Go to sign-in' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test('signs in with a key that never becomes part of the URL', async () => {
  const page = await harness.open('/applications', { as: null });
  await page.keyboard.type('wrong');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('neither an admin key').waitFor();
  await page.getByLabel('Admin key', { exact: true }).fill(harness.seeded.keys[writer] ?? '');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Applications' }).waitFor();
  expect(new URL(page.url()).search).toBe('');
  expect(new URL(page.url()).pathname).toBe('/console/applications');
});

test('continues where the session ended, without losing what was typed', async () => {
  const page = await harness.open('/organizations/new');
  await page.getByLabel('Name', { exact: true }).fill('Harbor Metrics');
  await endSession(page);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.type(harness.seeded.keys[writer] ?? '');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Harbor Metrics' }).waitFor();
  expect(changes()).toEqual(['signOut', 'createOrganization', 'signIn', 'createOrganization']);
});

test('moves focus to the heading of each page and back', async () => {
  const page = await harness.open('');
  await page.getByRole('link', { name: 'Applications' }).first().click();
  await expect.poll(() => focused(page)).toBe('Applications');
  expect(await page.title()).toBe('Applications · Connector Auth console');
  await page.getByRole('link', { name: 'Fieldbook backend' }).click();
  await page.getByRole('heading', { name: 'Fieldbook backend' }).waitFor();
  await page.goBack();
  await expect.poll(() => focused(page)).toBe('Applications');
});

test('disables an organization only after its name was typed, and returns focus on Escape', async () => {
  const { admin } = harness.seeded;
  const { id } = await admin('POST', '/organizations', { name: 'Handbook' });
  const page = await harness.open(`/organizations/${id}`);
  const open = page.getByRole('button', { name: 'Disable organization' });
  await open.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => focused(page)).toBe('Disable organization');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Hand');
  await page.keyboard.press('Enter');
  await dialog.getByText('The name doesn’t match').waitFor();
  expect(changes()).toEqual([]);
  await page.keyboard.type('book');
  await page.keyboard.press('Enter');
  await page.getByText('Organization disabled', { exact: true }).waitFor();
  expect((await admin('GET', `/organizations/${id}`)).status).toBe('disabled');
  await expect.poll(() => focused(page)).toBe('Enable organization');
});

test('deletes an organization after its name was typed, and shows what is deleted', async () => {
  const { admin } = harness.seeded;
  const { id } = await admin('POST', '/organizations', { name: 'Leaflet' });
  const page = await harness.open(`/organizations/${id}`);
  await page.getByRole('button', { name: 'Delete organization' }).click();
  await page.getByLabel('Name', { exact: true }).last().fill('Leaflet');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete organization' }).click();
  await page.getByRole('heading', { name: 'Organization deletion' }).waitFor();
  await page.getByText('Deleting in the background').waitFor();
  expect((await admin('GET', `/organizations/${id}`)).status).toBe('deleting');
  await page.getByRole('link', { name: 'Deleted organizations' }).click();
  await page.getByRole('link', { name: id }).waitFor();
});

test('keeps focus inside a dialog', async () => {
  const page = await harness.open('/organizations/{Fieldbook}');
  await page.getByRole('button', { name: 'Disable organization' }).click();
  for (let count = 0; count < 8; count += 1) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('nav, main') ?? null)).toBeNull();
  }
});

test('shows an invalid field at the field and moves focus there', async () => {
  const page = await harness.open('/organizations/new');
  await page.getByRole('button', { name: 'Create organization' }).click();
  await page.getByText('Enter a name').waitFor();
  await page.keyboard.type('Fieldbook');
  await page.keyboard.press('Enter');
  await page.getByText('Another organization has this name').waitFor();
  await page.keyboard.type(' 2');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Fieldbook 2' }).waitFor();
});

test('rejects a sync interval that is not a number', async () => {
  const page = await harness.open('/organizations/new');
  await page.getByLabel('Name', { exact: true }).fill('Harbor Metrics');
  await page.getByLabel('Sync interval in minutes').fill('hourly');
  await page.keyboard.press('Enter');
  await page.getByText('Enter a whole number').waitFor();
  expect(changes()).toEqual([]);
});

test('keeps unsaved settings while a secret is added', async () => {
  const page = await harness.open(`/applications/${(await addApplication('Unsaved backend')).id}`);
  await page.getByLabel('Name', { exact: true }).fill('Renamed backend');
  await page.getByRole('button', { name: 'Add a second secret' }).click();
  await page.getByRole('button', { name: 'Add secret' }).click();
  await page.getByText('Not used yet').nth(1).waitFor();
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Renamed backend');
});

test('creates one organization if the response is lost and the form is sent again', async () => {
  const page = await harness.open('/organizations/new');
  await page.getByLabel('Name', { exact: true }).fill('Lost response');
  await intercept(
    page,
    'createOrganization',
    async route => {
      await route.fetch();
      await route.abort();
    },
    1,
  );
  await page.keyboard.press('Enter');
  await page.getByText('Can’t reach the service').waitFor();
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Lost response');
  await page.getByRole('button', { name: 'Create organization' }).click();
  await page.getByRole('heading', { name: 'Lost response' }).waitFor();
  expect((await harness.seeded.admin('GET', '/organizations?search=lost')).data).toHaveLength(1);
  expect(changes()).toEqual(['createOrganization', 'createOrganization']);
});

test('sends a form once if it is submitted twice', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const page = await harness.open('/organizations/new');
  await intercept(page, 'createOrganization', async route => {
    await promise;
    await route.continue();
  });
  await page.getByLabel('Name', { exact: true }).fill('Submitted twice');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  resolve();
  await page.getByRole('heading', { name: 'Submitted twice' }).waitFor();
  expect(changes()).toEqual(['createOrganization']);
});

test('shows what someone else changed, and saves both changes', async () => {
  const { admin } = harness.seeded;
  const { id } = await admin('POST', '/organizations', { name: 'Edited twice' });
  const page = await harness.open(`/organizations/${id}`);
  await page.getByLabel('Display name').fill('Fieldbook CRM');
  await admin('PATCH', `/organizations/${id}`, { version: 1, support_url: 'https://fieldbook.example/help' });
  await page.keyboard.press('Enter');
  const notice = page.getByRole('alert');
  await notice.getByText('https://fieldbook.example/help').waitFor();
  await notice.getByRole('button', { name: 'Load these changes, keep my input' }).click();
  expect(await page.getByLabel('Support page').inputValue()).toBe('https://fieldbook.example/help');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Settings saved').waitFor();
  expect(await admin('GET', `/organizations/${id}`)).toMatchObject({
    display_name: 'Fieldbook CRM',
    support_url: 'https://fieldbook.example/help',
    version: 3,
  });
});

test('searches, sorts and pages a list, and keeps the search in the URL', async () => {
  for (let index = 10; index < 70; index += 1) {
    await harness.seeded.admin('POST', '/organizations', { name: `Tenant ${index}` });
  }
  const page = await harness.open('/organizations');
  const names = () => page.locator('tbody th').allInnerTexts();
  await page.getByLabel('Search organizations').fill('tenant');
  await expect.poll(async () => (await names())[0]).toBe('Tenant 10');
  await page.getByRole('button', { name: 'Name' }).click();
  await expect.poll(async () => (await names())[0]).toBe('Tenant 69');
  await page.getByRole('button', { name: 'Next' }).click();
  await expect.poll(async () => (await names())[0]).toBe('Tenant 44');
  expect(new URL(page.url()).search).toBe('?search=tenant&sort=-name');
  await page.reload();
  await expect.poll(async () => (await names())[0]).toBe('Tenant 69');
  expect(await page.getByLabel('Search organizations').inputValue()).toBe('tenant');
});

test('rotates a client secret: adds a second one, shows it once, then deletes the old one', async () => {
  const { id } = await addApplication('Rotated backend');
  const page = await harness.open(`/applications/${id}`);
  await page.getByRole('button', { name: 'Add a second secret' }).click();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'New client secret' }).waitFor();
  const code = await page.getByRole('region', { name: 'Environment' }).innerText();
  const secret = await page.locator('.secret-value code').first().innerText();
  expect(code).toContain(`CLIENT_SECRET=${secret}`);
  // With two organizations, the backend must name one.
  expect(code).toContain(`ORGANIZATION_ID=${harness.seeded.idOf('Fieldbook')}`);
  await page.getByRole('button', { name: 'I’ve stored it, close' }).click();
  await expect.poll(() => page.getByText(secret).count()).toBe(0);
  await page
    .getByRole('button', { name: /^Delete the secret/ })
    .first()
    .click();
  await page.getByLabel(/Also reject the tokens/).check();
  const deleting = page.waitForRequest(request => request.method() === 'DELETE');
  await page.getByRole('button', { name: 'Delete secret' }).click();
  await page.getByText('Client secret deleted').waitFor();
  expect(new URL((await deleting).url()).search).toBe('?revoke_tokens=true');
});

test('asks for the name before it deletes the only client secret, and names no other one', async () => {
  const application = await addApplication('Backend without secrets');
  const page = await harness.open(`/applications/${application.id}`);
  await page.getByRole('button', { name: /^Delete the secret/ }).click();
  const text = await page.getByRole('dialog').innerText();
  expect(text).toContain(`…${application.secrets[0].id.slice(-6)}, created`);
  expect(text).not.toMatch(/other secret|another secret/);
  await page.keyboard.press('Tab');
  await page.getByRole('dialog').getByLabel('Name').fill('Backend without secrets');
  await page.getByRole('button', { name: 'Delete secret' }).click();
  await page.getByText('has no client secret').waitFor();
  await expect.poll(() => focused(page)).toBe('Credentials');
});

test('asks again before it deletes the last admin key that can change anything', async () => {
  const { admin } = harness.seeded;
  await admin('POST', '/keys', { name: 'Last key', access: 'write' });
  const page = await harness.open('/keys');
  await rejectRequests(page, 'deleteAdminKey', { code: 'last_admin_key', detail: 'The last key', times: 1 });
  for (const title of ['Delete this admin key?', 'Delete the last key that can change anything?']) {
    if (title.endsWith('key?')) await page.getByRole('button', { name: 'Delete Last key' }).click();
    const dialog = page.getByRole('dialog', { name: title });
    await dialog.getByLabel('Name').fill('Last key');
    await dialog.getByRole('button', { name: 'Delete admin key' }).click();
  }
  await page.getByText('Admin key deleted').waitFor();
  const { data: keys } = await admin('GET', '/keys');
  expect(keys.map(({ name }: { name: string }) => name)).not.toContain('Last key');
});

test('takes over an application of the environment', async () => {
  const page = await harness.open('/applications/{fieldbook-demo}');
  expect(await page.getByRole('button', { name: 'Disable application' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Take over' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take over' }).click();
  await page.getByRole('button', { name: 'Disable application' }).waitFor();
});

test('sets an OAuth app with the fields of its schema, and shows which one is invalid', async () => {
  const page = await harness.open('/organizations/{Fieldbook}/oauth-apps/google-ads');
  await page.getByLabel('Client ID').fill('client-1');
  await page.getByLabel('Client secret', { exact: true }).fill('with space');
  await page.getByLabel('Developer token', { exact: true }).fill('token-1');
  await page.getByRole('button', { name: 'Save OAuth app' }).click();
  await page.getByText('printable ASCII characters without spaces').waitFor();
  await page.getByLabel('Client secret', { exact: true }).fill('secret-1');
  const saving = page.waitForRequest('**/oauth-apps/google-ads');
  await page.getByRole('button', { name: 'Save OAuth app' }).click();
  await page.getByText('OAuth app saved').waitFor();
  expect(await page.getByLabel('Client secret', { exact: true }).inputValue()).toBe('');
  expect((await saving).postDataJSON()).toEqual({
    configuration: { client_id: 'client-1', client_secret: 'secret-1', developer_token: 'token-1' },
  });
});

test('previews a logo before it is uploaded', async () => {
  const page = await harness.open('/organizations/{Fieldbook}');
  const pixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const choose = (buffer: Buffer) =>
    page.locator('input[type=file]').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer });
  await choose(Buffer.alloc(300 * 1024));
  await page.getByText('This image has 300 KiB').waitFor();
  await choose(Buffer.from(pixel, 'base64'));
  await page.getByAltText('Chosen image').waitFor();
  const uploading = page.waitForRequest('**/logo');
  await page.getByRole('button', { name: 'Upload logo' }).click();
  await page.getByAltText('Current logo').waitFor();
  expect((await uploading).postDataJSON()).toEqual({ image: pixel });
});

test('offers no changes to a key that can only read', async () => {
  const page = await harness.open('/applications/{Fieldbook backend}', { as: 'Monitoring' });
  await page.getByText('Client ID').waitFor();
  expect(await page.getByRole('button', { name: /Add|Delete|Disable|Save/ }).count()).toBe(0);
});

test('lists the own sessions and ends one that is not this browser', async () => {
  const { seeded } = harness;
  await fetch(`${seeded.url}/api/v1/admin/session`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: seeded.url,
      'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0',
    },
    body: JSON.stringify({ key: seeded.keys[writer] }),
  });
  const page = await harness.open('');
  await page.getByLabel('Signed in with').click();
  await page.getByRole('link', { name: 'Sessions' }).click();
  await page.getByRole('row', { name: /^Chrome on Linux This browser/ }).waitFor();
  expect(await page.getByRole('button', { name: 'Sign out everywhere' }).isVisible()).toBe(false);
  await page.getByRole('button', { name: 'End the session in Edge on Windows' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click();
  await expect.poll(() => page.getByRole('row', { name: /Edge on Windows/ }).count()).toBe(0);
});

test('signs out everywhere', async () => {
  const page = await harness.open('');
  await page.getByLabel('Signed in with').click();
  const signingOut = page.waitForRequest(request => request.method() === 'DELETE');
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByText('signed out in every browser').waitFor();
  expect(new URL((await signingOut).url()).search).toBe('?everywhere=true');
});

test('offers to try again if the service is unreachable', async () => {
  const page = await harness.open('/applications', {
    set: page => intercept(page, 'listApplications', route => route.abort()),
  });
  await page.getByText('Can’t reach the service').waitFor();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('link', { name: 'Fieldbook backend' }).waitFor();
});

test('shows a rejected change in its dialog', async () => {
  const page = await harness.open('/applications/{Fieldbook backend}');
  await rejectRequests(page, 'disableApplication', {
    code: 'audit_unavailable',
    detail: 'The audit log cannot be written',
  });
  await page.getByRole('button', { name: 'Disable application' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Fieldbook backend');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByText('The audit log cannot be written').waitFor();
});

test('remembers the colour theme', async () => {
  const page = await harness.open('');
  await page.getByText('Dark', { exact: true }).click();
  await page.reload();
  await page.locator('h1').waitFor();
  expect(await page.getByLabel('Dark').isChecked()).toBe(true);
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('dark');
});
