/** The query parameters that the service adds to the URL to which the user returns. */
const responseParameters = ['secret_id', 'error', 'error_description'];

/**
 * The data that the widget stored before the OAuth flow navigated this window away, and the query parameters
 * with which the user returned.
 */
export interface PendingConsent {
  readonly request: string;
  readonly query: URLSearchParams;
}

/**
 * Removes and returns the pending consent stored under a key, if the user returned with a response. Also
 * removes the response from the address bar. Ignores a response that this widget did not request.
 */
export function takePendingConsent(key: string): PendingConsent | null {
  const query = new URLSearchParams(location.search);
  if (query.get('secret_id') || query.get('error')) return take(key, query);
  // The first access to the storage blocks the page for milliseconds, so the token is requested before.
  setTimeout(() => take(key, null));
  return null;
}

function take(key: string, query: URLSearchParams | null): PendingConsent | null {
  try {
    const request = sessionStorage.getItem(key);
    sessionStorage.removeItem(key);
    if (!request || !query) return null;
    // Only popup/redirect.ts writes this value.
    const { hash } = JSON.parse(request) as { readonly hash: string };
    history.replaceState(history.state, '', cleanUrl(location.href) + hash);
    return { request, query };
  } catch {
    // Storage is unavailable, or another script wrote to this key.
    return null;
  }
}

/** Returns a URL without its fragment and without the response from an earlier OAuth flow. */
export function cleanUrl(href: string): string {
  const url = new URL(href, document.baseURI);
  url.hash = '';
  for (const name of responseParameters) url.searchParams.delete(name);
  return url.href;
}
