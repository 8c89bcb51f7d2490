import { ConnectorAuthError } from '@connector-auth/api';
import type { Priority } from './rate-limit.ts';

/** How one call uses a connection. */
export interface Call {
  /** Whether the call may be sent again when its outcome is unknown: true for reading actions. */
  readonly repeatable: boolean;
  readonly signal?: AbortSignal;
  /** When the caller stops waiting, in milliseconds since the epoch. */
  readonly deadlineMs?: number;
  /**
   * Max wait for a rate limit, in milliseconds. A longer wait fails with `vendor_rate_limited`. Without it,
   * waits that the vendor asks for are limited to 60 seconds.
   */
  readonly maxWaitMs?: number;
  /** Default: `interactive`. */
  readonly priority?: Priority;
}

/** A call with a deadline. */
export type BoundedCall = Call & Required<Pick<Call, 'deadlineMs'>>;

/**
 * Awaits something that the call's signal can end.
 * @throws ConnectorAuthError `aborted` if it did.
 */
export async function abortable<T>(wait: Promise<T>, { signal }: Call, vendorName: string): Promise<T> {
  try {
    return await wait;
  } catch (cause) {
    throw signal?.aborted ? aborted(vendorName, cause) : cause;
  }
}

/** The error of a call that the caller cancelled. */
export function aborted(vendorName: string, cause: unknown): ConnectorAuthError {
  return new ConnectorAuthError('aborted', `The request to ${vendorName} was cancelled`, { cause });
}
