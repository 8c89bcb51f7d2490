import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import {
  apiKeyMethod,
  connector,
  definition,
  detail,
  json,
  never,
  outage,
  problem,
} from '../gallery/fake-service.ts';
import {
  connect,
  createRoute,
  expectText,
  keyField,
  listRoute,
  openForm,
  rows,
  secret,
  withMine,
  withSearch,
} from '../test/actions.ts';
import { focused, mountWidget, useTokenUrl } from '../test/harness.ts';
import { until } from '../test/until.ts';

describe('the catalog', () => {
  test('shows a skeleton only if the catalog loads slowly', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const quick = mountWidget();
    await quick.find('[data-id]');
    vi.advanceTimersByTime(1000);
    await quick.widget.updateComplete;
    expect(quick.widget.shadowRoot?.querySelector('.skeleton')).toBeNull();

    const slow = mountWidget({ [listRoute]: never });
    await slow.widget.updateComplete;
    expect(slow.widget.shadowRoot?.querySelector('.screen')).toBeNull();
    vi.advanceTimersByTime(1000);
    await slow.find('.skeleton-row');
  });

  test('lists the sources that the service returns and reports them in an event', async () => {
    const harness = mountWidget();
    await harness.find('[data-id]');
    expect(rows(harness)).toEqual(['Granola', 'Gong', 'Google Ads', 'TikTok Marketing']);
    expect(harness.events).toEqual([
      { type: 'connector-auth-ready', detail: { sources: 4, connectors: [] } },
      { type: 'connector-auth-step', detail: { step: 'catalog', connectorType: null } },
    ]);
  });

  test('filters the catalog while the user types, and clears the search on Escape', async () => {
    const harness = mountWidget(withSearch);
    const search = await harness.find('input');
    await userEvent.fill(search, 'go');
    expect(rows(harness)).toEqual(['Gong', 'Google Ads']);
    await userEvent.fill(search, 'salesfroce');
    await expectText(harness, '.empty-state h2', /salesfroce/);
    await userEvent.keyboard('{Escape}');
    expect(rows(harness)).toHaveLength(8);
    expect(focused()).toBe(search);
  });

  test('has no search field for fewer than eight sources', async () => {
    const harness = mountWidget();
    await harness.find('[part="source"]');
    expect(harness.widget.shadowRoot?.querySelector('[part="search"]')).toBeNull();
  });

  test('lists connectors with their state above the sources, those with problems first', async () => {
    const harness = mountWidget(
      withMine(connector(), connector({ name: 'Gong EMEA', status: 'needs_reauth' })),
    );
    await expectText(harness, '[part="connected"] h3', 'Your connections');
    const states = [...(harness.widget.shadowRoot?.querySelectorAll('.row .status') ?? [])];
    expect(states.map(state => state.textContent.trim())).toEqual(['Needs reconnecting', 'Connected']);
  });

  test('finds connections by their names and by their sources', async () => {
    const gong = { definition_id: 'def-gong', connector_type: 'gong' };
    const harness = mountWidget({
      ...withSearch,
      ...withMine(connector(), connector({ name: 'Sales calls, EMEA', ...gong })),
    });
    const search = await harness.find('input');
    const found = () =>
      [...(harness.widget.shadowRoot?.querySelectorAll('[part="connector"] .name') ?? [])].map(
        ({ textContent }) => textContent,
      );
    await harness.find('[part="connector"]');
    expect(found()).toHaveLength(2);
    await userEvent.fill(search, 'emea sales');
    expect(found()).toEqual(['Sales calls, EMEA']);
    expect(harness.widget.shadowRoot?.querySelector('.empty-state')).toBeNull();
    await userEvent.fill(search, 'gong');
    expect(found()).toEqual(['Sales calls, EMEA']);
    await userEvent.fill(search, 'salesforce');
    expect(found()).toEqual([]);
  });

  test('lists sources without a connection before those with one', async () => {
    const harness = mountWidget(withMine(connector()));
    const names = () =>
      [...(harness.widget.shadowRoot?.querySelectorAll('[part="source"] .name') ?? [])].map(
        ({ textContent }) => textContent,
      );
    await harness.find('[part="source"]');
    expect(names()).toEqual(['Gong', 'Google Ads', 'TikTok Marketing', 'Granola']);
  });

  test('offers to reconnect in the rows of expired connections whose source is still offered', async () => {
    const expired = connector({ id: 'expired', status: 'needs_reauth' });
    const gone = connector({ id: 'gone', definition_id: 'def-gone', status: 'needs_reauth' });
    const harness = mountWidget(withMine(expired, gone, connector({ id: 'fine' })));
    await expectText(harness, '[data-id="expired"] [part="action"]', 'Reconnect');
    const others = '[data-id="gone"] [part="action"], [data-id="fine"] [part="action"]';
    expect(harness.widget.shadowRoot?.querySelectorAll(others)).toHaveLength(0);
  });

  test('offers to add another connection of a source that is already connected', async () => {
    const harness = mountWidget(withMine(connector()));
    await expectText(harness, '[data-id="def-granola"] [part="action"]', 'Add another');
    await expectText(harness, '[data-id="def-gong"] [part="action"]', 'Connect');
  });

  test('marks only the sources that are not certified', async () => {
    const harness = mountWidget();
    await harness.find('[data-id]');
    const marked = [...(harness.widget.shadowRoot?.querySelectorAll('[part="source"]:has(.badge)') ?? [])];
    expect(marked.map(row => row.querySelector('.title')?.textContent)).toEqual(['TikTok MarketingBeta']);
  });

  test('groups more than twelve sources by category, and lists the results of a search without groups', async () => {
    const many = Array.from({ length: 13 }, (_, index) =>
      definition({ name: `Source ${index}`, category: [undefined, 'CRM', 'Advertising'][index % 3] ?? null }),
    );
    const harness = mountWidget({ [listRoute]: () => json({ definitions: many }) });
    const headings = () =>
      [...(harness.widget.shadowRoot?.querySelectorAll('[part="sources"] h3') ?? [])].map(
        ({ textContent }) => textContent,
      );
    await harness.find('[data-id]');
    await until(() => {
      expect(headings()).toEqual(['Advertising', 'CRM', 'More sources']);
    });
    expect(rows(harness).slice(0, 5)).toEqual(['Source 2', 'Source 5', 'Source 8', 'Source 11', 'Source 1']);
    await userEvent.fill(await harness.find('input'), 'source');
    await until(() => {
      expect(headings()).toEqual([]);
    });
    expect(rows(harness)[0]).toBe('Source 0');
    harness.service.use({ [listRoute]: () => json({ definitions: many.slice(0, 12) }) });
    harness.widget.reload();
    await until(() => {
      expect(rows(harness)).toHaveLength(12);
    });
    expect(headings()).toEqual([]);
  });

  test('requests a source that is not in the list if the integrator listens', async () => {
    const harness = mountWidget(withSearch);
    await userEvent.fill(await harness.find('input'), 'Salesforce ');
    await harness.find('.empty-state');
    expect(harness.widget.shadowRoot?.querySelector('[part="request-button"]')).toBeNull();

    harness.widget.requests = true;
    await userEvent.click(await harness.find('[part="request-button"]'));
    expect(harness.events.at(-1)).toEqual({
      type: 'connector-auth-request',
      detail: { query: 'Salesforce' },
    });
    await until(() => {
      expect(harness.announcements.at(-1)).toBe('You requested “Salesforce”.');
    });
    await expectText(harness, '.empty-state .lead', 'You requested “Salesforce”.');
    expect(harness.widget.shadowRoot?.querySelector('[part="request-button"]')).toBeNull();
    expect(focused()).toBe(await harness.find('input'));
  });

  test('replaces icons by those of the page’s origin and data: images, and reports the others once', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const svg = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>';
    const icons: Record<string, string> = {
      granola: svg,
      'Google Ads': '/ads.svg',
      gong: 'https://cdn.example/gong.svg',
    };
    const harness = mountWidget({}, (widget, service) => {
      widget.icons = icons;
      useTokenUrl(widget, service);
    });
    await harness.find('[data-id="def-gong"]');
    const iconOf = (id: string) =>
      harness.widget.shadowRoot?.querySelector(`[data-id="${id}"] img`)?.getAttribute('src');
    expect(iconOf('def-granola')).toBe(svg);
    expect(iconOf('def-google-ads')).toBe('/ads.svg');
    expect(iconOf('def-gong')).toBe('data:image/svg+xml,Gong');
    expect(log).toHaveBeenCalledOnce();
    expect(log.mock.calls[0]?.[0]).toContain('icons of gong are ignored');

    // A new object with the same content, as frameworks pass it, changes nothing.
    harness.widget.icons = { ...icons };
    await harness.widget.updateComplete;
    await openForm(harness);
    expect((await harness.find('.screen img')).getAttribute('src')).toBe(svg);
    expect(harness.service.requestsTo(listRoute)).toHaveLength(1);
  });

  test('escapes HTML in names and descriptions', async () => {
    const name = '<img src=x onerror=alert(1)>';
    const harness = mountWidget({
      [listRoute]: () => json({ definitions: [definition({ name, description: name })] }),
    });
    await harness.find('[data-id]');
    expect(rows(harness)).toEqual([name]);
  });

  test('loads icons lazily and shows a letter in place of a missing icon', async () => {
    const iconUrl = `${location.origin}/no-such-icon.svg`;
    const harness = mountWidget({ [listRoute]: () => json({ definitions: [definition({ iconUrl })] }) });
    expect((await harness.find('img')).getAttribute('loading')).toBe('lazy');
    await harness.find('img[hidden]');
    await expectText(harness, '.letter', 'G');
  });
});

describe('connecting', () => {
  test('shows an error at the rejected field, keeps the input, and connects on the next attempt', async () => {
    const harness = mountWidget({
      [createRoute]: () =>
        problem(422, 'credentials_refused', {
          errors: [{ path: 'credentials.api_key', message: 'Unknown key' }],
        }),
    });
    await connect(harness, 'grn_wrong');
    // The key starts as the hint says.
    await expectText(harness, '.field-error', 'Unknown key');
    // The default definition has one text field.
    const field = (await harness.find(keyField)) as HTMLInputElement;
    expect(field.value).toBe('grn_wrong');
    expect(field.getAttribute('aria-invalid')).toBe('true');
    await until(() => {
      expect(focused()).toBe(field);
    });

    const stored = connector({ id: 'new', definition_id: 'def-granola' });
    harness.service.use({ [createRoute]: () => json(stored, 201) });
    await userEvent.fill(field, `  ${secret} `);
    expect(harness.widget.shadowRoot?.querySelector('.field-error')).toBeNull();
    await userEvent.keyboard('{Enter}');
    await expectText(harness, '.success h2', 'Granola is connected');

    const [rejected, accepted] = harness.service.requestsTo(createRoute);
    expect(await accepted?.json()).toEqual({
      definition_id: 'def-granola',
      name: 'Granola',
      credentials: { api_key: secret },
    });
    expect(accepted?.headers.get('idempotency-key')).not.toBe(rejected?.headers.get('idempotency-key'));
    expect(harness.events.filter(({ type }) => type === 'connector-auth-connected')).toEqual([
      {
        type: 'connector-auth-connected',
        detail: {
          connector: {
            id: 'new',
            name: 'Granola',
            connectorType: 'granola',
            definitionId: 'def-granola',
            status: 'active',
          },
        },
      },
    ]);
    const steps = harness.events.filter(({ type }) => type === 'connector-auth-step');
    expect(steps.map(({ detail }) => (detail as { step: string }).step)).toEqual([
      'catalog',
      'form',
      'checking',
      'form',
      'checking',
      'connected',
    ]);
  });

  test('lists a newly created connector in the catalog', async () => {
    const harness = mountWidget();
    await connect(harness);
    (await harness.find('.success ~ .footer .primary')).click();
    await expectText(harness, '[part="connector"] .name', 'Granola');
  });

  test('validates required fields without sending a request', async () => {
    const harness = mountWidget();
    await openForm(harness);
    (await harness.find('.primary')).click();
    await expectText(harness, '.field-error', 'Enter API key. Starts with grn_');
    await until(() => {
      expect(focused()?.id).toBe('field-credentials.api_key');
    });
    expect(harness.service.requestsTo(createRoute)).toEqual([]);
  });

  test('shows an error above the form if it does not concern a field', async () => {
    const harness = mountWidget({
      [createRoute]: () => problem(422, 'credentials_refused', { detail: 'The workspace is locked.' }),
    });
    await connect(harness);
    await expectText(harness, '.notice p', 'The workspace is locked.');
    await until(() => {
      expect(focused()?.className).toBe('notice');
    });
  });

  test('sends one request for a double click on Connect', async () => {
    const harness = mountWidget({ [createRoute]: never });
    await userEvent.fill(await openForm(harness), secret);
    await userEvent.dblClick(await harness.find('.primary'));
    await harness.find('.spinner');
    expect(harness.service.requestsTo(createRoute)).toHaveLength(1);
  });

  test('retries with the same idempotency key if no response arrived', async () => {
    const harness = mountWidget({ [createRoute]: outage });
    await connect(harness);
    await harness.find('.notice');
    harness.service.use({ [createRoute]: () => json(connector(), 201) });
    (await harness.find('.primary')).click();
    await harness.find('.icon-circle.good');
    const keys = harness.service.requestsTo(createRoute).map(({ headers }) => headers.get('idempotency-key'));
    expect(keys[0]).toMatch(/^[\da-f]{32}$/);
    expect(keys[1]).toBe(keys[0]);
  });

  test('asks for a name and suggests an unused one if the source is already connected', async () => {
    const harness = mountWidget(withMine(connector({ name: 'Granola' })));
    await openForm(harness);
    // The control is a text field in the form.
    expect(((await harness.find('#field-name')) as HTMLInputElement).value).toBe('Granola 2');
  });

  test('offers a choice if the source has several auth methods', async () => {
    const methods = [apiKeyMethod, { ...apiKeyMethod, id: 'other', title: 'Another way' }];
    const harness = mountWidget({ [`${listRoute}/*`]: () => json(detail({ auth_methods: methods })) });
    (await harness.find('[data-id="def-granola"]')).click();
    (await harness.find('[data-id="other"]')).click();
    await harness.find(keyField);
    (await harness.find('.back')).click();
    await harness.find('[data-id="other"]');
    expect(harness.widget.shadowRoot?.querySelectorAll('[part="method"]')).toHaveLength(2);
  });

  test('shows and hides a secret on request', async () => {
    const harness = mountWidget();
    const field = await openForm(harness);
    expect(field.type).toBe('password');
    expect(field.autocomplete).toBe('off');
    await userEvent.fill(field, secret);
    const reveal = await harness.find('[aria-label="Show API key"]');
    reveal.click();
    await harness.find('[aria-label="Hide API key"]');
    expect(field.type).toBe('text');
    expect(field.value).toBe(secret);
  });

  test('renders a help link only if its URL is http(s)', async () => {
    const method = { ...apiKeyMethod, help_url: 'javascript:alert(1)' };
    const harness = mountWidget({ [`${listRoute}/*`]: () => json(detail({ auth_methods: [method] })) });
    await openForm(harness);
    expect(harness.widget.shadowRoot?.querySelector('a')).toBeNull();
  });

  test('keeps credentials out of attributes, storage, events and the console', async () => {
    const logged = ['log', 'warn', 'error', 'debug', 'info'].map(name => vi.spyOn(console, name as 'log'));
    const harness = mountWidget({ [createRoute]: outage });
    await connect(harness);
    await harness.find('.notice');
    expect(harness.widget.shadowRoot?.innerHTML).not.toContain(secret);
    expect(
      JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie]),
    ).not.toContain(secret);
    expect(JSON.stringify(harness.events)).not.toContain(secret);
    for (const spy of logged) expect(JSON.stringify(spy.mock.calls)).not.toContain(secret);
  });
});

describe('after a search', () => {
  test('clears the search after connecting and focuses the new connector', async () => {
    const harness = mountWidget({ ...withSearch, [createRoute]: () => json(connector({ id: 'new' }), 201) });
    await userEvent.fill(await harness.find('input'), 'gran');
    await connect(harness);
    await harness.find('.good');
    const { length } = harness.announcements;
    await userEvent.click(await harness.find('.primary'));
    await until(() => {
      expect(focused()?.getAttribute('data-id')).toBe('new');
    });
    expect(rows(harness)).toHaveLength(8);
    expect(harness.announcements.at(-1)).toBe('Connect a source');
    expect(harness.announcements.slice(length)).not.toContain('1 source');
  });
});

describe('managing', () => {
  test('disconnects a connector after confirmation, with 30 seconds to undo it, and announces the result', async () => {
    const mine = connector({ id: 'mine' });
    const harness = mountWidget(withMine(mine));
    (await harness.find('[data-id="mine"]')).click();
    (await harness.find('[part="disconnect-button"]')).click();
    const deleteRoute = 'DELETE /integrations/connectors/mine';
    expect(harness.service.requestsTo(deleteRoute)).toEqual([]);
    (await harness.find('[part="confirm-button"]')).click();
    await harness.find('.confirm:has(.primary) .cancel');
    expect(harness.service.requestsTo(deleteRoute).map(({ url }) => new URL(url).search)).toEqual([
      '?undo_seconds=30',
    ]);
    await expectText(harness, '[part="hint"]', /will be deleted in \d+ sec, even if you leave this page/);
    expect(harness.announcements.at(-1)).toBe('Granola is disconnected');
    const disconnected = harness.nextEvent('connector-auth-disconnected');
    (await harness.find('.confirm .primary')).click();
    expect(await disconnected).toMatchObject({ connector: { id: 'mine' } });
    await harness.find('[part="sources"]');
    expect(harness.widget.shadowRoot?.querySelector('[part="connected"]')).toBeNull();
  });

  test('keeps the connector and returns focus to its row if the user cancels', async () => {
    const harness = mountWidget(withMine(connector({ id: 'mine' })));
    await userEvent.click(await harness.find('[data-id="mine"]'));
    await userEvent.click(await harness.find('[part="disconnect-button"]'));
    await userEvent.click(await harness.find('.cancel'));
    await harness.find('[part="disconnect-button"]');
    await userEvent.click(await harness.find('.back'));
    await until(() => {
      expect(focused()?.getAttribute('data-id')).toBe('mine');
    });
  });

  test('treats a connector that no longer exists as disconnected', async () => {
    const harness = mountWidget({
      ...withMine(connector({ id: 'mine' })),
      'DELETE /integrations/connectors/*': () => problem(404, 'connector_not_found'),
    });
    (await harness.find('[data-id="mine"]')).click();
    (await harness.find('[part="disconnect-button"]')).click();
    const disconnected = harness.nextEvent('connector-auth-disconnected');
    (await harness.find('[part="confirm-button"]')).click();
    expect(await disconnected).toMatchObject({ connector: { id: 'mine' } });
  });

  test('keeps the confirmation open and shows the reason if disconnecting fails', async () => {
    const harness = mountWidget({
      ...withMine(connector({ id: 'mine' })),
      'DELETE /integrations/connectors/*': outage,
    });
    (await harness.find('[data-id="mine"]')).click();
    (await harness.find('[part="disconnect-button"]')).click();
    (await harness.find('[part="confirm-button"]')).click();
    await expectText(harness, '.notice strong', 'Couldn’t disconnect');
    await until(() => {
      expect(harness.announcements.at(-1)).toBe(
        'Couldn’t disconnect. Check your internet connection and try again.',
      );
    });
  });
});

describe('the integrator', () => {
  const integrator = { name: 'Acme', logo_url: null, support_url: 'https://acme.example/help' };
  const mountFor = (own: object, more: object = {}) =>
    mountWidget({
      [listRoute]: () =>
        json({ definitions: [definition({ name: 'Granola' })], integrator: { ...integrator, ...own } }),
      ...more,
    });

  test('shows what happens to the credentials where the user enters them', async () => {
    const harness = mountFor({});
    await openForm(harness);
    await expectText(harness, '[part="trust"]', 'Encrypted and never shown again.');
  });

  test('does not replace a message that the page overrides with one that names the integrator', async () => {
    const harness = mountWidget(
      { [listRoute]: () => json({ definitions: [], integrator }) },
      (widget, service) => {
        useTokenUrl(widget, service);
        widget.messages = { emptyHint: 'Sources come in spring.' };
      },
    );
    await expectText(harness, '.empty-state .lead', 'Sources come in spring.');
  });

  test('links to the integrator’s support page where the user cannot continue, if it is an http(s) address', async () => {
    const noMethods = { [`${listRoute}/*`]: () => json(detail({ auth_methods: [] })) };
    const harness = mountFor({}, noMethods);
    (await harness.find('[part="source"]')).click();
    const link = (await harness.find('[part="support-link"]')) as HTMLAnchorElement;
    expect(link.textContent.replaceAll(/\s+/g, ' ').trim()).toBe('Contact Acme support (opens in a new tab)');
    expect([link.href, link.target, link.rel]).toEqual([
      'https://acme.example/help',
      '_blank',
      'noopener noreferrer',
    ]);
    const other = mountFor({ support_url: 'javascript:alert(1)' }, noMethods);
    (await other.find('[part="source"]')).click();
    await other.find('.empty-state');
    expect(other.widget.shadowRoot?.querySelector('[part="support-link"]')).toBeNull();
  });
});
