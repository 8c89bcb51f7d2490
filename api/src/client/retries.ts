/** How often a call is repeated at most, and how long the wait before it may become. */
export const maxRetries = 3;
const baseDelayMs = 250;
const maxDelayMs = 8_000;

/** Whether the same request may succeed a moment later. */
export function isTransient(status: number): boolean {
  return status === 429 || status === 502 || status === 503 || status === 504;
}

/**
 * Milliseconds before the next repeat: anything up to a bound that doubles each time ("full jitter"), so that many
 * clients do not come back together. Never sooner than the service asked for.
 * @param retries how many retries there were already.
 * @param random gives a number from 0 to just under 1.
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
/** RFC 9110's preferred form, the only one a sender may generate: `Sun, 06 Nov 1994 08:49:37 GMT`. */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** The seconds a `Retry-After` header asks to wait: a number or an HTTP date. Undefined when it is neither. */
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
