import type { ConnectLink } from '@connector-auth/api';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import {
  apiKeyMethod,
  connector,
  connectLink,
  consentMethod,
  detail,
  json,
  outage,
  problem,
  sources,
  type Handler,
} from '../gallery/fake-service.ts';
import { createRoute, expectText, keyField, listRoute, secret, withMine } from '../test/actions.ts';
import { focused, mountWidget, type Harness } from '../test/harness.ts';
import { until } from '../test/until.ts';
import { en } from './messages/en.ts';

const linkRoute = 'POST /integrations/connect-links';
const statusRoute = 'GET /integrations/connect-links/*';
const cancelRoute = 'DELETE /integrations/connect-links/*';
const offer = '[part="link-button"]';
const copy = '[part="primary-button"]';
const cancel = '[part="cancel-link-button"][aria-disabled="false"]';

/** Responds to a user with these rights. */
const withRights = (...management: readonly string[]) => ({
  [listRoute]: () =>
    json({
      definitions: sources,
      integrator: { name: 'Fieldbook', logo_url: null, support_url: 'https://fieldbook.example/support' },
      rights: { actions: ['list', 'get'], management },
    }),
});

/** Opens the form of a source as a user who may send a link. */
async function openForm(routes: Readonly<Record<string, Handler>> = {}): Promise<Harness> {
  const harness = mountWidget({ ...withRights('create', 'reconnect', 'link'), ...routes });
  (await harness.find('[data-id="def-granola"]')).click();
  await harness.find(keyField);
  return harness;
}

/** Creates a link. */
async function sendLink(routes: Readonly<Record<string, Handler>> = {}): Promise<Harness> {
  const harness = await openForm(routes);
  (await harness.find(offer)).click();
  return harness;
}

/** Responds with one status after another, and then never again. */
function statuses(...fields: readonly Partial<ConnectLink>[]): Handler {
  const rest = [...fields];
  return () => {
    const next = rest.shift();
    return next ? json(connectLink(next)) : new Promise<Response>(() => {});
  };
}

const bodies = ({ service }: Harness, route: string) =>
  Promise.all(service.requestsTo(route).map(request => request.json()));

async function urlIn({ find }: Harness): Promise<string> {
  await find(cancel);
  // It is a text field.
  return ((await find('.url')) as HTMLInputElement).value;
}

/** Replaces a function of the browser until the test ends. */
function replace(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, configurable: true });
  onTestFinished(() => {
    Reflect.deleteProperty(target, name);
  });
}

describe('the offer of a link', () => {
  test.each([
    ['has the right', withRights('create', 'link'), true],
    ['lacks the right', withRights('create', 'rename', 'reconnect', 'delete', 'settings'), false],
    ['has rights that the service does not report', {}, false],
  ])('depends on the token, which %s', async (_name, routes, isOffered) => {
    const harness = mountWidget(routes);
    (await harness.find('[data-id="def-granola"]')).click();
    await harness.find(keyField);
    expect(harness.widget.shadowRoot?.querySelector(offer) !== null).toBe(isOffered);
  });

  test('follows the sentence that says who can connect the source', async () => {
    const key = { ...apiKeyMethod, instead: 'Use an API key instead' };
    const harness = mountWidget({
      ...withRights('create', 'link'),
      [`${listRoute}/*`]: () => json(detail({ auth_methods: [consentMethod, key] })),
    });
    await userEvent.click(await harness.find('[data-id="def-granola"]'));
    await harness.find(offer);
    await expectText(harness, '.lead + button', 'Not an admin? Send a link');
    await until(() => {
      expect(focused()).toBe(harness.widget.shadowRoot?.querySelector('.footer .primary'));
    });
  });

  test('replaces the form and the sign-in if the token allows nothing else', async () => {
    const harness = mountWidget(withRights('link'));
    (await harness.find('[data-id="def-granola"]')).click();
    const button = await harness.find('.primary');
    expect(button.textContent.trim()).toBe('Send a link to connect Granola');
    await expectText(harness, '.lead', 'Someone at your company with Granola access has to do this.');
    expect(harness.widget.shadowRoot?.querySelector('form, [data-id]')).toBeNull();
    button.click();
    await urlIn(harness);
    (await harness.find('.back')).click();
    await expectText(harness, offer, 'Send a link to connect Granola');
  });

  test('lets users reconnect a connector who cannot do it themselves', async () => {
    const mine = connector({ id: 'mine-1', name: 'Gong EMEA', status: 'needs_reauth' });
    const harness = mountWidget({ ...withRights('create', 'link'), ...withMine(mine) });
    (await harness.find('[data-id="mine-1"]')).click();
    (await harness.find('.strip .primary')).click();
    await harness.find(offer);
    await expectText(harness, '.primary', 'Send a link to connect Gong EMEA');
  });
});

describe('a link', () => {
  test('is created for the source, and says who can use it and until when', async () => {
    const harness = await sendLink();
    expect(await urlIn(harness)).toMatch(/^https:\/\/service-\d+\.invalid\/connect\/link-\d+#/);
    expect(await bodies(harness, linkRoute)).toEqual([{ connector_type: 'granola' }]);
    await expectText(harness, 'h2', 'Send a link to connect Granola');
    await expectText(harness, '.lead', 'Your colleague has to be signed in to Fieldbook to use it.');
    await expectText(
      harness,
      '.success .hint',
      /^Works once\. Expires (today|tomorrow) at \d+:\d\d [AP]M\.$/,
    );
    expect(harness.events.at(-1)).toEqual({
      type: 'connector-auth-step',
      detail: { step: 'link', connectorType: 'granola' },
    });
  });

  test('moves focus to the copy button and announces the title', async () => {
    const harness = await openForm();
    const button = await harness.find(offer);
    await userEvent.click(button);
    await harness.find(cancel);
    await until(async () => {
      expect(focused()).toBe(await harness.find(copy));
    });
    expect(harness.announcements).toContain('Send a link to connect Granola');
  });

  test('is copied, which is announced', async () => {
    const writeText = vi.fn<(text: string) => Promise<void>>(() => Promise.resolve());
    replace(navigator, 'clipboard', { writeText });
    const harness = await sendLink();
    const url = await urlIn(harness);
    (await harness.find(copy)).click();
    await until(async () => {
      await expectText(harness, copy, 'Link copied');
      expect(harness.announcements).toContain(
        'Link copied. Waiting for your colleague. You can leave this page.',
      );
    });
    expect(writeText).toHaveBeenCalledExactlyOnceWith(url);
  });

  test('is selected if the page may not copy it', async () => {
    replace(navigator, 'clipboard', { writeText: () => Promise.reject(new Error('Not allowed')) });
    const harness = await sendLink();
    const url = await urlIn(harness);
    (await harness.find(copy)).click();
    // It is a text field.
    const field = (await harness.find('.url')) as HTMLInputElement;
    await until(() => {
      expect(focused()).toBe(field);
    });
    expect([field.selectionStart, field.selectionEnd, field.readOnly]).toEqual([0, url.length, true]);
    expect(harness.announcements.join()).not.toContain('Link copied');
  });

  test('is shared where the browser can', async () => {
    const share = vi.fn<(data: ShareData) => Promise<void>>(() => Promise.reject(new Error('Closed')));
    replace(navigator, 'share', share);
    const harness = await sendLink();
    const url = await urlIn(harness);
    (await harness.find('.footer .button:not(.primary)')).click();
    const text = 'Could you do this for us? The link works once:';
    expect(share).toHaveBeenCalledExactlyOnceWith({ title: 'Connect Granola', text, url });
  });

  test('is mailed with a note where the browser cannot share it', async () => {
    Reflect.deleteProperty(Navigator.prototype, 'share');
    const open = vi.spyOn(globalThis, 'open').mockReturnValue(null);
    const harness = await sendLink();
    const url = await urlIn(harness);
    (await harness.find('.footer .button:not(.primary)')).click();
    const mail = new URL(String(open.mock.calls[0]?.[0]));
    expect([mail.protocol, mail.searchParams.get('subject')]).toEqual(['mailto:', 'Connect Granola']);
    expect(mail.searchParams.get('body')).toBe(`Could you do this for us? The link works once:\n\n${url}`);
    await expectText(harness, '.trust', /^Waiting for your colleague\./);
  });

  test('is replaced by one that is valid as long as the user chooses, if the organization allows that', async () => {
    const harness = await sendLink();
    const field = (await harness.find('select:enabled')) as HTMLSelectElement;
    expect([...field.options].map(({ label }) => label.trim())).toEqual(['1 hour', '1 day']);
    const [first] = harness.service.requestsTo('POST /integrations/connect-links');
    expect(await first?.json()).toEqual({ connector_type: 'granola' });
    field.value = '86400';
    field.dispatchEvent(new Event('change'));
    await until(() => {
      expect(harness.service.requestsTo('POST /integrations/connect-links')).toHaveLength(2);
    });
    expect(harness.service.requestsTo('DELETE /integrations/connect-links/*')).toHaveLength(1);
    const second = harness.service.requestsTo('POST /integrations/connect-links')[1];
    expect(await second?.json()).toEqual({ connector_type: 'granola', expires_in: 86_400 });
    await harness.find('.url:not(.skeleton)');
    expect(((await harness.find('select')) as HTMLSelectElement).value).toBe('86400');
  });

  test('is never written to an attribute', async () => {
    const harness = await sendLink();
    const url = await urlIn(harness);
    const key = url.slice(url.indexOf('#') + 1);
    expect(harness.widget.shadowRoot?.innerHTML).not.toContain(key);
    expect(JSON.stringify(harness.events)).not.toContain(key);
  });

  test('leads to the success screen once a colleague has used it', async () => {
    const harness = await sendLink({
      [statusRoute]: statuses({ status: 'confirmed' }, { status: 'used', connector_id: 'new-1' }),
      'GET /integrations/connectors/*': () => json(connector({ id: 'new-1' })),
    });
    await expectText(harness, 'h2', 'Your colleague is connecting Granola');
    expect(harness.widget.shadowRoot?.querySelector('.url')).toBeNull();
    expect(harness.announcements).toContain('Your colleague is connecting Granola');
    await harness.find('.icon-circle.good');
    await expectText(harness, 'h2', 'Granola is connected');
    expect(harness.events).toContainEqual({
      type: 'connector-auth-connected',
      detail: { connector: expect.objectContaining({ id: 'new-1' }) as unknown },
    });
    const [request] = harness.service.requestsTo(statusRoute);
    expect(new URL(request?.url ?? '').search).toBe('?wait_seconds=25');
  });

  test('can only be cancelled once a colleague has opened it, and focus stays in the widget', async () => {
    let open = (_response: Response) => {};
    const opened = new Promise<Response>(resolve => {
      open = resolve;
    });
    const harness = await openForm({ [statusRoute]: () => opened });
    await userEvent.click(await harness.find(offer));
    await harness.find(cancel);
    await until(async () => {
      expect(focused()).toBe(await harness.find(copy));
    });
    harness.service.use({ [statusRoute]: statuses() });
    open(json(connectLink({ status: 'confirmed' })));
    await expectText(harness, '.footer', 'Cancel link');
    await until(async () => {
      expect(focused()).toBe(await harness.find(cancel));
    });
  });

  test('is kept when the user goes back, together with what they typed', async () => {
    const harness = await openForm();
    await userEvent.fill(await harness.find(keyField), secret);
    (await harness.find(offer)).click();
    const url = await urlIn(harness);
    (await harness.find('.back')).click();
    expect(((await harness.find(keyField)) as HTMLInputElement).value).toBe(secret);
    (await harness.find(offer)).click();
    expect(await urlIn(harness)).toBe(url);
    expect(harness.service.requestsTo(linkRoute)).toHaveLength(1);
  });

  test('is cancelled, and another one is created afterwards', async () => {
    const harness = await sendLink();
    const url = await urlIn(harness);
    harness.service.use({ [statusRoute]: () => json(connectLink({ status: 'revoked' })) });
    (await harness.find(cancel)).click();
    await harness.find(keyField);
    await until(() => {
      expect(harness.announcements).toContain('The link was cancelled');
    });
    expect(new URL(harness.service.requestsTo(cancelRoute)[0]?.url ?? '').pathname).toContain(
      new URL(url).pathname.replace('/connect/', '/connect-links/'),
    );
    harness.service.use({ [statusRoute]: statuses() });
    (await harness.find(offer)).click();
    expect(await urlIn(harness)).not.toBe(url);
  });

  test('that was used just before it is cancelled leads to the success screen', async () => {
    const harness = await sendLink();
    harness.service.use({
      [statusRoute]: () => json(connectLink({ status: 'used', connector_id: 'new-1' })),
      'GET /integrations/connectors/*': () => json(connector({ id: 'new-1' })),
    });
    (await harness.find(cancel)).click();
    await harness.find('.icon-circle.good');
  });

  test('stays if it cannot be cancelled, with the reason', async () => {
    const harness = await sendLink({ [cancelRoute]: outage });
    const url = await urlIn(harness);
    (await harness.find(cancel)).click();
    await expectText(harness, '.notice strong', 'Couldn’t cancel the link');
    expect(await urlIn(harness)).toBe(url);
  });

  test.each([
    ['expired', 'The link has expired'],
    ['revoked', 'The link was cancelled'],
  ] as const)('that is %s can be replaced by a new one', async (status, title) => {
    const harness = await sendLink({ [statusRoute]: statuses({ status }) });
    await harness.find('.empty-state');
    await expectText(harness, 'h2', title);
    (await harness.find('.empty-state .primary')).click();
    expect(await urlIn(harness)).toContain('/connect/');
    expect(harness.service.requestsTo(linkRoute)).toHaveLength(2);
  });

  test('reconnects a connector', async () => {
    const mine = connector({ id: 'mine-1', name: 'Gong EMEA', status: 'needs_reauth' });
    const harness = mountWidget({
      ...withRights('reconnect', 'link'),
      ...withMine(mine),
      [statusRoute]: statuses({ status: 'used', connector_id: 'mine-1' }),
      'GET /integrations/connectors/mine-1': () => json({ ...mine, status: 'active' }),
    });
    (await harness.find('[data-id="mine-1"]')).click();
    (await harness.find('.strip .primary')).click();
    (await harness.find(offer)).click();
    expect(await harness.nextEvent('connector-auth-reconnected')).toMatchObject({
      connector: { id: 'mine-1', status: 'active' },
    });
    expect(await bodies(harness, linkRoute)).toEqual([{ connector_id: 'mine-1' }]);
  });

  test('belongs to one source only', async () => {
    const harness = await sendLink();
    const url = await urlIn(harness);
    (await harness.find('.back')).click();
    await harness.find(keyField);
    (await harness.find('.back')).click();
    (await harness.find('[data-id="def-gong"]')).click();
    (await harness.find(offer)).click();
    expect(await urlIn(harness)).not.toBe(url);
    expect(await bodies(harness, linkRoute)).toEqual([
      { connector_type: 'granola' },
      { connector_type: 'gong' },
    ]);
  });
});

describe('a link that cannot be created', () => {
  test.each([
    [
      'helper_url_missing',
      409,
      ['Links aren’t available here', en.setupHintBy('Fieldbook'), 'Contact Fieldbook support'],
    ],
    [
      'management_not_allowed',
      403,
      [
        'You don’t have access to this',
        en.forbiddenHintBy('Fieldbook'),
        'Try again',
        'Contact Fieldbook support',
      ],
    ],
    [
      'too_many_links',
      409,
      [
        'You’ve reached the limit',
        'Too many links are open. Try again when some of them have expired.',
        'Try again',
      ],
    ],
    ['rate_limited', 429, [en.busyTitle, 'Try again in a minute.', 'Try again']],
  ] as const)('because of %s says what to do and tells the integrator', async (code, status, words) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const detail = 'Register the URL of the helper';
    const harness = await sendLink({ [linkRoute]: () => problem(status, code, { detail }) });
    await harness.find('.empty-state');
    const parts = harness.widget.shadowRoot?.querySelectorAll(
      '.empty-state :is(h2, .lead, .button, [part="support-link"])',
    );
    expect([...(parts ?? [])].map(({ textContent }) => textContent.trim().split('\n')[0])).toEqual(words);
    expect(harness.events).toContainEqual({
      type: 'connector-auth-error',
      detail: expect.objectContaining({ code, message: detail, status }) as unknown,
    });
    expect(log.mock.calls.flat().join(' ')).toContain(detail);
    (await harness.find('.back')).click();
    await harness.find(keyField);
  });

  test('because the session has expired offers to reload the page', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const harness = await sendLink({ [linkRoute]: () => problem(401, 'token_invalid') });
    await harness.find('.empty-state');
    await expectText(harness, 'h2', 'Your session expired');
    await expectText(harness, '.empty-state .primary', 'Reload this page');
  });

  test('is created when the user tries again', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const harness = await sendLink({ [linkRoute]: outage });
    const retry = await harness.find('.empty-state .primary');
    harness.service.use({
      [linkRoute]: () =>
        json({ id: 'link-2', url: 'https://c.example/connect/2#s', expires_at: connectLink().expires_at }),
    });
    retry.click();
    expect(await urlIn(harness)).toBe('https://c.example/connect/2#s');
  });
});

test.each([
  ['link_used', 'The link was already used'],
  ['link_expired', 'The link has expired'],
  ['link_revoked', 'The link was cancelled'],
] as const)(
  'says that the link of this page ended with %s, and to ask for a new one',
  async (code, title) => {
    const harness = mountWidget({ [createRoute]: () => problem(409, code) });
    (await harness.find('[data-id="def-granola"]')).click();
    await userEvent.fill(await harness.find(keyField), secret);
    (await harness.find('.primary')).click();
    await expectText(harness, '.notice strong', title);
    await expectText(harness, '.notice [part="hint"]', 'Ask for a new link.');
  },
);
