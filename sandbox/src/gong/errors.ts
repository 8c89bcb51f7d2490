import type { Reply } from '../simulator/reply.ts';
import type { Dialect } from '../simulator/vendor.ts';

/** An API error. Gong's errors contain messages but no codes. */
export class GongError extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/** Creates the 404 error that Gong returns for an empty list. */
export function nothingFound(plural: string): GongError {
  return new GongError(404, `No ${plural} found corresponding to the provided filters`);
}

/** Wraps an error in Gong's envelope. */
export function errorReply(requestId: string, error: GongError): Reply {
  return {
    status: error.status,
    headers: error.headers,
    body: { requestId, errors: [error.message] },
  };
}

/** Creates the error for an exceeded per-second or daily rate limit. */
export function tooFast(retryAfterSeconds: number): GongError {
  const message = retryAfterSeconds >= 600 ? 'Daily API limit exceeded' : 'API rate limit exceeded';
  return new GongError(429, message, { 'Retry-After': String(Math.ceil(retryAfterSeconds)) });
}

/** Gong's error responses for injected faults. */
export function gongDialect(requestId: () => string): Dialect {
  return {
    rateLimited: (retryAfterSeconds = 1) => errorReply(requestId(), tooFast(retryAfterSeconds)),
    failure: status => errorReply(requestId(), new GongError(status, SENTENCES[status] ?? 'Internal error')),
  };
}

const SENTENCES: Readonly<Record<number, string>> = {
  400: 'The request is not valid',
  401: 'The access key or token is not valid',
  403: 'Access is denied',
  404: 'Not found',
  503: 'The service is temporarily unavailable',
};
