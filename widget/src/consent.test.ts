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
  type Answer,
} from '../gallery/fake-service.ts';
import { holdWindows, type HeldWindows } from '../gallery/fake-windows.ts';
import { createRoute, listRoute, text, withMine } from '../test/actions.ts';
import { focused, stage, useTokenUrl, type Stage } from '../test/harness.ts';
import { until } from '../test/until.ts';
import { challengeOf } from './popup/secrets.ts';
import { patienceMs } from './popup/watch-session.ts';

const initiateRoute = 'POST /integrations/connectors/oauth/initiate';
const sessionRoute = 'GET /integrations/connectors/oauth/sessions/*';
const cancelRoute = 'DELETE /integrations/connectors/oauth/sessions/*';
const completed = () => json(oauthSession({ status: 'completed', secret_id: 'secret-1' }));

interface ConsentStage extends Stage {
  readonly windows: HeldWindows;
}

/** A widget whose Gong is connected by consent, or by a key. */
function stageConsent(
  routes: Readonly<Record<string, Answer>> = {},
  options: { readonly isBlocked?: boolean; readonly attributes?: Readonly<Record<string, string>> } = {},
): ConsentStage {
  const windows = holdWindows(options);
  onTestFinished(windows.release);
  const auth_methods = [consentMethod, apiKeyMethod];
  const staged = stage(
    { [`${listRoute}/*`]: () => json(detail({ ...sources[1], auth_methods })), ...routes },
    (widget, service) => {
      useTokenUrl(widget, service);
      for (const [name, value] of Object.entries(options.attributes ?? {})) widget.setAttribute(name, value);
    },
  );
  return { ...staged, windows };
}

/** Chooses consent; resolves once the widget waits for it. */
async function ask({ find, service, widget }: ConsentStage): Promise<void> {
  if (!widget.shadowRoot?.querySelector('[data-id="oauth"]')) (await find('[data-id="def-gong"]')).click();
  (await find('[data-id="oauth"]')).click();
  await until(() => {
    expect(service.asked(sessionRoute)).not.toHaveLength(0);
  });
}

/** The questions that nobody has answered or given up. */
function open({ service }: Stage): readonly Request[] {
  return service.asked(sessionRoute).filter(({ signal }) => !signal.aborted);
}

function setHidden(isHidden: boolean): void {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(isHidden);
  document.dispatchEvent(new Event('visibilitychange'));
}

describe('asking for consent', () => {
  it('opens the window inside the click, and sends it to the consent when that is there', async () => {
    const staged = stageConsent({ [initiateRoute]: never });
    (await staged.find('[data-id="def-gong"]')).click();
    const choice = await staged.find('[data-id="oauth"]');
    expect(staged.windows.opened).toEqual([]);
    choice.click();
    expect(staged.windows.opened).toHaveLength(1);
    expect(staged.windows.followed).toEqual([]);
  });

  it('makes challenges as RFC 7636 does in its appendix B', async () => {
    expect(await challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
      'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    );
  });

  it('shows by a verifier that only it knows that the consent is its own', async () => {
    const staged = stageConsent();
    await ask(staged);
    const asked = (await staged.service.asked(initiateRoute)[0]?.json()) as Record<string, string>;
    expect(asked).toEqual({
      definition_id: 'def-gong',
      challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      redirect_url: `${staged.service.url}/oauth/complete`,
    });
    const verifier = staged.service.asked(sessionRoute)[0]?.headers.get('x-oauth-verifier') ?? '';
    expect(asked['challenge']).toBe(await challengeOf(verifier));
    expect(staged.windows.opened[0]?.name).not.toContain(verifier);
    expect(staged.widget.shadowRoot?.innerHTML).not.toContain(verifier);
    expect(JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage)])).not.toContain(
      verifier,
    );
  });

  it('connects by itself once it is given, and closes the window', async () => {
    const staged = stageConsent({ [sessionRoute]: completed });
    await ask(staged);
    expect(await text(staged, '.medal.good ~ h2')).toBe('Gong is connected');
    expect(await staged.service.asked(createRoute)[0]?.json()).toEqual({
      definition_id: 'def-gong',
      name: 'Gong',
      server_side_oauth_secret_id: 'secret-1',
    });
    expect(staged.windows.opened.map(({ closed }) => closed)).toEqual([true]);
    expect(staged.service.asked(cancelRoute)).toEqual([]);
    const steps = staged.events.filter(({ type }) => type === 'connector-auth-step');
    expect(steps.map(({ detail }) => (detail as { step: string }).step)).toEqual([
      'catalog',
      'method',
      'consent',
      'checking',
      'connected',
    ]);
  });

  it('closes the window and says why when it cannot even begin', async () => {
    const staged = stageConsent({ [initiateRoute]: () => problem(422, 'oauth_not_offered') });
    (await staged.find('[data-id="def-gong"]')).click();
    (await staged.find('[data-id="oauth"]')).click();
    await staged.find('.notice');
    expect(staged.windows.opened[0]?.closed).toBe(true);
    expect(staged.windows.followed).toEqual([]);
  });

  it('sends no window to what is not a page', async () => {
    const staged = stageConsent({
      [initiateRoute]: () => json({ consent_url: 'javascript:alert(1)', session_id: 'x', expires_at: '' }),
    });
    (await staged.find('[data-id="def-gong"]')).click();
    const error = staged.nextEvent('connector-auth-error');
    (await staged.find('[data-id="oauth"]')).click();
    expect(await error).toMatchObject({ code: 'unexpected_answer' });
    expect(staged.windows.followed).toEqual([]);
  });

  it('offers a link where the window is held back, says so, and has the focus there', async () => {
    const staged = stageConsent({}, { isBlocked: true });
    (await staged.find('[data-id="def-gong"]')).click();
    (await staged.find('[data-id="oauth"]')).focus();
    await ask(staged);
    const link = (await staged.find('a.primary')) as HTMLAnchorElement;
    await until(() => {
      expect(focused()).toBe(link);
    });
    expect(link.href).toBe(`${staged.service.url}/oauth/start/session-1`);
    expect(staged.windows.followed).toEqual([]);
    expect(staged.announcements.at(-1)).toBe('Open Gong to continue');
  });
});

describe('waiting for consent', () => {
  it('asks one question at a time, and a new one when the person comes back', async () => {
    const staged = stageConsent();
    await ask(staged);
    for (let round = 2; round < 5; round++) {
      dispatchEvent(new Event('focus'));
      await until(() => {
        expect(staged.service.asked(sessionRoute)).toHaveLength(round);
      });
      expect(open(staged)).toHaveLength(1);
    }
  });

  it('believes no message: not one that says it is over, from another origin, another window or about another consent', async () => {
    const staged = stageConsent();
    await ask(staged);
    const origin = new URL(staged.service.url).origin;
    const source = staged.windows.opened[0] as unknown as Window;
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
    expect(staged.service.asked(sessionRoute)).toHaveLength(1);
    const news = new MessageEvent('message', { origin, data: { session_id: 'session-1' } });
    Object.defineProperty(news, 'source', { value: source });
    window.dispatchEvent(news);
    await until(() => {
      expect(staged.service.asked(sessionRoute)).toHaveLength(2);
    });
    expect(staged.service.asked(createRoute)).toEqual([]);
    expect(await text(staged, 'h2')).toContain('Continue in the Gong window');
  });

  it('does not ask while the page is hidden for long, and asks at once when it is seen', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    let answer: (response: Response) => void = () => {};
    const staged = stageConsent({
      [sessionRoute]: () =>
        new Promise(resolve => {
          answer = resolve;
        }),
    });
    await ask(staged);
    setHidden(true);
    vi.setSystemTime(Date.now() + patienceMs + 1);
    answer(json(oauthSession()));
    await new Promise(resolve => setTimeout(resolve));
    dispatchEvent(new Event('online'));
    await new Promise(resolve => setTimeout(resolve));
    expect(staged.service.asked(sessionRoute)).toHaveLength(1);
    staged.service.answer({ [sessionRoute]: completed });
    setHidden(false);
    expect(await text(staged, '.medal.good ~ h2')).toBe('Gong is connected');
  });

  it('does not ask again and again where the service does not hold the question', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const staged = stageConsent({ [sessionRoute]: () => json(oauthSession()) });
    await ask(staged);
    await vi.advanceTimersByTimeAsync(900);
    expect(staged.service.asked(sessionRoute)).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(200);
    await until(() => {
      expect(staged.service.asked(sessionRoute)).toHaveLength(2);
    });
  });

  it('bears an outage, says so after a while, and goes on when it is over', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const staged = stageConsent({ [sessionRoute]: outage });
    await ask(staged);
    const error = staged.nextEvent('connector-auth-error');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await error).toMatchObject({ code: 'unreachable' });
    expect(await text(staged, '.notice strong')).toBe('The service cannot be reached');
    staged.service.answer({ [sessionRoute]: completed });
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await text(staged, '.medal.good ~ h2')).toBe('Gong is connected');
  });

  it('goes on with a new token when the old one ends, by the same verifier', async () => {
    const staged = stageConsent({
      [sessionRoute]: () =>
        staged.service.asked(sessionRoute).length === 1 ? problem(401, 'token_expired') : completed(),
    });
    await ask(staged);
    expect(await text(staged, '.medal.good ~ h2')).toBe('Gong is connected');
    const [first, second] = staged.service.asked(sessionRoute);
    expect(second?.headers.get('authorization')).not.toBe(first?.headers.get('authorization'));
    expect(second?.headers.get('x-oauth-verifier')).toBe(first?.headers.get('x-oauth-verifier'));
    expect(staged.service.asked(initiateRoute)).toHaveLength(1);
  });

  it.each([
    ['took too long', () => json(oauthSession({ status: 'expired' })), 'The sign-in took too long'],
    ['was forgotten', () => problem(404, 'oauth_session_not_found'), 'The sign-in took too long'],
    [
      'failed',
      () =>
        json(oauthSession({ status: 'failed', error: { code: 'vendor_failed', message: 'Gong: No way' } })),
      'Not connected',
    ],
  ] as const)('that %s leads to where it can be begun again', async (_what, answer, title) => {
    const staged = stageConsent({ [sessionRoute]: answer });
    await ask(staged);
    expect(await text(staged, '.notice strong')).toBe(title);
    staged.service.answer({ [sessionRoute]: completed });
    (await staged.find('.primary')).click();
    expect(await text(staged, '.medal.good ~ h2')).toBe('Gong is connected');
    expect(staged.service.asked(initiateRoute)).toHaveLength(2);
  });

  it('gives it up when the person cancels: the window is closed and the service told', async () => {
    const staged = stageConsent();
    await ask(staged);
    (await staged.find('.back')).click();
    await staged.find('[data-id="oauth"]');
    await until(() => {
      expect(staged.windows.opened[0]?.closed).toBe(true);
      expect(staged.service.asked(cancelRoute)).toHaveLength(1);
    });
    expect(open(staged)).toEqual([]);
  });

  it('gives it up when the widget is taken away', async () => {
    const staged = stageConsent();
    await ask(staged);
    staged.widget.remove();
    await until(() => {
      expect(staged.service.asked(cancelRoute)).toHaveLength(1);
    });
    expect(open(staged)).toEqual([]);
  });

  it('takes the connector that another tab made with it', async () => {
    const used = oauthSession({ status: 'completed', connector_id: 'theirs' });
    const staged = stageConsent({
      [sessionRoute]: () => json(used),
      'GET /integrations/connectors/*': () => json(connector({ id: 'theirs', name: 'Gong' })),
    });
    await ask(staged);
    expect(await text(staged, '.medal.good ~ h2')).toBe('Gong is connected');
    expect(staged.service.asked(createRoute)).toEqual([]);
  });

  it('uses a consent that was given again when storing the connector got no answer', async () => {
    const staged = stageConsent({ [sessionRoute]: completed, [createRoute]: outage });
    await ask(staged);
    await staged.find('.notice');
    staged.service.answer({ [createRoute]: () => json(connector({ name: 'Gong' }), 201) });
    const again = await staged.find('.primary');
    expect(again.textContent.trim()).toBe('Try again');
    again.click();
    await staged.find('.medal.good');
    expect(staged.service.asked(initiateRoute)).toHaveLength(1);
    const bodies = await Promise.all(staged.service.asked(createRoute).map(request => request.text()));
    expect(bodies[1]).toBe(bodies[0]);
  });
});

describe('consent in the page itself', () => {
  const key = 'connector-auth-consent-';

  it('keeps what it was for, and nothing secret, while the person is away', async () => {
    onTestFinished(() => {
      sessionStorage.clear();
    });
    const staged = stageConsent({}, { attributes: { 'oauth-mode': 'redirect' } });
    await ask(staged);
    expect(JSON.parse(sessionStorage.getItem(key) ?? '')).toEqual({
      definitionId: 'def-gong',
      connectorId: null,
      entry: {},
      hash: location.hash,
    });
    expect(staged.windows.opened).toEqual([]);
    expect(staged.windows.followed).toEqual([
      { url: `${staged.service.url}/oauth/start/session-1`, target: '_self' },
    ]);
    (await staged.find('.back')).click();
    await staged.find('[data-id="oauth"]');
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
    const staged = stageConsent({
      ...withMine(mine),
      'PATCH /integrations/connectors/*': () => json(mine),
    });
    const reconnected = staged.nextEvent('connector-auth-reconnected');
    await staged.widget.updateComplete;
    // Before anything is asked of the network.
    expect(location.search + location.hash).toBe('?kept=1#here');
    expect(await reconnected).toMatchObject({ connector: { id: 'mine' } });
    expect(await staged.service.asked('PATCH /integrations/connectors/*')[0]?.json()).toEqual({
      server_side_oauth_secret_id: 'secret-9',
    });
  });
});
