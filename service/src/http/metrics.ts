import { performance } from 'node:perf_hooks';
import { ConnectorAuthError } from '@connector-auth/api';
import type { Transport } from '@connector-auth/connectors/kind';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** What the service counts, for Prometheus. */
export interface Metrics {
  readonly registry: Registry;
  readonly requests: Histogram<'method' | 'route' | 'status'>;
  readonly vendorCalls: Histogram<'vendor' | 'outcome'>;
}

const buckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * Metrics in a registry of their own.
 * @param options.withProcess adds those of the process (memory, event loop, garbage collection).
 */
export function createMetrics(options: { withProcess?: boolean } = {}): Metrics {
  const registry = new Registry();
  if (options.withProcess) collectDefaultMetrics({ register: registry });
  return {
    registry,
    requests: new Histogram({
      name: 'connector_auth_request_duration_seconds',
      help: 'Time from a request to the end of its answer, by route pattern',
      labelNames: ['method', 'route', 'status'],
      buckets,
      registers: [registry],
    }),
    vendorCalls: new Histogram({
      name: 'connector_auth_vendor_call_duration_seconds',
      help: 'Time of one request to a vendor, by its status or what kept it from having one',
      labelNames: ['vendor', 'outcome'],
      buckets,
      registers: [registry],
    }),
  };
}

/** A transport whose every request is counted. */
export function measureTransport(transport: Transport, { vendorCalls }: Metrics): Transport {
  return async (request, call) => {
    const startedAt = performance.now();
    let outcome = 'unknown';
    try {
      const answer = await transport(request, call);
      outcome = String(answer.status);
      return answer;
    } catch (error) {
      if (error instanceof ConnectorAuthError) outcome = error.code;
      throw error;
    } finally {
      vendorCalls.observe({ vendor: call.vendorName, outcome }, (performance.now() - startedAt) / 1000);
    }
  };
}
