import { ConnectorAuthError, stringifyJson, toProblem } from '@connector-auth/api';
import type { PageResponse } from './page-response.ts';

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

/**
 * Returns the error to send if the service responds with 401. That 401 concerns the backend's client
 * credentials, not the user. A page that received it would keep redirecting the user to sign in.
 */
export function applicationRejected(requestId: string | null, cause?: unknown): ConnectorAuthError {
  return new ConnectorAuthError(
    'backend_misconfigured',
    'The service rejected the client credentials. Check the clientId and clientSecret passed to connectorAuth()',
    { ...(requestId === null ? {} : { requestId }), ...(cause === undefined ? {} : { cause }) },
  );
}

/** Returns whether the service rejected a token request because of the integrator's `replicationDefaults`. */
export function concernsDefaults(error: unknown): error is ConnectorAuthError {
  return (
    error instanceof ConnectorAuthError &&
    error.errors.some(({ path }) => path.split('.')[0] === 'replication_defaults')
  );
}

/** Returns the error to send if the service rejects `replicationDefaults`, which no user can repair. */
export function defaultsRejected(cause: ConnectorAuthError): ConnectorAuthError {
  return new ConnectorAuthError(
    'backend_misconfigured',
    `The service rejected the replicationDefaults passed to connectorAuth(): ${cause.message}`,
    { cause, ...(cause.requestId === null ? {} : { requestId: cause.requestId }) },
  );
}

/** Returns the error to send if a function in the integrator's options throws. */
export function appFailed(cause: unknown): ConnectorAuthError {
  return new ConnectorAuthError(
    'internal_error',
    'A function in the options of connectorAuth() threw an error. See the log of your server',
    { cause },
  );
}
