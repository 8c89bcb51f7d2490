import { describe, expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import {
  account,
  accountList,
  connector,
  consentMethod,
  detail,
  json,
  oauthSession,
  outage,
  problem,
  sources,
  type Handler,
} from '../gallery/fake-service.ts';
import { interceptWindows } from '../gallery/fake-windows.ts';
import { createRoute, expectText, listRoute, withMine } from '../test/actions.ts';
import { focused, mountWidget, type Harness } from '../test/harness.ts';
import { until } from '../test/until.ts';

const sessionRoute = 'GET /integrations/connectors/oauth/sessions/*';
const accountsRoute = `${sessionRoute}/accounts`;
const googleAds = detail({
  ...sources[2],
  auth_methods: [{ ...consentMethod, lists_accounts: true }],
  accounts_setting: 'customer_ids',
  replication_schema: {
    type: 'object',
    properties: {
      customer_ids: { type: 'array', items: { type: 'string' }, title: 'Accounts' },
      start_date: { type: 'string', format: 'date', title: 'Start date' },
      api_version: { type: 'string', title: 'API version', 'x-audience': 'integrator' },
    },
  },
});

/** Mounts a widget and consents, which leads to the choice of accounts. */
async function mountAccounts(
  list: Parameters<typeof accountList>[0] | Handler = {},
  routes: Readonly<Record<string, Handler>> = {},
): Promise<Harness> {
  onTestFinished(interceptWindows().release);
  const harness = mountWidget({
    [`${listRoute}/*`]: () => json(googleAds),
    [sessionRoute]: () => json(oauthSession({ status: 'completed', secret_id: 'secret-1' })),
    [accountsRoute]: typeof list === 'function' ? list : () => json(accountList(list)),
    ...routes,
  });
  (await harness.find('[data-id="def-google-ads"]')).click();
  (await harness.find('[data-id="oauth"]')).click();
  return harness;
}

const many = (count: number) => Array.from({ length: count }, (_, index) => account(index + 1));
const sync = '.footer .primary';
const box = (number: number) => `[data-id="account-${number}"]`;

/** Clicks the checkbox that matches a selector. */
async function toggle({ find, widget }: Harness, selector: string): Promise<void> {
  (await find(selector)).click();
  await widget.updateComplete;
}

function ticked({ widget }: Harness): readonly (string | undefined)[] {
  const boxes = widget.shadowRoot?.querySelectorAll<HTMLInputElement>('.account [data-id]:checked') ?? [];
  return [...boxes].map(({ dataset }) => dataset['id']);
}

async function sent({ service, find }: Harness): Promise<unknown> {
  await find('.icon-circle.good');
  return service.requestsTo(createRoute).at(-1)?.json();
}

describe('choice of accounts', () => {
  test('ticks every account that can be synced, and includes later accounts', async () => {
    const harness = await mountAccounts();
    await expectText(harness, sync, 'Sync everything');
    expect(ticked(harness)).toEqual(['account-1', 'account-2', 'account-3']);
    await expectText(harness, '.lead', 'All are selected, including any added later.');
    const [request] = harness.service.requestsTo(accountsRoute);
    expect(request?.headers.get('x-oauth-secret-id')).toBe('secret-1');
    (await harness.find(sync)).click();
    expect(await sent(harness)).toEqual({
      definition_id: 'def-google-ads',
      name: 'Google Ads',
      server_side_oauth_secret_id: 'secret-1',
    });
  });

  test('sends the ids of the chosen accounts and the other settings, without those of the integrator', async () => {
    const harness = await mountAccounts();
    await toggle(harness, box(2));
    await expectText(harness, sync, 'Sync 2 accounts');
    await expectText(harness, '.lead', 'Only what you choose is synced.');
    (await harness.find('summary')).click();
    const fields = harness.widget.shadowRoot?.querySelectorAll('details input') ?? [];
    expect([...fields].map(({ id }) => id)).toEqual(['field-replication_config.start_date']);
    await userEvent.fill(await harness.find('[type="date"]'), '2026-01-01');
    (await harness.find(sync)).click();
    expect(await sent(harness)).toMatchObject({
      replication_config: { customer_ids: ['account-1', 'account-3'], start_date: '2026-01-01' },
    });
  });

  test('says what to do if no account is chosen, and focuses the first checkbox', async () => {
    const harness = await mountAccounts();
    await toggle(harness, '.all input');
    expect(ticked(harness)).toEqual([]);
    const button = await harness.find(sync);
    expect(button.textContent.trim()).toBe('Choose at least one');
    button.click();
    expect(focused()).toBe(await harness.find('.all input'));
    await until(() => {
      expect(harness.announcements).toContain('Choose at least one');
    });
    expect(harness.service.requestsTo(createRoute)).toEqual([]);
  });

  test('shows a mixed state if some accounts are chosen', async () => {
    const harness = await mountAccounts();
    const all = (await harness.find('.all input')) as HTMLInputElement;
    await toggle(harness, box(1));
    expect([all.checked, all.indeterminate]).toEqual([false, true]);
    all.click();
    await harness.widget.updateComplete;
    expect([all.checked, all.indeterminate]).toEqual([true, false]);
    expect(ticked(harness)).toHaveLength(3);
  });

  test('lists accounts that cannot be synced last, with the reason', async () => {
    const harness = await mountAccounts();
    await harness.find(sync);
    const rows = [...(harness.widget.shadowRoot?.querySelectorAll('.account[part="account"]') ?? [])];
    const last = rows.at(-1);
    expect(last?.textContent).toContain('Fieldbook Labs');
    expect(last?.textContent).toContain('This account is canceled');
    expect(last?.querySelector('input')?.disabled).toBe(true);
  });

  test('exposes a name and a state for each account', async () => {
    const harness = await mountAccounts();
    await toggle(harness, box(2));
    const state = (name: RegExp) => page.getByRole('checkbox', { name });
    await expect.element(state(/^Select all \(3\)$/)).toBePartiallyChecked();
    await expect.element(state(/^Fieldbook Europe 612-045-9183 · EUR · Client$/)).toBeChecked();
    await expect.element(state(/^Fieldbook North America/)).not.toBeChecked();
    await expect.element(state(/^Fieldbook Labs .* This account is canceled$/)).toBeDisabled();
    expect(page.getByRole('listitem').elements()).toHaveLength(4);
    const note = page.getByRole('button', { name: 'Sync 2 accounts' });
    await expect.element(note).toHaveAccessibleDescription('');
  });

  test('names an account without display data by its id', async () => {
    const harness = await mountAccounts({ accounts: [account(7, { name: '', detail: null })] });
    await expectText(harness, '.account .name', 'account-7');
    await expectText(harness, sync, 'Sync everything');
  });

  test('searches more than eight accounts, and selects those that match', async () => {
    const named = [account(41, { name: 'Fieldbook Labs' }), account(42, { name: 'FIÉLDBOOK' })];
    const harness = await mountAccounts({ accounts: [...named, ...many(40)] });
    const search = await harness.find('[part="search-input"]');
    await toggle(harness, '.all input');
    await userEvent.fill(search, 'fieldbook');
    await expectText(harness, '.all span', 'Select all (2)');
    await until(() => {
      expect(harness.announcements).toContain('2 accounts');
    });
    await toggle(harness, '.all input');
    await userEvent.fill(search, 'nothing');
    await expectText(harness, '.picker > .hint', 'Nothing matches “nothing”');
    (await harness.find('.picker > .button')).click();
    expect(focused()).toBe(search);
    await expectText(harness, sync, 'Sync 2 accounts');
    expect(ticked(harness)).toEqual(['account-41', 'account-42']);
  });

  test('announces the number of matches with the word of a source that does not call them accounts', async () => {
    const harness = await mountAccounts(
      { accounts: many(20) },
      { [`${listRoute}/*`]: () => json({ ...googleAds, accounts_title: 'Workspaces' }) },
    );
    await userEvent.fill(await harness.find('[part="search-input"]'), 'nothing');
    await until(() => {
      expect(harness.announcements).toContain('Workspaces: 0');
    });
  });

  test('does not offer a search for eight accounts', async () => {
    const harness = await mountAccounts({ accounts: many(8) });
    await harness.find(sync);
    expect(harness.widget.shadowRoot?.querySelector('[type="search"]')).toBeNull();
  });

  test('says how many requests 20 accounts take, but not 19', async () => {
    const harness = await mountAccounts({ accounts: many(20), daily_requests_per_account: 452 });
    await expectText(harness, '#accounts-cost', 'Syncing this many can take longer.');
    await toggle(harness, box(1));
    expect(harness.widget.shadowRoot?.querySelector('#accounts-cost')).toBeNull();
  });

  test.each([
    ['the source declares no number', { accounts: many(20), daily_requests_per_account: null }],
    ['the number of accounts is unknown', { accounts: many(20), is_complete: false }],
  ])('says only that many accounts take longer if %s', async (_title, list) => {
    const harness = await mountAccounts(list);
    await expectText(harness, '#accounts-cost', 'Syncing this many can take longer.');
  });

  test('offers only to clear a search without a match', async () => {
    const harness = await mountAccounts({ accounts: many(20) });
    await userEvent.fill(await harness.find('[part="search-input"]'), 'nothing');
    await harness.find('.picker > .button');
    expect(harness.widget.shadowRoot?.querySelector('.footer, #accounts-cost')).toBeNull();
  });

  test('renders only some of 2,000 accounts, says that there are more, and syncs all of them', async () => {
    const harness = await mountAccounts({ accounts: many(2000), is_complete: false });
    await expectText(harness, sync, 'Sync everything');
    await expectText(harness, '.screen > .hint', /Only the first 2,000 are shown/);
    const rendered = harness.widget.shadowRoot?.querySelectorAll('.account').length ?? 0;
    expect(rendered).toBeLessThan(200);
    expect((await harness.find('[role="listitem"]')).ariaSetSize).toBe('2000');
  });

  test('lets keyboard users reach every account, and leave a long list with one Tab', async () => {
    const harness = await mountAccounts({ accounts: many(300) });
    (await harness.find('.all input')).focus();
    await userEvent.keyboard('{ArrowDown}');
    expect(focused()).toBe(await harness.find(box(1)));
    await userEvent.keyboard('{End}');
    await until(() => {
      expect((focused() as HTMLElement).dataset['id']).toBe('account-300');
    });
    await userEvent.keyboard(' ');
    await expectText(harness, sync, 'Sync 299 accounts');
    await userEvent.keyboard('{Home}{ArrowUp}{ArrowUp}');
    expect(focused()).toBe(await harness.find('[type="search"]'));
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{Tab}');
    expect(focused()).toBe(await harness.find('summary'));
  });

  test('keeps the choice and shows the reason if connecting fails', async () => {
    const harness = await mountAccounts({}, { [createRoute]: outage });
    await toggle(harness, box(3));
    (await harness.find(sync)).click();
    await expectText(harness, '.notice strong', 'Couldn’t connect');
    expect(ticked(harness)).toEqual(['account-1', 'account-2']);
    harness.service.use({ [createRoute]: () => json(connector({ name: 'Google Ads' }), 201) });
    (await harness.find(sync)).click();
    expect(await sent(harness)).toMatchObject({
      replication_config: { customer_ids: ['account-1', 'account-2'] },
    });
    const keys = harness.service.requestsTo(createRoute).map(({ headers }) => headers.get('idempotency-key'));
    expect(keys[1]).toBe(keys[0]);
  });

  test('shows the service’s reason at the setting that it rejects', async () => {
    const message = 'Choose a date after 2020.';
    const issue = { path: 'replication_config.start_date', message };
    const harness = await mountAccounts(
      {},
      { [createRoute]: () => problem(422, 'invalid_credentials', { errors: [issue] }) },
    );
    (await harness.find(sync)).click();
    await expectText(harness, 'details[open] .field-error', message);
    expect(harness.widget.shadowRoot?.querySelector('.notice')).toBeNull();
    expect(ticked(harness)).toHaveLength(3);
  });

  test('retries a list that fails to load, or continues with all accounts', async () => {
    const harness = await mountAccounts(() => problem(504, 'vendor_timeout'));
    await expectText(harness, 'h2', /Google Ads/);
    (await harness.find('.empty-state .primary')).click();
    await until(() => {
      expect(harness.service.requestsTo(accountsRoute)).toHaveLength(2);
    });
    (await harness.find('.empty-state .button:not(.primary)')).click();
    expect(await sent(harness)).toMatchObject({ server_side_oauth_secret_id: 'secret-1' });
  });

  test('sends only the accounts and settings of a connector that the user changed', async () => {
    const mine = connector({
      id: 'mine',
      definition_id: 'def-google-ads',
      replication_config: { customer_ids: ['account-2'], start_date: '2026-01-01', api_version: 'v22' },
    });
    const harness = mountWidget({
      ...withMine(mine),
      [listRoute]: () => json({ definitions: [googleAds] }),
      [`${listRoute}/*`]: () => json(googleAds),
      'GET /integrations/connectors/*/activity': () => json({ data: [], meta: { cursor: null } }),
      'GET /integrations/connectors/*/accounts': () => json(accountList({ selected: ['account-2'] })),
      'PATCH /integrations/connectors/*': () => json(mine),
    });
    (await harness.find('[data-id="mine"]')).click();
    (await harness.find('[part="accounts-button"]')).click();
    await harness.find(sync);
    expect(ticked(harness)).toEqual(['account-2']);
    await expectText(harness, 'h2', 'Accounts');
    expect(harness.widget.shadowRoot?.querySelector('#accounts-note')).toBeNull();
    await toggle(harness, box(2));
    await toggle(harness, box(3));
    await expectText(harness, '#accounts-note', 'Data from what you remove is deleted.');
    await toggle(harness, box(3));
    await toggle(harness, box(2));
    const save = await harness.find(sync);
    save.click();
    expect([save.ariaDisabled, save.textContent.trim()]).toEqual(['true', 'Save changes']);
    await toggle(harness, box(1));
    save.click();
    await harness.find('[part="accounts-button"]');
    const [request] = harness.service.requestsTo('PATCH /integrations/connectors/*');
    expect(await request?.json()).toEqual({
      replication_config: { customer_ids: ['account-2', 'account-1'] },
    });
    (await harness.find('[part="accounts-button"]')).click();
    const date = '[id="field-replication_config.start_date"]';
    expect(((await harness.find(date)) as HTMLInputElement).value).toBe('2026-01-01');
    (await harness.find('summary')).click();
    await userEvent.fill(await harness.find(date), '');
    (await harness.find(`${sync}[aria-disabled="false"]`)).click();
    await harness.find('[part="accounts-button"]');
    const [, changed] = harness.service.requestsTo('PATCH /integrations/connectors/*');
    expect(await changed?.json()).toEqual({ replication_config: { start_date: null } });
  });

  test('says what it means if the sign-in sees no account, and offers another sign-in', async () => {
    const harness = await mountAccounts({ accounts: [] });
    await expectText(harness, '.empty-state h2', 'Nothing to sync');
    (await harness.find('.empty-state .primary')).click();
    await harness.find('[data-id="oauth"]');
  });

  test('says what it means if no account can be synced, and why', async () => {
    const closed = account(1, { selectable: false, reason: 'This account is closed' });
    const harness = await mountAccounts({ accounts: [closed] });
    await harness.find('.account.unavailable');
    await expectText(harness, '.lead', 'Your Google Ads sign-in only reaches accounts that can’t be synced.');
    await expectText(harness, '.account .reason', 'This account is closed');
    expect(harness.widget.shadowRoot?.querySelector('[type="checkbox"]')).toBeNull();
    await expectText(harness, '.footer', 'Use a different sign-in');
  });
});
