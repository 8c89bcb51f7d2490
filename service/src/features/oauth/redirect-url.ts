import { ConnectorAuthError, isLoopback, isLoopbackPage } from '@connector-auth/api';

/** The caller that starts an OAuth flow. The kind of its token determines which redirect URLs are allowed. */
export type RedirectRequester =
  | { readonly kind: 'widget'; readonly allowedOrigin: string }
  /** `registered` lists the exact redirect URLs that the operator configured for the application. */
  | { readonly kind: 'application' | 'scoped'; readonly registered: readonly string[] };

export interface Redirect {
  readonly url: string;
  /** Origin of the page from which the user is expected to start the OAuth flow, or null if unknown. */
  readonly origin: string | null;
}

export const completionPath = '/oauth/complete';

/**
 * Validates the URL to which the user is redirected at the end of an OAuth flow.
 *
 * | kind of token | the URL must be |
 * |---|---|
 * | widget | on the token's origin, or the service's completion page |
 * | application, scoped | registered for the application, on a loopback host, or the service's completion page |
 *
 * The URL must always use https (or http on a loopback host or a subdomain of localhost) and must not contain
 * a user name or a fragment.
 * @throws ConnectorAuthError `malformed_request`, `redirect_url_not_allowed`.
 */
export function checkRedirectUrl(text: string, requester: RedirectRequester, publicUrl: string): Redirect {
  const pageOrigin = requester.kind === 'widget' ? requester.allowedOrigin : null;
  const ownPage = `${publicUrl}${completionPath}`;
  if (text === ownPage || isSameLoopbackUrl(text, ownPage)) return { url: ownPage, origin: pageOrigin };
  const url = parse(text);
  if (requester.kind === 'widget') {
    if (url.origin === requester.allowedOrigin) return { url: url.href, origin: pageOrigin };
    throw notAllowed(
      url.pathname.endsWith(completionPath)
        ? `The page reaches the service at another URL than ${publicUrl}: set PUBLIC_URL of the service to the URL that browsers use, or serviceUrl of connectorAuth() to ${publicUrl}`
        : `Must be on ${requester.allowedOrigin} (oauth-redirect-url of the widget), or ${ownPage}`,
    );
  }
  const isRegistered = requester.registered.some(each => new URL(each).href === url.href);
  const isLoopbackUrl = url.protocol === 'http:' && isLoopback(url.hostname);
  if (isRegistered || isLoopbackUrl) return { url: url.href, origin: url.origin };
  throw notAllowed(
    'Not registered for this application: add it in the console, or to BOOTSTRAP_REDIRECT_URLS',
  );
}

/** Returns whether two URLs are equal except for the loopback host: `localhost`, `127.0.0.1` or `[::1]`. */
function isSameLoopbackUrl(text: string, ownPage: string): boolean {
  if (!URL.canParse(text)) return false;
  const [asked, own] = [new URL(text), new URL(ownPage)];
  if (!isLoopback(asked.hostname) || !isLoopback(own.hostname)) return false;
  asked.hostname = own.hostname;
  return asked.href === own.href;
}

export function isCompletionPage(redirectUrl: string, publicUrl: string): boolean {
  return redirectUrl === `${publicUrl}${completionPath}`;
}

/**
 * Sets query parameters. Removes any existing `secret_id` and `error`, because only the service may set these
 * parameters.
 */
export function withQuery(redirectUrl: string, members: Readonly<Record<string, string>>): string {
  const url = new URL(redirectUrl);
  for (const name of ['secret_id', 'error', 'error_description']) url.searchParams.delete(name);
  for (const [name, value] of Object.entries(members)) url.searchParams.set(name, value);
  return url.href;
}

function parse(text: string): URL {
  // The URL parser removes white space and control characters, so different strings could parse to the
  // same URL.
  if (!URL.canParse(text) || /[\s\p{Cc}\\]/u.test(text)) throw malformed('Must be a URL');
  const url = new URL(text);
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackPage(url.hostname));
  if (!isSafe) throw malformed('Must be https, or http on a loopback host');
  if (url.username !== '' || url.password !== '' || /^[a-z]+:\/*[^/?#]*@/i.test(text))
    throw malformed('Must not contain a user name or password');
  if (url.hash !== '' || text.includes('#')) throw malformed('Must not have a fragment');
  return url;
}

function malformed(message: string): ConnectorAuthError {
  return invalid('malformed_request', message);
}

function notAllowed(message: string): ConnectorAuthError {
  return invalid('redirect_url_not_allowed', message);
}

function invalid(
  code: 'malformed_request' | 'redirect_url_not_allowed',
  message: string,
): ConnectorAuthError {
  return ConnectorAuthError.invalid(code, [{ path: 'redirect_url', message }]);
}
