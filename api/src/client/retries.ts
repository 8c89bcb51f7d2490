export const maxRetries = 3;
const baseDelayMs = 250;
const maxDelayMs = 8_000;

/** Returns whether a retry of the same request can succeed. */
export function isTransient(status: number): boolean {
  return status === 429 || status === 502 || status === 503 || status === 504;
}

/**
 * Returns the number of milliseconds to wait before the next retry, using exponential backoff with full
 * jitter, or at least `retryAfterSeconds`.
 * @param retries number of retries so far.
 * @param random returns a number in [0, 1).
 */
export function delayBeforeRetry(
  retries: number,
  retryAfterSeconds: number | undefined,
  random: () => number,
): number {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds * 1000 + random() * baseDelayMs;
  return random() * Math.min(maxDelayMs, baseDelayMs * 2 ** retries);
}

const wholeSeconds = /^\d{1,9}$/;
/** IMF-fixdate, the only format that RFC 9110 allows senders to generate: `Sun, 06 Nov 1994 08:49:37 GMT`. */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Parses a `Retry-After` header (a number or an HTTP date) and returns the seconds to wait, or undefined if
 * it is neither.
 */
export function parseRetryAfter(
  header: string | readonly string[] | undefined,
  nowMs: number,
): number | undefined {
  if (typeof header !== 'string') return undefined;
  const text = header.trim();
  if (wholeSeconds.test(text)) return Number(text);
  const dateMs = httpDate.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(dateMs) ? undefined : Math.max(0, Math.ceil((dateMs - nowMs) / 1000));
}
