/**
 * The normal form of an origin a widget token may be bound to, or null when it is not one.
 *
 * Exactly scheme, host and optional port: `https`, or `http` on localhost, 127.0.0.1 or [::1]. A path, query, fragment,
 * wildcard, user info or the word `null` is refused. A default port is dropped, the host is lower-cased.
 */
export function parseOrigin(text: string): string | null {
  if (!shape.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol === 'https:') return url.origin;
  return isLoopback(url.hostname) ? url.origin : null;
}

/** Scheme, then a host without user info, wildcard or white space, then nothing but a port. */
const shape = /^https?:\/\/(?:\[[0-9a-f:.]+\]|[^\s/?#@\\:[\]*%]+)(?::\d{1,5})?$/i;

/** Whether a URL's host name means this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}
