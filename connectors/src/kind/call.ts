import { ConnectorAuthError } from '@connector-auth/api';
import type { Priority } from './rate-limit.ts';
import type { ResponseMemory } from './transport.ts';

/** Options for one call over a connection. */
export interface Call {
  /**
   * Whether the call can be sent again if its outcome is unknown, which is true for actions that only read.
   */
  readonly repeatable: boolean;
  readonly signal?: AbortSignal;
  /** When the caller stops waiting, in milliseconds since the epoch. */
  readonly deadlineMs?: number;
  /**
   * Maximum wait because of a rate limit, in milliseconds. If the wait would be longer, the call fails with
   * `vendor_rate_limited`. Without this option, the call waits up to 60 seconds if the vendor asks it to.
   */
  readonly maxWaitMs?: number;
  /** Default: `interactive`. */
  readonly priority?: Priority;
  /** Limits the memory for the responses. */
  readonly memory?: ResponseMemory;
}

/** A call with a deadline. */
export type BoundedCall = Call & Required<Pick<Call, 'deadlineMs'>>;

/** Returns the error for a call that the caller cancelled. */
export function aborted(vendorName: string, cause: unknown): ConnectorAuthError {
  return new ConnectorAuthError('aborted', `The request to ${vendorName} was cancelled`, { cause });
}
