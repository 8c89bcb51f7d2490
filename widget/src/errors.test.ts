import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { connector, json, never, outage, problem, sources } from '../gallery/fake-service.ts';
import {
  connect,
  createRoute,
  expectText,
  keyField,
  listRoute,
  mineRoute,
  openForm,
  rows,
  secret,
  text,
} from '../test/actions.ts';
import { mountWidget, useTokenUrl } from '../test/harness.ts';
import { until } from '../test/until.ts';
import { setupGraceMs } from './own-flow.ts';
import { skeletonDelayMs } from './screens/screens.ts';
import { responseTimeoutMs } from './service/service.ts';

describe('token', () => {
  const tokenRoute = 'POST /token';
  const bearer = (request: Request | undefined) => request?.headers.get('authorization');

  test('requests one token without a body and sends the token only to the service', async () => {
    const harness = mountWidget({
      [tokenRoute]: () => json({ token: 'first', expires_in: 1200, service_url: harness.service.url }),
    });
    await harness.find('[data-id]');
    expect(harness.service.requestsTo(tokenRoute)).toHaveLength(1);
    expect(await harness.service.requestsTo(tokenRoute)[0]?.text()).toBe('');
    expect(bearer(harness.service.requestsTo(listRoute)[0])).toBe('Bearer first');
    expect(bearer(harness.service.requestsTo(mineRoute)[0])).toBe('Bearer first');
  });

  test('uses the token from getToken and the service URL from the attribute', async () => {
    const getToken = vi.fn(() => Promise.resolve({ token: 'own', expires_in: 60 }));
    const harness = mountWidget({}, (widget, service) => {
      widget.setAttribute('service-url', `${service.url}/`);
      widget.getToken = getToken;
    });
    await harness.find('[data-id]');
    expect(getToken).toHaveBeenCalledOnce();
    expect(bearer(harness.service.requestsTo(listRoute)[0])).toBe('Bearer own');
  });

  test('sends cookies to another origin only with token-credentials="include"', async () => {
    const usual = mountWidget();
    await usual.find('[data-id]');
    expect(usual.service.requestsTo(tokenRoute)[0]?.credentials).toBe('same-origin');
    const included = mountWidget({}, (widget, service) => {
      useTokenUrl(widget, service);
      widget.setAttribute('token-credentials', 'include');
    });
    await included.find('[data-id]');
    expect(included.service.requestsTo(tokenRoute)[0]?.credentials).toBe('include');
  });

  test('refreshes a token on the next request shortly before it expires', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const harness = mountWidget();
    await harness.find('[data-id]');
    vi.setSystemTime(Date.now() + 1139_000);
    await openForm(harness);
    expect(harness.service.requestsTo(tokenRoute)).toHaveLength(1);
    vi.setSystemTime(Date.now() + 2000);
    (await harness.find('.back')).click();
    await openForm(harness);
    expect(harness.service.requestsTo(tokenRoute)).toHaveLength(2);
  });

  test('refreshes a rejected token once and repeats the request with the same input', async () => {
    const harness = mountWidget({
      [tokenRoute]: () =>
        json({
          token: `token-${harness.service.requestsTo(tokenRoute).length}`,
          expires_in: 1200,
          service_url: harness.service.url,
        }),
      [createRoute]: request =>
        bearer(request) === 'Bearer token-1' ? problem(401, 'token_expired') : json(connector(), 201),
    });
    await connect(harness);
    await harness.find('.icon-circle.good');
    const [first, second] = harness.service.requestsTo(createRoute);
    expect([bearer(first), bearer(second)]).toEqual(['Bearer token-1', 'Bearer token-2']);
    expect(await second?.json()).toMatchObject({ credentials: { api_key: secret } });
    expect(second?.headers.get('idempotency-key')).toBe(first?.headers.get('idempotency-key'));
  });

  test('keeps the form and its input if the token cannot be refreshed', async () => {
    const harness = mountWidget({ [createRoute]: () => problem(401, 'token_expired') });
    const field = await openForm(harness);
    await userEvent.fill(field, secret);
    harness.service.use({ [tokenRoute]: () => new Response('', { status: 403 }) });
    const error = harness.nextEvent('connector-auth-error');
    (await harness.find('.primary')).click();
    expect(await error).toMatchObject({ code: 'token_refused', status: 403 });
    await expectText(harness, '.notice strong', 'Your session expired');
    await expectText(harness, '.notice button', 'Reload this page');
    expect(field.value).toBe(secret);

    harness.service.use({
      [tokenRoute]: () => json({ token: 'fresh', expires_in: 1200, service_url: harness.service.url }),
      [createRoute]: () => json(connector(), 201),
    });
    (await harness.find('.primary')).click();
    await harness.find('.icon-circle.good');
  });

  test('does not request a third token after the service rejects two', async () => {
    const harness = mountWidget({ [listRoute]: () => problem(401, 'token_invalid'), [mineRoute]: never });
    expect(await harness.nextEvent('connector-auth-error')).toMatchObject({
      code: 'token_invalid',
      status: 401,
    });
    expect(harness.service.requestsTo(listRoute)).toHaveLength(2);
  });

  test.each([
    ['no JSON', () => new Response('<!doctype html>')],
    ['no token', () => json({ expires_in: 60, service_url: 'https://service.invalid' })],
    ['no service URL', () => json({ token: 'x', expires_in: 60 })],
    ['an invalid service URL', () => json({ token: 'x', expires_in: 60, service_url: 'ftp://x' })],
  ])('reports a token response with %s to the integrator and the user', async (_what, handler) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const harness = mountWidget({ [tokenRoute]: handler });
    await expectText(harness, '.empty-state h2', 'This feature isn’t set up yet');
    expect(log).toHaveBeenCalledOnce();
    expect(harness.events).toMatchObject([
      { type: 'connector-auth-error', detail: { code: 'token_answer_invalid' } },
    ]);
  });
});

describe('problem of the token URL', () => {
  const [session, setUp, unreachable, broken] = [
    'Your session expired',
    'This feature isn’t set up yet',
    'Can’t reach the service',
    'Something went wrong',
  ];

  test.each([
    [403, 'origin_not_allowed', setUp],
    [404, 'route_not_found', setUp],
    [422, 'unknown_connector_type', setUp],
    [500, 'backend_misconfigured', setUp],
    [502, 'unexpected_answer', setUp],
    [500, 'internal_error', broken],
    [503, 'unreachable', unreachable],
    [503, 'overloaded', 'The service is busy right now'],
    [504, 'timeout', unreachable],
  ] as const)('status %i %s is shown as intended, reported and logged once', async (status, code, title) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const detail = 'Change the option';
    const harness = mountWidget({ 'POST /token': () => problem(status, code, { detail }) });
    await expectText(harness, '.empty-state h2', title);
    await expectText(harness, '.reference', 'Reference: req_01JD3');
    const again = harness.nextEvent('connector-auth-error');
    (await harness.find('.primary')).click();
    await again;
    const event = { code, message: detail, status, requestId: 'req_01JD3' };
    expect(harness.events.map(each => each.detail)).toEqual([event, event]);
    expect(log.mock.calls).toEqual([[`<connector-auth>: ${detail} (${code}, request req_01JD3)`]]);
  });

  test.each([
    [401, 'token_refused', session],
    [403, 'token_refused', session],
    [404, 'token_refused', setUp],
    [200, 'token_answer_invalid', setUp],
    [500, 'token_unavailable', broken],
    [502, 'token_unavailable', unreachable],
  ] as const)('status %i without a problem is %s', async (status, code, title) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const headers = { 'content-type': 'text/html' };
    const harness = mountWidget({ 'POST /token': () => new Response('<p>', { status, headers }) });
    await expectText(harness, '.empty-state h2', title);
    expect(harness.events).toMatchObject([{ detail: { code, requestId: null } }]);
    expect(log.mock.calls).toEqual([
      [expect.stringContaining(`token-url (${harness.service.tokenUrl}) returned ${status} (text/html)`)],
    ]);
  });

  test('JSON of another shape is not taken for a problem', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const harness = mountWidget({ 'POST /token': () => json({ code: 'E_CSRF' }, 403) });
    await expectText(harness, '.empty-state h2', session);
    expect(log.mock.calls).toEqual([[expect.stringContaining('CSRF')]]);
  });

  test('that the session has expired is shown with a button that reloads the page', async () => {
    const harness = mountWidget({ 'POST /token': () => problem(401, 'not_signed_in') });
    await expectText(harness, '.empty-state', /^Your session expired\s+Reload this page to continue\./);
    await expectText(harness, '.primary', 'Reload this page');
  });

  test('a logged URL has no query', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const harness = mountWidget({ 'POST /token': outage }, (widget, service) => {
      widget.setAttribute('token-url', `${service.tokenUrl}?secret=${secret}`);
    });
    await expectText(harness, '.empty-state h2', unreachable);
    expect(log).toHaveBeenCalledOnce();
    expect(String(log.mock.calls)).not.toContain(secret);
  });

  test('a failed getToken is logged with its own message', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const harness = mountWidget({}, widget => {
      widget.getToken = () => Promise.reject(new Error('backend is down'));
    });
    await expectText(harness, '.empty-state h2', unreachable);
    expect(log.mock.calls).toEqual([[expect.stringContaining('backend is down')]]);
  });
});

describe('sources that the customer cannot use', () => {
  const watchLog = () => vi.spyOn(console, 'error').mockImplementation(() => {});
  const mount = (attributes: Readonly<Record<string, string>>) =>
    mountWidget({}, (widget, service) => {
      useTokenUrl(widget, service);
      for (const [name, value] of Object.entries(attributes)) widget.setAttribute(name, value);
    });

  test('none of a list is a set-up error', async () => {
    const log = watchLog();
    const harness = mount({ sources: 'granola-notes' });
    await expectText(harness, '.empty-state h2', 'This feature isn’t set up yet');
    expect(harness.events).toMatchObject([{ detail: { code: 'unknown_connector_type' } }]);
    expect(log.mock.calls).toEqual([
      [expect.stringMatching(/sources="granola-notes".* gong, .*allowedSources of connectorAuth\(\)/)],
    ]);
  });

  test('one of several is logged, and the others are shown', async () => {
    const log = watchLog();
    const harness = mount({ sources: 'granola-notes, gong' });
    await harness.find('[data-id]');
    expect(rows(harness)).toEqual(['Gong']);
    expect(log.mock.calls).toEqual([[expect.stringContaining('sources="granola-notes"')]]);
  });
});

describe('failure', () => {
  test.each([
    ['an outage', outage, 'unreachable', 'Can’t reach the service'],
    [
      'a gateway error page',
      () => new Response('<h1>502</h1>', { status: 502 }),
      'unreachable',
      'Can’t reach the service',
    ],
    [
      'an HTML response',
      () => new Response('<h1>Hello</h1>'),
      'unexpected_answer',
      'This feature isn’t set up yet',
    ],
    [
      'JSON of an unexpected shape',
      () => json({ hello: 'world' }),
      'unexpected_answer',
      'This feature isn’t set up yet',
    ],
    ['an HTML error page', () => new Response('', { status: 500 }), 'internal_error', 'Something went wrong'],
    [
      'too many requests',
      () => problem(429, 'rate_limited'),
      'rate_limited',
      'The service is busy right now',
    ],
    [
      'a customer that is not allowed',
      () => problem(403, 'customer_not_allowed'),
      'customer_not_allowed',
      'You don’t have access to this',
    ],
    ['an internal error', () => problem(500, 'internal_error'), 'internal_error', 'Something went wrong'],
  ] as const)('explains %s, and loads the catalog on retry', async (_what, handler, code, title) => {
    const harness = mountWidget({ [listRoute]: handler });
    await expectText(harness, '.empty-state h2', title);
    expect(harness.events).toMatchObject([{ type: 'connector-auth-error', detail: { code } }]);
    harness.service.use({ [listRoute]: () => json({ definitions: sources }) });
    (await harness.find('.primary')).click();
    await harness.find('[data-id]');
  });

  test.each([
    [
      'an incident stops new connections',
      'connector_frozen',
      'Paused',
      'We’ve paused changes to connections. Try again later.',
    ],
    [
      'an operator has disabled the connector',
      'connector_disabled',
      'Paused',
      'This connection is paused. Contact support to resume it.',
    ],
  ] as const)('says what to do if %s, and keeps the form', async (_what, code, title, hint) => {
    const harness = mountWidget({ [createRoute]: () => problem(403, code) });
    await connect(harness);
    await expectText(harness, '.notice strong', title);
    expect(await text(harness, '.notice')).toContain(hint);
    await harness.find(keyField);
  });

  test('names the integrator that can give access, and links to its support', async () => {
    const integrator = { name: 'Acme', logo_url: null, support_url: 'https://acme.example/help' };
    const harness = mountWidget({
      [listRoute]: () => json({ definitions: sources, integrator }),
      [createRoute]: () => problem(403, 'management_not_allowed'),
    });
    await connect(harness);
    expect(await text(harness, '.notice')).toContain('Contact Acme if you need access.');
    const link = await harness.find('.notice [part="support-link"]');
    expect(link.getAttribute('href')).toBe(integrator.support_url);
  });

  test.each([
    ['service', listRoute, 'timeout'],
    ['token URL', 'POST /token', 'token_unavailable'],
  ])('reports within ten seconds that the %s does not respond', async (_what, route, code) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const harness = mountWidget({ [route]: never });
    await until(() => {
      expect(harness.service.requestsTo(route)).toHaveLength(1);
    });
    vi.advanceTimersByTime(responseTimeoutMs - 2000);
    expect(harness.events).toEqual([]);
    const error = harness.nextEvent('connector-auth-error');
    await vi.advanceTimersByTimeAsync(2000);
    expect(await error).toMatchObject({ code });
    await harness.find('.primary');
  });

  test('shows the request id that support needs', async () => {
    const harness = mountWidget({
      [listRoute]: () => problem(500, 'internal_error', { request_id: 'req_42' }),
    });
    await expectText(harness, '.reference', 'Reference: req_42');
  });

  test('keeps the catalog usable if a source fails to open', async () => {
    const harness = mountWidget({ [`${listRoute}/*`]: outage });
    (await harness.find('[data-id="def-gong"]')).click();
    await harness.find('.icon-circle.bad');
    (await harness.find('.back')).click();
    await harness.find('[data-id="def-gong"]');
    expect(rows(harness)).toHaveLength(4);
  });
});

describe('settings', () => {
  const watchLog = () => vi.spyOn(console, 'error').mockImplementation(() => {});

  test.each([
    ['service-url="ftp://x"', { 'service-url': 'ftp://x' }],
    ['token-credentials="yes"', { 'token-credentials': 'yes' }],
    ['theme="sepia"', { theme: 'sepia' }],
  ])('logs %s once for the integrator and shows the user an error screen', async (issue, attributes) => {
    const log = watchLog();
    const harness = mountWidget({}, (widget, service) => {
      useTokenUrl(widget, service);
      for (const [name, value] of Object.entries(attributes)) widget.setAttribute(name, value);
    });
    await expectText(harness, '.empty-state h2', 'This feature isn’t set up yet');
    expect(log.mock.calls).toEqual([[expect.stringContaining(issue)]]);
  });

  test('waits briefly for a token source, then reports which setting is missing', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const log = watchLog();
    const harness = mountWidget({}, () => {});
    await harness.widget.updateComplete;
    vi.advanceTimersByTime(skeletonDelayMs);
    await harness.find('.skeleton-row');
    vi.advanceTimersByTime(setupGraceMs - skeletonDelayMs);
    await harness.find('.empty-state');
    expect(log.mock.calls).toEqual([[expect.stringContaining('token-url=')]]);

    useTokenUrl(harness.widget, harness.service);
    await harness.find('[data-id]');
  });

  test('reports an error if both `tokenUrl` and `getToken` are set', async () => {
    const log = watchLog();
    const harness = mountWidget({}, (widget, service) => {
      useTokenUrl(widget, service);
      widget.getToken = () => Promise.resolve({ token: 'x', expires_in: 60 });
    });
    await harness.find('.empty-state');
    expect(log.mock.calls).toEqual([[expect.stringContaining('not both')]]);
  });

  test('restarts when the settings change', async () => {
    const harness = mountWidget();
    await openForm(harness);
    harness.widget.setAttribute('token-url', `${harness.service.tokenUrl}?again`);
    await until(() => {
      expect(harness.widget.shadowRoot?.querySelector('[data-id]')).not.toBeNull();
    });
  });

  test('keeps the user’s input when the theme changes', async () => {
    const harness = mountWidget();
    const field = await openForm(harness);
    await userEvent.fill(field, secret);
    harness.widget.theme = 'dark';
    await harness.widget.updateComplete;
    expect(harness.widget.shadowRoot?.querySelector<HTMLInputElement>(keyField)?.value).toBe(secret);
    expect(getComputedStyle(harness.widget).colorScheme).toBe('dark');
  });
});
