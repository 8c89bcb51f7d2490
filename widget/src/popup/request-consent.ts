import type {
  Connector,
  InitiateOAuthRequest,
  InitiateOAuthResponse,
  OAuthSession,
} from '@connector-auth/api';
import type { FlowEvent, StateOf } from '../flow/flow.ts';
import { vendorNameOf } from '../flow/vendor-name.ts';
import { failureOf, ServiceError } from '../service/failure.ts';
import { httpAddress } from '../service/http-address.ts';
import { longPollMs, longPollSeconds, type Service } from '../service/service.ts';
import { watch } from '../service/watch.ts';
import { openConsentWindow } from './consent-window.ts';
import { cleanUrl } from './pending-consent.ts';
import { savePendingConsent, type RedirectOptions } from './redirect.ts';
import { challengeOf, randomHex } from './secrets.ts';
import type { WaitingPage } from './waiting-page.ts';

export interface ConsentOptions {
  readonly service: Service;
  /** Runs the OAuth flow in the page's own window instead of a pop-up. */
  readonly redirect: RedirectOptions | null | undefined;
  /** Returns what the pop-up shows until the vendor's page loads. */
  readonly waitingPage: ((source: string) => WaitingPage | undefined) | undefined;
  /** Aborts when the user cancels, which also cancels the OAuth session. */
  readonly signal: AbortSignal;
  /** Applies intermediate events to the flow. */
  readonly send: (event: FlowEvent) => void;
}

const connectors = '/integrations/connectors';
/** Time after which users may have lost the window, in milliseconds. */
export const lateMs = 15_000;

/**
 * Asks the user for consent at the vendor. Resolves with the event for its outcome, or rejects with a
 * `ServiceError`. Call it synchronously in the click handler, because it opens the pop-up before it awaits
 * anything.
 *
 * Only the service reports the outcome. The pop-up cannot, because headers of the vendor or the host page can
 * sever it from this page, and then `closed` is true while the user is still typing in the pop-up.
 */
export async function requestConsent(
  { definition, target, entry }: StateOf<'consenting'>,
  { service, redirect, waitingPage, signal, send }: ConsentOptions,
): Promise<FlowEvent> {
  const consentWindow = openConsentWindow(!!redirect, waitingPage?.(vendorNameOf(definition)));
  let lateTimer: ReturnType<typeof setTimeout> | undefined;
  const definitionId = definition.sourceDefinitionId;
  const connectorId = target?.id ?? null;
  // Stored only in this closure. Proves that this widget started the session, even after a token refresh.
  const verifier = randomHex(32);
  let pending: `/${string}` | null = null;
  try {
    const {
      consent_url: url,
      session_id,
      start_proof: proof,
    } = await service.call<InitiateOAuthResponse>(
      {
        method: 'POST',
        path: `${connectors}/oauth/initiate`,
        body: {
          definition_id: definitionId,
          ...(connectorId ? { connector_id: connectorId } : null),
          challenge: await challengeOf(verifier),
          // The completion page closes its own window.
          redirect_url: redirect
            ? cleanUrl(redirect.url ?? location.href)
            : `${await service.getUrl()}/oauth/complete`,
        } satisfies InitiateOAuthRequest,
      },
      signal,
    );
    const path = `${connectors}/oauth/sessions/${session_id}` as const;
    pending = path;
    // A window navigates to this URL, so it must not be a `javascript:` URL.
    if (!httpAddress(url)) {
      throw new ServiceError('unexpected_answer', 'The service returned a consent URL that is not http(s)');
    }
    const open = () => {
      consentWindow.start({ id: session_id, url, proof });
    };
    const isBlocked = consentWindow.isBlocked();
    if (redirect)
      savePendingConsent({ definitionId, connectorId, entry, sessionId: session_id }, redirect.key);
    if (!isBlocked) open();
    send({ type: 'asked', consent: { url, window: consentWindow.name, isBlocked, open } });
    if (!isBlocked && !redirect) {
      lateTimer = setTimeout(() => {
        send({ type: 'late' });
      }, lateMs);
    }
    const { status, secret_id, connector_id, error } = await watch({
      poll: signal =>
        service.call<OAuthSession>(
          {
            path: `${path}?wait=${longPollSeconds}`,
            headers: { 'x-oauth-verifier': verifier },
            timeoutMs: longPollMs,
          },
          signal,
        ),
      isOver: ({ status }) => status !== 'pending',
      messages: consentWindow.messages,
      // A message only triggers a poll, and only if it comes from the pop-up and concerns this session.
      isPollTrigger: ({ origin, source, data }) =>
        origin === new URL(url).origin && consentWindow.isPopup(source) && data?.session_id === session_id,
      onFailureChange: failure => {
        send({ type: 'polled', failure });
      },
      signal,
    });
    pending = null;
    // After a redirect, a duplicate of this tab may have redeemed the OAuth session.
    if (connector_id) {
      const connector = await service.call<Connector>({ path: `${connectors}/${connector_id}` }, signal);
      return { type: 'stored', connector };
    }
    if (secret_id) return { type: 'consented', secretId: secret_id, sessionId: session_id };
    throw new ServiceError(
      error?.code === 'connector_frozen'
        ? error.code
        : status === 'denied' || status === 'failed'
          ? `consent_${status}`
          : 'consent_expired',
      error?.message ?? 'The consent timed out',
      { reason: error?.reason },
    );
  } catch (cause) {
    if (failureOf(cause).code !== 'oauth_session_not_found') throw cause;
    throw new ServiceError('consent_expired', 'The consent session no longer exists', { cause });
  } finally {
    clearTimeout(lateTimer);
    consentWindow.close();
    if (redirect) sessionStorage.removeItem(redirect.key);
    if (pending) {
      // The session is cancelled even while the page unloads, so the flow's signal is not passed on.
      service
        .call({ method: 'DELETE', path: pending, keepalive: true }, new AbortController().signal)
        .catch(() => {});
    }
  }
}
