import { createHash, timingSafeEqual } from 'node:crypto';
import { ConnectorAuthError } from '@connector-auth/api';
import { Router, type RequestHandler } from 'express';
import { isDoneWithin } from '../../platform/concurrency/is-done-within.ts';
import type { Metrics } from './metrics.ts';

/** Orchestrators usually wait for one second. */
const maxPingMs = 800;

/** Mounts the liveness and readiness probes. */
export function mountProbes(options: {
  /** Rejects if the database is not responding. */
  readonly ping: () => Promise<void>;
  /** Returns another reason not to send requests to this process, or null. */
  readonly unreadyReason: () => string | null;
}): Router {
  const router = Router();
  const ping = shareConcurrentCalls(options.ping);
  router.get('/healthz', (_request, response) => {
    response.locals.route = '/healthz';
    response.set('Cache-Control', 'no-store').json({ status: 'ok' });
  });
  router.get('/readyz', async (_request, response) => {
    response.locals.route = '/readyz';
    const reason = options.unreadyReason();
    if (reason !== null) throw unready(reason);
    const isInTime = await isDoneWithin(maxPingMs, ping()).catch((cause: unknown) => {
      throw unready('the database is not responding', cause);
    });
    if (!isInTime) throw unready('the database is not responding');
    response.set('Cache-Control', 'no-store').json({ status: 'ready' });
  });
  return router;
}

/**
 * Mounts the metrics.
 * @param token the bearer token that a request must have, or null if it needs none.
 */
export function mountMetrics({ registry }: Metrics, token: string | null): Router {
  const router = Router();
  router.get('/metrics', requireToken(token), async (_request, response) => {
    response
      .set('Cache-Control', 'no-store')
      .type(registry.contentType)
      .send(await registry.metrics());
  });
  return router;
}

function unready(reason: string, cause?: unknown): ConnectorAuthError {
  return new ConnectorAuthError('overloaded', `The service is not ready: ${reason}`, { cause });
}

/** Returns a function whose concurrent calls share one call of `work`. */
function shareConcurrentCalls(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => {
    running ??= work().finally(() => {
      running = null;
    });
    return running;
  };
}
function requireToken(token: string | null): RequestHandler {
  return (request, response, next) => {
    response.locals.route = '/metrics';
    if (token === null) return next();
    const [, given] = /^Bearer +(\S+)$/i.exec(request.get('Authorization') ?? '') ?? [];
    if (given === undefined) {
      throw new ConnectorAuthError(
        'token_missing',
        'Send METRICS_TOKEN as a bearer token in the Authorization header',
      );
    }
    // Hashes have the same length, which the comparison requires.
    if (!timingSafeEqual(hashOf(given), hashOf(token))) {
      throw new ConnectorAuthError('token_invalid', 'The token does not match METRICS_TOKEN');
    }
    next();
  };
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
