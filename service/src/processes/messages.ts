/** The environment variable by which a process knows that the primary process of the service started it. */
export const workerMark = 'CONNECTOR_AUTH_WORKER';

/** The metrics of a process, as prom-client's registry returns them. */
export type ProcessMetrics = readonly object[];

/** What a worker sends to the primary process. */
export type WorkerMessage =
  /** The worker serves requests. */
  | { readonly type: 'ready' }
  /** The reply to `report_metrics`. */
  | { readonly type: 'metrics'; readonly metrics: ProcessMetrics }
  /** The reply to `report_metrics` if the metrics cannot be read. */
  | { readonly type: 'metrics_failed'; readonly reason: string }
  /** A client of this worker wants the metrics of all workers. */
  | { readonly type: 'all_metrics_wanted' };

/** What the primary process sends to a worker. */
export type PrimaryMessage =
  | { readonly type: 'report_metrics' }
  /** The reply to `all_metrics_wanted`, in Prometheus's text format. Null if it failed. */
  | { readonly type: 'all_metrics'; readonly text: string | null };
