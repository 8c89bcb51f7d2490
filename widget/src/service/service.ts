import { withDeadline } from './deadline.ts';
import { ServiceError } from './failure.ts';
import { readProblem, send } from './send.ts';
import type { TokenAccess, TokenCache } from './widget-token.ts';

/** A request to the service. */
export interface Request {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path below `/api/v1`. */
  readonly path: `/${string}`;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: {@link responseTimeoutMs}. */
  readonly timeoutMs?: number;
  /** Sends the request even while the page unloads. */
  readonly keepalive?: boolean;
}

/** A client for the service that acts for the token's customer. */
export interface Service {
  /** Resolves with the JSON body. Rejects with a `ServiceError`, or with the signal's reason if aborted. */
  readonly call: <Body>(request: Request, signal: AbortSignal) => Promise<Body>;
  /** Returns the language in which the service describes sources. */
  readonly language: () => string;
  /** The service's base URL, without a trailing slash. */
  readonly getUrl: () => Promise<string>;
}

/** Maximum time until a response or an error, including a token refresh, in milliseconds. */
export const responseTimeoutMs = 10_000;
/** Timeout for requests during which the service calls a vendor. Exceeds the service's own vendor timeout. */
export const vendorTimeoutMs = 45_000;
/** The maximum duration of a long poll that the service allows, in seconds. */
export const longPollSeconds = 25;
/** Timeout for a long poll. */
export const longPollMs = longPollSeconds * 1000 + responseTimeoutMs;

/**
 * Returns a client for the service that authenticates with `tokens`.
 * @param language returns the language in which the service describes sources.
 */
export function connectService(tokens: TokenCache, language: () => string): Service {
  return {
    language,
    getUrl: async () => (await tokens.get()).serviceUrl,
    call: <Body>(request: Request, signal: AbortSignal) =>
      withDeadline(request.timeoutMs ?? responseTimeoutMs, signal, async signal => {
        let access = await tokens.get();
        let response = await sendRequest(request, access, language(), signal);
        if (response.status === 401) {
          // Retries once with a new token.
          tokens.invalidate(access.token);
          access = await tokens.get();
          response = await sendRequest(request, access, language(), signal);
        }
        // The body is undefined if it is not JSON.
        const body = (await response.json().catch(() => {})) as unknown;
        if (!response.ok)
          throw readProblem(response, body) ?? unexpectedResponse(response, access.serviceUrl);
        if (response.status !== 204 && (typeof body !== 'object' || !body))
          throw unexpectedResponse(response, access.serviceUrl);
        // The API is versioned and ours, so its types are trusted. Lists are checked where they are used.
        return body as Body;
      }),
  };
}

/** Returns the value as a list. Throws `unexpected_answer` if it is not a list. */
export function expectList<T>(list: readonly T[] | undefined): readonly T[] {
  if (Array.isArray(list)) return list;
  throw new ServiceError('unexpected_answer', 'The service returned JSON of an unexpected shape');
}

function sendRequest(
  { method = 'GET', path, body, headers, keepalive = false }: Request,
  { token, serviceUrl }: TokenAccess,
  language: string,
  signal: AbortSignal,
): Promise<Response> {
  return send(
    `${serviceUrl}/api/v1${path}`,
    {
      method,
      headers: {
        accept: 'application/json',
        // A page can set `lang` to anything. Browsers would ask the service before they send other characters.
        'accept-language': /^[a-z\d-]{2,35}$/i.test(language) ? language : 'en',
        authorization: `Bearer ${token}`,
        ...(body ? { 'content-type': 'application/json' } : null),
        ...headers,
      },
      body: body ? JSON.stringify(body) : null,
      credentials: 'omit',
      keepalive,
      signal,
    },
    { code: 'unreachable', name: `the service at ${serviceUrl}`, setting: urlSettings },
  );
}

/** The settings with the service's URL. */
const urlSettings = 'serviceUrl or baseUrl of connectorAuth()';

function unexpectedResponse({ status, headers }: Response, serviceUrl: string): ServiceError {
  const more = { status, requestId: headers.get('x-request-id') };
  const message = `Status ${status} (${headers.get('content-type')}) from ${serviceUrl}`;
  if (status < 500) {
    return new ServiceError(
      'unexpected_answer',
      `${message}: is this the service? Check ${urlSettings}`,
      more,
    );
  }
  // To users, a status of 502 to 504 from a gateway means the same as no response.
  return new ServiceError(status > 501 && status < 505 ? 'unreachable' : 'internal_error', message, more);
}
