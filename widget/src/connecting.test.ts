import { describe, expect, it, onTestFinished, vi } from 'vitest';
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
  keyField,
  listRoute,
  openForm,
  rows,
  secret,
  text,
  withMine,
} from '../test/actions.ts';
import { focused, mountWidget } from '../test/harness.ts';
import { until } from '../test/until.ts';

describe('the catalog', () => {
  it('has a skeleton only where it is long in coming', async () => {
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

  it('lists what the service has', async () => {
    const harness = mountWidget();
    await harness.find('[data-id]');
    expect(rows(harness)).toEqual(['Granola', 'Gong', 'Google Ads', 'TikTok Marketing']);
    expect(harness.events).toEqual([
      { type: 'connector-auth-ready', detail: { sources: 4, connectors: [] } },
      { type: 'connector-auth-step', detail: { step: 'catalog', connectorType: null } },
    ]);
  });

  it('narrows to what is typed, says when nothing is left, and comes back', async () => {
    const harness = mountWidget();
    const search = await harness.find('input');
    await userEvent.fill(search, 'go');
    expect(rows(harness)).toEqual(['Gong', 'Google Ads']);
    await userEvent.fill(search, 'salesfroce');
    expect(await text(harness, '.empty-state h2')).toContain('salesfroce');
    await userEvent.keyboard('{Escape}');
    expect(rows(harness)).toHaveLength(4);
    expect(focused()).toBe(search);
  });

  it('shows what is connected on top, with what needs attention', async () => {
    const harness = mountWidget(
      withMine(connector(), connector({ name: 'Gong EMEA', status: 'needs_reauth' })),
    );
    expect(await text(harness, '[part="connected"] h3')).toBe('Connected');
    const states = [...(harness.widget.shadowRoot?.querySelectorAll('.row .status') ?? [])];
    expect(states.map(state => state.textContent.trim())).toEqual(['Connected', 'Needs attention']);
  });

  it('shows names and descriptions as text, whatever is in them', async () => {
    const name = '<img src=x onerror=alert(1)>';
    const harness = mountWidget({
      [listRoute]: () => json({ definitions: [definition({ name, description: name })] }),
    });
    await harness.find('[data-id]');
    expect(rows(harness)).toEqual([name]);
  });

  it('draws a letter where an icon cannot be loaded, and loads icons lazily', async () => {
    const harness = mountWidget();
    expect((await harness.find('img')).getAttribute('loading')).toBe('lazy');
    expect(await text(harness, '.letter')).toBe('G');
  });
});

describe('connecting', () => {
  it('shows the reason at the field, keeps what was typed, and succeeds with the next attempt', async () => {
    const harness = mountWidget({
      [createRoute]: () =>
        problem(422, 'credentials_refused', {
          errors: [{ path: 'credentials.api_key', message: 'Unknown key' }],
        }),
    });
    await connect(harness, 'grn_wrong');
    expect(await text(harness, '.field-error')).toBe('Unknown key');
    // The standard definition has one text field.
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
    expect(await text(harness, '.empty-state h2')).toBe('Granola is connected');

    const [refused, accepted] = harness.service.requestsTo(createRoute);
    expect(await accepted?.json()).toEqual({
      definition_id: 'def-granola',
      name: 'Granola',
      credentials: { api_key: secret },
    });
    expect(accepted?.headers.get('idempotency-key')).not.toBe(refused?.headers.get('idempotency-key'));
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

  it('lists the new connector afterwards', async () => {
    const harness = mountWidget();
    await connect(harness);
    (await harness.find('.icon-circle.good ~ .actions .button')).click();
    expect(await text(harness, '[part="connector"] .name')).toBe('Granola');
  });

  it('asks for nothing it can tell by itself', async () => {
    const harness = mountWidget();
    await openForm(harness);
    (await harness.find('.primary')).click();
    expect(await text(harness, '.field-error')).toBe('Enter API key');
    await until(() => {
      expect(focused()?.id).toBe('field-credentials.api_key');
    });
    expect(harness.service.requestsTo(createRoute)).toEqual([]);
  });

  it('tells a reason that belongs to no field above the form', async () => {
    const harness = mountWidget({
      [createRoute]: () => problem(422, 'credentials_refused', { detail: 'The workspace is locked.' }),
    });
    await connect(harness);
    expect(await text(harness, '.notice p')).toBe('The workspace is locked.');
    await until(() => {
      expect(focused()?.className).toBe('notice');
    });
  });

  it('sends one request for a double click', async () => {
    const harness = mountWidget({ [createRoute]: never });
    await userEvent.fill(await openForm(harness), secret);
    await userEvent.dblClick(await harness.find('.primary'));
    await harness.find('.spinner');
    expect(harness.service.requestsTo(createRoute)).toHaveLength(1);
  });

  it('repeats an attempt without an answer under the same key, so that there is one connector', async () => {
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

  it('asks for a name, and proposes a free one, where the source is connected already', async () => {
    const harness = mountWidget(withMine(connector({ name: 'Granola' })));
    await openForm(harness);
    // A text field of the form.
    expect(((await harness.find('#field-name')) as HTMLInputElement).value).toBe('Granola 2');
  });

  it('lets the person choose where there are several methods', async () => {
    const methods = [apiKeyMethod, { ...apiKeyMethod, id: 'other', title: 'Another way' }];
    const harness = mountWidget({ [`${listRoute}/*`]: () => json(detail({ auth_methods: methods })) });
    (await harness.find('[data-id="def-granola"]')).click();
    (await harness.find('[data-id="other"]')).click();
    await harness.find(keyField);
    (await harness.find('.back')).click();
    await harness.find('[data-id="other"]');
    expect(harness.widget.shadowRoot?.querySelectorAll('[part="method"]')).toHaveLength(2);
  });

  it('shows and hides a secret', async () => {
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

  it('links to the vendor only by http', async () => {
    const method = { ...apiKeyMethod, help_url: 'javascript:alert(1)' };
    const harness = mountWidget({ [`${listRoute}/*`]: () => json(detail({ auth_methods: [method] })) });
    await openForm(harness);
    expect(harness.widget.shadowRoot?.querySelector('a')).toBeNull();
  });

  it('keeps the secret out of attributes, storage and the log', async () => {
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
  it('and a success the whole catalog is there again, with the focus on the new connector and no count read', async () => {
    const harness = mountWidget({ [createRoute]: () => json(connector({ id: 'new' }), 201) });
    await userEvent.fill(await harness.find('input'), 'gran');
    await connect(harness);
    await harness.find('.good');
    await userEvent.click(await harness.find('.primary'));
    await until(() => {
      expect(focused()?.getAttribute('data-id')).toBe('new');
    });
    expect(rows(harness)).toHaveLength(4);
    expect(harness.announcements.at(-1)).toBe('Connect a source');
    expect(harness.announcements).not.toContain('1 source');
  });
});

describe('managing', () => {
  it('disconnects after a confirmation, and says so', async () => {
    const mine = connector({ id: 'mine' });
    const harness = mountWidget(withMine(mine));
    (await harness.find('[data-id="mine"]')).click();
    (await harness.find('[part="disconnect-button"]')).click();
    expect(harness.service.requestsTo('DELETE /integrations/connectors/mine')).toEqual([]);
    const disconnected = harness.nextEvent('connector-auth-disconnected');
    (await harness.find('[part="confirm-button"]')).click();
    expect(await disconnected).toMatchObject({ connector: { id: 'mine' } });
    await harness.find('[part="sources"]');
    expect(harness.widget.shadowRoot?.querySelector('[part="connected"]')).toBeNull();
    expect(harness.announcements.at(-1)).toBe('Granola is disconnected');
  });

  it('keeps the connector when the person thinks better of it', async () => {
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

  it('takes a connector that is gone already as disconnected', async () => {
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

  it('stays with the question and the reason when disconnecting fails', async () => {
    const harness = mountWidget({
      ...withMine(connector({ id: 'mine' })),
      'DELETE /integrations/connectors/*': outage,
    });
    (await harness.find('[data-id="mine"]')).click();
    (await harness.find('[part="disconnect-button"]')).click();
    (await harness.find('[part="confirm-button"]')).click();
    expect(await text(harness, '.notice strong')).toBe('Can’t reach the service');
    await until(() => {
      expect(harness.announcements.at(-1)).toBe('Can’t reach the service');
    });
  });
});
