/** The metrics of a process, as prom-client's registry returns them. */
export type ProcessMetrics = readonly object[];

/** What a worker sends to the primary process. */
export type WorkerMessage =
  /** The worker serves requests. */
  | { readonly type: 'ready' }
  /** The reply to `report_metrics`. */
  | { readonly type: 'metrics'; readonly metrics: ProcessMetrics }
  /** A client of this worker wants the metrics of all workers. */
  | { readonly type: 'all_metrics_wanted' };

/** What the primary process sends to a worker. */
export type PrimaryMessage =
  | { readonly type: 'report_metrics' }
  /** The reply to `all_metrics_wanted`, in Prometheus's text format. Null if it failed. */
  | { readonly type: 'all_metrics'; readonly text: string | null };
