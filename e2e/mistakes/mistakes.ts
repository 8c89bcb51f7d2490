/** The likeliest mistakes of integrators and operators, and the message that says what to change. */
export interface Mistake {
  readonly mistake: string;
  /** Where the message appears. */
  readonly appears: 'browser console' | 'exception' | 'response' | 'log of the service' | 'terminal';
  /** The title of the screen that customers see in the widget. Null if there is none, or it depends on the case. */
  readonly screen: string | null;
  /** The error code. Null if the message has none. */
  readonly code: string | null;
  /** The message. `…` stands for what differs from case to case. */
  readonly says: string;
  /** The setting to change, which the message names. */
  readonly setting: string;
}

const setUp = 'This feature isn’t set up yet';
const unreachable = 'Can’t reach the service';
const notFromHelper =
  'not a response of connectorAuth(): mount connectorAuth() there, before CSRF checks and redirects, or change token-url';

/** Mistakes that a page with the widget reports. `stack/mistakes-server.ts` makes each of them. */
export const pageMistakes = {
  'wrong-secret': {
    mistake: 'The client id or secret is wrong, or was revoked',
    appears: 'browser console',
    screen: setUp,
    code: 'backend_misconfigured',
    says: 'The service rejected the client credentials. Check the clientId and clientSecret passed to connectorAuth()',
    setting: 'clientSecret',
  },
  'service-down': {
    mistake: 'The service does not run, or not there',
    appears: 'browser console',
    screen: unreachable,
    code: 'unreachable',
    says: 'Cannot reach the service (ECONNREFUSED): check baseUrl and that the service is running',
    setting: 'baseUrl',
  },
  'https-for-http': {
    mistake: '`baseUrl` has https, but the service speaks http',
    appears: 'browser console',
    screen: unreachable,
    code: 'unreachable',
    says: 'Cannot reach the service (…): baseUrl starts with https, but the service there speaks http',
    setting: 'baseUrl',
  },
  'not-the-service': {
    mistake: '`baseUrl` is the URL of something else, for example of your own app',
    appears: 'browser console',
    screen: setUp,
    code: 'unexpected_answer',
    says: "Unexpected response from the service: status …. Check that baseUrl is the service's URL and that the client's version matches the service's",
    setting: 'baseUrl',
  },
  'missing-origin': {
    mistake: 'The page is on another origin than you thought, for example `127.0.0.1` instead of `localhost`',
    appears: 'browser console',
    screen: setUp,
    code: 'origin_not_allowed',
    says: "The page's origin is not allowed: add '…' to allowedOrigins of connectorAuth()",
    setting: 'allowedOrigins',
  },
  cors: {
    mistake:
      'The token URL is on another origin, and its server is down or does not allow the page. Browsers do not say which',
    appears: 'browser console',
    screen: unreachable,
    code: 'token_unavailable',
    says: 'Cannot reach token-url (…): check the URL, also http or https; that its server runs and allows … (CORS: allowedOrigins of connectorAuth()); and connect-src of this page’s Content-Security-Policy',
    setting: 'allowedOrigins',
  },
  'not-mounted': {
    mistake: '`token-url` has a typo, or `connectorAuth()` is not mounted there',
    appears: 'browser console',
    screen: setUp,
    code: 'token_refused',
    says: `token-url (…) returned 404 (…), ${notFromHelper}`,
    setting: 'token-url',
  },
  'own-page': {
    mistake: 'Your app responds to `token-url` with its own page, or redirects to a page to sign in',
    appears: 'browser console',
    screen: setUp,
    code: 'token_answer_invalid',
    says: `token-url (…) returned 200 (text/html…), ${notFromHelper}`,
    setting: 'token-url',
  },
  'csrf-check': {
    mistake: 'A CSRF check, a firewall or a proxy rejects the POST to `token-url`',
    appears: 'browser console',
    screen: 'Your session expired',
    code: 'token_refused',
    says: `token-url (…) returned 403 (…), ${notFromHelper}`,
    setting: 'CSRF',
  },
  'no-customer': {
    mistake: '`resolveCustomer` returns null, for example because the session cookie was not sent',
    appears: 'browser console',
    screen: 'Your session expired',
    code: 'not_signed_in',
    says: 'Not signed in: sign in and try again. If you are, resolveCustomer of connectorAuth() found no session in the request: token-credentials="include" on <connector-auth> sends cookies to another origin',
    setting: 'resolveCustomer',
  },
  'resolve-customer-throws': {
    mistake: '`resolveCustomer` throws an error',
    appears: 'browser console',
    screen: 'Something went wrong',
    code: 'token_unavailable',
    says: 'token-url (…) returned 500 (…), not a response of connectorAuth(): see the log of its server',
    setting: 'log of its server',
  },
  'unknown-allowed-source': {
    mistake: '`allowedSources` has a name that is not a source',
    appears: 'browser console',
    screen: setUp,
    code: 'unknown_connector_type',
    says: 'allowed_sources.0: Unknown connector type “granola-notes”. Connector types: …, granola, …',
    setting: 'allowed_sources',
  },
  'unknown-source': {
    mistake:
      '`sources` names no source that this customer can connect. An unknown `source` opens the list instead',
    appears: 'browser console',
    screen: setUp,
    code: 'unknown_connector_type',
    says: 'sources="granola-notes": this customer can connect …, granola, …. Check the names, allowedSources of connectorAuth() and the sources enabled for your organization',
    setting: 'sources',
  },
  'internal-service-url': {
    mistake: 'Browsers cannot reach the service at `baseUrl`, for example the name of a container',
    appears: 'browser console',
    screen: unreachable,
    code: 'unreachable',
    says: 'Cannot reach the service at …: check serviceUrl or baseUrl of connectorAuth(), also http or https; that its server runs and allows … (CORS); and connect-src of this page’s Content-Security-Policy',
    setting: 'serviceUrl',
  },
  'connect-src': {
    mistake: "The page's Content-Security-Policy does not allow requests to the service",
    appears: 'browser console',
    screen: unreachable,
    code: 'unreachable',
    says: 'Cannot reach the service at …; and connect-src of this page’s Content-Security-Policy',
    setting: 'connect-src',
  },
  'wrong-service-url': {
    mistake: '`serviceUrl` or `service-url` is the URL of something else',
    appears: 'browser console',
    screen: setUp,
    code: 'unexpected_answer',
    says: 'Status … from …: is this the service? Check serviceUrl or baseUrl of connectorAuth()',
    setting: 'serviceUrl',
  },
  'no-token-url': {
    mistake: '`<connector-auth>` has neither `token-url` nor `getToken`',
    appears: 'browser console',
    screen: setUp,
    code: null,
    says: 'set token-url="/connector-auth/widget-token" or the property getToken',
    setting: 'token-url',
  },
  'script-src': {
    mistake: "The page's Content-Security-Policy does not allow the widget's script, so the page stays empty",
    appears: 'browser console',
    screen: null,
    code: null,
    says: '…Content Security Policy directive: "script-src…',
    setting: 'script-src',
  },
} as const satisfies Readonly<Record<string, Mistake>>;

/** Mistakes that the backend or the service reports. `mistakes.test.ts` makes each of them. */
export const serverMistakes = {
  'empty-environment': {
    mistake: 'An environment variable of your backend is missing',
    appears: 'exception',
    screen: null,
    code: null,
    says: 'clientSecret: Must be the client secret of your application. It is empty: is the environment variable set?',
    setting: 'clientSecret',
  },
  'origin-with-slash': {
    mistake: 'An origin has a trailing slash or a path',
    appears: 'exception',
    screen: null,
    code: null,
    says: 'allowedOrigins.0: Must be https://host[:port], or http on localhost, without path or trailing slash. …',
    setting: 'allowedOrigins',
  },
  'body-parser-first': {
    mistake: 'A body parser runs before `connectorAuth()`',
    appears: 'response',
    screen: null,
    code: 'internal_error',
    says: 'The request body has already been parsed: mount connectorAuth() before express.json() and other body parsers',
    setting: 'express.json()',
  },
  'several-organizations': {
    mistake: 'The application belongs to several organizations, and the request names none',
    appears: 'response',
    screen: null,
    code: 'organization_required',
    says: 'The application belongs to several organizations. Send the id of one of them in the X-Organization-Id header (the option organizationId of connectorAuth() and createClient())',
    setting: 'organizationId',
  },
  'unknown-kind': {
    mistake: 'A request names a source that does not exist',
    appears: 'response',
    screen: null,
    code: 'unknown_connector_type',
    says: 'connector_type: Unknown connector type “granola-notes”. Connector types: gong, google-ads, granola, tiktok-marketing',
    setting: 'connector_type',
  },
  'redirect-url': {
    mistake: 'The redirect URL of an OAuth flow from your backend is not registered',
    appears: 'response',
    screen: null,
    code: 'redirect_url_not_allowed',
    says: 'redirect_url: Not registered for this application: add it in the console, or to BOOTSTRAP_REDIRECT_URLS',
    setting: 'BOOTSTRAP_REDIRECT_URLS',
  },
  'public-url': {
    mistake: '`PUBLIC_URL` is not the URL by which browsers reach the service',
    appears: 'response',
    screen: null,
    code: 'redirect_url_not_allowed',
    says: 'redirect_url: The page reaches the service at another URL than …: set PUBLIC_URL of the service to the URL that browsers use, or serviceUrl of connectorAuth() to …',
    setting: 'PUBLIC_URL',
  },
  'token-of-another-page': {
    mistake: 'A widget token is used on a page of another origin, for example from a cache',
    appears: 'response',
    screen: null,
    code: 'origin_not_allowed',
    says: 'The widget token is only for pages on …: each page needs a token that was minted for its own origin',
    setting: 'token',
  },
  'no-helper-url': {
    mistake: 'A connect link is requested before the URL of the server helper is registered',
    appears: 'response',
    screen: null,
    code: 'helper_url_missing',
    says: "Register where the integrator's helper is mounted: set connect_helper_url of the organization in the console, with PATCH /api/v1/organization or with BOOTSTRAP_HELPER_URL",
    setting: 'connect_helper_url',
  },
  'sandbox-down': {
    mistake: '`SANDBOX_URL` is set, but the sandbox does not run',
    appears: 'response',
    screen: null,
    code: 'vendor_failed',
    says: '…could not connect to the sandbox: is it running, and SANDBOX_URL its URL?…',
    setting: 'SANDBOX_URL',
  },
  'no-sandbox-url': {
    mistake:
      "`SANDBOX_URL` is not set, so the sandbox's credentials are sent to the real vendor, which rejects them",
    appears: 'log of the service',
    screen: null,
    code: null,
    says: '…The credentials are of the sandbox: start the service with SANDBOX_URL…',
    setting: 'SANDBOX_URL',
  },
  'port-in-use': {
    mistake: 'Another program uses the port',
    appears: 'terminal',
    screen: null,
    code: null,
    says: 'Cannot start the service: Cannot listen on …: the port is in use; choose another with PORT',
    setting: 'PORT',
  },
  'no-keys': {
    mistake: '`DATABASE_URL` is set without keys',
    appears: 'terminal',
    screen: null,
    code: null,
    says: 'ENCRYPTION_KEYS is required with DATABASE_URL: set it to id:key, with a key from "openssl rand -base64 32"',
    setting: 'ENCRYPTION_KEYS',
  },
  'misspelled-variable': {
    mistake: 'A variable of the service is misspelled',
    appears: 'log of the service',
    screen: null,
    code: null,
    says: 'BOOTSTRAP_ORGANISATION is not a setting; did you mean BOOTSTRAP_ORGANIZATION?',
    setting: 'BOOTSTRAP_ORGANIZATION',
  },
} as const satisfies Readonly<Record<string, Mistake>>;

/** Returns a pattern that matches texts which contain the message. */
export function patternOf({ says }: Mistake): RegExp {
  const parts = says.split('…').map(part => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(parts.join('.*'), 's');
}
