import type { Consent, Entry, FlowEvent } from '../flow/flow.ts';
import { failureOf, ServiceError } from '../service/failure.ts';
import type { Service } from '../service/service.ts';
import { forgetRequest, rememberRequest, type RedirectPlan } from './redirect.ts';
import { challengeOf, randomHex } from './secrets.ts';
import { watchSession } from './watch-session.ts';

/** What consent is asked for. */
export interface ConsentRequest {
  readonly definitionId: string;
  /** The connector to reconnect; null for a new one. */
  readonly connectorId: string | null;
  readonly entry: Entry;
}

/** Where and for how long. */
export interface ConsentOptions {
  readonly service: Service;
  /** Consent in the page's own window; null for one in a window of its own. */
  readonly redirect: RedirectPlan | null;
  /** Aborted when the person gives up: the session is cancelled then. */
  readonly signal: AbortSignal;
  /** Told what is known on the way. */
  readonly tell: (event: FlowEvent) => void;
}

/**
 * Has a person consent at the vendor; resolves with the event of its outcome, rejects with a `ServiceError` why there is
 * none. To be called inside the person's click: the window is opened before anything is waited for.
 *
 * The outcome comes from the service alone. The window is no witness: headers of the vendor or of the host page cut it
 * off, and then it reads as closed while the person is still typing in it.
 */
export async function askForConsent(request: ConsentRequest, options: ConsentOptions): Promise<FlowEvent> {
  const { service, redirect, signal, tell } = options;
  const window = redirect ? '_self' : `connector-auth-${randomHex(8)}`;
  const popup = redirect ? null : globalThis.open('', window, popupFeatures());
  const { definitionId, connectorId } = request;
  // Stays in this closure: it is what shows that the consent is ours, also after the token was renewed.
  const verifier = randomHex(32);
  let pendingId: string | null = null;
  try {
    const session = await service.initiateOAuth(
      {
        definition_id: definitionId,
        ...(connectorId === null ? {} : { connector_id: connectorId }),
        challenge: await challengeOf(verifier),
        redirect_url: redirect?.url ?? null,
      },
      signal,
    );
    const { consent_url: url, session_id: sessionId } = session;
    pendingId = sessionId;
    const isBlocked = redirect === null && (popup === null || popup.closed);
    const consent = { url, window, isBlocked };
    if (redirect) rememberRequest(request, redirect.key);
    if (!isBlocked) follow(consent);
    tell({ type: 'asked', consent });
    const outcome = await watchSession({
      ask: signal => service.awaitOAuthSession(sessionId, verifier, signal),
      // Only ever a reason to ask at once. Another window, or another consent, is no news.
      isNews: ({ origin, source, data }) =>
        origin === new URL(url).origin && source === popup && data?.session_id === sessionId,
      tellTrouble: failure => {
        tell({ type: 'troubled', failure });
      },
      signal,
    });
    pendingId = null;
    const { status, secret_id: secretId, connector_id: usedBy, error } = outcome;
    // Another tab may have used it: a duplicate of this one, after a redirect.
    if (usedBy !== null) return { type: 'stored', connector: await service.getConnector(usedBy, signal) };
    if (secretId !== null) return { type: 'consented', secretId };
    throw new ServiceError(
      status === 'denied' || status === 'failed' ? `consent_${status}` : 'consent_expired',
      error?.message ?? 'The consent took too long',
    );
  } catch (error) {
    if (failureOf(error).code !== 'oauth_session_not_found') throw error;
    throw new ServiceError('consent_expired', 'The consent was forgotten', { cause: error });
  } finally {
    popup?.close();
    if (redirect) forgetRequest(redirect.key);
    if (pendingId !== null) service.cancelOAuthSession(pendingId).catch(() => {});
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
  const [width, height] = [600, 720];
  const { screenX, screenY, outerWidth, outerHeight } = globalThis;
  const left = screenX + (outerWidth - width) / 2;
  const top = screenY + (outerHeight - height) / 2;
  return `popup,width=${width},height=${height},left=${left},top=${top}`;
}
