import { ConnectorAuthError, type Clock, type Language } from '@connector-auth/api';
import {
  appSecretsOf,
  createMask,
  headerSecretsOf,
  readMasked,
  type Grant,
  type Transport,
} from '@connector-auth/connectors/kind';
import type { Kysely } from 'kysely';
import { hashOf } from '../../platform/crypto/random-secret.ts';
import type { Sealer } from '../../platform/crypto/seal.ts';
import { retryWrite } from '../../platform/database/retry-write.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Notifications } from '../../platform/notifications/notifications.ts';
import { topics } from '../../platform/notifications/topics.ts';
import { stateOfApp, withSettingHint, type OAuthApps } from '../../shared/credentials/oauth-apps.ts';
import { grantMethods } from '../../shared/definitions/grant-methods.ts';
import type { KindRegistry } from '../../shared/definitions/registry.ts';
import {
  openSecrets,
  sealSessionGrant,
  secretsMatch,
  type SessionSecrets,
} from '../../shared/oauth-sessions/secrets.ts';
import {
  cancelled,
  completeSession,
  endSession,
  findSessionByState,
  startExchange,
  type SessionFailure,
  type StoredSession,
} from '../../shared/oauth-sessions/store.ts';
import { queueLateGrant } from '../../shared/repositories/grant-revocations.ts';
import { subjectOf, type ConsentSubject } from './consent.ts';
import type { BrowserCookies } from './cookie.ts';
import { isCompletionPage, withQuery } from './redirect-url.ts';
import { topicOf, translateError } from './status.ts';

export interface CallbackContext {
  readonly db: Kysely<Tables>;
  readonly sealer: Sealer;
  readonly kinds: KindRegistry;
  readonly apps: OAuthApps;
  readonly notifications: Notifications;
  readonly transport: Transport;
  readonly cookies: BrowserCookies;
  readonly clock: Clock;
  readonly log: Log;
  readonly publicUrl: string;
}

/**
 * The reason for rejecting a callback: its state is unknown, used or expired, or (`elsewhere`) another
 * browser started the OAuth flow.
 */
export type CallbackRejection = 'unknown' | 'used' | 'expired' | 'elsewhere';

export type CallbackResult =
  | { readonly session: StoredSession; readonly location: string }
  | { readonly session: StoredSession | null; readonly problem: CallbackRejection };

/** Must be shorter than `maxExchangeSeconds` in `oauth-sessions/store.ts`. */
const exchangeTimeoutMs = 20_000;

/** A vendor's redirect: its path and query parameters, and the browser that follows it. */
export interface VendorRedirect {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly browser: { readonly cookies: string | undefined; readonly language: Language };
}

/**
 * Handles a vendor's redirect (RFC 6749, section 4.1.2): finds the session by its state, checks that this browser started
 * it, exchanges the code for tokens, stores them in the session, and notifies the requests that wait for the session.
 * Each state can be used only once.
 */
export async function receiveCallback(
  context: CallbackContext,
  redirect: VendorRedirect,
): Promise<CallbackResult> {
  const { db, sealer, cookies, log } = context;
  const { state } = redirect.query;
  const session = state === undefined ? null : await findSessionByState(db, hashOf(state));
  const reject = (problem: CallbackRejection): CallbackResult => {
    log.warn('oauth_callback_refused', { problem, session_id: session?.id ?? null });
    return { session, problem };
  };
  if (session === null) return reject('unknown');
  const secrets = openSecrets(sealer, session, session.sealedSecrets);
  const browserKey = cookies.read(session, redirect.browser.cookies);
  // This check must come first and leave the session unchanged, so that the browser that started the session
  // can still complete it.
  if (browserKey === null || !secretsMatch(browserKey, secrets.browserKey)) return reject('elsewhere');
  if (session.status === 'expired') return reject('expired');
  if (session.status !== 'pending' || !(await startExchange(db, session))) return reject('used');

  const outcome = await finish(context, session, secrets, redirect);
  await context.notifications.notify(topicOf(session));
  log[outcome.status === 'failed' ? 'warn' : 'info']('oauth_callback', {
    session_id: session.id,
    organization_id: session.organizationId,
    kind: session.kind,
    outcome: outcome.status,
    ...(outcome.status === 'completed' ? {} : { problem: outcome.code }),
  });
  // A widget shows the message to its user. Backends read it in English.
  const language = secrets.startProof === null ? 'en' : redirect.browser.language;
  return { session, location: locationOf(context, { session, secrets, language }, outcome) };
}

type ConsentOutcome =
  | { readonly status: 'completed' }
  | (SessionFailure & { readonly status: 'denied' | 'failed' });

async function finish(
  context: CallbackContext,
  session: StoredSession,
  secrets: SessionSecrets,
  redirect: VendorRedirect,
): Promise<ConsentOutcome> {
  const outcome = await exchange(context, session, secrets, redirect).catch(
    (error: unknown): ConsentOutcome => {
      context.log.warn('oauth_exchange_failed', { session_id: session.id, error });
      return { status: 'failed', ...describeError(error) };
    },
  );
  if (outcome.status !== 'completed') await endSession(context.db, session, ['exchanging'], outcome);
  return outcome;
}

async function exchange(
  context: CallbackContext,
  session: StoredSession,
  secrets: SessionSecrets,
  { path, query }: VendorRedirect,
): Promise<ConsentOutcome> {
  const subject = await subjectOf(context, session);
  const { kind, method } = subject;
  const callback = method.consent.readCallback(query);
  // A code that another vendor issued must not be sent to this one (RFC 9700, section 4.4; RFC 9207, section 2.4). An
  // error contains nothing to send, so one without `iss` still says what happened.
  const isMissing = query['iss'] === undefined && method.consent.issuer !== undefined;
  const isForeign = query['iss'] !== method.consent.issuer && !(isMissing && 'error' in callback);
  if (isForeign || path !== subject.callbackPath) {
    const message = `${kind.name}: The response came from a different vendor`;
    return { status: 'failed', code: isMissing ? 'issuer_missing' : 'issuer_mismatch', message };
  }
  if ('error' in callback) {
    const mask = createMask([secrets.state, secrets.codeVerifier, ...appSecretsOf(kind, subject.app)]);
    // A masked code contains brackets.
    const given = mask.text(callback.error);
    const code = /^[\w.-]{1,64}$/.test(given) ? given : 'server_error';
    const reason = callback.description === null ? null : toSingleLine(mask.text(callback.description));
    if (code !== 'access_denied')
      return { status: 'failed', code, message: `${kind.name}: ${reason ?? code}` };
    const message = `${kind.name}: ${reason ?? 'Access was denied'}`;
    return { status: 'denied', code, message, reason };
  }
  const grant = await requestGrant(context, subject, secrets, callback.code);
  const sealedGrant = sealSessionGrant(context.sealer, session, grant);
  const isStored = await retryWrite(() => completeSession(context.db, session, sealedGrant));
  if (isStored) return { status: 'completed' };
  // The session was cancelled or deleted during the exchange.
  await retryWrite(() => queueLateGrant(context.db, session, sealedGrant, grantMethods(context.kinds)));
  await context.notifications.notify(topics.revocationsDue);
  return { status: 'denied', ...cancelled };
}

/** Exchanges the code (RFC 6749, section 4.1.3) with the PKCE verifier (RFC 7636, section 4.5). */
async function requestGrant(
  { transport, clock, publicUrl }: CallbackContext,
  { kind, method, app, callbackPath }: ConsentSubject,
  { codeVerifier }: SessionSecrets,
  code: string,
): Promise<Grant> {
  const { consent } = method;
  const request = consent.exchange({
    app,
    redirectUri: `${publicUrl}${callbackPath}`,
    code,
    codeVerifier: consent.usesPkce ? codeVerifier : null,
  });
  try {
    // The exchange is not retried, because a code can be used only once (RFC 6749, section 4.1.2). It continues even if the browser
    // disconnects, because the user may simply have closed the window.
    const response = await transport(request, {
      vendorName: kind.name,
      hosts: kind.hosts,
      timeoutMs: exchangeTimeoutMs,
    });
    const { credentials, state } = readMasked(
      received => consent.readTokens(received, clock.now()),
      response,
      createMask([code, codeVerifier, ...appSecretsOf(kind, app), ...headerSecretsOf(request)]),
    );
    return {
      method: method.id,
      credentials,
      state: { ...state, ...stateOfApp(app) },
      settings: {},
    };
  } catch (error) {
    throw withSettingHint(error, kind, app);
  }
}

function locationOf(
  { publicUrl, kinds }: CallbackContext,
  ended: { readonly session: StoredSession; readonly secrets: SessionSecrets; readonly language: Language },
  outcome: ConsentOutcome,
): string {
  const { session, language } = ended;
  const { redirectUrl, kind } = session;
  // The opener reads the secret id from the session, so the completion page's URL does not need to contain
  // it.
  if (isCompletionPage(redirectUrl, publicUrl)) return withQuery(redirectUrl, { session_id: session.id });
  if (outcome.status === 'completed') return withQuery(redirectUrl, { secret_id: ended.secrets.secretId });
  const message = translateError(kinds, kind, outcome.message, language);
  return withQuery(redirectUrl, { error: outcome.code, error_description: message });
}

function describeError(error: unknown): { code: string; message: string } {
  if (error instanceof ConnectorAuthError) return { code: error.code, message: toSingleLine(error.message) };
  return { code: 'internal_error', message: 'An internal error occurred. Try again later.' };
}

/** Returns untrusted text as one line of up to 300 characters. */
function toSingleLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cs}\p{Bidi_C}]+/gu, ' ').slice(0, 300);
}
