import type { Problem } from '@connector-auth/api';
import { withDeadline } from './deadline.ts';
import { ServiceError } from './failure.ts';
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
  /** The service's base URL, without a trailing slash. */
  readonly getUrl: () => Promise<string>;
}

/** Maximum time until a response or an error, including a token refresh, in milliseconds. */
export const responseTimeoutMs = 10_000;
/** Timeout for requests during which the service calls a vendor. Exceeds the service's own vendor timeout. */
export const vendorTimeoutMs = 45_000;

/** Returns a client for the service that authenticates with `tokens`. */
export function connectService(tokens: TokenCache): Service {
  return {
    getUrl: async () => (await tokens.get()).serviceUrl,
    call: <Body>(request: Request, signal: AbortSignal) =>
      withDeadline(request.timeoutMs ?? responseTimeoutMs, signal, async signal => {
        let access = await tokens.get();
        let response = await send(request, access, signal);
        if (response.status === 401) {
          // Retries once with a new token.
          tokens.invalidate(access.token);
          access = await tokens.get();
          response = await send(request, access, signal);
        }
        // The body is undefined if it is not JSON.
        const body = (await response.json().catch(() => {})) as unknown;
        if (!response.ok) throw errorOf(response, body);
        if (response.status !== 204 && (typeof body !== 'object' || !body))
          throw unexpectedResponse(response);
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

async function send(
  { method = 'GET', path, body, headers, keepalive = false }: Request,
  { token, serviceUrl }: TokenAccess,
  signal: AbortSignal,
): Promise<Response> {
  try {
    return await fetch(`${serviceUrl}/api/v1${path}`, {
      method,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        ...(body ? { 'content-type': 'application/json' } : null),
        ...headers,
      },
      body: body ? JSON.stringify(body) : null,
      credentials: 'omit',
      referrerPolicy: 'strict-origin-when-cross-origin',
      keepalive,
      signal,
    });
  } catch (cause) {
    signal.throwIfAborted();
    throw new ServiceError('unreachable', 'Could not reach the service', { cause });
  }
}

function errorOf(response: Response, body: unknown): ServiceError {
  // Each member is checked before use, because the response may come from a proxy.
  const { code, detail, title, request_id, errors } = (body ?? {}) as Partial<Problem>;
  if (typeof code !== 'string') return unexpectedResponse(response);
  return new ServiceError(code, String(detail ?? title), {
    status: response.status,
    requestId: request_id ?? null,
    issues: Array.isArray(errors) ? errors : [],
  });
}

function unexpectedResponse({ status, headers }: Response): ServiceError {
  // To users, a status of 502 to 504 from a gateway means the same as no response.
  const code = status >= 502 && status <= 504 ? 'unreachable' : 'unexpected_answer';
  const requestId = headers.get('x-request-id');
  return new ServiceError(code, `Unexpected response with status ${status}`, { status, requestId });
}
