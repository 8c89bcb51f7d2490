import type {
  Connector,
  InitiateOAuthRequest,
  InitiateOAuthResponse,
  OAuthSession,
} from '@connector-auth/api';
import type { Consent, FlowEvent, StateOf } from '../flow/flow.ts';
import { failureOf, ServiceError } from '../service/failure.ts';
import { httpAddress } from '../service/http-address.ts';
import { answerTimeoutMs, type Service } from '../service/service.ts';
import { cleanAddress } from './pending-consent.ts';
import { rememberRequest, type RedirectPlan } from './redirect.ts';
import { challengeOf, randomHex } from './secrets.ts';
import { watchSession } from './watch-session.ts';

/** Where and for how long. */
export interface ConsentOptions {
  readonly service: Service;
  /** Consent in the page's own window; one in a window of its own if left out. */
  readonly redirect: RedirectPlan | null | undefined;
  /** Aborted when the person gives up: the session is cancelled then. */
  readonly signal: AbortSignal;
  /** Told what is known on the way. */
  readonly tell: (event: FlowEvent) => void;
}

const connectors = '/integrations/connectors';
/** Seconds the service holds a question about a consent: the longest it allows. */
const waitSeconds = 25;

/**
 * Has a person consent at the vendor; resolves with the event of its outcome, rejects with a `ServiceError` why there is
 * none. To be called inside the person's click: the window is opened before anything is waited for.
 *
 * The outcome comes from the service alone. The window is no witness: headers of the vendor or of the host page cut it
 * off, and then it reads as closed while the person is still typing in it.
 */
export async function askForConsent(
  { definition, target, entry }: StateOf<'consenting'>,
  { service, redirect, signal, tell }: ConsentOptions,
): Promise<FlowEvent> {
  const window = redirect ? '_self' : `connector-auth-${randomHex(8)}`;
  const popup = redirect ? null : globalThis.open('', window, popupFeatures());
  const definitionId = definition.sourceDefinitionId;
  const connectorId = target?.id ?? null;
  // Stays in this closure: it is what shows that the consent is ours, also after the token was renewed.
  const verifier = randomHex(32);
  let pending: `/${string}` | null = null;
  try {
    const { consent_url: url, session_id } = await service.call<InitiateOAuthResponse>(
      {
        method: 'POST',
        path: `${connectors}/oauth/initiate`,
        body: {
          definition_id: definitionId,
          ...(connectorId ? { connector_id: connectorId } : null),
          challenge: await challengeOf(verifier),
          // The service's own page closes its window.
          redirect_url: redirect
            ? cleanAddress(redirect.url ?? location.href)
            : `${await service.getUrl()}/oauth/complete`,
        } satisfies InitiateOAuthRequest,
      },
      signal,
    );
    const path = `${connectors}/oauth/sessions/${session_id}` as const;
    pending = path;
    // A window is sent there: nothing but a page may be.
    if (!httpAddress(url)) {
      throw new ServiceError('unexpected_answer', 'The service answered a consent that is no page');
    }
    const isBlocked = !redirect && (!popup || popup.closed);
    const consent = { url, window, isBlocked };
    if (redirect) rememberRequest({ definitionId, connectorId, entry }, redirect.key);
    if (!isBlocked) follow(consent);
    tell({ type: 'asked', consent });
    const { status, secret_id, connector_id, error } = await watchSession({
      ask: signal =>
        service.call<OAuthSession>(
          {
            path: `${path}?wait=${waitSeconds}`,
            headers: { 'x-oauth-verifier': verifier },
            timeoutMs: waitSeconds * 1000 + answerTimeoutMs,
          },
          signal,
        ),
      // Only ever a reason to ask at once. Another window, or another consent, is no news.
      isNews: ({ origin, source, data }) =>
        origin === new URL(url).origin && source === popup && data?.session_id === session_id,
      tellTrouble: failure => {
        tell({ type: 'troubled', failure });
      },
      signal,
    });
    pending = null;
    // Another tab may have used it: a duplicate of this one, after a redirect.
    if (connector_id) {
      const connector = await service.call<Connector>({ path: `${connectors}/${connector_id}` }, signal);
      return { type: 'stored', connector };
    }
    if (secret_id) return { type: 'consented', secretId: secret_id };
    throw new ServiceError(
      status === 'denied' || status === 'failed' ? `consent_${status}` : 'consent_expired',
      error?.message ?? 'The consent took too long',
    );
  } catch (cause) {
    if (failureOf(cause).code !== 'oauth_session_not_found') throw cause;
    throw new ServiceError('consent_expired', 'The consent was forgotten', { cause });
  } finally {
    popup?.close();
    if (redirect) sessionStorage.removeItem(redirect.key);
    if (pending) {
      // Given up: told even if the page is just being left, so not with a signal of the flow's.
      service
        .call({ method: 'DELETE', path: pending, keepalive: true }, new AbortController().signal)
        .catch(() => {});
    }
  }
}

/** By a link, because a link says what it refers from: the service asks a person who seems to come from elsewhere. */
function follow({ url, window }: Consent): void {
  const link = document.createElement('a');
  link.href = url;
  link.target = window;
  link.referrerPolicy = referrerPolicy;
  link.click();
}

/** For links to a consent: the service learns the page's origin even where pages hide it. */
export const referrerPolicy = 'strict-origin-when-cross-origin';

function popupFeatures(): string {
  const left = screenX + outerWidth / 2 - 300;
  const top = screenY + outerHeight / 2 - 360;
  return `popup,width=600,height=720,left=${left},top=${top}`;
}
