import type { Grant, OAuthApp } from './grants.ts';

/** A request to a vendor, before credentials are added. Queries and bodies are mapped by pure functions. */
export interface VendorRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Absolute, https, on one of the kind's hosts, without a query. */
  readonly url: string;
  /** Undefined members are left out. */
  readonly query?: Readonly<Record<string, string | number | bigint | boolean | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as `application/x-www-form-urlencoded`. */
  readonly form?: Readonly<Record<string, string>>;
}

/** A vendor's answer, its JSON read without loss (integers beyond the safe range are `bigint`). */
export interface VendorResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON; null for an empty body; undefined when the body is not JSON. */
  readonly body: unknown;
}

/** What an action's code is given: a way to the vendor that authenticates, waits for limits, retries and reports. */
export interface Vendor {
  /**
   * Sends a request and gives the vendor's successful answer.
   * @throws ConnectorAuthError for everything else, with the vendor's own status, code and words inside.
   */
  send(request: VendorRequest, options?: SendOptions): Promise<VendorResponse>;
  /** The grant in use, for state and settings; after a `send` the one that was used. Credentials are the auth method's business. */
  readonly grant: Grant;
  /** The platform's or organization's OAuth app at the vendor; null when there is none. */
  readonly app: OAuthApp | null;
  /**
   * Keeps with the connector what the vendor told and later calls need. Stored before this resolves; afterwards `grant` shows it.
   * @param learn gives the new state from the stored one. Pure.
   */
  updateState(learn: (state: Grant['state']) => Grant['state']): Promise<void>;
  /** Milliseconds since the epoch. */
  now(): number;
}

export interface SendOptions {
  /** Statuses given back as answers instead of thrown, for what is not a failure here, e.g. a 413 that asks to page. */
  readonly accept?: readonly number[];
}
