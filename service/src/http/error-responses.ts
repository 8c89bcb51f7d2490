import { ConnectorAuthError, problemCodeHeader, stringifyJson, toProblem } from '@connector-auth/api';
import type { ErrorRequestHandler } from 'express';
import type { Log } from '../log/log.ts';

/**
 * Turns whatever was thrown into `application/problem+json`: the one place where errors become HTTP.
 * What is not a ConnectorAuthError is logged and told as `internal_error`, without its words.
 */
export function renderErrors(log: Log): ErrorRequestHandler {
  return (thrown: unknown, request, response, _next) => {
    const { requestId } = response.locals;
    const error = toConnectorAuthError(thrown);
    if (error.status >= 500) {
      const isOurs = error.code === 'internal_error';
      log[isOurs ? 'error' : 'warn']('request_failed', {
        request_id: requestId,
        problem: error.code,
        error: thrown,
      });
    }
    // Nobody is left to answer, or the answer has begun: all that is left is to end the connection.
    if (response.headersSent || response.destroyed) return void response.destroy();

    response.locals.problemCode = error.code;
    response.status(error.status);
    response.set('Content-Type', 'application/problem+json');
    response.set(problemCodeHeader, error.code);
    response.set('Cache-Control', 'no-store');
    if (error.status === 401) response.set('WWW-Authenticate', challengeOf(error));
    if (error.retryAfterSeconds !== null)
      response.set('Retry-After', String(Math.ceil(error.retryAfterSeconds)));
    else if (error.status === 429 || error.status === 503) response.set('Retry-After', '1');
    // What is left of a refused body is thrown away: a connection that is cut while the caller still sends may lose this answer.
    request.resume();
    response.end(stringifyJson(toProblem(error, requestId)));
  };
}

function toConnectorAuthError(thrown: unknown): ConnectorAuthError {
  if (thrown instanceof ConnectorAuthError) return thrown;
  // Express' router throws this for a path whose percent-encoding is broken.
  if (thrown instanceof URIError) {
    return new ConnectorAuthError('malformed_request', 'The path is not well-formed');
  }
  return new ConnectorAuthError(
    'internal_error',
    'Something went wrong on our side; the request id finds it in the log',
    {
      cause: thrown,
    },
  );
}

function challengeOf(error: ConnectorAuthError): string {
  const realm = 'Bearer realm="connector-auth"';
  if (error.code !== 'token_invalid' && error.code !== 'token_expired') return realm;
  return `${realm}, error="invalid_token", error_description="${error.message.replaceAll(/[^ !#-[\]-~]/g, '')}"`;
}
