import { ConnectorAuthError, isLoopback } from '@connector-auth/api';

/** Who asks for a redirect, as far as it decides where to. */
export type RedirectRequester =
  | { readonly kind: 'widget'; readonly allowedOrigin: string }
  /** `registered`: the application's exact URLs. */
  | { readonly kind: 'application' | 'scoped'; readonly registered: readonly string[] };

/** Where a consent ends, and the page it is expected to begin from. */
export interface Redirect {
  readonly url: string;
  /** Null when nobody can tell. */
  readonly origin: string | null;
}

/** Path of the service's own page at the end of a consent. */
export const completionPath = '/oauth/complete';

/**
 * Whether a person may be sent to a URL after consent.
 *
 * | with a token | it must be |
 * |---|---|
 * | widget | on the token's origin, or the service's completion page |
 * | application, scoped | registered for the application, on this machine (loopback), or the service's completion page |
 *
 * Anywhere: https (http on loopback), no user, no fragment.
 * @throws ConnectorAuthError `malformed_request`, `redirect_url_not_allowed`.
 */
export function checkRedirectUrl(text: string, who: RedirectRequester, publicUrl: string): Redirect {
  const pageOrigin = who.kind === 'widget' ? who.allowedOrigin : null;
  const ownPage = `${publicUrl}${completionPath}`;
  if (text === ownPage || isSameLoopbackUrl(text, ownPage)) return { url: ownPage, origin: pageOrigin };
  const url = parse(text);
  if (who.kind === 'widget') {
    if (url.origin === who.allowedOrigin) return { url: url.href, origin: pageOrigin };
    throw notAllowed(`It must be on ${who.allowedOrigin}, or ${publicUrl}${completionPath}`);
  }
  const isRegistered = who.registered.some(each => new URL(each).href === url.href);
  const isHere = url.protocol === 'http:' && isLoopback(url.hostname);
  if (isRegistered || isHere) return { url: url.href, origin: url.origin };
  throw notAllowed('It is not registered for this application (BOOTSTRAP_REDIRECT_URLS)');
}

/** Whether two URLs differ in no more than the name they give this machine: `localhost`, `127.0.0.1`, `[::1]`. */
function isSameLoopbackUrl(text: string, ownPage: string): boolean {
  if (!URL.canParse(text)) return false;
  const [asked, own] = [new URL(text), new URL(ownPage)];
  if (!isLoopback(asked.hostname) || !isLoopback(own.hostname)) return false;
  asked.hostname = own.hostname;
  return asked.href === own.href;
}

/** Whether a session ends at the service's own page. */
export function isCompletionPage(redirectUrl: string, publicUrl: string): boolean {
  return redirectUrl === `${publicUrl}${completionPath}`;
}

/** A redirect URL with these members in its query, over whatever it had by these names. */
export function withQuery(redirectUrl: string, members: Readonly<Record<string, string>>): string {
  const url = new URL(redirectUrl);
  // Nobody but us says how it went.
  for (const name of ['secret_id', 'error', 'error_description']) url.searchParams.delete(name);
  for (const [name, value] of Object.entries(members)) url.searchParams.set(name, value);
  return url.href;
}

function parse(text: string): URL {
  // White space and control characters would be dropped by the parser: two spellings of one URL.
  if (!URL.canParse(text) || /[\s\p{Cc}\\]/u.test(text)) throw malformed('This is not a URL');
  const url = new URL(text);
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
  if (!isSafe) throw malformed('It must be https (http on this machine)');
  if (url.username !== '' || url.password !== '' || /^[a-z]+:\/*[^/?#]*@/i.test(text))
    throw malformed('It must not name a user');
  if (url.hash !== '' || text.includes('#')) throw malformed('It must not have a fragment');
  return url;
}

function malformed(message: string): ConnectorAuthError {
  return refusal('malformed_request', message);
}

function notAllowed(message: string): ConnectorAuthError {
  return refusal('redirect_url_not_allowed', message);
}

function refusal(
  code: 'malformed_request' | 'redirect_url_not_allowed',
  message: string,
): ConnectorAuthError {
  return new ConnectorAuthError(code, `redirect_url: ${message}`, {
    errors: [{ path: 'redirect_url', message }],
  });
}
