import { ConnectorAuthError, stringifyJson, toProblem } from '@connector-auth/api';
import type { NextFunction, Request, Response } from 'express';

/** Answers a `ConnectorAuthError` as `application/problem+json`; leaves any other error to the app. */
export function sendProblem(error: unknown, _request: Request, response: Response, next: NextFunction): void {
  if (!(error instanceof ConnectorAuthError) || response.headersSent) {
    next(error);
    return;
  }
  const problem = toProblem(error, error.requestId);
  if (error.retryAfterSeconds !== null) response.set('Retry-After', String(error.retryAfterSeconds));
  if (error.requestId !== null) response.set('X-Request-Id', error.requestId);
  // What is left of a body that was too large is not waited for.
  if (error.code === 'body_too_large') response.set('Connection', 'close');
  response.status(problem.status).type('application/problem+json').end(stringifyJson(problem));
}

/**
 * The error behind a 401 of the service. It is about this backend's application, not about the person: a page that got a
 * 401 would send them to sign in, again and again.
 */
export function applicationRejected(requestId: string | null, cause?: unknown): ConnectorAuthError {
  return new ConnectorAuthError(
    'internal_error',
    'The service rejected the application: check clientId and clientSecret of connectorAuth()',
    { ...(requestId === null ? {} : { requestId }), ...(cause === undefined ? {} : { cause }) },
  );
}
