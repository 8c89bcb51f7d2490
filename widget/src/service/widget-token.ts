import { withDeadline } from './deadline.ts';
import { failureOf, ServiceError } from './failure.ts';
import { httpAddress } from './http-address.ts';
import { addressOf, readProblem, send } from './send.ts';

/** The response from the token URL, or the result of `getToken`. */
export interface WidgetToken {
  token: string;
  /** Seconds until the token expires. */
  expires_in: number;
  /** The service's base URL. Optional if the element has a `service-url`. */
  service_url?: string | undefined;
}

/** Returns a new widget token. The signal aborts when the token is no longer needed. */
export type GetToken = (signal: AbortSignal) => Promise<WidgetToken>;

/** A token and the service that accepts it. */
export interface TokenAccess {
  readonly token: string;
  /** The service's absolute base URL, without a trailing slash. */
  readonly serviceUrl: string;
}

/**
 * Caches one widget token and refreshes it on demand shortly before it expires, so that an idle widget sends
 * no requests. Concurrent callers share one request.
 */
export interface TokenCache {
  /** Returns a token that does not expire soon. Rejects with a `token_…` {@link ServiceError}. */
  get(): Promise<TokenAccess>;
  /** Removes a token that the service rejected, unless a newer one is cached. */
  invalidate(token: string): void;
}

/** Slightly less than a call's {@link responseTimeoutMs}, so that a slow token URL is reported as such. */
const tokenTimeoutMs = 9_000;

/**
 * Creates a token cache.
 * @param options.serviceUrl the service's base URL, if the token response omits it.
 * @param options.signal aborts a pending token request.
 */
export function cacheToken(options: {
  readonly getToken: GetToken;
  readonly serviceUrl: string | null | undefined;
  readonly signal: AbortSignal;
}): TokenCache {
  const { getToken, serviceUrl, signal } = options;
  let access: TokenAccess | null = null;
  let freshUntil = 0;
  let pending: Promise<TokenAccess> | null = null;
  return {
    get: async () => {
      if (access && Date.now() < freshUntil) return access;
      pending ??= renew().finally(() => (pending = null));
      return pending;
    },
    invalidate: token => {
      if (access?.token === token) access = null;
    },
  };

  async function renew(): Promise<TokenAccess> {
    const requestedAt = Date.now();
    const response: unknown = await withDeadline(tokenTimeoutMs, signal, getToken).catch((cause: unknown) => {
      const { code, status, message } = failureOf(cause);
      const isTimeout = code === 'timeout' && status === null;
      if (cause instanceof ServiceError && !isTimeout) throw cause;
      throw new ServiceError(
        'token_unavailable',
        `Could not get a widget token: ${message}${isTimeout ? '. Can the server at token-url reach baseUrl of connectorAuth()?' : ''}`,
        { cause },
      );
    });
    // Each member is checked before use.
    const { token, expires_in: seconds, service_url } = (response ?? {}) as Partial<WidgetToken>;
    if (typeof token !== 'string' || typeof seconds !== 'number') {
      throw invalid(
        'token-url or getToken must return {"token": "…", "expires_in": 1200, "service_url": "https://…"}',
      );
    }
    const url = httpAddress(serviceUrl ?? service_url);
    if (!url)
      throw invalid('The service URL is missing: return service_url with the token, or set service-url');
    freshUntil = requestedAt + (seconds - Math.min(60, seconds / 5)) * 1000;
    return (access = { token, serviceUrl: url.replace(/\/+$/, '') });
  }
}

/** Returns a {@link GetToken} that sends a POST to the integrator's backend. */
export function tokenFromUrl(tokenUrl: string, credentials: RequestCredentials): GetToken {
  return async signal => {
    const response = await send(
      tokenUrl,
      // Under the `no-referrer` of a page, `Origin` would be `null`, which token endpoints have to reject.
      { method: 'POST', headers: { accept: 'application/json' }, credentials, signal },
      {
        code: 'token_unavailable',
        name: `token-url (${addressOf(tokenUrl)})`,
        setting: 'the URL',
        corsSetting: ': allowedOrigins of connectorAuth()',
      },
    );
    const { ok, status } = response;
    const body = (await response.json().catch(() => null)) as WidgetToken | null;
    // cacheToken validates the body.
    if (ok && body) return body;
    const isSetUpError = status < 500 && status !== 401 && status !== 429;
    const problem = readProblem(response, body, { isSetUpError });
    if (problem) throw problem;
    const address = addressOf(response.url || tokenUrl);
    throw new ServiceError(
      ok ? 'token_answer_invalid' : status < 500 ? 'token_refused' : 'token_unavailable',
      `token-url (${address}) returned ${status} (${response.headers.get('content-type')}), not a response of connectorAuth(): ${
        status < 500
          ? 'mount connectorAuth() there, before CSRF checks and redirects, or change token-url'
          : 'see the log of its server'
      }`,
      { status, isSetUpError },
    );
  };
}

function invalid(message: string): ServiceError {
  return new ServiceError('token_answer_invalid', message, { isSetUpError: true });
}
