import type { Returned } from '../flow/flow.ts';
import { ServiceError } from '../service/failure.ts';
import type { ConsentRequest } from './ask-for-consent.ts';

/** How consent in the page's own window comes back. */
export interface RedirectPlan {
  /** Absolute, without a fragment. */
  readonly url: string;
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

export function forgetRequest(key: string): void {
  sessionStorage.removeItem(key);
}

/**
 * What a person comes back with, if they do; takes it out of the address bar and the storage at once. An answer in the
 * address that this widget did not ask for stays where it is and is not believed.
 */
export function takeReturned(key: string): Returned | null {
  try {
    const kept = sessionStorage.getItem(key);
    if (kept === null) return null;
    forgetRequest(key);
    // Only this module writes there.
    const { hash, ...request } = JSON.parse(kept) as ConsentRequest & { hash: string };
    const url = new URL(location.href);
    const [secretId, error, description] = answers.map(name => url.searchParams.get(name));
    if (!secretId && !error) return null;
    history.replaceState(history.state, '', cleanAddress(url.href) + hash);
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
    // No storage in this page, or somebody else's text in it.
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

/** Whether this browser is one inside an app: their new windows never come back. */
export function isInAppBrowser(userAgent: string): boolean {
  return /FBA[NV]|Instagram|Line\/|MicroMessenger|LinkedInApp|Snapchat|Pinterest|Bytedance|musical_ly|; wv\)|\((iPhone|iPad)(?!.*Safari\/)/i.test(
    userAgent,
  );
}
