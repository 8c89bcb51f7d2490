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

/** Where and how a client sends: its options, checked and complete. */
export interface Connection {
  /** Without a slash at the end. */
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
  /** Reads the response that is returned. */
  readonly read: (response: UnreadResponse) => Promise<T>;
}

/**
 * Sends a request until there is an answer to keep, and reads that with `read`.
 *
 * - A 401 has the token renewed, once, and the request sent again: the service did nothing with it.
 * - 429, 502, 503, 504 and a failed connection are repeated only when `retryable`, at most {@link maxRetries} times, after
 *   a jittered delay or what `Retry-After` says, and only if the deadline leaves time for it. A vendor's failures are not: the
 *   service has repeated the vendor's part already, and both together would call the vendor sixteen times.
 * - A repeated DELETE that finds nothing has deleted it before, whose answer was lost: that counts as 204.
 * - Any other answer is kept, errors too.
 *
 * @param tokens null for the one request that carries no token.
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

  /** The delay before another try, or null when this was the last. */
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

/** Whether the vendor is what failed. */
function isVendorFailure(headers: ResponseHeaders): boolean {
  const code = headers[problemCodeHeader.toLowerCase()];
  return typeof code === 'string' && code.startsWith('vendor_');
}

/** Reads a body to its end, so that the connection can be used again. */
async function discard(response: UnreadResponse): Promise<void> {
  try {
    await response.body.dump();
  } catch {
    // The connection broke after the answer that matters; the next try opens another.
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
