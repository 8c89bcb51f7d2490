import { ConnectorAuthError, type Clock } from '@connector-auth/api';
import { abortable, type BoundedCall } from './call.ts';
import { TransportError } from './transport.ts';

const maxAttempts = 4;
const firstBackoffMs = 250;
const maxBackoffMs = 8_000;
/** A vendor that asks for more is not waited for, whatever the deadline: a daily limit asks for hours. */
const defaultMaxWaitMs = 60_000;

/** How an attempt ended: with a value, an error that a retry may cure, or a reason to retry at once. */
export type Attempt<T> =
  { readonly value: T } | { readonly error: ConnectorAuthError } | { readonly retryNow: true };

export interface RetryContext {
  readonly vendorName: string;
  readonly clock: Clock;
  /** Between 0 and 1. */
  readonly random: () => number;
}

/**
 * Repeats an attempt up to 4 times, with exponential backoff or after the wait that the vendor asks for.
 * Errors that the attempt throws are not retried.
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
    await abortable(clock.sleep(waitMs, call.signal), call, vendorName);
  }
}

function waitBeforeRetry(error: ConnectorAuthError, attempts: number, random: () => number): number {
  if (error.retryAfterSeconds !== null) return error.retryAfterSeconds * 1000;
  return random() * Math.min(maxBackoffMs, firstBackoffMs * 2 ** attempts);
}

const transient = new Set(['vendor_rate_limited', 'vendor_failed', 'vendor_timeout']);

/** A writing call is retried only if its request certainly never left this machine. */
function mayRetry(error: ConnectorAuthError, call: BoundedCall): boolean {
  if (!transient.has(error.code)) return false;
  return call.repeatable || (error instanceof TransportError && !error.mayHaveArrived);
}

/** Adds the number of attempts to a timeout, whose message names the limit of one attempt. */
function withAttempts(error: ConnectorAuthError, attempts: number, elapsedMs: number): ConnectorAuthError {
  if (error.code !== 'vendor_timeout' || attempts === 1) return error;
  const total = `last of ${attempts} attempts, ${Math.round(elapsedMs / 1000)} s in total`;
  return new ConnectorAuthError(error.code, `${error.message} (${total})`, {
    ...(error.vendor ? { vendor: error.vendor } : {}),
    cause: error.cause,
  });
}

/** Ensures that every rate-limit error says how long to wait: one second if the vendor does not. */
function withRetryAfter(error: ConnectorAuthError): ConnectorAuthError {
  if (error.code !== 'vendor_rate_limited' || error.retryAfterSeconds !== null) return error;
  return new ConnectorAuthError(error.code, error.message, {
    ...(error.vendor ? { vendor: error.vendor } : {}),
    retryAfterSeconds: 1,
  });
}
