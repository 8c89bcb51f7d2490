import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  apiKeyMethod,
  connector,
  consentMethod,
  detail,
  json,
  never,
  oauthSession,
  outage,
  problem,
  sources,
  type Handler,
} from '../gallery/fake-service.ts';
import { interceptWindows, type InterceptedWindows } from '../gallery/fake-windows.ts';
import { createRoute, expectText, listRoute, withMine } from '../test/actions.ts';
import { focused, mountWidget, useTokenUrl, type Harness } from '../test/harness.ts';
import { until } from '../test/until.ts';
import { lateMs } from './popup/request-consent.ts';
import { challengeOf } from './popup/secrets.ts';
import { maxHiddenMs } from './service/watch.ts';

const initiateRoute = 'POST /integrations/connectors/oauth/initiate';
const sessionRoute = 'GET /integrations/connectors/oauth/sessions/*';
const cancelRoute = 'DELETE /integrations/connectors/oauth/sessions/*';
const nothingSaved = 'Nothing was saved.';
const completed = () => json(oauthSession({ status: 'completed', secret_id: 'secret-1' }));

interface ConsentHarness extends Harness {
  readonly windows: InterceptedWindows;
}

/** Mounts a widget in which Gong has an OAuth and an API key method. */
function mountConsent(
  routes: Readonly<Record<string, Handler>> = {},
  options: {
    readonly isBlocked?: boolean;
    readonly isFormForbidden?: boolean;
    readonly attributes?: Readonly<Record<string, string>>;
  } = {},
): ConsentHarness {
  const windows = interceptWindows(options);
  onTestFinished(windows.release);
  const auth_methods = [consentMethod, apiKeyMethod];
  const harness = mountWidget(
    { [`${listRoute}/*`]: () => json(detail({ ...sources[1], auth_methods })), ...routes },
    (widget, service) => {
      useTokenUrl(widget, service);
      for (const [name, value] of Object.entries(options.attributes ?? {})) widget.setAttribute(name, value);
    },
  );
  return { ...harness, windows };
}

/** Chooses the OAuth method. Resolves once the widget has sent its first poll. */
async function askForConsent({ find, service, widget }: ConsentHarness): Promise<void> {
  if (!widget.shadowRoot?.querySelector('[data-id="oauth"]')) (await find('[data-id="def-gong"]')).click();
  (await find('[data-id="oauth"]')).click();
  await until(() => {
    expect(service.requestsTo(sessionRoute)).not.toHaveLength(0);
  });
}

/** Returns the polls that are neither complete nor aborted. */
function pendingPolls({ service }: Harness): readonly Request[] {
  return service.requestsTo(sessionRoute).filter(({ signal }) => !signal.aborted);
}

function setHidden(isHidden: boolean): void {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(isHidden);
  document.dispatchEvent(new Event('visibilitychange'));
}

describe('consent request', () => {
  test('opens the pop-up during the click, before the consent URL is known', async () => {
    const harness = mountConsent({ [initiateRoute]: never });
    (await harness.find('[data-id="def-gong"]')).click();
    const choice = await harness.find('[data-id="oauth"]');
    expect(harness.windows.opened).toEqual([]);
    choice.click();
    expect(harness.windows.opened).toHaveLength(1);
    expect(harness.windows.submitted).toEqual([]);
  });

  test('writes into the pop-up at once where it goes, in the language and colours of the widget', async () => {
    const harness = mountConsent({ [initiateRoute]: never }, { attributes: { lang: 'ar', theme: 'dark' } });
    await harness.find('.panel[lang="ar"]');
    (await harness.find('[data-id="def-gong"]')).click();
    (await harness.find('[data-id="oauth"]')).click();
    const page = harness.windows.opened[0]?.document;
    const words = 'جارٍ نقلك إلى \u2068Gong\u2069…';
    expect([page?.title, page?.body.textContent]).toEqual([words, words]);
    expect([page?.documentElement.lang, page?.documentElement.dir]).toEqual(['ar', 'rtl']);
    expect(page?.documentElement.style.colorScheme).toBe('dark');
    expect(page?.body.style.backgroundColor).toBe('rgb(21, 23, 28)');
  });

  test('submits a form with the start proof into the pop-up, from a document that sends its origin', async () => {
    const harness = mountConsent();
    await askForConsent(harness);
    expect(harness.windows.submitted).toEqual([
      {
        method: 'post',
        url: `${harness.service.url}/oauth/start`,
        target: harness.windows.opened[0]?.name,
        fields: { session_id: 'session-1', start_proof: 'proof-1' },
        referrerPolicy: 'strict-origin-when-cross-origin',
      },
    ]);
    expect(harness.windows.followed).toEqual([]);
    expect(harness.widget.shadowRoot?.innerHTML).not.toContain('proof-1');
    (await harness.find('[part="consent-link"]')).click();
    expect(harness.windows.submitted).toHaveLength(2);
    expect(harness.windows.submitted[1]).toEqual(harness.windows.submitted[0]);
  });

  test('follows the consent URL and warns the integrator if the page’s policy forbids the form', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const harness = mountConsent({}, { isFormForbidden: true });
    await askForConsent(harness);
    const link = {
      url: `${harness.service.url}/oauth/start/session-1`,
      target: harness.windows.opened[0]?.name,
    };
    expect(harness.windows.followed).toEqual([link]);
    expect(warn.mock.calls).toEqual([[expect.stringContaining('form-action')]]);
    (await harness.find('[part="consent-link"]')).click();
    expect(harness.windows.followed).toEqual([link, link]);
    expect(warn.mock.calls).toHaveLength(1);
  });

  test('follows the consent URL of a service that returns no start proof', async () => {
    const harness = mountConsent({
      [initiateRoute]: ({ url }) =>
        json({
          consent_url: `${new URL(url).origin}/oauth/start/session-1`,
          session_id: 'session-1',
          expires_at: new Date().toISOString(),
        }),
    });
    await askForConsent(harness);
    expect(harness.windows.submitted).toEqual([]);
    expect(harness.windows.followed).toHaveLength(1);
  });

  test('removes the frame that opens the pop-up when the consent ends', async () => {
    const frames = () => document.querySelectorAll('iframe').length;
    const before = frames();
    const harness = mountConsent();
    await askForConsent(harness);
    expect(frames()).toBe(before + 1);
    harness.service.use({ [sessionRoute]: completed });
    dispatchEvent(new Event('focus'));
    await harness.find('.icon-circle.good');
    expect(frames()).toBe(before);
  });

  test('asks after 15 seconds whether the user closed the window, and opens it again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const harness = mountConsent();
    await askForConsent(harness);
    await expectText(harness, '.success .button', 'Reopen Gong window');
    const question = 'Closed the window? Open it again';
    await vi.advanceTimersByTimeAsync(lateMs);
    const again = await harness.find('.success .primary');
    expect(again.textContent.trim()).toBe(question);
    await until(() => {
      expect(harness.announcements).toContain(question);
    });
    again.click();
    expect(harness.windows.submitted).toHaveLength(2);
  });

  test('computes the challenge from RFC 7636, appendix B', async () => {
    expect(await challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
      'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    );
  });

  test('authenticates polls with a verifier that is not stored in the page', async () => {
    const harness = mountConsent();
    await askForConsent(harness);
    const asked = (await harness.service.requestsTo(initiateRoute)[0]?.json()) as Record<string, string>;
    expect(asked).toEqual({
      definition_id: 'def-gong',
      challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      redirect_url: `${harness.service.url}/oauth/complete`,
    });
    const verifier = harness.service.requestsTo(sessionRoute)[0]?.headers.get('x-oauth-verifier') ?? '';
    expect(asked['challenge']).toBe(await challengeOf(verifier));
    expect(harness.windows.opened[0]?.name).not.toContain(verifier);
    expect(harness.widget.shadowRoot?.innerHTML).not.toContain(verifier);
    expect(JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage)])).not.toContain(
      verifier,
    );
  });

  test('connects and closes the pop-up once the user consents', async () => {
    const harness = mountConsent({ [sessionRoute]: completed });
    await askForConsent(harness);
    await expectText(harness, '.icon-circle.good ~ h2', 'Gong is connected');
    expect(await harness.service.requestsTo(createRoute)[0]?.json()).toEqual({
      definition_id: 'def-gong',
      name: 'Gong',
      server_side_oauth_secret_id: 'secret-1',
    });
    expect(harness.windows.opened.map(({ closed }) => closed)).toEqual([true]);
    expect(harness.service.requestsTo(cancelRoute)).toEqual([]);
    const steps = harness.events.filter(({ type }) => type === 'connector-auth-step');
    expect(steps.map(({ detail }) => (detail as { step: string }).step)).toEqual([
      'catalog',
      'method',
      'consent',
      'checking',
      'connected',
    ]);
  });

  test('closes the pop-up and shows the reason if the OAuth session cannot be created', async () => {
    const harness = mountConsent({ [initiateRoute]: () => problem(422, 'oauth_not_offered') });
    (await harness.find('[data-id="def-gong"]')).click();
    (await harness.find('[data-id="oauth"]')).click();
    await harness.find('.notice');
    expect(harness.windows.opened[0]?.closed).toBe(true);
    expect(harness.windows.submitted).toEqual([]);
  });

  test('rejects a consent URL that is not http(s)', async () => {
    const harness = mountConsent({
      [initiateRoute]: () => json({ consent_url: 'javascript:alert(1)', session_id: 'x', expires_at: '' }),
    });
    (await harness.find('[data-id="def-gong"]')).click();
    const error = harness.nextEvent('connector-auth-error');
    (await harness.find('[data-id="oauth"]')).click();
    expect(await error).toMatchObject({ code: 'unexpected_answer' });
    expect([...harness.windows.followed, ...harness.windows.submitted]).toEqual([]);
  });

  test('offers, announces and focuses a link if the browser blocks the pop-up', async () => {
    const harness = mountConsent({}, { isBlocked: true });
    (await harness.find('[data-id="def-gong"]')).click();
    (await harness.find('[data-id="oauth"]')).focus();
    await askForConsent(harness);
    const link = (await harness.find('a.primary')) as HTMLAnchorElement;
    await until(() => {
      expect(focused()).toBe(link);
    });
    expect(link.href).toBe(`${harness.service.url}/oauth/start/session-1`);
    expect(harness.windows.submitted).toEqual([]);
    expect(harness.announcements.at(-1)).toBe('Open Gong to continue');
    link.click();
    expect(harness.windows.submitted).toHaveLength(1);
  });
});

describe('consent polling', () => {
  test('keeps one poll pending and polls again when the user returns', async () => {
    const harness = mountConsent();
    await askForConsent(harness);
    for (let round = 2; round < 5; round++) {
      dispatchEvent(new Event('focus'));
      await until(() => {
        expect(harness.service.requestsTo(sessionRoute)).toHaveLength(round);
      });
      expect(pendingPolls(harness)).toHaveLength(1);
    }
  });

  test('polls after a genuine message without trusting its content, and ignores forged messages', async () => {
    const harness = mountConsent();
    await askForConsent(harness);
    const origin = new URL(harness.service.url).origin;
    const source = harness.windows.opened[0] as unknown as Window;
    const forged: readonly MessageEventInit[] = [
      { origin: 'https://evil.example', source, data: { session_id: 'session-1', status: 'completed' } },
      { origin, source: window, data: { session_id: 'session-1', status: 'completed', secret_id: 'x' } },
      { origin, data: { session_id: 'another' } },
      { origin, data: null },
      { origin, data: 'session-1' },
    ];
    for (const message of forged) {
      // Scripts can create events only with real windows as their source.
      const event = new MessageEvent('message', { ...message, source: null });
      Object.defineProperty(event, 'source', { value: message.source ?? source });
      harness.windows.opener()?.dispatchEvent(event);
    }
    // A genuine message is not trusted either. It only triggers a poll.
    expect(harness.service.requestsTo(sessionRoute)).toHaveLength(1);
    const news = new MessageEvent('message', { origin, data: { session_id: 'session-1' } });
    Object.defineProperty(news, 'source', { value: source });
    harness.windows.opener()?.dispatchEvent(news);
    await until(() => {
      expect(harness.service.requestsTo(sessionRoute)).toHaveLength(2);
    });
    expect(harness.service.requestsTo(createRoute)).toEqual([]);
    await expectText(harness, 'h2', /Continue in the Gong window/);
  });

  test('stops polling while the page is hidden for a long time and polls immediately when it becomes visible', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    let respond: (response: Response) => void = () => {};
    const harness = mountConsent({
      [sessionRoute]: () =>
        new Promise(resolve => {
          respond = resolve;
        }),
    });
    await askForConsent(harness);
    setHidden(true);
    vi.setSystemTime(Date.now() + maxHiddenMs + 1);
    respond(json(oauthSession()));
    await new Promise(resolve => setTimeout(resolve));
    dispatchEvent(new Event('online'));
    await new Promise(resolve => setTimeout(resolve));
    expect(harness.service.requestsTo(sessionRoute)).toHaveLength(1);
    harness.service.use({ [sessionRoute]: completed });
    setHidden(false);
    await expectText(harness, '.icon-circle.good ~ h2', 'Gong is connected');
  });

  test('polls at most once a second if the service responds immediately', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const harness = mountConsent({ [sessionRoute]: () => json(oauthSession()) });
    await askForConsent(harness);
    await vi.advanceTimersByTimeAsync(900);
    expect(harness.service.requestsTo(sessionRoute)).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(200);
    await until(() => {
      expect(harness.service.requestsTo(sessionRoute)).toHaveLength(2);
    });
  });

  test('reports an outage after repeated failures and connects once the service recovers', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const harness = mountConsent({ [sessionRoute]: outage });
    await askForConsent(harness);
    const error = harness.nextEvent('connector-auth-error');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await error).toMatchObject({ code: 'unreachable' });
    await expectText(harness, '.notice strong', 'Can’t reach the service');
    harness.service.use({ [sessionRoute]: completed });
    await vi.advanceTimersByTimeAsync(15_000);
    await expectText(harness, '.icon-circle.good ~ h2', 'Gong is connected');
  });

  test('continues polling with the same verifier and a new token after the old token expires', async () => {
    const harness = mountConsent({
      [sessionRoute]: () =>
        harness.service.requestsTo(sessionRoute).length === 1 ? problem(401, 'token_expired') : completed(),
    });
    await askForConsent(harness);
    await expectText(harness, '.icon-circle.good ~ h2', 'Gong is connected');
    const [first, second] = harness.service.requestsTo(sessionRoute);
    expect(second?.headers.get('authorization')).not.toBe(first?.headers.get('authorization'));
    expect(second?.headers.get('x-oauth-verifier')).toBe(first?.headers.get('x-oauth-verifier'));
    expect(harness.service.requestsTo(initiateRoute)).toHaveLength(1);
  });

  test.each([
    ['timed out', () => json(oauthSession({ status: 'expired' })), 'Sign-in timed out', nothingSaved],
    ['no longer exists', () => problem(404, 'oauth_session_not_found'), 'Sign-in timed out', nothingSaved],
    [
      'failed',
      () =>
        json(oauthSession({ status: 'failed', error: { code: 'vendor_failed', message: 'Gong: No way' } })),
      'Couldn’t connect',
      `Gong: No way\n${nothingSaved}`,
    ],
    [
      'an operator has stopped',
      () =>
        json(
          oauthSession({ status: 'failed', error: { code: 'connector_frozen', message: 'Paused for now' } }),
        ),
      'Paused',
      'Try again later',
    ],
  ] as const)('lets the user start again after a consent that %s', async (_what, handler, title, reason) => {
    const harness = mountConsent({ [sessionRoute]: handler });
    await askForConsent(harness);
    await expectText(harness, '.notice strong', title);
    await until(() => {
      expect(harness.announcements.at(-1)).toContain(reason);
    });
    harness.service.use({ [sessionRoute]: completed });
    (await harness.find('.primary')).click();
    await expectText(harness, '.icon-circle.good ~ h2', 'Gong is connected');
    expect(harness.service.requestsTo(initiateRoute)).toHaveLength(2);
  });

  test.each([
    ['the user', null, 'You didn’t allow access', nothingSaved],
    [
      'a person whom the service does not name',
      undefined,
      'You didn’t allow access',
      `Gong: No\n${nothingSaved}`,
    ],
    [
      'the vendor',
      'Only a tech admin can allow an app',
      'Gong didn’t allow access',
      `Only a tech admin can allow an app.\n${nothingSaved}`,
    ],
  ])('says that %s denied access', async (_who, reason, title, hint) => {
    const error = { code: 'access_denied', message: 'Gong: No', reason };
    const harness = mountConsent({ [sessionRoute]: () => json(oauthSession({ status: 'denied', error })) });
    await askForConsent(harness);
    await expectText(harness, '.notice strong', title);
    await expectText(harness, '.notice [part="hint"]', hint);
    await until(() => {
      expect(harness.announcements.at(-1)).toBe(`${title}. ${hint}`);
    });
    await expectText(harness, '.primary', 'Sign in with Gong');
  });

  test('offers a link to an admin first if the vendor denied access', async () => {
    const error = {
      code: 'access_denied',
      message: 'Gong: No',
      reason: 'Only a tech admin can allow an app',
    };
    const harness = mountConsent({
      [listRoute]: () =>
        json({ definitions: sources, rights: { actions: ['list'], management: ['create', 'link'] } }),
      [sessionRoute]: () => json(oauthSession({ status: 'denied', error })),
    });
    await askForConsent(harness);
    await harness.find('.notice');
    const buttons = [...(harness.widget.shadowRoot?.querySelectorAll('.footer button') ?? [])];
    expect(buttons.map(({ textContent }) => textContent.trim())).toEqual([
      'Send a link to your admin',
      'Sign in again',
      'API key',
    ]);
    (await harness.find('.primary')).click();
    await harness.find('.url');
    await expectText(harness, 'h2', 'Send a link to connect Gong');
  });

  test('closes the pop-up and cancels the OAuth session when the user cancels', async () => {
    const harness = mountConsent();
    await askForConsent(harness);
    (await harness.find('.back')).click();
    await harness.find('[data-id="oauth"]');
    await until(() => {
      expect(harness.windows.opened[0]?.closed).toBe(true);
      expect(harness.service.requestsTo(cancelRoute)).toHaveLength(1);
    });
    expect(pendingPolls(harness)).toEqual([]);
  });

  test('cancels the OAuth session when the element is removed', async () => {
    const harness = mountConsent();
    await askForConsent(harness);
    harness.widget.remove();
    await until(() => {
      expect(harness.service.requestsTo(cancelRoute)).toHaveLength(1);
    });
    expect(pendingPolls(harness)).toEqual([]);
  });

  test('shows the connector that another tab created from the same OAuth session', async () => {
    const used = oauthSession({ status: 'completed', connector_id: 'theirs' });
    const harness = mountConsent({
      [sessionRoute]: () => json(used),
      'GET /integrations/connectors/*': () => json(connector({ id: 'theirs', name: 'Gong' })),
    });
    await askForConsent(harness);
    await expectText(harness, '.icon-circle.good ~ h2', 'Gong is connected');
    expect(harness.service.requestsTo(createRoute)).toEqual([]);
  });

  test('reuses a completed OAuth session if the request to create the connector got no response', async () => {
    const harness = mountConsent({ [sessionRoute]: completed, [createRoute]: outage });
    await askForConsent(harness);
    await harness.find('.notice');
    harness.service.use({ [createRoute]: () => json(connector({ name: 'Gong' }), 201) });
    const again = await harness.find('.primary');
    expect(again.textContent.trim()).toBe('Try again');
    again.click();
    await harness.find('.icon-circle.good');
    expect(harness.service.requestsTo(initiateRoute)).toHaveLength(1);
    const bodies = await Promise.all(harness.service.requestsTo(createRoute).map(request => request.text()));
    expect(bodies[1]).toBe(bodies[0]);
  });
});

describe('consent by redirect', () => {
  const key = 'connector-auth-consent-';
  /** Resolves when the widget has removed what it stored. It does so late after it started. */
  const forgotten = () =>
    until(() => {
      expect(sessionStorage.getItem(key)).toBeNull();
    });

  test('stores the purpose of a redirect without secrets until the OAuth flow is cancelled', async () => {
    onTestFinished(() => {
      sessionStorage.clear();
    });
    sessionStorage.setItem(key, '{}');
    const harness = mountConsent({}, { attributes: { 'oauth-mode': 'redirect' } });
    await forgotten();
    await askForConsent(harness);
    expect(JSON.parse(sessionStorage.getItem(key) ?? '')).toEqual({
      definitionId: 'def-gong',
      connectorId: null,
      entry: {},
      sessionId: 'session-1',
      hash: location.hash,
    });
    expect(harness.windows.opened).toEqual([]);
    expect(harness.windows.submitted).toMatchObject([
      { url: `${harness.service.url}/oauth/start`, target: '_parent' },
    ]);
    (await harness.find('.back')).click();
    await harness.find('[data-id="oauth"]');
    await forgotten();
  });

  test('forgets the purpose of a redirect from which the user returned without a response', async () => {
    sessionStorage.setItem(key, '{}');
    await mountConsent().find('[data-id="def-gong"]');
    await forgotten();
  });

  test('ignores a response in the URL that it did not ask for', async () => {
    const address = location.href;
    history.replaceState(null, '', `${location.pathname}?secret_id=another-session`);
    onTestFinished(() => {
      history.replaceState(null, '', address);
    });
    const harness = mountConsent();
    await harness.find('[data-id="def-gong"]');
    expect(location.search).toBe('?secret_id=another-session');
    expect(harness.service.requestsTo(createRoute)).toEqual([]);
  });

  test('reconnects the right connector after a redirect', async () => {
    const mine = connector({ id: 'mine', name: 'Gong', definition_id: 'def-gong', auth_method: 'oauth' });
    sessionStorage.setItem(
      key,
      JSON.stringify({
        definitionId: 'def-gong',
        connectorId: 'mine',
        entry: {},
        sessionId: 'session-1',
        hash: '#here',
      }),
    );
    const address = location.href;
    history.replaceState(null, '', `${location.pathname}?tab=1&secret_id=secret-9`);
    onTestFinished(() => {
      history.replaceState(null, '', address);
    });
    const harness = mountConsent({
      ...withMine(mine),
      'PATCH /integrations/connectors/*': () => json(mine),
    });
    const reconnected = harness.nextEvent('connector-auth-reconnected');
    await harness.widget.updateComplete;
    // The widget has not sent any request yet.
    expect(location.search + location.hash).toBe('?tab=1#here');
    expect(await reconnected).toMatchObject({ connector: { id: 'mine' } });
    expect(await harness.service.requestsTo('PATCH /integrations/connectors/*')[0]?.json()).toEqual({
      server_side_oauth_secret_id: 'secret-9',
    });
  });
});
