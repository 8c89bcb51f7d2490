import { ConnectorAuthError, stringifyJson, toProblem } from '@connector-auth/api';
import type { PageResponse } from './page-response.ts';

/** An error that the helper does not expect, e.g. in a function of the integrator's options. `cause` can be any value. */
export class UnexpectedError extends ConnectorAuthError {
  constructor(message: string, cause: unknown) {
    super('internal_error', message, { cause });
  }
}

/** Returns the error to respond with. */
export function toPageError(error: unknown): ConnectorAuthError {
  if (!(error instanceof ConnectorAuthError)) {
    return new UnexpectedError('connectorAuth() failed: see the log of your server', error);
  }
  // A 401 of the service concerns the backend's client credentials, not the user. A page that received it would keep
  // redirecting the user to sign in.
  if (error.status === 401 && error.code !== 'not_signed_in') {
    return misconfigured(
      'The service rejected the client credentials. Check the clientId and clientSecret passed to connectorAuth()',
      error,
    );
  }
  // No user can repair the integrator's options.
  if (error.errors.some(({ path }) => path.split('.')[0] === 'replication_defaults')) {
    return misconfigured(
      `The service rejected the replicationDefaults passed to connectorAuth(): ${error.message}`,
      error,
    );
  }
  return error;
}

function misconfigured(message: string, cause: ConnectorAuthError): ConnectorAuthError {
  const { requestId } = cause;
  return new ConnectorAuthError('backend_misconfigured', message, {
    cause,
    ...(requestId === null ? {} : { requestId }),
  });
}

/** Returns the `application/problem+json` response for an error. */
export function problemResponse(error: ConnectorAuthError): PageResponse {
  const problem = toProblem(error, error.requestId);
  const headers = { 'content-type': 'application/problem+json', ...headersOfError(error) };
  return { status: problem.status, headers, body: stringifyJson(problem) };
}

/** Returns the headers that any response to an error has. */
export function headersOfError(error: ConnectorAuthError): Record<string, string> {
  return {
    ...(error.retryAfterSeconds === null ? {} : { 'retry-after': String(error.retryAfterSeconds) }),
    ...(error.requestId === null ? {} : { 'x-request-id': error.requestId }),
  };
}
