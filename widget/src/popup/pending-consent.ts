/** Query parameters that the service adds to the URL the user returns to. */
const responseParameters = ['secret_id', 'error', 'error_description'];

/**
 * What the widget stored when the user left for a consent in this window, and the query they returned with.
 */
export interface PendingConsent {
  readonly request: string;
  readonly query: URLSearchParams;
}

/**
 * Removes and returns the pending consent under a storage key, if the user returned with a response; removes
 * that response from the address bar. Ignores a response that this widget did not request.
 */
export function takePendingConsent(key: string): PendingConsent | null {
  try {
    const request = sessionStorage.getItem(key);
    sessionStorage.removeItem(key);
    const query = new URLSearchParams(location.search);
    if (!request || !(query.get('secret_id') || query.get('error'))) return null;
    // Written by popup/redirect.ts only.
    const { hash } = JSON.parse(request) as { readonly hash: string };
    history.replaceState(history.state, '', cleanUrl(location.href) + hash);
    return { request, query };
  } catch {
    // The page has no storage, or another script wrote under the key.
    return null;
  }
}

/** Returns a URL without its fragment and without the response of an earlier consent. */
export function cleanUrl(href: string): string {
  const url = new URL(href, document.baseURI);
  url.hash = '';
  for (const name of responseParameters) url.searchParams.delete(name);
  return url.href;
}
