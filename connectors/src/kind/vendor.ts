import type { Grant, OAuthApp } from './grants.ts';

/** A request to a vendor, before credentials are added. Queries and bodies are mapped by pure functions. */
export interface VendorRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Absolute, https, on one of the kind's hosts, without a query. */
  readonly url: string;
  /** Undefined members are omitted. */
  readonly query?: Readonly<Record<string, string | number | bigint | boolean | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as `application/x-www-form-urlencoded`. */
  readonly form?: Readonly<Record<string, string>>;
}

/** A vendor's response. Integers beyond the safe range are `bigint`. */
export interface VendorResponse {
  readonly status: number;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON; null for an empty body; undefined if it is not JSON. */
  readonly body: unknown;
}

/**
 * What an action uses to call the vendor. It authenticates, waits for rate limits, retries and throws errors.
 */
export interface Vendor {
  /**
   * Sends a request and returns the vendor's successful response.
   * @throws ConnectorAuthError for any other response, with the vendor's status, code and message.
   */
  send(request: VendorRequest, options?: SendOptions): Promise<VendorResponse>;
  /**
   * The grant in use, for its state and settings; after a `send`, the one it used. Only auth methods read
   * credentials.
   */
  readonly grant: Grant;
  /** The platform's or organization's OAuth app at the vendor; null if there is none. */
  readonly app: OAuthApp | null;
  /**
   * Stores what the vendor returned and later calls need, and resolves when it is stored and visible in
   * `grant`.
   * @param update returns the new state from the stored one. Pure.
   */
  updateState(update: (state: Grant['state']) => Grant['state']): Promise<void>;
  /** Milliseconds since the epoch. */
  now(): number;
}

export interface SendOptions {
  /** Statuses to return instead of throwing, such as a 413 that asks for paging. */
  readonly accept?: readonly number[];
}
