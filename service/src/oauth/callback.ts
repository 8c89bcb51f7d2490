import { ConnectorAuthError, type Clock } from '@connector-auth/api';
import type { Grant, Transport } from '@connector-auth/connectors/kind';
import type { Kysely } from 'kysely';
import { clientIdState, withSettingHint, type OAuthApps } from '../credentials/oauth-apps.ts';
import type { Sealer } from '../crypto/seal.ts';
import { retryWrite } from '../database/retry-write.ts';
import type { Tables } from '../database/tables.ts';
import type { KindRegistry } from '../definitions/registry.ts';
import type { Log } from '../log/log.ts';
import type { Notifications } from '../notifications/notifications.ts';
import {
  hashOf,
  openSecrets,
  sealSessionGrant,
  secretsMatch,
  type SessionSecrets,
} from '../oauth-sessions/secrets.ts';
import {
  completeSession,
  endSession,
  findSessionByState,
  startExchange,
  type StoredSession,
} from '../oauth-sessions/store.ts';
import { callbackPath, subjectOf, type ConsentSubject } from './consent.ts';
import type { BrowserCookies } from './cookie.ts';
import { isCompletionPage, withQuery } from './redirect-url.ts';
import { topicOf } from './status.ts';

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

/** Why a callback is nobody's: `unknown` state, one that is `used` or `expired`, or a browser that did not begin here. */
export type CallbackRejection = 'unknown' | 'used' | 'expired' | 'elsewhere';

/** Where the browser goes next, or what its page says. */
export type CallbackResult =
  | { readonly session: StoredSession; readonly location: string }
  | { readonly session: StoredSession | null; readonly problem: CallbackRejection };

/** Longest wait for the vendor's tokens; shorter than an exchange may last (`oauth-sessions/store.ts`). */
const exchangeTimeoutMs = 20_000;

/**
 * Takes a vendor's redirect: finds its session by the state, makes sure it is this browser's, turns the code into tokens, keeps
 * them for the connector to come, and wakes whoever waits for the session. A state works once.
 */
export async function receiveCallback(
  context: CallbackContext,
  query: Readonly<Record<string, string>>,
  cookieHeader: string | undefined,
): Promise<CallbackResult> {
  const { db, sealer, cookies, log } = context;
  const { state } = query;
  const session = state === undefined ? null : await findSessionByState(db, hashOf(state));
  const refuse = (problem: CallbackRejection): CallbackResult => {
    log.warn('oauth_callback_refused', { problem, session_id: session?.id ?? null });
    return { session, problem };
  };
  if (session === null) return refuse('unknown');
  const secrets = openSecrets(sealer, session, session.sealedSecrets);
  const mark = cookies.read(session, cookieHeader);
  // Before anything is told of the session, and without touching it: whoever it belongs to can still go on.
  if (mark === null || !secretsMatch(mark, secrets.browserKey)) return refuse('elsewhere');
  if (session.status === 'expired') return refuse('expired');
  if (session.status !== 'pending' || !(await startExchange(db, session))) return refuse('used');

  const end = await finish(context, session, secrets, query);
  await context.notifications.notify(topicOf(session));
  log.info('oauth_callback', {
    session_id: session.id,
    organization_id: session.organizationId,
    kind: session.kind,
    outcome: end.outcome,
    ...(end.outcome === 'completed' ? {} : { problem: end.code }),
  });
  return { session, location: locationOf(context, session, secrets, end) };
}

type ConsentOutcome =
  | { readonly outcome: 'completed' }
  | { readonly outcome: 'denied' | 'failed'; readonly code: string; readonly message: string };

async function finish(
  context: CallbackContext,
  session: StoredSession,
  secrets: SessionSecrets,
  query: Readonly<Record<string, string>>,
): Promise<ConsentOutcome> {
  const end = await exchange(context, session, secrets, query).catch((error: unknown): ConsentOutcome => {
    context.log.warn('oauth_exchange_failed', { session_id: session.id, error });
    return { outcome: 'failed', ...describeError(error) };
  });
  if (end.outcome !== 'completed') {
    const { outcome: status, code, message } = end;
    await endSession(context.db, session, ['exchanging'], { status, code, message });
  }
  return end;
}

async function exchange(
  context: CallbackContext,
  session: StoredSession,
  secrets: SessionSecrets,
  query: Readonly<Record<string, string>>,
): Promise<ConsentOutcome> {
  const subject = await subjectOf(context, session);
  const { kind, method } = subject;
  const outcome = method.consent.readCallback(query);
  if ('error' in outcome) {
    const code = /^[\w.-]{1,64}$/.test(outcome.error) ? outcome.error : 'server_error';
    const isDenied = code === 'access_denied';
    const words = toSingleLine(outcome.description ?? (isDenied ? 'Access was not allowed' : code));
    return { outcome: isDenied ? 'denied' : 'failed', code, message: `${kind.name}: ${words}` };
  }
  const grant = await requestGrant(context, subject, secrets, outcome.code);
  const isKept = await retryWrite(() =>
    completeSession(context.db, session, sealSessionGrant(context.sealer, session, grant)),
  );
  if (isKept) return { outcome: 'completed' };
  // Given up while the vendor was asked. Not ended at the vendor: that may end what other connectors of the account have.
  return { outcome: 'denied', code: 'cancelled', message: 'The consent was given up' };
}

async function requestGrant(
  { transport, clock, publicUrl }: CallbackContext,
  { kind, method, app }: ConsentSubject,
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
    // Not repeated: a code works once. Not ended with the browser's request: the person may have closed the window.
    const answer = await transport(request, {
      vendorName: kind.name,
      hosts: kind.hosts,
      timeoutMs: exchangeTimeoutMs,
    });
    const { credentials, state } = consent.readTokens(answer, clock.now());
    return {
      method: method.id,
      credentials,
      state: { ...state, [clientIdState]: app.clientId },
      settings: {},
    };
  } catch (error) {
    throw withSettingHint(error, kind, app);
  }
}

function locationOf(
  { publicUrl }: CallbackContext,
  session: StoredSession,
  { secretId }: SessionSecrets,
  end: ConsentOutcome,
): string {
  const { redirectUrl } = session;
  // The service's own page asks the session; the secret id stays out of its address.
  if (isCompletionPage(redirectUrl, publicUrl)) return withQuery(redirectUrl, { session_id: session.id });
  if (end.outcome === 'completed') return withQuery(redirectUrl, { secret_id: secretId });
  return withQuery(redirectUrl, { error: end.code, error_description: end.message });
}

function describeError(error: unknown): { code: string; message: string } {
  if (error instanceof ConnectorAuthError) return { code: error.code, message: toSingleLine(error.message) };
  return { code: 'internal_error', message: 'Something went wrong on our side' };
}

/** A vendor's words are anybody's: one short line of them. */
function toSingleLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cs}\p{Bidi_C}]+/gu, ' ').slice(0, 300);
}
