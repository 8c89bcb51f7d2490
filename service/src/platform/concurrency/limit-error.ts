import { ConnectorAuthError } from '@connector-auth/api';

/** A limit in the terms of draft-ietf-httpapi-ratelimit-headers-10. */
export interface LimitPolicy {
  /** The name that callers see, e.g. `customer`. */
  readonly name: string;
  readonly quota: number;
  /** The period that the quota covers, or null if the quota limits concurrent requests. */
  readonly windowSeconds: number | null;
}

/** What is left of a limit after a request was counted. */
export interface LimitUsage {
  readonly policy: LimitPolicy;
  readonly remaining: number;
  /** Seconds until more is allowed or, if the limit is not exceeded, until the whole quota is; null if unknown. */
  readonly resetSeconds: number | null;
}

/** A request exceeded one of the service's own limits. The response describes the limit in its headers. */
export class LimitError extends ConnectorAuthError {
  readonly policy: LimitPolicy;

  constructor(policy: LimitPolicy, message: string, retryAfterSeconds: number) {
    super('rate_limited', message, { retryAfterSeconds });
    this.policy = policy;
  }
}
