import { ConnectorAuthError } from '@connector-auth/api';
import { Router } from 'express';
import type { Metrics } from './metrics.ts';

/** What an operator's machinery asks: is the process alive, may it have requests, what does it count. */
export function mountProbes(options: {
  readonly metrics: Metrics;
  /** Resolves when the service can do its work; refuses otherwise. */
  readonly isReady: () => Promise<void>;
}): Router {
  const router = Router();
  router.get('/healthz', (_request, response) => {
    response.locals.route = '/healthz';
    response.set('Cache-Control', 'no-store').json({ status: 'ok' });
  });
  router.get('/readyz', async (_request, response) => {
    response.locals.route = '/readyz';
    await options.isReady().catch((cause: unknown) => {
      throw new ConnectorAuthError('overloaded', 'The service is not ready: its database does not answer', {
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
