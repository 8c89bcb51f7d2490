import type { Dispatcher } from 'undici';
import type { Clock } from '../clock.ts';
import { problemCodeHeader, problems } from '../problem.ts';
import { untilAborted, type Deadline } from './deadline.ts';
import type { TokenSource } from './renewing-token.ts';
import { delayBeforeRetry, isTransient, maxRetries, parseRetryAfter } from './retries.ts';
import {
  connectionFailure,
  exchange,
  type RawRequest,
  type ResponseHeaders,
  type UnreadResponse,
} from './transport.ts';

/** Validated connection options, with defaults applied. */
export interface Connection {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly organizationId: string | undefined;
  readonly timeoutMs: number;
  readonly userAgent: string;
  readonly dispatcher: Dispatcher | undefined;
  readonly clock: Clock;
  readonly random: () => number;
}

interface SendOptions<T> {
  readonly retryable: boolean;
  readonly deadline: Deadline;
  /** Reads the final response. */
  readonly read: (response: UnreadResponse) => Promise<T>;
}

/**
 * Sends a request with retries and reads the final response with `read`.
 *
 * - After a 401, renews the token once and sends the request again, whether or not it is `retryable`.
 * - Retries 429, 502, 503, 504 and failed connections up to {@link maxRetries} times if the request is
 *   `retryable` and the deadline allows it. Waits for a jittered delay or for the time in `Retry-After`. Does
 *   not retry vendor failures, which the service has already retried.
 * - Treats a 404 to a retried DELETE as 204: the first attempt succeeded, but its response was lost.
 * - Returns any other response, error responses included.
 *
 * @param tokens null for the request that needs no token.
 */
export async function sendWithRetries<T>(
  connection: Connection,
  tokens: TokenSource | null,
  request: RawRequest,
  { retryable, deadline, read }: SendOptions<T>,
): Promise<T> {
  const { baseUrl, dispatcher, clock, random } = connection;
  const { signal } = deadline;
  let mayRenew = tokens !== null;
  let retriesLeft = retryable ? maxRetries : 0;
  let mayBeDeleted = false;

  /** Returns the delay before the next attempt, or null if the request is not retried. */
  function delayAfter(status: number, retryAfterSeconds?: number): number | null {
    if (retriesLeft === 0 || !isTransient(status)) return null;
    const delayMs = delayBeforeRetry(maxRetries - retriesLeft, retryAfterSeconds, random);
    if (!deadline.allows(delayMs)) return null;
    retriesLeft -= 1;
    mayBeDeleted = request.method === 'DELETE' && status !== problems.rate_limited.status;
    return delayMs;
  }

  for (;;) {
    const token = await tokens?.get(signal);
    let delayMs: number | null;
    try {
      const response = await exchange(baseUrl, withHeaders(request, connection, token), {
        dispatcher,
        signal,
      });
      if (response.status === 401 && mayRenew && token !== undefined && tokens?.invalidate(token)) {
        mayRenew = false;
        delayMs = 0;
      } else if (isVendorFailure(response.headers)) {
        delayMs = null;
      } else {
        delayMs = delayAfter(response.status, parseRetryAfter(response.headers['retry-after'], clock.now()));
      }
      if (delayMs === null) {
        return await read(mayBeDeleted && response.status === 404 ? { ...response, status: 204 } : response);
      }
      await discard(response);
    } catch (error) {
      const failure = connectionFailure(error, signal);
      delayMs = failure.code === 'unreachable' ? delayAfter(failure.status) : null;
      if (delayMs === null) throw failure;
    }
    if (delayMs > 0) await untilAborted(clock.sleep(delayMs, signal), signal);
  }
}

function isVendorFailure(headers: ResponseHeaders): boolean {
  const code = headers[problemCodeHeader.toLowerCase()];
  return typeof code === 'string' && code.startsWith('vendor_');
}

/** Reads and discards the rest of the body, so that the connection can be reused. */
async function discard(response: UnreadResponse): Promise<void> {
  try {
    await response.body.dump();
  } catch {
    // The connection failed while the body was read; the next attempt opens a new one.
  }
}

function withHeaders(request: RawRequest, connection: Connection, token: string | undefined): RawRequest {
  return {
    ...request,
    headers: {
      accept: 'application/json',
      ...request.headers,
      'user-agent': connection.userAgent,
      ...(connection.organizationId === undefined ? {} : { 'x-organization-id': connection.organizationId }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
  };
}
