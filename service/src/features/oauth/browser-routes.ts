import { chooseLanguage, uuid } from '@connector-auth/api';
import { throughSandbox } from '@connector-auth/connectors/kind';
import express, { Router, type ErrorRequestHandler, type Request, type Response } from 'express';
import { sharedCallbackPath } from '../../shared/credentials/oauth-apps.ts';
import { comesFrom, isFormFrom, isOwnForm } from '../../shared/http/fetch-metadata.ts';
import { logoUrl } from '../../shared/http/logo-path.ts';
import {
  challengeOf,
  openSecrets,
  secretsMatch,
  type SessionSecrets,
} from '../../shared/oauth-sessions/secrets.ts';
import { findSession, type StoredSession } from '../../shared/oauth-sessions/store.ts';
import { redirectTo } from '../../shared/pages/leaving.ts';
import { receiveCallback, type CallbackContext, type CallbackResult } from './callback.ts';
import { subjectOf } from './consent.ts';
import { startPath } from './initiate.ts';
import { noNames, sendPage, type Page, type PageContent, type PageNames } from './pages/page.ts';
import { completionPath } from './redirect-url.ts';
import { statusOf } from './status.ts';

export interface BrowserContext extends CallbackContext {
  /** Base URL of the sandbox, or null to redirect to the real vendors. */
  readonly sandboxUrl: string | null;
}

/** The shared path, and the path of each kind. */
const callbackPaths = [sharedCallbackPath, `${sharedCallbackPath}/:kind`];

/**
 * Serves the pages that the user's browser visits before and after the vendor's page. These pages require no
 * token.
 */
export function mountConsentPages(context: BrowserContext): Router {
  const router = Router({ caseSensitive: true });
  router
    .route(`${startPath}/:id`)
    .get(startConsent(context, isRegisteredLink))
    .post(startConsent(context, (_started, { headers }) => isOwnForm(ownOriginOf(context), headers)));
  router.post(
    startPath,
    express.urlencoded({ extended: false, limit: '2kb', parameterLimit: 10 }),
    startConsent(context, isWidgetForm),
    rejectBadForm,
  );

  // Express would otherwise handle HEAD as GET, and use up the state.
  router.head(callbackPaths, (_request, response) => {
    response.locals.route = sharedCallbackPath;
    response.status(405).set({ Allow: 'GET', 'Cache-Control': 'no-store' }).end();
  });

  router.get(callbackPaths, async (request, response) => {
    response.locals.route = sharedCallbackPath;
    const path = request.path.replace(/\/$/, '');
    const result = await receiveCallback(context, {
      path,
      query: singleValues(request),
      browser: {
        cookies: request.headers.cookie,
        language: chooseLanguage(request.headers['accept-language']),
      },
    });
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

/** A session that a request may start, and its secrets. */
interface Startable {
  readonly session: StoredSession;
  readonly secrets: SessionSecrets;
}

/**
 * Returns whether a request follows a link on a page of a registered origin. Sessions that a widget requested
 * never start from a link, because anyone can post a link on the integrator's pages.
 */
function isRegisteredLink({ session, secrets }: Startable, { method, headers }: Request): boolean {
  return method === 'GET' && secrets.startProof === null && comesFrom(session.origin, headers);
}

/** Returns whether a request submits the form of the widget that requested the session, on its own page. */
function isWidgetForm({ session, secrets }: Startable, request: Request): boolean {
  const proof = formField(request, 'start_proof');
  const isProven = secrets.startProof !== null && proof !== null && secretsMatch(proof, secrets.startProof);
  return isProven && isFormFrom(session.origin, request.headers);
}

/** Continues to the vendor if the request is trusted. Otherwise asks the user to confirm. */
function startConsent(
  context: BrowserContext,
  isTrusted: (startable: Startable, request: Request) => boolean,
): (request: Request, response: Response) => Promise<void> {
  return async (request, response) => {
    response.locals.route = `${startPath}/{id}`;
    const id = uuid.safeParse(request.params['id'] ?? formField(request, 'session_id'));
    const session = id.success ? await findSession(context.db, id.data) : null;
    if (session === null) return sendNotFound(response);
    const names = namesOf(context, session);
    if (session.status !== 'pending') {
      const content = session.status === 'expired' ? rejections.expired : rejections.used;
      return send(response, { status: 410, content, names });
    }
    const { url, secrets } = await vendorPageOf(context, session);
    if (!isTrusted({ session, secrets }, request)) {
      return send(response, {
        status: 200,
        content: {
          ...confirmation,
          text: session.origin === null ? 'confirmAnywhere' : 'confirm',
          action: `${basePathOf(context)}${startPath}/${session.id}`,
        },
        names: { ...names, customer: session.customerDisplayName },
        // Browsers also apply `form-action` to the redirect that follows the form submission.
        formTargets: [new URL(url).origin],
      });
    }
    response.append('Set-Cookie', context.cookies.set(session, secrets.browserKey));
    context.log.info('oauth_started', { session_id: session.id, kind: session.kind });
    // The host page's `form-action` would block a redirect of its form to the vendor.
    if (isWidgetForm({ session, secrets }, request)) {
      return send(response, { status: 200, content: { ...leaving, target: url }, names });
    }
    redirectTo(response, url);
  };
}

async function vendorPageOf(context: BrowserContext, session: StoredSession) {
  const { method, app, callbackPath } = await subjectOf(context, session);
  const secrets = openSecrets(context.sealer, session, session.sealedSecrets);
  const { consent } = method;
  const url = consent.url({
    app,
    redirectUri: `${context.publicUrl}${callbackPath}`,
    state: secrets.state,
    codeChallenge: consent.usesPkce ? challengeOf(secrets.codeVerifier) : null,
  });
  const page = throughSandbox(new URL(url), context.sandboxUrl);
  // The simulated vendor preselects the accounts of the customer's own company.
  if (context.sandboxUrl !== null) page.searchParams.set('sandbox_customer', session.customerName);
  return { url: page.href, secrets };
}

const confirmation = { title: 'confirmTitle', tone: 'neutral' } as const satisfies Partial<PageContent>;
const leaving = { title: 'leavingTitle', text: null, tone: 'neutral' } as const satisfies PageContent;

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

function namesOf(context: BrowserContext, session: StoredSession): PageNames {
  const kind = context.kinds.byKey(session.kind);
  const basePath = basePathOf(context);
  return {
    vendor: kind?.name ?? session.kind,
    icon: kind === null ? null : `${basePath}/icons/${kind.key}.svg`,
    integrator: session.organizationName,
    logo: logoUrl(basePath, session.organizationId, session.logoVersion),
    customer: null,
    origin: session.origin,
  };
}

/** Returns the query parameters that occur exactly once. A repeated parameter counts as missing. */
function singleValues(request: Request): Record<string, string> {
  const entries = Object.entries(request.query);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** Returns a field of a form that occurs exactly once, otherwise null. */
function formField({ body }: Request, name: string): string | null {
  // The parser returns an object whose values are text, or lists of text for repeated fields.
  const value = ((body ?? {}) as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : null;
}

/** Treats a form that cannot be parsed like an unknown link. */
const rejectBadForm: ErrorRequestHandler = (error: unknown, request, response, next) => {
  // Only the parser's errors have a type.
  const isBadForm = error instanceof Error && 'type' in error;
  if (!isBadForm) {
    next(error);
    return;
  }
  response.locals.route = startPath;
  request.resume();
  sendNotFound(response);
};

/** Returns the path of the public URL, without a trailing slash. */
function basePathOf({ publicUrl }: BrowserContext): string {
  return new URL(publicUrl).pathname.replace(/\/$/, '');
}

function ownOriginOf({ publicUrl }: BrowserContext): string {
  return new URL(publicUrl).origin;
}
