import { ConnectorAuthError, stringifyJson, toProblem } from '@connector-auth/api';
import type { NextFunction, Request, Response } from 'express';

/** Sends a `ConnectorAuthError` as `application/problem+json`; passes any other error to the app. */
export function sendProblem(error: unknown, _request: Request, response: Response, next: NextFunction): void {
  if (!(error instanceof ConnectorAuthError) || response.headersSent) {
    next(error);
    return;
  }
  const problem = toProblem(error, error.requestId);
  if (error.retryAfterSeconds !== null) response.set('Retry-After', String(error.retryAfterSeconds));
  if (error.requestId !== null) response.set('X-Request-Id', error.requestId);
  // Closes the connection instead of reading the rest of the body.
  if (error.code === 'body_too_large') response.set('Connection', 'close');
  response.status(problem.status).type('application/problem+json').end(stringifyJson(problem));
}

/**
 * Returns the error to send if the service responds with 401. That 401 concerns the backend's client
 * credentials, not the user. A page that received it would keep redirecting the user to sign in.
 */
export function applicationRejected(requestId: string | null, cause?: unknown): ConnectorAuthError {
  return new ConnectorAuthError(
    'internal_error',
    'The service rejected the client credentials. Check the clientId and clientSecret passed to connectorAuth()',
    { ...(requestId === null ? {} : { requestId }), ...(cause === undefined ? {} : { cause }) },
  );
}
