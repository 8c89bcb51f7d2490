/** What the service adds to the address a person comes back to. */
const answers = ['secret_id', 'error', 'error_description'];

/** What a widget kept while the person was at a consent in its window, and the query they came back with. */
export interface Kept {
  readonly request: string;
  readonly query: URLSearchParams;
}

/**
 * Takes what was kept under a key, if the person comes back with an answer; takes that out of the address bar at once. An
 * answer in the address that this widget did not ask for stays where it is and is not believed.
 */
export function takeKept(key: string): Kept | null {
  try {
    const request = sessionStorage.getItem(key);
    sessionStorage.removeItem(key);
    const query = new URLSearchParams(location.search);
    if (!request || !(query.get('secret_id') || query.get('error'))) return null;
    // Only popup/redirect.ts writes there.
    const { hash } = JSON.parse(request) as { readonly hash: string };
    history.replaceState(history.state, '', cleanAddress(location.href) + hash);
    return { request, query };
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
