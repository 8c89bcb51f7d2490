import {
  ConnectorAuthError,
  problemCodeHeader,
  stringifyJson,
  toProblem,
  type Issue,
  type Language,
} from '@connector-auth/api';
import { LimitError } from '../../platform/concurrency/limit-error.ts';
import type { Log } from '../../platform/log/log.ts';
import { logExceededLimit } from './access-log.ts';
import { setLimitHeaders } from './limit-headers.ts';
import type { HttpRequest, HttpResponse } from './locals.ts';

/**
 * Converts thrown errors to `application/problem+json`. Logs exceeded limits, and any error that is not a
 * ConnectorAuthError, which it reports as `internal_error` without its message.
 * @param translateIssues translates the words for users. `detail` stays in English, because it is for developers.
 */
export function renderErrors(
  log: Log,
  translateIssues: (issues: readonly Issue[], language: Language) => readonly Issue[],
): (thrown: unknown, request: HttpRequest, response: HttpResponse) => void {
  return (thrown, request, response) => {
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
    if (error instanceof LimitError) logExceededLimit(log, error, response);
    // The caller has disconnected or the response has already started, so the connection can only be closed.
    if (response.headersSent || response.destroyed) return void response.destroy();

    response.locals.problemCode = error.code;
    response.statusCode = error.status;
    response.setHeader('Content-Type', 'application/problem+json');
    response.setHeader(problemCodeHeader, error.code);
    response.setHeader('Cache-Control', 'no-store');
    if (error.status === 401 || response.locals.challenge !== undefined)
      response.setHeader('WWW-Authenticate', challengeOf(error, response.locals.challenge));
    if (error.retryAfterSeconds !== null)
      response.setHeader('Retry-After', String(Math.ceil(error.retryAfterSeconds)));
    else if (error.status === 429 || error.status === 503) response.setHeader('Retry-After', '1');
    if (error instanceof LimitError) {
      const { policy, retryAfterSeconds } = error;
      setLimitHeaders(response, { policy, remaining: 0, resetSeconds: retryAfterSeconds ?? 1 });
    }
    // Discards the rest of a rejected body. Closing the connection while the caller is still sending could
    // lose this response.
    request.resume();
    const { errors, ...problem } = toProblem(error, requestId);
    const issues = translateIssues(errors ?? [], response.locals.language ?? 'en');
    response.end(stringifyJson({ ...problem, ...(errors === undefined ? {} : { errors: issues }) }));
  };
}

function toConnectorAuthError(thrown: unknown): ConnectorAuthError {
  if (thrown instanceof ConnectorAuthError) return thrown;
  // Express throws a URIError for a path with invalid percent-encoding.
  if (thrown instanceof URIError) {
    return new ConnectorAuthError('malformed_request', 'The path has invalid percent-encoding');
  }
  return new ConnectorAuthError(
    'internal_error',
    'Internal error; the service log has the details under the request id',
    {
      cause: thrown,
    },
  );
}

function challengeOf(error: ConnectorAuthError, more: Readonly<Record<string, string>> = {}): string {
  const isInvalid = error.code === 'token_invalid' || error.code === 'token_expired';
  const parameters = {
    realm: 'connector-auth',
    ...(isInvalid ? { error: 'invalid_token', error_description: error.message } : {}),
    ...more,
  };
  const texts = Object.entries(parameters).map(
    ([name, value]) => `${name}="${value.replaceAll(/[^ !#-[\]-~]/g, '')}"`,
  );
  return `Bearer ${texts.join(', ')}`;
}
