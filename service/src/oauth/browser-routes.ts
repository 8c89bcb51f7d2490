import { uuid } from '@connector-auth/api';
import { throughSandbox } from '@connector-auth/connectors/kind';
import { Router, type Request, type Response } from 'express';
import { challengeOf, openSecrets } from '../oauth-sessions/secrets.ts';
import { findSession, type StoredSession } from '../oauth-sessions/store.ts';
import { receiveCallback, type CallbackContext, type CallbackResult } from './callback.ts';
import { callbackPath, subjectOf } from './consent.ts';
import { comesFrom, isOwnForm } from './fetch-metadata.ts';
import { startPath } from './initiate.ts';
import { noNames, sendPage, type PageContent, type PageNames } from './pages/page.ts';
import { completionPath } from './redirect-url.ts';
import { statusOf } from './status.ts';

export interface BrowserContext extends CallbackContext {
  /** Where vendors' pages are instead; null: where they really are. */
  readonly sandboxUrl: string | null;
}

/** The addresses that a person's browser goes through on the way to a vendor and back. They take no token. */
export function mountConsentPages(context: BrowserContext): Router {
  const router = Router({ caseSensitive: true });
  router
    .route(`${startPath}/:id`)
    .get(startConsent(context, ({ origin }, request) => comesFrom(origin, request.headers)))
    .post(startConsent(context, (_session, request) => isOwnForm(ownOriginOf(context), request.headers)));

  router.get(callbackPath, async (request, response) => {
    response.locals.route = callbackPath;
    const landing = await receiveCallback(context, singleValues(request), request.headers.cookie);
    if ('location' in landing) {
      response.append('Set-Cookie', context.cookies.clear(landing.session));
      return redirectTo(response, landing.location);
    }
    const content = rejections[landing.problem];
    // To a browser that did not begin a session, nothing is told of it.
    const session = landing.problem === 'elsewhere' ? null : landing.session;
    send(context, request, response, 400, content, session);
  });

  router.get(completionPath, async (request, response) => {
    response.locals.route = completionPath;
    const id = uuid.safeParse(singleValues(request)['session_id']);
    const session = id.success ? await findSession(context.db, id.data) : null;
    if (session === null) return send(context, request, response, 404, rejections.unknown, null);
    send(context, request, response, 200, completionPageOf(session), session);
  });
  return router;
}

/** The page a consent begins at: goes on to the vendor, or asks first. */
function startConsent(
  context: BrowserContext,
  isWanted: (session: StoredSession, request: Request) => boolean,
): (request: Request, response: Response) => Promise<void> {
  return async (request, response) => {
    response.locals.route = `${startPath}/{id}`;
    const id = uuid.safeParse(request.params['id']);
    const session = id.success ? await findSession(context.db, id.data) : null;
    if (session === null) return send(context, request, response, 404, rejections.unknown, null);
    if (session.status !== 'pending') {
      const content = session.status === 'expired' ? rejections.expired : rejections.used;
      return send(context, request, response, 410, content, session);
    }
    const { address, secrets } = await vendorPageOf(context, session);
    if (!isWanted(session, request)) {
      // Browsers hold a form's policy against the redirect that answers it, too.
      return send(context, request, response, 200, confirmation, session, [new URL(address).origin]);
    }
    response.append('Set-Cookie', context.cookies.mark(session, secrets.browserKey));
    context.log.info('oauth_started', { session_id: session.id, kind: session.kind });
    redirectTo(response, address);
  };
}

async function vendorPageOf(context: BrowserContext, session: StoredSession) {
  const { method, app } = await subjectOf(context, session);
  const secrets = openSecrets(context.sealer, session, session.sealedSecrets);
  const { consent } = method;
  const address = consent.url({
    app,
    redirectUri: `${context.publicUrl}${callbackPath}`,
    state: secrets.state,
    codeChallenge: consent.usesPkce ? challengeOf(secrets.codeVerifier) : null,
  });
  return { address: throughSandbox(new URL(address), context.sandboxUrl).href, secrets };
}

const confirmation: PageContent = { title: 'askTitle', text: 'ask', tone: 'ask', asks: true };

const rejections: Readonly<Record<Extract<CallbackResult, { problem: unknown }>['problem'], PageContent>> = {
  unknown: { title: 'unknownTitle', text: 'unknown', tone: 'warn' },
  used: { title: 'usedTitle', text: 'used', tone: 'warn' },
  expired: { title: 'expiredTitle', text: 'expired', tone: 'warn' },
  elsewhere: { title: 'elsewhereTitle', text: 'elsewhere', tone: 'warn' },
};

function completionPageOf(session: StoredSession): PageContent {
  const status = statusOf(session);
  const end = { sessionId: session.id, status, origin: session.origin };
  switch (status) {
    case 'completed':
      return { title: 'completedTitle', text: 'completed', tone: 'good', end };
    case 'denied':
      return { title: 'deniedTitle', text: 'denied', tone: 'warn', end };
    case 'failed':
      return { title: 'failedTitle', text: 'failed', tone: 'bad', reason: session.errorMessage, end };
    case 'expired':
    case 'pending':
      return { title: 'expiredTitle', text: 'expired', tone: 'warn', end };
  }
}

function send(
  context: BrowserContext,
  request: Request,
  response: Response,
  status: number,
  content: PageContent,
  session: StoredSession | null,
  formTargets: readonly string[] = [],
): void {
  const names = session === null ? noNames : namesOf(context, session);
  const text = content.text === 'ask' && names.origin === null ? 'askAnywhere' : content.text;
  sendPage(response, status, { ...content, text }, names, {
    acceptLanguage: request.headers['accept-language'],
    formTargets,
  });
}

function namesOf({ kinds, publicUrl }: BrowserContext, session: StoredSession): PageNames {
  const kind = kinds.byKey(session.kind);
  return {
    vendor: kind?.name ?? session.kind,
    icon: kind === null ? null : `${new URL(publicUrl).pathname.replace(/\/$/, '')}/icons/${kind.key}.svg`,
    integrator: session.organizationName,
    origin: session.origin,
  };
}

function redirectTo(response: Response, location: string): void {
  response
    .status(303)
    .set({
      Location: location,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Opener-Policy': 'unsafe-none',
    })
    .end();
}

/** A parameter that is given twice is left out, so that it counts as missing. */
function singleValues(request: Request): Record<string, string> {
  const entries = Object.entries(request.query);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function ownOriginOf({ publicUrl }: BrowserContext): string {
  return new URL(publicUrl).origin;
}
