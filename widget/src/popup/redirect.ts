import type { ConsentRequest, ReturnedConsent } from '../flow/flow.ts';
import { ServiceError } from '../service/failure.ts';
import type { PendingConsent } from './pending-consent.ts';

/** How an OAuth flow returns to the page if it runs in the page's own window. */
export interface RedirectOptions {
  /** The URL to return to. Default: the page's own URL. */
  readonly url: string | null | undefined;
  /** The sessionStorage key of the pending consent. */
  readonly key: string;
}

/**
 * Stores the purpose of an OAuth flow while the user is away: source, connector, name and settings, but no
 * secrets. The user returns with a `secret_id`, which only a token for their customer can redeem.
 */
export function savePendingConsent(
  request: ConsentRequest & { readonly sessionId: string },
  key: string,
): void {
  sessionStorage.setItem(key, JSON.stringify({ ...request, hash: location.hash }));
}

/** Returns the purpose of the OAuth flow and its outcome. */
export function readReturnedConsent({ request, query }: PendingConsent): ReturnedConsent {
  // savePendingConsent wrote this value.
  const { definitionId, connectorId, entry, sessionId } = JSON.parse(request) as ConsentRequest & {
    readonly sessionId: string;
  };
  const [secretId, error] = [query.get('secret_id'), query.get('error')];
  const outcome = secretId
    ? { secretId }
    : {
        failure: new ServiceError(
          error === 'access_denied' ? 'consent_denied' : 'consent_failed',
          query.get('error_description') ?? String(error),
        ).failure,
      };
  return { definitionId, connectorId, entry, sessionId, outcome };
}
