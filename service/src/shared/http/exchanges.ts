import type { IncomingMessage, RequestListener } from 'node:http';
import type { Express } from 'express';
import type { Log } from '../../platform/log/log.ts';
import { logAccess } from './access-log.ts';
import type { renderErrors } from './error-responses.ts';
import { requireLocalHost } from './local-host.ts';
import type { HttpRequest, HttpResponse } from './locals.ts';
import type { Metrics } from './metrics.ts';
import type { Endpoints } from './mount-endpoints.ts';

export interface ExchangeOptions {
  readonly log: Log;
  readonly metrics: Metrics;
  /** The headers of every response, unless its route sets them. */
  readonly headers: ReadonlyMap<string, string>;
  /** The number of proxies in front of the service. */
  readonly trustedProxies: number;
  /** Whether only this machine may send requests. */
  readonly isLocal: boolean;
  readonly renderError: ReturnType<typeof renderErrors>;
}

/**
 * Does what all requests need: their id, their line in the log, the client's address and the security headers. Then calls
 * the first endpoints that serve the path, which take Node's request as it is because Express's chain would cost as much
 * as an execute, or Express for all other routes.
 */
export function openExchanges(
  { log, metrics, headers, trustedProxies, isLocal, renderError }: ExchangeOptions,
  endpoints: readonly Endpoints[],
  app: Express,
): RequestListener {
  const begin = logAccess(log, metrics);
  return (request: HttpRequest, raw) => {
    // `begin` adds what the type has in addition.
    const response = raw as HttpResponse;
    request.ip = addressOf(request, trustedProxies);
    begin(request, response);
    response.setHeaders(headers as Map<string, string>);
    try {
      if (isLocal) requireLocalHost(request);
      for (const serve of endpoints) {
        const served = serve(request, response);
        if (served !== null)
          return void served.catch((error: unknown) => renderError(error, request, response));
      }
      // Express adds what its own types have in addition.
      app(request as never, response as never);
    } catch (error) {
      renderError(error, request, response);
    }
  };
}

/** Returns the client's address, as the outermost trusted proxy has seen it. Each proxy adds one to `X-Forwarded-For`. */
function addressOf({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const { remoteAddress = '' } = socket;
  if (trustedProxies === 0) return remoteAddress;
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
  const known = forwarded.map(entry => entry.trim()).filter(entry => entry !== '');
  return known.at(-Math.min(trustedProxies, known.length)) ?? remoteAddress;
}
