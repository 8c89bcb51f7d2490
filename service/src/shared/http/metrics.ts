import { performance } from 'node:perf_hooks';
import { ConnectorAuthError } from '@connector-auth/api';
import type { Transport } from '@connector-auth/connectors/kind';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { AuditLog, AuditLogState } from '../../platform/audit-log/audit-log.ts';

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

/** Adds the state of the audit log, which is read when the metrics are. */
export function measureAuditLog(log: Pick<AuditLog, 'state'>, { registry }: Metrics): void {
  const add = (Metric: typeof Gauge | typeof Counter, name: string, help: string, read: ReadState) =>
    new Metric({
      name: `connector_auth_audit_${name}`,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(read(log.state()));
      },
    });
  add(Gauge, 'writable', '0 if no audit entry could be written for 30 s, otherwise 1', state =>
    state.isWritable ? 1 : 0,
  );
  add(Gauge, 'waiting_entries', 'Audit entries that wait to be written', state => state.waitingEntries);
  add(
    Counter,
    'dropped_entries_total',
    'Audit entries that were lost because they could not be written',
    state => state.droppedEntries,
  );
  add(
    Counter,
    'omitted_rejections_total',
    'Rejected requests without an audit entry, because their caller had too many in a minute',
    state => state.omittedRejections,
  );
}

type ReadState = (state: AuditLogState) => number;

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
