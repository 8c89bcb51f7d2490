import type { ConsentRequest, Returned } from '../flow/flow.ts';
import { ServiceError } from '../service/failure.ts';
import type { Kept } from './pending-consent.ts';

/** How consent in the page's own window comes back. */
export interface RedirectPlan {
  /** The address it comes back to; the page's own if left out. */
  readonly url: string | null | undefined;
  /** Under which the widget finds what it was about, in sessionStorage. */
  readonly key: string;
}

/**
 * Keeps what a consent is asked for while the person is away. Nothing secret: which source, which connector, the name and
 * settings entered. That the person comes back with is the `secret_id`, which only a token of their customer can use.
 */
export function rememberRequest(request: ConsentRequest, key: string): void {
  sessionStorage.setItem(key, JSON.stringify({ ...request, hash: location.hash }));
}

/** What a person came back with. */
export function readReturned({ request, query }: Kept): Returned {
  // What rememberRequest has written.
  const { definitionId, connectorId, entry } = JSON.parse(request) as ConsentRequest;
  const [secretId, error] = [query.get('secret_id'), query.get('error')];
  const outcome = secretId
    ? { secretId }
    : {
        failure: new ServiceError(
          error === 'access_denied' ? 'consent_denied' : 'consent_failed',
          query.get('error_description') ?? String(error),
        ).failure,
      };
  return { definitionId, connectorId, entry, outcome };
}
