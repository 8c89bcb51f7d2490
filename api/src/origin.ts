/**
 * Returns the normalized origin of a page, or null if the text is not an origin.
 *
 * Accepts only `http` or `https`, a host and an optional port: no path, query, fragment, wildcard, user info
 * or `null`. Drops a default port and lower-cases the host.
 */
export function parsePageOrigin(text: string): string | null {
  if (!written.test(text) || !URL.canParse(text)) return null;
  const { origin } = new URL(text);
  return normalised.test(origin) ? origin : null;
}

/**
 * Like {@link parsePageOrigin}, but accepts `http` only on a host that browsers load from the user's own
 * computer. Widget tokens need such an origin.
 */
export function parseOrigin(text: string): string | null {
  const origin = parsePageOrigin(text);
  if (origin === null) return null;
  const { protocol, hostname } = new URL(origin);
  return protocol === 'https:' || isLoopbackPage(hostname) ? origin : null;
}

/** Scheme, a host without user info, escapes or white space, and an optional port. */
const written = /^https?:\/\/(?:\[[0-9a-f:.]+\]|[^\s/?#@\\:[\]%]+)(?::\d{1,5})?$/i;

/**
 * Applied after URL parsing, which maps full-width characters to ASCII. Excludes `*`, `;`, `,` and quotes,
 * which URLs allow in a host but which would act as a wildcard or end the value in a response header.
 */
const normalised = /^https?:\/\/(?:\[[0-9a-f:]+\]|[a-z0-9._-]+)(?::\d+)?$/;

/** Returns whether a URL's host name is a loopback address. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}

/**
 * Returns whether browsers load a URL with this host name from the user's own computer: a loopback address or
 * a subdomain of localhost. Outside of browsers, DNS can resolve such a subdomain to another computer.
 */
export function isLoopbackPage(hostname: string): boolean {
  return isLoopback(hostname) || /^(?:[a-z0-9_-]+\.)+localhost$/.test(hostname);
}
