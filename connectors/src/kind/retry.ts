import { ConnectorAuthError, type Clock } from '@connector-auth/api';
import { aborted, type BoundedCall } from './call.ts';
import { TransportError } from './transport.ts';

const maxAttempts = 4;
const firstBackoffMs = 250;
const maxBackoffMs = 8_000;
/**
 * Maximum wait that a vendor can ask for, regardless of the deadline. For example, a vendor asks for hours
 * once a daily limit is used up.
 */
const defaultMaxWaitMs = 60_000;

/**
 * The outcome of an attempt: a value, an error after which a retry may succeed, or a request to retry
 * immediately.
 */
export type Attempt<T> =
  | { readonly value: T }
  | { readonly error: ConnectorAuthError }
  | { readonly retryNow: true };

export interface RetryContext {
  readonly vendorName: string;
  readonly clock: Clock;
  /** Returns a random number in [0, 1). */
  readonly random: () => number;
}

/**
 * Makes up to four attempts, with exponential backoff or the delay that the vendor asks for. Does not retry
 * errors that the attempt throws.
 */
export async function retry<T>(
  attempt: () => Promise<Attempt<T>>,
  call: BoundedCall,
  { vendorName, clock, random }: RetryContext,
): Promise<T> {
  const startedMs = clock.now();
  for (let attempts = 1; ; attempts++) {
    const outcome = await attempt();
    if ('value' in outcome) return outcome.value;
    if ('retryNow' in outcome) continue;
    const { error } = outcome;
    const waitMs = waitBeforeRetry(error, attempts, random);
    const isTooLong =
      waitMs > (call.maxWaitMs ?? defaultMaxWaitMs) || clock.now() + waitMs >= call.deadlineMs;
    if (!mayRetry(error, call) || attempts >= maxAttempts || isTooLong) {
      throw withRetryAfter(withAttempts(error, attempts, clock.now() - startedMs));
    }
    try {
      await clock.sleep(waitMs, call.signal);
    } catch (cause) {
      throw call.signal?.aborted ? aborted(vendorName, cause) : cause;
    }
  }
}

function waitBeforeRetry(error: ConnectorAuthError, attempts: number, random: () => number): number {
  if (error.retryAfterSeconds !== null) return error.retryAfterSeconds * 1000;
  return random() * Math.min(maxBackoffMs, firstBackoffMs * 2 ** attempts);
}

const transient = new Set(['vendor_rate_limited', 'vendor_failed', 'vendor_timeout']);

/**
 * Returns whether a call can be retried. A write call is retried only if the request was definitely never
 * sent.
 */
function mayRetry(error: ConnectorAuthError, call: BoundedCall): boolean {
  if (!transient.has(error.code)) return false;
  return call.repeatable || (error instanceof TransportError && !error.mayHaveArrived);
}

/**
 * Adds the number of attempts to a timeout error, because its message states the time limit for a single
 * attempt.
 */
function withAttempts(error: ConnectorAuthError, attempts: number, elapsedMs: number): ConnectorAuthError {
  if (error.code !== 'vendor_timeout' || attempts === 1) return error;
  const total = `last of ${attempts} attempts, ${Math.round(elapsedMs / 1000)} s in total`;
  return new ConnectorAuthError(error.code, `${error.message} (${total})`, {
    ...(error.vendor ? { vendor: error.vendor } : {}),
    cause: error.cause,
  });
}

/**
 * Ensures that every rate-limit error states how long to wait: one second unless the vendor specifies the
 * delay.
 */
function withRetryAfter(error: ConnectorAuthError): ConnectorAuthError {
  if (error.code !== 'vendor_rate_limited' || error.retryAfterSeconds !== null) return error;
  return new ConnectorAuthError(error.code, error.message, {
    ...(error.vendor ? { vendor: error.vendor } : {}),
    retryAfterSeconds: 1,
  });
}
