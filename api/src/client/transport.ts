import '../require-node.ts';
import type { Readable } from 'node:stream';
import { request as sendOverUndici, type Dispatcher } from 'undici';
import { ConnectorAuthError } from '../problem.ts';

/** A request without the base URL and the token. */
export interface RawRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Includes the query, e.g. `/api/v1/customers?limit=10`. */
  readonly path: `/api/v1/${string}`;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Response headers by lower-case name. */
export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** A response with an unread body. The receiver must read the body to its end or destroy it. */
export interface RawResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: Readable;
}

/** A {@link RawResponse} with undici's body methods. */
export interface UnreadResponse extends RawResponse {
  readonly body: Dispatcher.ResponseData['body'];
}

/**
 * Sends one HTTP request. Does not follow redirects, so that the token is sent only to the service. Rejects
 * with undici's error or the signal's reason.
 */
export async function exchange(
  baseUrl: string,
  { method, path, headers, body }: RawRequest,
  { dispatcher, signal }: { dispatcher: Dispatcher | undefined; signal: AbortSignal },
): Promise<UnreadResponse> {
  signal.throwIfAborted();
  const response = await sendOverUndici(`${baseUrl}${path}`, {
    method,
    headers: headers ?? {},
    body: body ?? null,
    signal,
    // The deadline replaces undici's five-minute limit for headers. undici's limit for a stalled body still
    // applies, because bodies are streamed without a deadline.
    headersTimeout: 0,
    ...(dispatcher ? { dispatcher } : {}),
  });
  return { status: response.statusCode, headers: response.headers, body: response.body };
}

/** Converts the error from a failed exchange to the deadline's error or to `unreachable`. */
export function connectionFailure(error: unknown, signal: AbortSignal): ConnectorAuthError {
  if (signal.aborted && signal.reason instanceof ConnectorAuthError) return signal.reason;
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
  return new ConnectorAuthError(
    'unreachable',
    `Cannot reach the service${code === null ? '' : ` (${code})`}: check baseUrl and that the service is running`,
    { cause: error },
  );
}
