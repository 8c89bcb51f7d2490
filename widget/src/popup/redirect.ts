import type { Returned } from '../flow/flow.ts';
import { ServiceError } from '../service/failure.ts';
import type { ConsentRequest } from './ask-for-consent.ts';

/** How consent in the page's own window comes back. */
export interface RedirectPlan {
  /** The address it comes back to; the page's own if left out. */
  readonly url: string | null | undefined;
  /** Under which the widget finds what it was about, in sessionStorage. */
  readonly key: string;
}

/** What the service adds to the address a person comes back to. */
const answers = ['secret_id', 'error', 'error_description'];

/**
 * Keeps what a consent is asked for while the person is away. Nothing secret: which source, which connector, the name and
 * settings entered. That the person comes back with is the `secret_id`, which only a token of their customer can use.
 */
export function rememberRequest(request: ConsentRequest, key: string): void {
  sessionStorage.setItem(key, JSON.stringify({ ...request, hash: location.hash }));
}

/**
 * What a person comes back with, if they do, by what was kept; takes it out of the address bar. An answer in the address
 * that this widget did not ask for stays where it is and is not believed.
 */
export function readReturned(kept: string): Returned | null {
  const [secretId, error, description] = answers.map(name => new URLSearchParams(location.search).get(name));
  try {
    // Somebody else's text would not be JSON, and rememberRequest alone writes JSON there.
    const { hash, ...request } = JSON.parse(kept) as ConsentRequest & { hash: string };
    history.replaceState(history.state, '', cleanAddress(location.href) + hash);
    const outcome = secretId
      ? { secretId }
      : {
          failure: new ServiceError(
            error === 'access_denied' ? 'consent_denied' : 'consent_failed',
            description ?? String(error),
          ).failure,
        };
    return { ...request, outcome };
  } catch {
    return null;
  }
}

/** An address, as this page reads it, that says nothing of an earlier consent; without its fragment. */
export function cleanAddress(href: string): string {
  const url = new URL(href, document.baseURI);
  url.hash = '';
  for (const name of answers) url.searchParams.delete(name);
  return url.href;
}
