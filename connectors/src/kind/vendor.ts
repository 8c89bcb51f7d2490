import type { Grant, OAuthApp } from './grants.ts';

/** A request to a vendor, before credentials are added. Pure functions map its query and body. */
export interface VendorRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Absolute https URL without a query, on one of the kind's hosts. */
  readonly url: string;
  /** Undefined members are omitted. */
  readonly query?: Readonly<Record<string, string | number | bigint | boolean | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as `application/x-www-form-urlencoded`. */
  readonly form?: Readonly<Record<string, string>>;
}

/** A vendor's response. Integers outside the safe range are `bigint`. */
export interface VendorResponse {
  readonly status: number;
  /** Header values by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON; null if the body is empty, undefined if it is not JSON. */
  readonly body: unknown;
}

/**
 * The client with which an action calls the vendor. Authenticates requests, waits until rate limits allow
 * them, retries, and throws an error if the vendor rejects a request.
 */
export interface Vendor {
  /**
   * Sends a request and returns the vendor's successful response.
   * @throws ConnectorAuthError with the vendor's status, code and message if the response is not successful.
   */
  send(request: VendorRequest, options?: SendOptions): Promise<VendorResponse>;
  /**
   * The current grant, from which actions read state and settings. After a call to `send`, this is the grant
   * that `send` used. Only auth methods read the credentials.
   */
  readonly grant: Grant;
  /**
   * The OAuth app that the platform or organization registered with the vendor; null if none is registered.
   */
  readonly app: OAuthApp | null;
  /**
   * Stores values from the vendor's response that later calls need. Resolves once they are stored and visible
   * in `grant`.
   * @param update pure function that computes the new state from the stored state.
   */
  updateState(update: (state: Grant['state']) => Grant['state']): Promise<void>;
  /** Returns the current time in milliseconds since the epoch. */
  now(): number;
}

export interface SendOptions {
  /**
   * Error statuses for which `send` returns the response instead of throwing, such as a 413 that requires
   * paging.
   */
  readonly accept?: readonly number[];
}
