import { ConnectorAuthError } from '@connector-auth/api';
import { Router } from 'express';
import type { Metrics } from './metrics.ts';

/** Mounts the liveness and readiness probes and the metrics. Concurrent readiness probes share one check. */
export function mountProbes(options: {
  readonly metrics: Metrics;
  /** Rejects if the service cannot serve requests. */
  readonly isReady: () => Promise<void>;
}): Router {
  const router = Router();
  const isReady = shareConcurrentCalls(options.isReady);
  router.get('/healthz', (_request, response) => {
    response.locals.route = '/healthz';
    response.set('Cache-Control', 'no-store').json({ status: 'ok' });
  });
  router.get('/readyz', async (_request, response) => {
    response.locals.route = '/readyz';
    await isReady().catch((cause: unknown) => {
      throw new ConnectorAuthError('overloaded', 'The service is not ready: the database is not responding', {
        cause,
      });
    });
    response.set('Cache-Control', 'no-store').json({ status: 'ready' });
  });
  router.get('/metrics', async (_request, response) => {
    response.locals.route = '/metrics';
    const { registry } = options.metrics;
    response
      .set('Cache-Control', 'no-store')
      .type(registry.contentType)
      .send(await registry.metrics());
  });
  return router;
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
