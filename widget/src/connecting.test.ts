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
import { focused, stage } from '../test/harness.ts';
import { until } from '../test/until.ts';

describe('the catalog', () => {
  it('has a skeleton only where it is long in coming', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const quick = stage();
    await quick.find('[data-id]');
    vi.advanceTimersByTime(1000);
    await quick.widget.updateComplete;
    expect(quick.widget.shadowRoot?.querySelector('.bone')).toBeNull();

    const slow = stage({ [listRoute]: never });
    await slow.widget.updateComplete;
    expect(slow.widget.shadowRoot?.querySelector('.screen')).toBeNull();
    vi.advanceTimersByTime(1000);
    await slow.find('.bone-row');
  });

  it('lists what the service has', async () => {
    const staged = stage();
    await staged.find('[data-id]');
    expect(rows(staged)).toEqual(['Granola', 'Gong', 'Google Ads', 'TikTok Marketing']);
    expect(staged.events).toEqual([
      { type: 'connector-auth-ready', detail: { sources: 4, connectors: [] } },
      { type: 'connector-auth-step', detail: { step: 'catalog', connectorType: null } },
    ]);
  });

  it('narrows to what is typed, says when nothing is left, and comes back', async () => {
    const staged = stage();
    const search = await staged.find('input');
    await userEvent.fill(search, 'go');
    expect(rows(staged)).toEqual(['Gong', 'Google Ads']);
    await userEvent.fill(search, 'salesfroce');
    expect(await text(staged, '.blank h2')).toContain('salesfroce');
    await userEvent.keyboard('{Escape}');
    expect(rows(staged)).toHaveLength(4);
    expect(focused()).toBe(search);
  });

  it('shows what is connected on top, with what needs attention', async () => {
    const staged = stage(withMine(connector(), connector({ name: 'Gong EMEA', status: 'needs_reauth' })));
    expect(await text(staged, '[part="connected"] h3')).toBe('Connected');
    const states = [...(staged.widget.shadowRoot?.querySelectorAll('.row .status') ?? [])];
    expect(states.map(state => state.textContent.trim())).toEqual(['Connected', 'Needs attention']);
  });

  it('shows names and descriptions as text, whatever is in them', async () => {
    const name = '<img src=x onerror=alert(1)>';
    const staged = stage({
      [listRoute]: () => json({ definitions: [definition({ name, description: name })] }),
    });
    await staged.find('[data-id]');
    expect(rows(staged)).toEqual([name]);
  });

  it('draws a letter where an icon cannot be loaded, and loads icons lazily', async () => {
    const staged = stage();
    expect((await staged.find('img')).getAttribute('loading')).toBe('lazy');
    expect(await text(staged, '.letter')).toBe('G');
  });
});

describe('connecting', () => {
  it('shows the reason at the field, keeps what was typed, and succeeds with the next attempt', async () => {
    const staged = stage({
      [createRoute]: () =>
        problem(422, 'credentials_refused', {
          errors: [{ path: 'credentials.api_key', message: 'Unknown key' }],
        }),
    });
    await connect(staged, 'grn_wrong');
    expect(await text(staged, '.fault')).toBe('Unknown key');
    // The standard definition has one text field.
    const field = (await staged.find(keyField)) as HTMLInputElement;
    expect(field.value).toBe('grn_wrong');
    expect(field.getAttribute('aria-invalid')).toBe('true');
    await until(() => {
      expect(focused()).toBe(field);
    });

    const stored = connector({ id: 'new', definition_id: 'def-granola' });
    staged.service.answer({ [createRoute]: () => json(stored, 201) });
    await userEvent.fill(field, `  ${secret} `);
    expect(staged.widget.shadowRoot?.querySelector('.fault')).toBeNull();
    await userEvent.keyboard('{Enter}');
    expect(await text(staged, '.blank h2')).toBe('Granola is connected');

    const [refused, accepted] = staged.service.asked(createRoute);
    expect(await accepted?.json()).toEqual({
      definition_id: 'def-granola',
      name: 'Granola',
      credentials: { api_key: secret },
    });
    expect(accepted?.headers.get('idempotency-key')).not.toBe(refused?.headers.get('idempotency-key'));
    expect(staged.events.filter(({ type }) => type === 'connector-auth-connected')).toEqual([
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
    const steps = staged.events.filter(({ type }) => type === 'connector-auth-step');
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
    const staged = stage();
    await connect(staged);
    (await staged.find('.medal.good ~ .actions .button')).click();
    expect(await text(staged, '[part="connector"] .name')).toBe('Granola');
  });

  it('asks for nothing it can tell by itself', async () => {
    const staged = stage();
    await openForm(staged);
    (await staged.find('.primary')).click();
    expect(await text(staged, '.fault')).toBe('Enter API key');
    await until(() => {
      expect(focused()?.id).toBe('field-credentials.api_key');
    });
    expect(staged.service.asked(createRoute)).toEqual([]);
  });

  it('tells a reason that belongs to no field above the form', async () => {
    const staged = stage({
      [createRoute]: () => problem(422, 'credentials_refused', { detail: 'The workspace is locked.' }),
    });
    await connect(staged);
    expect(await text(staged, '.notice p')).toBe('The workspace is locked.');
    await until(() => {
      expect(focused()?.className).toBe('notice');
    });
  });

  it('sends one request for a double click', async () => {
    const staged = stage({ [createRoute]: never });
    await userEvent.fill(await openForm(staged), secret);
    await userEvent.dblClick(await staged.find('.primary'));
    await staged.find('.spinner');
    expect(staged.service.asked(createRoute)).toHaveLength(1);
  });

  it('repeats an attempt without an answer under the same key, so that there is one connector', async () => {
    const staged = stage({ [createRoute]: outage });
    await connect(staged);
    await staged.find('.notice');
    staged.service.answer({ [createRoute]: () => json(connector(), 201) });
    (await staged.find('.primary')).click();
    await staged.find('.medal.good');
    const keys = staged.service.asked(createRoute).map(({ headers }) => headers.get('idempotency-key'));
    expect(keys[0]).toMatch(/^[\da-f]{32}$/);
    expect(keys[1]).toBe(keys[0]);
  });

  it('asks for a name, and proposes a free one, where the source is connected already', async () => {
    const staged = stage(withMine(connector({ name: 'Granola' })));
    await openForm(staged);
    // A text field of the form.
    expect(((await staged.find('#field-name')) as HTMLInputElement).value).toBe('Granola 2');
  });

  it('lets the person choose where there are several methods', async () => {
    const methods = [apiKeyMethod, { ...apiKeyMethod, id: 'other', title: 'Another way' }];
    const staged = stage({ [`${listRoute}/*`]: () => json(detail({ auth_methods: methods })) });
    (await staged.find('[data-id="def-granola"]')).click();
    (await staged.find('[data-id="other"]')).click();
    await staged.find(keyField);
    (await staged.find('.back')).click();
    await staged.find('[data-id="other"]');
  });

  it('shows and hides a secret', async () => {
    const staged = stage();
    const field = await openForm(staged);
    expect(field.type).toBe('password');
    expect(field.autocomplete).toBe('off');
    await userEvent.fill(field, secret);
    const reveal = await staged.find('[aria-label="Show API key"]');
    reveal.click();
    await staged.find('[aria-label="Hide API key"]');
    expect(field.type).toBe('text');
    expect(field.value).toBe(secret);
  });

  it('links to the vendor only by http', async () => {
    const method = { ...apiKeyMethod, help_url: 'javascript:alert(1)' };
    const staged = stage({ [`${listRoute}/*`]: () => json(detail({ auth_methods: [method] })) });
    await openForm(staged);
    expect(staged.widget.shadowRoot?.querySelector('a')).toBeNull();
  });

  it('keeps the secret out of attributes, storage and the log', async () => {
    const logged = ['log', 'warn', 'error', 'debug', 'info'].map(name => vi.spyOn(console, name as 'log'));
    const staged = stage({ [createRoute]: outage });
    await connect(staged);
    await staged.find('.notice');
    expect(staged.widget.shadowRoot?.innerHTML).not.toContain(secret);
    expect(
      JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie]),
    ).not.toContain(secret);
    expect(JSON.stringify(staged.events)).not.toContain(secret);
    for (const spy of logged) expect(JSON.stringify(spy.mock.calls)).not.toContain(secret);
  });
});

describe('after a search', () => {
  it('and a success the whole catalog is there again, with the focus on the new connector and no count read', async () => {
    const staged = stage({ [createRoute]: () => json(connector({ id: 'new' }), 201) });
    await userEvent.fill(await staged.find('input'), 'gran');
    await connect(staged);
    await staged.find('.good');
    await userEvent.click(await staged.find('.primary'));
    await until(() => {
      expect(focused()?.getAttribute('data-id')).toBe('new');
    });
    expect(rows(staged)).toHaveLength(4);
    expect(staged.announcements.at(-1)).toBe('Connect a source');
    expect(staged.announcements).not.toContain('1 source');
  });
});

describe('managing', () => {
  it('disconnects after a confirmation, and says so', async () => {
    const mine = connector({ id: 'mine' });
    const staged = stage(withMine(mine));
    (await staged.find('[data-id="mine"]')).click();
    (await staged.find('[part="disconnect-button"]')).click();
    expect(staged.service.asked('DELETE /integrations/connectors/mine')).toEqual([]);
    const disconnected = staged.nextEvent('connector-auth-disconnected');
    (await staged.find('[part="confirm-button"]')).click();
    expect(await disconnected).toMatchObject({ connector: { id: 'mine' } });
    await staged.find('[part="sources"]');
    expect(staged.widget.shadowRoot?.querySelector('[part="connected"]')).toBeNull();
    expect(staged.announcements.at(-1)).toBe('Granola is disconnected');
  });

  it('keeps the connector when the person thinks better of it', async () => {
    const staged = stage(withMine(connector({ id: 'mine' })));
    await userEvent.click(await staged.find('[data-id="mine"]'));
    await userEvent.click(await staged.find('[part="disconnect-button"]'));
    await userEvent.click(await staged.find('.keep'));
    await staged.find('[part="disconnect-button"]');
    await userEvent.click(await staged.find('.back'));
    await until(() => {
      expect(focused()?.getAttribute('data-id')).toBe('mine');
    });
  });

  it('takes a connector that is gone already as disconnected', async () => {
    const staged = stage({
      ...withMine(connector({ id: 'mine' })),
      'DELETE /integrations/connectors/*': () => problem(404, 'connector_not_found'),
    });
    (await staged.find('[data-id="mine"]')).click();
    (await staged.find('[part="disconnect-button"]')).click();
    const disconnected = staged.nextEvent('connector-auth-disconnected');
    (await staged.find('[part="confirm-button"]')).click();
    await disconnected;
  });

  it('stays with the question and the reason when disconnecting fails', async () => {
    const staged = stage({
      ...withMine(connector({ id: 'mine' })),
      'DELETE /integrations/connectors/*': outage,
    });
    (await staged.find('[data-id="mine"]')).click();
    (await staged.find('[part="disconnect-button"]')).click();
    (await staged.find('[part="confirm-button"]')).click();
    expect(await text(staged, '.notice strong')).toBe('The service cannot be reached');
    await until(() => {
      expect(staged.announcements.at(-1)).toBe('The service cannot be reached');
    });
  });
});
