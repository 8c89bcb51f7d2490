import type { SourceDefinitionDetail } from '@connector-auth/api';
import { describe, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { apiKeyMethod, consentMethod, definition, detail, json } from '../gallery/fake-service.ts';
import { expectText, listRoute } from '../test/actions.ts';
import { mountWidget, type Harness } from '../test/harness.ts';

const access = {
  level: 'read' as const,
  reads: ['campaigns', 'ads'],
  changes: ['campaigns'],
  vendor_says: null,
};
const integrator = { name: 'Fieldbook', logo_url: null, support_url: null };

/** Opens a source that the service describes with these fields. */
async function open(fields: Partial<SourceDefinitionDetail>, { isNamed = true } = {}): Promise<Harness> {
  const source = definition({ name: 'Google Ads' });
  const harness = mountWidget({
    [listRoute]: () => json({ definitions: [source], ...(isNamed ? { integrator } : null) }),
    [`${listRoute}/*`]: () => json(detail({ ...source, auth_methods: [consentMethod], ...fields })),
  });
  (await harness.find('[part="source"]')).click();
  await harness.find('.footer');
  return harness;
}

const all = ({ widget }: Harness, selector: string) =>
  [...(widget.shadowRoot?.querySelectorAll(selector) ?? [])].map(({ textContent }) => textContent.trim());
const facts = (harness: Harness) => all(harness, '[part="access-row"]');

describe('the introduction', () => {
  test('says what a connection reads, never changes and how often it syncs', async () => {
    const harness = await open({ access, sync_interval_minutes: 60 });
    await expectText(harness, 'h2', 'Connect Google Ads to Fieldbook');
    expect(facts(harness)).toEqual([
      'Reads campaigns and ads',
      'Never changes your campaigns',
      'Syncs every hour',
    ]);
  });

  test('says that the integrator can change data instead of promising otherwise', async () => {
    const harness = await open({ access: { ...access, level: 'write', vendor_says: 'edit' } });
    expect(facts(harness)).toEqual(['Reads campaigns and ads', 'Fieldbook can change your campaigns']);
    expect(harness.widget.shadowRoot?.textContent).not.toMatch(/Never|only reads/);
  });

  test('explains why the vendor announces more than the connection does', async () => {
    const harness = await open({ access: { ...access, vendor_says: 'edit' } });
    await expectText(harness, '.claim .hint', 'Google Ads will say “edit”. Fieldbook only reads.');
  });

  test.each([
    [1, 'Syncs every minute'],
    [45, 'Syncs every 45 minutes'],
    [90, 'Syncs every 90 minutes'],
    [180, 'Syncs every 3 hours'],
    [1440, 'Syncs every day'],
    [4320, 'Syncs every 3 days'],
  ])('names an interval of %i minutes in the largest unit', async (minutes, words) => {
    expect(facts(await open({ sync_interval_minutes: minutes }))).toEqual([words]);
  });

  test('keeps the promise about the password above the button, even if the content overflows', async () => {
    const harness = await open({ access, vendor_name: 'Google' });
    harness.widget.style.setProperty('--connector-auth-height', '200px');
    const promise = await harness.find('.footer [part="trust"]');
    expect(promise.textContent.trim()).toBe('Fieldbook never sees your password.');
    const panel = await harness.find('.panel');
    expect(promise.getBoundingClientRect().bottom).toBeLessThan(panel.getBoundingClientRect().bottom);
  });

  test('asks how to connect a source that has several methods without a sign-in', async () => {
    const source = definition({ name: 'Gong' });
    const harness = mountWidget({
      [listRoute]: () => json({ definitions: [source] }),
      [`${listRoute}/*`]: () =>
        json(detail({ ...source, auth_methods: [apiKeyMethod, { ...apiKeyMethod, id: 'other' }] })),
    });
    (await harness.find('[part="source"]')).click();
    await harness.find('.methods');
    await expectText(harness, 'h2', 'How do you want to connect Gong?');
  });

  test('is complete if the service describes nothing and knows no integrator', async () => {
    const harness = await open({}, { isNamed: false });
    await expectText(harness, 'h2', 'Connect Google Ads');
    expect(harness.widget.shadowRoot?.querySelector('.access')).toBeNull();
    expect(harness.widget.shadowRoot?.querySelectorAll('.tile')).toHaveLength(1);
  });

  test('expands what is read of each type of data', async () => {
    const entities = [
      { name: 'ads', title: 'Ads', access: 'Texts and links of your ads.', is_synced: true },
      { name: 'labels', title: 'Labels', access: null, is_synced: true },
    ];
    const harness = await open({ access, entities });
    await userEvent.click(await harness.find('[part="entities"] summary'));
    expect(all(harness, '[part="entities"] [part="name"]')).toEqual(['Ads']);
    await expectText(harness, '[part="entities"] [part="description"]', 'Texts and links of your ads.');
  });

  test('offers sign-in first and the other methods below it', async () => {
    const key = { ...apiKeyMethod, instead: 'Use an API key instead' };
    const harness = await open({ auth_methods: [key, { ...apiKeyMethod, id: 'other' }, consentMethod] });
    expect(all(harness, '.footer button')).toEqual(['Sign in with Gong', 'Use an API key instead']);
    // One more would hide the content on a phone.
    expect(all(harness, '.screen > [part="method"]')).toEqual(['API key']);
    expect(all(harness, '.primary')).toEqual(['Sign in with Gong']);
  });
});

describe('the form', () => {
  const settings = {
    type: 'object',
    properties: {
      customer_id: { type: 'array', items: { type: 'string' }, title: 'Accounts' },
      start_date: { type: 'string', format: 'date', title: 'Start date' },
    },
  };

  test('introduces a source whose only method is a key, above the field', async () => {
    const harness = await open({ access, auth_methods: [apiKeyMethod] });
    await expectText(harness, 'h2', 'Connect Google Ads to Fieldbook');
    expect(facts(harness)).toHaveLength(2);
    const [claims, field] = [await harness.find('.claims'), await harness.find('.field')];
    expect(claims.getBoundingClientRect().bottom).toBeLessThan(field.getBoundingClientRect().top);
  });

  test('leaves out the accounts if they can be listed', async () => {
    const fields = { replication_schema: settings, accounts_setting: 'customer_id' };
    const labels = async (lists_accounts: boolean) => {
      const harness = await open({ ...fields, auth_methods: [{ ...apiKeyMethod, lists_accounts }] });
      return all(harness, '.label label').slice(1);
    };
    expect(await labels(false)).toEqual(['Accounts', 'Start date']);
    expect(await labels(true)).toEqual(['Start date']);
  });

  test.each([
    [600, true],
    [300, false],
  ])('shows how to get a key %i pixels wide', async (width, isBeside) => {
    const guide = {
      steps: ['Open the settings.', 'Copy the key.'],
      url: 'https://vendor.example/keys',
      who: 'An admin.',
    };
    const harness = await open({ auth_methods: [{ ...apiKeyMethod, guide }] });
    harness.widget.style.cssText = `inline-size: ${width}px; font-size: 14px`;
    harness.widget.style.setProperty('--connector-auth-font-size', '14px');
    expect((await harness.find('.guide.beside')).checkVisibility()).toBe(isBeside);
    expect((await harness.find('.guide.below')).checkVisibility()).toBe(!isBeside);
    expect(all(harness, '.guide.beside li')).toEqual(guide.steps);
    expect((await harness.find('.guide a')).getAttribute('href')).toBe(guide.url);
    expect(harness.widget.shadowRoot?.textContent).toContain(guide.who);
  });

  test('keeps a path in the settings of the vendor together', async () => {
    const guide = { steps: ['Open Settings → API.'], url: null, who: null };
    const description = 'Create a key under Settings → API.';
    const harness = await open({ auth_methods: [{ ...apiKeyMethod, description, guide }] });
    await harness.find('.guide li');
    expect(harness.widget.shadowRoot?.textContent).toContain('Open Settings\u00a0→\u00a0API.');
    expect(harness.widget.shadowRoot?.textContent).not.toContain(' → ');
  });

  test('links to the guide only if its address is http(s)', async () => {
    const guide = { steps: ['Copy the key.'], url: 'javascript:alert(1)', who: null };
    const harness = await open({ auth_methods: [{ ...apiKeyMethod, help_url: null, guide }] });
    expect(harness.widget.shadowRoot?.querySelector('a')).toBeNull();
  });
});
