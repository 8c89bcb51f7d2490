import type { Request, Response } from 'express';
import type { Clock } from '../simulator/clock.ts';
import { fingerprint, withoutSecrets, type RequestLog } from './request-log.ts';

/** Logs a request on arrival, and its outcome when the response is sent or the connection closes. */
export function recordRequest(
  { requests, clock }: { requests: RequestLog; clock: Clock },
  { vendor, host }: { vendor: string; host: string },
  request: Request,
  response: Response,
): void {
  const startedAt = clock.now();
  const { pathname, searchParams } = new URL(request.url, 'http://sandbox.invalid');
  const credential = request.get('authorization') ?? request.get('access-token');
  const logged = requests.open({
    vendor,
    host,
    method: request.method,
    path: pathname,
    query: withoutSecrets(searchParams),
    credential: credential ? fingerprint(credential) : null,
    at: new Date(startedAt).toISOString(),
  });
  const complete = (hasResponded: boolean): void => {
    if (logged.durationMs !== null) return;
    requests.close(logged, {
      operation: operationOf(request, response),
      status: hasResponded ? response.statusCode : null,
      durationMs: clock.now() - startedAt,
    });
  };
  // Logs the outcome before the last byte is sent, so that a client that has the response finds the request
  // in the log.
  const end = response.end.bind(response) as (...parts: unknown[]) => Response;
  response.end = (...parts: unknown[]) => {
    complete(true);
    return end(...parts);
  };
  response.once('close', () => complete(false));
}

/**
 * Sets the operation name of a request whose route does not identify the operation, for example
 * `refresh token` at a token endpoint.
 */
export function nameOperation(response: Response, operation: string): void {
  response.locals['operation'] = operation;
}

function operationOf(request: Request, response: Response): string | null {
  const named: unknown = response.locals['operation'];
  if (typeof named === 'string') return named;
  // Express types the matched route as any. It is undefined if no route matched.
  const route = request.route as { path: unknown } | undefined;
  return typeof route?.path === 'string' ? `${request.method} ${route.path}` : null;
}
