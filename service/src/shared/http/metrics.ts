import { performance } from 'node:perf_hooks';
import { ConnectorAuthError } from '@connector-auth/api';
import type { Transport } from '@connector-auth/connectors/kind';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** The service's Prometheus metrics. */
export interface Metrics {
  readonly registry: Registry;
  readonly requests: Histogram<'method' | 'route' | 'status'>;
  readonly vendorCalls: Histogram<'vendor' | 'outcome'>;
}

const buckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * Creates metrics in a new registry.
 * @param options.withProcess adds process metrics (memory, event loop, garbage collection).
 */
export function createMetrics({ withProcess = false }: { withProcess?: boolean } = {}): Metrics {
  const registry = new Registry();
  if (withProcess) collectDefaultMetrics({ register: registry });
  return {
    registry,
    requests: new Histogram({
      name: 'connector_auth_request_duration_seconds',
      help: 'Duration of HTTP requests in seconds, by route pattern',
      labelNames: ['method', 'route', 'status'],
      buckets,
      registers: [registry],
    }),
    vendorCalls: new Histogram({
      name: 'connector_auth_vendor_call_duration_seconds',
      help: 'Duration of requests to vendors in seconds, by response status or error code',
      labelNames: ['vendor', 'outcome'],
      buckets,
      registers: [registry],
    }),
  };
}

/** Wraps a transport to record metrics for every request. */
export function measureTransport(transport: Transport, { vendorCalls }: Metrics): Transport {
  return async (request, call) => {
    const startedAt = performance.now();
    let outcome = 'unknown';
    try {
      const response = await transport(request, call);
      outcome = String(response.status);
      return response;
    } catch (error) {
      if (error instanceof ConnectorAuthError) outcome = error.code;
      throw error;
    } finally {
      vendorCalls.observe({ vendor: call.vendorName, outcome }, (performance.now() - startedAt) / 1000);
    }
  };
}
