import { describe, expect, it, onTestFinished, vi } from 'vitest';
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
import { createRoute, listRoute, text, withMine } from '../test/actions.ts';
import { focused, mountWidget, useTokenUrl, type Harness } from '../test/harness.ts';
import { until } from '../test/until.ts';
import { challengeOf } from './popup/secrets.ts';
import { maxHiddenMs } from './popup/watch-session.ts';

const initiateRoute = 'POST /integrations/connectors/oauth/initiate';
const sessionRoute = 'GET /integrations/connectors/oauth/sessions/*';
const cancelRoute = 'DELETE /integrations/connectors/oauth/sessions/*';
const completed = () => json(oauthSession({ status: 'completed', secret_id: 'secret-1' }));

interface ConsentHarness extends Harness {
  readonly windows: InterceptedWindows;
}

/** A widget whose Gong is connected by consent, or by a key. */
function mountConsent(
  routes: Readonly<Record<string, Handler>> = {},
  options: { readonly isBlocked?: boolean; readonly attributes?: Readonly<Record<string, string>> } = {},
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

/** Chooses consent; resolves once the widget waits for it. */
async function ask({ find, service, widget }: ConsentHarness): Promise<void> {
  if (!widget.shadowRoot?.querySelector('[data-id="oauth"]')) (await find('[data-id="def-gong"]')).click();
  (await find('[data-id="oauth"]')).click();
  await until(() => {
    expect(service.requestsTo(sessionRoute)).not.toHaveLength(0);
  });
}

/** The questions that nobody has answered or given up. */
function open({ service }: Harness): readonly Request[] {
  return service.requestsTo(sessionRoute).filter(({ signal }) => !signal.aborted);
}

function setHidden(isHidden: boolean): void {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(isHidden);
  document.dispatchEvent(new Event('visibilitychange'));
}

describe('asking for consent', () => {
  it('opens the window inside the click, and sends it to the consent when that is there', async () => {
    const harness = mountConsent({ [initiateRoute]: never });
    (await harness.find('[data-id="def-gong"]')).click();
    const choice = await harness.find('[data-id="oauth"]');
    expect(harness.windows.opened).toEqual([]);
    choice.click();
    expect(harness.windows.opened).toHaveLength(1);
    expect(harness.windows.followed).toEqual([]);
  });

  it('makes challenges as RFC 7636 does in its appendix B', async () => {
    expect(await challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
      'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    );
  });

  it('shows by a verifier that only it knows that the consent is its own', async () => {
    const harness = mountConsent();
    await ask(harness);
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

  it('connects by itself once it is given, and closes the window', async () => {
    const harness = mountConsent({ [sessionRoute]: completed });
    await ask(harness);
    expect(await text(harness, '.icon-circle.good ~ h2')).toBe('Gong is connected');
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

  it('closes the window and says why when it cannot even begin', async () => {
    const harness = mountConsent({ [initiateRoute]: () => problem(422, 'oauth_not_offered') });
    (await harness.find('[data-id="def-gong"]')).click();
    (await harness.find('[data-id="oauth"]')).click();
    await harness.find('.notice');
    expect(harness.windows.opened[0]?.closed).toBe(true);
    expect(harness.windows.followed).toEqual([]);
  });

  it('sends no window to what is not a page', async () => {
    const harness = mountConsent({
      [initiateRoute]: () => json({ consent_url: 'javascript:alert(1)', session_id: 'x', expires_at: '' }),
    });
    (await harness.find('[data-id="def-gong"]')).click();
    const error = harness.nextEvent('connector-auth-error');
    (await harness.find('[data-id="oauth"]')).click();
    expect(await error).toMatchObject({ code: 'unexpected_answer' });
    expect(harness.windows.followed).toEqual([]);
  });

  it('offers a link where the window is held back, says so, and has the focus there', async () => {
    const harness = mountConsent({}, { isBlocked: true });
    (await harness.find('[data-id="def-gong"]')).click();
    (await harness.find('[data-id="oauth"]')).focus();
    await ask(harness);
    const link = (await harness.find('a.primary')) as HTMLAnchorElement;
    await until(() => {
      expect(focused()).toBe(link);
    });
    expect(link.href).toBe(`${harness.service.url}/oauth/start/session-1`);
    expect(harness.windows.followed).toEqual([]);
    expect(harness.announcements.at(-1)).toBe('Open Gong to continue');
  });
});

describe('waiting for consent', () => {
  it('asks one question at a time, and a new one when the person comes back', async () => {
    const harness = mountConsent();
    await ask(harness);
    for (let round = 2; round < 5; round++) {
      dispatchEvent(new Event('focus'));
      await until(() => {
        expect(harness.service.requestsTo(sessionRoute)).toHaveLength(round);
      });
      expect(open(harness)).toHaveLength(1);
    }
  });

  it('believes no message: not one that says it is over, from another origin, another window or about another consent', async () => {
    const harness = mountConsent();
    await ask(harness);
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
      // Only real windows can be the source of an event that a script makes.
      const event = new MessageEvent('message', { ...message, source: null });
      Object.defineProperty(event, 'source', { value: message.source ?? source });
      window.dispatchEvent(event);
    }
    // The one that is about it is not believed either: it only is a reason to ask at once.
    expect(harness.service.requestsTo(sessionRoute)).toHaveLength(1);
    const news = new MessageEvent('message', { origin, data: { session_id: 'session-1' } });
    Object.defineProperty(news, 'source', { value: source });
    window.dispatchEvent(news);
    await until(() => {
      expect(harness.service.requestsTo(sessionRoute)).toHaveLength(2);
    });
    expect(harness.service.requestsTo(createRoute)).toEqual([]);
    expect(await text(harness, 'h2')).toContain('Continue in the Gong window');
  });

  it('does not ask while the page is hidden for long, and asks at once when it is seen', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    let answer: (response: Response) => void = () => {};
    const harness = mountConsent({
      [sessionRoute]: () =>
        new Promise(resolve => {
          answer = resolve;
        }),
    });
    await ask(harness);
    setHidden(true);
    vi.setSystemTime(Date.now() + maxHiddenMs + 1);
    answer(json(oauthSession()));
    await new Promise(resolve => setTimeout(resolve));
    dispatchEvent(new Event('online'));
    await new Promise(resolve => setTimeout(resolve));
    expect(harness.service.requestsTo(sessionRoute)).toHaveLength(1);
    harness.service.use({ [sessionRoute]: completed });
    setHidden(false);
    expect(await text(harness, '.icon-circle.good ~ h2')).toBe('Gong is connected');
  });

  it('does not ask again and again where the service does not hold the question', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const harness = mountConsent({ [sessionRoute]: () => json(oauthSession()) });
    await ask(harness);
    await vi.advanceTimersByTimeAsync(900);
    expect(harness.service.requestsTo(sessionRoute)).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(200);
    await until(() => {
      expect(harness.service.requestsTo(sessionRoute)).toHaveLength(2);
    });
  });

  it('bears an outage, says so after a while, and goes on when it is over', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const harness = mountConsent({ [sessionRoute]: outage });
    await ask(harness);
    const error = harness.nextEvent('connector-auth-error');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await error).toMatchObject({ code: 'unreachable' });
    expect(await text(harness, '.notice strong')).toBe('Can’t reach the service');
    harness.service.use({ [sessionRoute]: completed });
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await text(harness, '.icon-circle.good ~ h2')).toBe('Gong is connected');
  });

  it('goes on with a new token when the old one ends, by the same verifier', async () => {
    const harness = mountConsent({
      [sessionRoute]: () =>
        harness.service.requestsTo(sessionRoute).length === 1 ? problem(401, 'token_expired') : completed(),
    });
    await ask(harness);
    expect(await text(harness, '.icon-circle.good ~ h2')).toBe('Gong is connected');
    const [first, second] = harness.service.requestsTo(sessionRoute);
    expect(second?.headers.get('authorization')).not.toBe(first?.headers.get('authorization'));
    expect(second?.headers.get('x-oauth-verifier')).toBe(first?.headers.get('x-oauth-verifier'));
    expect(harness.service.requestsTo(initiateRoute)).toHaveLength(1);
  });

  it.each([
    ['took too long', () => json(oauthSession({ status: 'expired' })), 'Sign-in timed out'],
    ['was forgotten', () => problem(404, 'oauth_session_not_found'), 'Sign-in timed out'],
    [
      'failed',
      () =>
        json(oauthSession({ status: 'failed', error: { code: 'vendor_failed', message: 'Gong: No way' } })),
      'Couldn’t connect',
    ],
  ] as const)('that %s leads to where it can be begun again', async (_what, answer, title) => {
    const harness = mountConsent({ [sessionRoute]: answer });
    await ask(harness);
    expect(await text(harness, '.notice strong')).toBe(title);
    harness.service.use({ [sessionRoute]: completed });
    (await harness.find('.primary')).click();
    expect(await text(harness, '.icon-circle.good ~ h2')).toBe('Gong is connected');
    expect(harness.service.requestsTo(initiateRoute)).toHaveLength(2);
  });

  it('gives it up when the person cancels: the window is closed and the service told', async () => {
    const harness = mountConsent();
    await ask(harness);
    (await harness.find('.back')).click();
    await harness.find('[data-id="oauth"]');
    await until(() => {
      expect(harness.windows.opened[0]?.closed).toBe(true);
      expect(harness.service.requestsTo(cancelRoute)).toHaveLength(1);
    });
    expect(open(harness)).toEqual([]);
  });

  it('gives it up when the widget is taken away', async () => {
    const harness = mountConsent();
    await ask(harness);
    harness.widget.remove();
    await until(() => {
      expect(harness.service.requestsTo(cancelRoute)).toHaveLength(1);
    });
    expect(open(harness)).toEqual([]);
  });

  it('takes the connector that another tab made with it', async () => {
    const used = oauthSession({ status: 'completed', connector_id: 'theirs' });
    const harness = mountConsent({
      [sessionRoute]: () => json(used),
      'GET /integrations/connectors/*': () => json(connector({ id: 'theirs', name: 'Gong' })),
    });
    await ask(harness);
    expect(await text(harness, '.icon-circle.good ~ h2')).toBe('Gong is connected');
    expect(harness.service.requestsTo(createRoute)).toEqual([]);
  });

  it('uses a consent that was given again when storing the connector got no answer', async () => {
    const harness = mountConsent({ [sessionRoute]: completed, [createRoute]: outage });
    await ask(harness);
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

describe('consent in the page itself', () => {
  const key = 'connector-auth-consent-';

  it('keeps what it was for, and nothing secret, while the person is away', async () => {
    onTestFinished(() => {
      sessionStorage.clear();
    });
    const harness = mountConsent({}, { attributes: { 'oauth-mode': 'redirect' } });
    await ask(harness);
    expect(JSON.parse(sessionStorage.getItem(key) ?? '')).toEqual({
      definitionId: 'def-gong',
      connectorId: null,
      entry: {},
      hash: location.hash,
    });
    expect(harness.windows.opened).toEqual([]);
    expect(harness.windows.followed).toEqual([
      { url: `${harness.service.url}/oauth/start/session-1`, target: '_self' },
    ]);
    (await harness.find('.back')).click();
    await harness.find('[data-id="oauth"]');
    await until(() => {
      expect(sessionStorage.getItem(key)).toBeNull();
    });
  });

  it('reconnects the connector it was for', async () => {
    const mine = connector({ id: 'mine', name: 'Gong', definition_id: 'def-gong', auth_method: 'oauth' });
    sessionStorage.setItem(
      key,
      JSON.stringify({ definitionId: 'def-gong', connectorId: 'mine', entry: {}, hash: '#here' }),
    );
    const address = location.href;
    history.replaceState(null, '', `${location.pathname}?kept=1&secret_id=secret-9`);
    onTestFinished(() => {
      history.replaceState(null, '', address);
    });
    const harness = mountConsent({
      ...withMine(mine),
      'PATCH /integrations/connectors/*': () => json(mine),
    });
    const reconnected = harness.nextEvent('connector-auth-reconnected');
    await harness.widget.updateComplete;
    // Before anything is asked of the network.
    expect(location.search + location.hash).toBe('?kept=1#here');
    expect(await reconnected).toMatchObject({ connector: { id: 'mine' } });
    expect(await harness.service.requestsTo('PATCH /integrations/connectors/*')[0]?.json()).toEqual({
      server_side_oauth_secret_id: 'secret-9',
    });
  });
});
