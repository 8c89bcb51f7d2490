import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { LimitError } from '../../platform/concurrency/limit-error.ts';
import type { Log, LogLevel } from '../../platform/log/log.ts';
import type { HttpRequest, HttpResponse } from './locals.ts';
import type { Metrics } from './metrics.ts';

/** Endpoints that monitoring systems call every few seconds. Requests to them are logged at debug level. */
const probes = new Set(['/healthz', '/readyz', '/metrics']);

const safeId = /^[A-Za-z0-9._:-]{1,128}$/;

/**
 * Assigns an id to each request and logs one line when the request ends: `request`, or why the caller was rejected.
 * Logs the route pattern instead of the URL, which may contain secrets. The caller's `X-Request-Id` is logged beside
 * the id, because several requests can have the same one.
 */
export function logAccess(
  log: Log,
  metrics: Metrics,
): (request: HttpRequest, response: HttpResponse) => void {
  return (request, response) => {
    const locals: Express.Locals = { requestId: randomUUID(), startedAt: performance.now() };
    response.locals = locals;
    const callerRequestId = request.headers['x-request-id'];
    response.setHeader('X-Request-Id', locals.requestId);
    response.on('close', () => {
      const durationMs = performance.now() - locals.startedAt;
      const route = locals.route ?? 'none';
      // Like nginx, reports status 499 if the caller disconnected before the response was complete.
      const status = response.writableFinished ? response.statusCode : 499;
      metrics.requests.observe({ method: request.method ?? '', route, status }, durationMs / 1000);
      const { event = 'request', ...rejection } = locals.rejection ?? {};
      log[levelOf(route, locals.rejection)](event, {
        request_id: locals.requestId,
        caller_request_id:
          typeof callerRequestId === 'string' && safeId.test(callerRequestId) ? callerRequestId : undefined,
        method: request.method,
        route,
        status,
        duration_ms: Math.round(durationMs * 10) / 10,
        problem: locals.problemCode,
        ...callerOf(locals.caller),
        ...connectorOf(locals.connector),
        ...(event === 'request' ? {} : { address: request.ip, ...rejection }),
      });
    });
  };
}

function levelOf(route: string, rejection: Express.Locals['rejection']): LogLevel {
  if (rejection === undefined) return probes.has(route) ? 'debug' : 'info';
  // Every backend and every agent has expired tokens now and then.
  return rejection.reason === 'token_expired' || rejection.kind === 'agent' ? 'info' : 'warn';
}

/** Logs a request that exceeded a limit, with who sent it and from where. */
export function logExceededLimit(
  log: Log,
  { policy }: LimitError,
  { req, locals }: HttpResponse & { readonly req: HttpRequest },
): void {
  const { caller, requestId, route = 'none' } = locals;
  log.warn('limit_exceeded', {
    request_id: requestId,
    address: req.ip,
    route,
    limit: policy.name,
    ...callerOf(caller),
    ...(caller === undefined || caller.kind === 'admin' ? {} : { application_id: caller.applicationId }),
    ...(caller === undefined || caller.kind === 'admin' || caller.customer === null
      ? {}
      : { customer_id: caller.customer.id }),
  });
}

function connectorOf(connector: Express.Locals['connector']): Readonly<Record<string, unknown>> {
  if (connector === undefined) return {};
  const { customer, connectorId, kind } = connector;
  return { customer_id: customer?.id, connector_id: connectorId, kind };
}

function callerOf(caller: Express.Locals['caller']): Readonly<Record<string, unknown>> {
  if (caller === undefined) return {};
  if (caller.kind === 'admin') return { caller: caller.kind, admin_key_id: caller.keyId };
  return {
    caller: caller.kind,
    organization_id: caller.organizationId,
    ...(caller.agent === null ? {} : { agent_id: caller.agent.id }),
  };
}
