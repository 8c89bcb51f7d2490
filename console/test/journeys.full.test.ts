import type { Page } from 'playwright';
import { beforeEach, expect, test } from 'vitest';
import { FakeProblem } from '../fixture/fake-api.ts';
import { useConsole } from './harness.ts';

const harness = useConsole();
beforeEach(() => harness.running.reset());

/** The names of the requests that changed something. */
function changes(): string[] {
  return harness.running.api.calls.map(({ name }) => name).filter(name => !/^(get|list)/.test(name));
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

async function applicationPath(name: string): Promise<string> {
  return `/applications/${harness.running.data.applications.find(one => one.name === name)?.id}`;
}

async function organizationPath(name: string): Promise<string> {
  return `/organizations/${harness.running.data.organizations.find(one => one.name === name)?.id}`;
}

test('leads by keyboard alone from the set-up code to the code to paste', async () => {
  const { data, api } = harness.running;
  data.organizations = [];
  data.applications = [];
  data.isSetUpOpen = true;
  api.isSignedIn = false;
  const page = await harness.open('');
  await page.keyboard.type('K7QF-2M9X-4T8P-8RWD-5HJZ-3CVN-6G');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Your admin key' }).waitFor();
  expect(await focused(page)).toBe('Your admin key');
  expect(await page.locator('.secret-value').innerText()).toContain('cak_');
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
  expect(code).toContain(`CLIENT_ID=${data.applications[0]?.client_id}\n`);
  expect(code).toMatch(/CLIENT_SECRET=cas_/);
  const install = page.getByRole('region', { name: 'Install' });
  expect(await install.innerText()).toBe('npx -y pnpm@12 tarballs express-html');
  await page.getByLabel('Stack of your product').selectOption('Next.js');
  expect(await install.innerText()).toBe('npx -y pnpm@12 tarballs next');
  await page.getByRole('region', { name: 'Backend: app/connector-auth/[...path]/route.ts' }).waitFor();
  expect(await page.locator('main').innerText()).not.toMatch(/npm (i|install) @connector-auth/);
  expect(page.url()).not.toMatch(/K7QF|cak_|cas_/);
});

test('says what to check if the set-up code was mistyped', async () => {
  const { data, api } = harness.running;
  data.isSetUpOpen = true;
  api.isSignedIn = false;
  const page = await harness.open('');
  await page.getByLabel('Set-up code').fill('K7QF-2M9X-4T8P');
  await page.getByRole('button', { name: 'Create admin key' }).click();
  const error = page.locator('.field-error');
  await error.getByText('it has 12 characters instead of 26').waitFor();
  expect(await error.innerText()).toContain('Restart the service to print a new one');
});

test('continues with an existing application and a new secret after a reload', async () => {
  const { data } = harness.running;
  data.applications = [];
  const page = await harness.open('/start');
  await page.getByRole('button', { name: 'Use this organization' }).click();
  await page.getByPlaceholder('Acme backend').fill('Acme backend');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Step 3 of 3' }).waitFor();
  page.once('dialog', question => void question.accept());
  await page.reload();
  await page.getByText('already has 1 application').waitFor();
  await page.getByRole('button', { name: 'Continue with a new secret' }).click();
  await expect.poll(() => focused(page)).toBe('Step 3 of 3: Code to paste');
  const [application] = data.applications;
  expect(application?.secrets).toHaveLength(2);
  const code = await page.getByRole('region', { name: 'Environment' }).innerText();
  expect(code).toContain(`CLIENT_ID=${application?.client_id}\n`);
  await page.getByRole('link', { name: 'I’ve stored it, finish' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
});

test('shows a name that is taken at its field, and distinguishes applications by client id', async () => {
  const { data, api } = harness.running;
  api.intercept = name => {
    if (name === 'createApplication')
      throw new FakeProblem('already_exists', 'Another application has this name');
  };
  const page = await harness.open('/applications/new');
  await page.getByLabel('Name', { exact: true }).fill('Harbor backend');
  await page.getByLabel('Fieldbook', { exact: true }).check();
  await page.getByRole('button', { name: 'Create application' }).click();
  await page.locator('.field-error').getByText('Another application has this name').waitFor();
  expect(await focused(page)).toBe('');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.getByText(data.applications[0]?.client_id ?? '').waitFor();
  await page.getByRole('searchbox').fill('harbor');
  await page.getByRole('status').getByText('1 application', { exact: true }).waitFor();
});

test('has one name for connectors that need reconnecting', async () => {
  const page = await harness.open('');
  await page.getByRole('link', { name: 'Needs reconnecting' }).click();
  await page.getByRole('heading', { name: 'Connectors' }).waitFor();
  await expect
    .poll(() => page.getByLabel('Status').locator('option:checked').innerText())
    .toBe('Needs reconnecting');
  await page.getByRole('link', { name: 'Brand campaigns' }).click();
  await page.getByText(/^Needs reconnecting: Google Ads/).waitFor();
  expect(await page.locator('h1 + .badge').innerText()).toBe('Needs reconnecting');
});

test('says that someone else used the set-up code first', async () => {
  const { data, api } = harness.running;
  data.isSetUpOpen = true;
  api.isSignedIn = false;
  const page = await harness.open('');
  data.isSetUpOpen = false;
  await page.getByLabel('Set-up code').fill('K7QF-2M9X-4T8P-8RWD-5HJZ-3CVN-6G');
  await page.getByRole('button', { name: 'Create admin key' }).click();
  await page.getByText('Someone else has set up this service').waitFor();
  await page.getByRole('link', { name: 'Go to sign-in' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test('signs in with a key that never becomes part of the URL', async () => {
  harness.running.api.isSignedIn = false;
  const page = await harness.open('/applications');
  await page.keyboard.type('wrong');
  await page.keyboard.press('Enter');
  await page.getByText('This admin key is not valid').waitFor();
  await page.getByLabel('Admin key', { exact: true }).fill('cak_right');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Applications' }).waitFor();
  expect(new URL(page.url()).search).toBe('');
  expect(new URL(page.url()).pathname).toBe('/console/applications');
});

test('continues where the session ended, without losing what was typed', async () => {
  const { api } = harness.running;
  const page = await harness.open('/organizations/new');
  await page.getByLabel('Name', { exact: true }).fill('Harbor Metrics');
  api.isSignedIn = false;
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.type('cak_right');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Harbor Metrics' }).waitFor();
  expect(changes()).toEqual(['createOrganization', 'signIn', 'createOrganization']);
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
  const page = await harness.open(await organizationPath('Fieldbook'));
  const open = page.getByRole('button', { name: 'Disable organization' });
  await open.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await focused(page)).toBe('Disable organization');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Field');
  await page.keyboard.press('Enter');
  await dialog.getByText('The name doesn’t match').waitFor();
  expect(changes()).toEqual([]);
  await page.keyboard.type('book');
  await page.keyboard.press('Enter');
  await page.getByText('Organization disabled', { exact: true }).waitFor();
  expect(harness.running.data.organizations.find(({ name }) => name === 'Fieldbook')?.status).toBe(
    'disabled',
  );
  await expect.poll(() => focused(page)).toBe('Enable organization');
});

test('keeps focus inside a dialog', async () => {
  const page = await harness.open(await organizationPath('Fieldbook'));
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
  await page.getByText('This name is already in use').waitFor();
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
  const page = await harness.open(await applicationPath('Fieldbook backend'));
  await page.getByLabel('Name', { exact: true }).fill('Renamed backend');
  await page.getByRole('button', { name: 'Add a second secret' }).click();
  await page.getByRole('button', { name: 'Add secret' }).click();
  await page.getByText('Not used yet').waitFor();
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Renamed backend');
});

test('creates one organization if the response is lost and the form is sent again', async () => {
  const { api, data } = harness.running;
  const count = data.organizations.length;
  const page = await harness.open('/organizations/new');
  await page.getByLabel('Name', { exact: true }).fill('Harbor Metrics');
  await page.route(
    '**/admin/organizations',
    async route => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await page.keyboard.press('Enter');
  await page.getByText('Can’t reach the service').waitFor();
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Harbor Metrics');
  await page.getByRole('button', { name: 'Create organization' }).click();
  await page.getByRole('heading', { name: 'Harbor Metrics' }).waitFor();
  expect(data.organizations.length).toBe(count + 1);
  expect(api.calls.filter(({ name }) => name === 'createOrganization').length).toBe(2);
});

test('sends a form once if it is submitted twice', async () => {
  const { api } = harness.running;
  const { promise, resolve } = Promise.withResolvers<void>();
  api.intercept = name => (name === 'createOrganization' ? promise : undefined);
  const page = await harness.open('/organizations/new');
  await page.getByLabel('Name', { exact: true }).fill('Harbor Metrics');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  resolve();
  await page.getByRole('heading', { name: 'Harbor Metrics' }).waitFor();
  expect(changes()).toEqual(['createOrganization']);
});

test('shows what someone else changed, and saves both changes', async () => {
  const { data } = harness.running;
  const page = await harness.open(await organizationPath('Fieldbook'));
  const stored = data.organizations.find(({ name }) => name === 'Fieldbook');
  if (!stored) throw new Error('The sample has no such organization');
  await page.getByLabel('Display name').fill('Fieldbook CRM');
  Object.assign(stored, { version: 2, support_url: 'https://fieldbook.example/help' });
  await page.keyboard.press('Enter');
  const notice = page.getByRole('alert');
  await notice.getByText('https://fieldbook.example/help').waitFor();
  await notice.getByRole('button', { name: 'Load these changes, keep my input' }).click();
  expect(await page.getByLabel('Support page').inputValue()).toBe('https://fieldbook.example/help');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Settings saved').waitFor();
  expect(stored).toMatchObject({
    display_name: 'Fieldbook CRM',
    support_url: 'https://fieldbook.example/help',
    version: 3,
  });
});

test('searches, sorts and pages a list, and keeps the search in the URL', async () => {
  const { data } = harness.running;
  for (let index = 10; index < 70; index += 1) data.addOrganization(`Tenant ${index}`);
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
  const { data } = harness.running;
  const page = await harness.open(await applicationPath('Fieldbook backend'));
  await page.getByRole('button', { name: 'Add a second secret' }).click();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'New client secret' }).waitFor();
  const code = await page.getByRole('region', { name: 'Environment' }).innerText();
  expect(code).toContain('CLIENT_SECRET=cas_');
  // With two organizations, the backend must name one.
  expect(code).toContain(`ORGANIZATION_ID=${data.organizations[1]?.id}`);
  await page.getByRole('button', { name: 'I’ve stored it, close' }).click();
  expect(await page.getByText('cas_').count()).toBe(0);
  await page
    .getByRole('button', { name: /^Delete the secret/ })
    .first()
    .click();
  await page.getByLabel(/Also reject the tokens/).check();
  await page.getByRole('button', { name: 'Delete secret' }).click();
  await page.getByText('Client secret deleted').waitFor();
  const call = harness.running.api.calls.find(({ name }) => name === 'deleteSecret')?.call;
  expect(call?.query).toEqual({ revoke_tokens: true });
});

test('asks for the name before it deletes the only client secret, and names no other one', async () => {
  const secret = harness.running.data.applications.find(({ name }) => name === 'Fieldbook backend')
    ?.secrets[0];
  const page = await harness.open(await applicationPath('Fieldbook backend'));
  await page.getByRole('button', { name: /^Delete the secret/ }).click();
  const text = await page.getByRole('dialog').innerText();
  expect(text).toContain(`…${secret?.id.slice(-6)}, created`);
  expect(text).not.toMatch(/other secret|another secret/);
  await page.keyboard.press('Tab');
  await page.getByRole('dialog').getByLabel('Name').fill('Fieldbook backend');
  await page.getByRole('button', { name: 'Delete secret' }).click();
  await page.getByText('has no client secret').waitFor();
  expect(await focused(page)).toBe('Credentials');
});

test('asks again before it deletes the last admin key that can change anything', async () => {
  const { data } = harness.running;
  data.keys = data.keys.filter(({ name }) => name !== 'First admin key');
  const page = await harness.open('/keys');
  for (const title of ['Delete this admin key?', 'Delete the last key that can change anything?']) {
    if (title.endsWith('key?')) await page.getByRole('button', { name: 'Delete Mara’s laptop' }).click();
    const dialog = page.getByRole('dialog', { name: title });
    await dialog.getByLabel('Name').fill('Mara’s laptop');
    await dialog.getByRole('button', { name: 'Delete admin key' }).click();
  }
  await page.getByText('Admin key deleted').waitFor();
  expect(data.keys.map(({ name }) => name)).toEqual(['Monitoring']);
});

test('takes over an application of the environment', async () => {
  const page = await harness.open(await applicationPath('fieldbook-demo'));
  expect(await page.getByRole('button', { name: 'Disable application' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Take over' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take over' }).click();
  await page.getByRole('button', { name: 'Disable application' }).waitFor();
});

test('sets an OAuth app with the fields of its schema, and shows which one is invalid', async () => {
  const page = await harness.open(`${await organizationPath('Fieldbook')}/oauth-apps/google-ads`);
  await page.getByLabel('Client ID').fill('client-1');
  await page.getByLabel('Client secret', { exact: true }).fill('with space');
  await page.getByRole('button', { name: 'Save OAuth app' }).click();
  await page.getByText('Must not contain spaces').waitFor();
  await page.getByLabel('Client secret', { exact: true }).fill('secret-1');
  await page.getByLabel('Developer token', { exact: true }).fill('token-1');
  await page.getByRole('button', { name: 'Save OAuth app' }).click();
  await page.getByText('OAuth app saved').waitFor();
  expect(await page.getByLabel('Client secret', { exact: true }).inputValue()).toBe('');
  expect(harness.running.api.calls.findLast(({ name }) => name === 'setOAuthApp')?.call.body).toEqual({
    configuration: { client_id: 'client-1', client_secret: 'secret-1', developer_token: 'token-1' },
  });
});

test('previews a logo before it is uploaded', async () => {
  const page = await harness.open(await organizationPath('Fieldbook'));
  const pixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const choose = (buffer: Buffer) =>
    page.locator('input[type=file]').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer });
  await choose(Buffer.alloc(300 * 1024));
  await page.getByText('This image has 300 KiB').waitFor();
  await choose(Buffer.from(pixel, 'base64'));
  await page.getByAltText('Chosen image').waitFor();
  await page.getByRole('button', { name: 'Upload logo' }).click();
  await page.getByAltText('Current logo').waitFor();
  expect(harness.running.api.calls.findLast(({ name }) => name === 'setLogo')?.call.body).toEqual({
    image: pixel,
  });
});

test('offers no changes to a key that can only read', async () => {
  harness.running.data.session.access = 'read';
  const page = await harness.open(await applicationPath('Fieldbook backend'));
  await page.getByText('Client ID').waitFor();
  expect(await page.getByRole('button', { name: /Add|Delete|Disable|Save/ }).count()).toBe(0);
});

test('lists the own sessions and ends one that is not this browser', async () => {
  const page = await harness.open('');
  await page.getByLabel('Signed in with').click();
  await page.getByRole('link', { name: 'Sessions' }).click();
  await page.getByRole('row', { name: 'Firefox on Linux This browser' }).waitFor();
  expect(await page.getByRole('button', { name: 'Sign out everywhere' }).isVisible()).toBe(false);
  await page.getByRole('button', { name: 'End the session in Edge on Windows' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click();
  await expect.poll(() => page.getByRole('row').count()).toBe(2);
  expect(await page.getByRole('button', { name: /End the session/ }).count()).toBe(0);
});

test('signs out everywhere', async () => {
  const page = await harness.open('');
  await page.getByLabel('Signed in with').click();
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByText('signed out in every browser').waitFor();
  expect(harness.running.api.calls.at(-1)?.call.query).toEqual({ everywhere: true });
});

test('offers to try again if the service is unreachable', async () => {
  const { api } = harness.running;
  api.intercept = name => {
    if (name === 'listApplications') throw new Error('lost');
  };
  const page = await harness.open('/applications');
  await page.getByText('Can’t reach the service').waitFor();
  api.intercept = () => {};
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('link', { name: 'Fieldbook backend' }).waitFor();
});

test('shows a rejected change in its dialog', async () => {
  const { api } = harness.running;
  api.intercept = name => {
    if (name === 'disableApplication')
      throw new FakeProblem('audit_unavailable', 'The audit log cannot be written');
  };
  const page = await harness.open(await applicationPath('Fieldbook backend'));
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
