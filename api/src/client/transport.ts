import type { Readable } from 'node:stream';
import { request as sendOverUndici, type Dispatcher } from 'undici';
import { ConnectorAuthError } from '../problem.ts';

/** A request without its address and token. */
export interface RawRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its query, e.g. `/api/v1/customers?limit=10`. */
  readonly path: `/api/v1/${string}`;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Header names are in lower case. */
export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** An answer whose body has not been read. Whoever gets one reads the body to its end or destroys it. */
export interface RawResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: Readable;
}

/** A {@link RawResponse} as undici gives it: the body can be read as a text, or thrown away. */
export interface UnreadResponse extends RawResponse {
  readonly body: Dispatcher.ResponseData['body'];
}

/**
 * One HTTP exchange: the only place where the client touches the network. Redirects are not followed, so that the token
 * goes nowhere else. Rejects with undici's error, or the signal's reason.
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
    // The deadline ends a call that takes too long; undici's own five minutes must not come before it. Its limit for a
    // body that stands still stays, for bodies that are streamed without a deadline.
    headersTimeout: 0,
    ...(dispatcher ? { dispatcher } : {}),
  });
  return { status: response.statusCode, headers: response.headers, body: response.body };
}

/** What a failed exchange means: that the deadline ended it, or that the service is unreachable. */
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
