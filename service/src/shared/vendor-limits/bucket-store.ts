import type { Bucket } from '@connector-auth/connectors/kind';

/** Stores the levels of token buckets. */
export interface BucketStore {
  /** Reserves the next requests from a bucket. */
  reserve(request: ReservationRequest): Promise<Reservation>;
  /**
   * Reserves as many background requests as can be sent now while leaving enough capacity for interactive
   * requests. If no background request has been sent for a while, reserves one with interactive priority, so
   * background work is not starved.
   */
  reserveInBackground(request: ReservationRequest): Promise<Reservation>;
  /** Returns a request that turned out not to count. */
  refund(key: string, bucket: Bucket): Promise<void>;
}

export interface ReservationRequest {
  readonly key: string;
  readonly bucket: Bucket;
  readonly count: number;
  /** The maximum wait for the first request. Nothing is reserved if it would be longer. */
  readonly maxWaitMs: number;
}

/**
 * For each reserved request, the number of milliseconds until it can be sent (negative if it can be sent
 * now). If nothing was reserved, how long to wait before the next attempt.
 */
export type Reservation =
  | { readonly isReserved: true; readonly waitsMs: readonly number[] }
  | { readonly isReserved: false; readonly waitMs: number };
