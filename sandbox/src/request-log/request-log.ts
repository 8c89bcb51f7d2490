import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';

/** A request to a vendor, without secrets. */
export interface LoggedRequest {
  readonly id: number;
  readonly vendor: string;
  readonly host: string;
  readonly method: string;
  /** The vendor's path, without the query. */
  readonly path: string;
  /** The query. Secret values are replaced by `…`. */
  readonly query: Readonly<Record<string, string>>;
  /** The route, or a name such as `refresh token`; null until the response. */
  operation: string | null;
  /** Null before the response, or if the connection closed without one. */
  status: number | null;
  /** The first characters of the credential's SHA-256 hash, to distinguish credentials. */
  readonly credential: string | null;
  /** ISO 8601, from the sandbox's clock. */
  readonly at: string;
  /** Null until the request is complete. */
  durationMs: number | null;
}

/** Filters requests; absent keys match everything. */
export interface RequestFilter {
  vendor?: string;
  method?: string;
  path?: string;
  operation?: string;
}

/** The latest requests, and totals since the log was cleared. */
export interface RequestLog {
  /** Lists the matching requests, oldest first, up to the log's capacity. */
  list(filter?: RequestFilter): LoggedRequest[];
  /** Counts the logged requests that match. */
  count(filter?: RequestFilter): number;
  /** Returns how many requests each vendor received, and how many were completed per operation. */
  totals(): Record<string, { total: number; operations: Record<string, number> }>;
  clear(): void;
  /** Resolves with the next matching request that completes; rejects when the signal aborts. */
  next(filter?: RequestFilter, signal?: AbortSignal): Promise<LoggedRequest>;
  /** Resolves with the next matching request that arrives; its operation and status are still null. */
  nextArrival(filter?: RequestFilter, signal?: AbortSignal): Promise<LoggedRequest>;
  /** Logs a request on arrival. */
  open(request: Omit<LoggedRequest, 'id' | 'operation' | 'status' | 'durationMs'>): LoggedRequest;
  /** Logs a request's outcome. */
  close(request: LoggedRequest, outcome: Pick<LoggedRequest, 'operation' | 'status' | 'durationMs'>): void;
}

const DEFAULT_CAPACITY = 5000;

/** Creates an empty log that keeps the latest `capacity` requests. */
export function createRequestLog(capacity = DEFAULT_CAPACITY): RequestLog {
  let ring: LoggedRequest[] = [];
  let totals = new Map<string, { total: number; operations: Map<string, number> }>();
  let lastId = 0;
  const events = new EventEmitter<{ arrived: [LoggedRequest]; closed: [LoggedRequest] }>().setMaxListeners(0);

  const totalOf = (vendor: string): { total: number; operations: Map<string, number> } => {
    const present = totals.get(vendor) ?? { total: 0, operations: new Map<string, number>() };
    totals.set(vendor, present);
    return present;
  };
  const list = (filter: RequestFilter = {}): LoggedRequest[] =>
    ring.filter(request => matches(request, filter));
  const nextEvent = (
    event: 'arrived' | 'closed',
    filter: RequestFilter = {},
    signal?: AbortSignal,
  ): Promise<LoggedRequest> =>
    new Promise((resolve, reject) => {
      const stop = (): void => {
        events.off(event, look);
        signal?.removeEventListener('abort', abort);
      };
      const abort = (): void => {
        stop();
        reject(new Error('aborted before a matching request', { cause: signal?.reason }));
      };
      const look = (request: LoggedRequest): void => {
        if (!matches(request, filter)) return;
        stop();
        resolve({ ...request });
      };
      if (signal?.aborted) return abort();
      events.on(event, look);
      signal?.addEventListener('abort', abort);
    });

  return {
    list: filter => list(filter).map(request => ({ ...request })),
    count: filter => list(filter).length,
    totals: () =>
      Object.fromEntries(
        [...totals].map(([vendor, { total, operations }]) => [
          vendor,
          { total, operations: Object.fromEntries(operations) },
        ]),
      ),
    clear: () => {
      ring = [];
      totals = new Map();
    },
    next: (filter, signal) => nextEvent('closed', filter, signal),
    nextArrival: (filter, signal) => nextEvent('arrived', filter, signal),
    open: arrived => {
      const request: LoggedRequest = {
        id: ++lastId,
        ...arrived,
        operation: null,
        status: null,
        durationMs: null,
      };
      ring.push(request);
      if (ring.length > capacity) ring.shift();
      totalOf(request.vendor).total += 1;
      events.emit('arrived', request);
      return request;
    },
    close: (request, outcome) => {
      Object.assign(request, outcome);
      const { operations } = totalOf(request.vendor);
      if (outcome.operation) operations.set(outcome.operation, (operations.get(outcome.operation) ?? 0) + 1);
      events.emit('closed', request);
    },
  };
}

function matches(request: LoggedRequest, filter: RequestFilter): boolean {
  return (['vendor', 'method', 'path', 'operation'] as const).every(
    key => filter[key] === undefined || filter[key] === request[key],
  );
}

/** Returns a short identifier for a secret, from which the secret cannot be recovered. */
export function fingerprint(secret: string): string {
  return createHash('sha256').update(secret).digest('hex').slice(0, 12);
}

const SECRET_PARAMETERS =
  /token|secret|^code$|^auth_code$|^state$|^code_verifier$|password|^key$|^api_key$|signature|^sig$/i;

/** Returns the query with the values of secret parameters replaced by `…`. */
export function withoutSecrets(query: URLSearchParams): Record<string, string> {
  return Object.fromEntries(
    [...query].map(([name, value]) => [name, SECRET_PARAMETERS.test(name) ? '…' : value]),
  );
}
