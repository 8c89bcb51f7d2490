import { uuid } from '@connector-auth/api';
import { throughSandbox } from '@connector-auth/connectors/kind';
import { Router, type Request, type Response } from 'express';
import { challengeOf, openSecrets } from '../oauth-sessions/secrets.ts';
import { findSession, type StoredSession } from '../oauth-sessions/store.ts';
import { receiveCallback, type CallbackContext, type CallbackResult } from './callback.ts';
import { callbackPath, subjectOf } from './consent.ts';
import { comesFrom, isOwnForm } from './fetch-metadata.ts';
import { startPath } from './initiate.ts';
import { noNames, sendPage, type Page, type PageContent, type PageNames } from './pages/page.ts';
import { completionPath } from './redirect-url.ts';
import { statusOf } from './status.ts';

export interface BrowserContext extends CallbackContext {
  /** Base URL of the sandbox, or null to redirect to the real vendors. */
  readonly sandboxUrl: string | null;
}

/**
 * Serves the pages that the user's browser visits before and after the vendor's page. These pages require no
 * token.
 */
export function mountConsentPages(context: BrowserContext): Router {
  const router = Router({ caseSensitive: true });
  router
    .route(`${startPath}/:id`)
    .get(startConsent(context, ({ origin }, { headers }) => comesFrom(origin, headers)))
    .post(startConsent(context, (_session, { headers }) => isOwnForm(ownOriginOf(context), headers)));

  router.get(callbackPath, async (request, response) => {
    response.locals.route = callbackPath;
    const result = await receiveCallback(context, singleValues(request), request.headers.cookie);
    if ('location' in result) {
      response.append('Set-Cookie', context.cookies.clear(result.session));
      return redirectTo(response, result.location);
    }
    // A browser that did not start the session must learn nothing about it.
    const session = result.problem === 'elsewhere' ? null : result.session;
    const names = session === null ? noNames : namesOf(context, session);
    send(response, { status: 400, content: rejections[result.problem], names });
  });

  router.get(completionPath, async (request, response) => {
    response.locals.route = completionPath;
    const id = uuid.safeParse(singleValues(request)['session_id']);
    const session = id.success ? await findSession(context.db, id.data) : null;
    if (session === null) return sendNotFound(response);
    send(response, {
      status: 200,
      content: completionPageOf(session),
      names: namesOf(context, session),
    });
  });
  return router;
}

/** Redirects to the vendor if the request is trusted. Otherwise asks the user to confirm. */
function startConsent(
  context: BrowserContext,
  isTrusted: (session: StoredSession, request: Request) => boolean,
): (request: Request, response: Response) => Promise<void> {
  return async (request, response) => {
    response.locals.route = `${startPath}/{id}`;
    const id = uuid.safeParse(request.params['id']);
    const session = id.success ? await findSession(context.db, id.data) : null;
    if (session === null) return sendNotFound(response);
    const names = namesOf(context, session);
    if (session.status !== 'pending') {
      const content = session.status === 'expired' ? rejections.expired : rejections.used;
      return send(response, { status: 410, content, names });
    }
    const { url, secrets } = await vendorPageOf(context, session);
    if (!isTrusted(session, request)) {
      const content =
        session.origin === null ? ({ ...confirmation, text: 'confirmAnywhere' } as const) : confirmation;
      // Browsers also apply `form-action` to the redirect that follows the form submission.
      return send(response, { status: 200, content, names, formTargets: [new URL(url).origin] });
    }
    response.append('Set-Cookie', context.cookies.set(session, secrets.browserKey));
    context.log.info('oauth_started', { session_id: session.id, kind: session.kind });
    redirectTo(response, url);
  };
}

async function vendorPageOf(context: BrowserContext, session: StoredSession) {
  const { method, app } = await subjectOf(context, session);
  const secrets = openSecrets(context.sealer, session, session.sealedSecrets);
  const { consent } = method;
  const url = consent.url({
    app,
    redirectUri: `${context.publicUrl}${callbackPath}`,
    state: secrets.state,
    codeChallenge: consent.usesPkce ? challengeOf(secrets.codeVerifier) : null,
  });
  return { url: throughSandbox(new URL(url), context.sandboxUrl).href, secrets };
}

const confirmation = {
  title: 'confirmTitle',
  text: 'confirm',
  tone: 'neutral',
  needsConfirmation: true,
} as const satisfies PageContent;

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

function sendNotFound(response: Response): void {
  send(response, { status: 404, content: rejections.unknown, names: noNames });
}

function send(
  response: Response,
  page: Pick<Page, 'status' | 'content' | 'names'> & Partial<Pick<Page, 'formTargets'>>,
): void {
  sendPage(response, { formTargets: [], ...page });
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

/** Returns the query parameters that occur exactly once. A repeated parameter counts as missing. */
function singleValues(request: Request): Record<string, string> {
  const entries = Object.entries(request.query);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function ownOriginOf({ publicUrl }: BrowserContext): string {
  return new URL(publicUrl).origin;
}
