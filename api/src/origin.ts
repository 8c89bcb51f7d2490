/**
 * The normal form of the origin of a page, or null when it is not one.
 *
 * Exactly scheme, `http` or `https`, host and optional port. A path, query, fragment, wildcard, user info or the word
 * `null` is refused. A default port is dropped, the host is lower-cased.
 */
export function parsePageOrigin(text: string): string | null {
  if (!written.test(text) || !URL.canParse(text)) return null;
  const { origin } = new URL(text);
  return normalised.test(origin) ? origin : null;
}

/** The same for an origin that a widget token may be bound to: `https`, or `http` on localhost, 127.0.0.1 or [::1]. */
export function parseOrigin(text: string): string | null {
  const origin = parsePageOrigin(text);
  if (origin === null) return null;
  const { protocol, hostname } = new URL(origin);
  return protocol === 'https:' || isLoopback(hostname) ? origin : null;
}

/** Scheme, then a host without user info, escape or white space, then nothing but a port. */
const written = /^https?:\/\/(?:\[[0-9a-f:.]+\]|[^\s/?#@\\:[\]%]+)(?::\d{1,5})?$/i;

/**
 * Checked after normalising, which maps full-width characters to plain ones. URLs allow `*`, `;`, `,` and quotes in a
 * host; a wildcard must not be one, and the others would end a value where an origin is put into a header.
 */
const normalised = /^https?:\/\/(?:\[[0-9a-f:]+\]|[a-z0-9._-]+)(?::\d+)?$/;

/** Whether a URL's host name means this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}
