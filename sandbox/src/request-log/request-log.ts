import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';

/** One request to a vendor, without any secret in it. */
export interface LoggedRequest {
  readonly id: number;
  readonly vendor: string;
  readonly host: string;
  readonly method: string;
  /** The path at the vendor, without the query. */
  readonly path: string;
  /** The query; values that are secrets read `…`. */
  readonly query: Readonly<Record<string, string>>;
  /** What the simulator calls it: its route, or a name of its own such as `refresh token`; null until it is answered. */
  operation: string | null;
  /** Null while it is not answered, or when the connection ended without an answer. */
  status: number | null;
  /** The start of the SHA-256 of the credential presented: tells two apart, gives neither away. */
  readonly credential: string | null;
  /** ISO 8601, by the sandbox's clock. */
  readonly at: string;
  /** Null until the connection is done with it. */
  durationMs: number | null;
}

/** Which requests are meant; an absent key does not narrow. */
export interface RequestFilter {
  vendor?: string;
  method?: string;
  path?: string;
  operation?: string;
}

/** The last requests, and totals since it was last cleared. */
export interface RequestLog {
  /** Oldest first, at most the ring's length. */
  list(filter?: RequestFilter): LoggedRequest[];
  /** How many of the requests in the ring fit. */
  count(filter?: RequestFilter): number;
  /** Per vendor: all requests that arrived, and those that were answered by operation. */
  totals(): Record<string, { total: number; operations: Record<string, number> }>;
  clear(): void;
  /** The next request that is answered (or cut) and fits, without waiting by the clock. */
  next(filter?: RequestFilter, signal?: AbortSignal): Promise<LoggedRequest>;
  /** The next request that arrives and fits, answered or not; its operation and status are not known yet. */
  nextArrival(filter?: RequestFilter, signal?: AbortSignal): Promise<LoggedRequest>;
  /** Writes down a request that arrived. */
  open(request: Omit<LoggedRequest, 'id' | 'operation' | 'status' | 'durationMs'>): LoggedRequest;
  /** Completes it. */
  close(request: LoggedRequest, outcome: Pick<LoggedRequest, 'operation' | 'status' | 'durationMs'>): void;
}

const RING_LENGTH = 5000;

/** An empty log. */
export function createRequestLog(ringLength = RING_LENGTH): RequestLog {
  let ring: LoggedRequest[] = [];
  let totals = new Map<string, { total: number; operations: Map<string, number> }>();
  let lastId = 0;
  const events = new EventEmitter<{ arrived: [LoggedRequest]; closed: [LoggedRequest] }>().setMaxListeners(0);

  const totalOf = (vendor: string): { total: number; operations: Map<string, number> } => {
    const present = totals.get(vendor) ?? { total: 0, operations: new Map<string, number>() };
    totals.set(vendor, present);
    return present;
  };
  const list = (filter: RequestFilter = {}): LoggedRequest[] => ring.filter(request => fits(request, filter));
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
        if (!fits(request, filter)) return;
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
      if (ring.length > ringLength) ring.shift();
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

function fits(request: LoggedRequest, filter: RequestFilter): boolean {
  return (['vendor', 'method', 'path', 'operation'] as const).every(
    key => filter[key] === undefined || filter[key] === request[key],
  );
}

/** A short name for a secret, from which it cannot be had back. */
export function fingerprint(secret: string): string {
  return createHash('sha256').update(secret).digest('hex').slice(0, 12);
}

const SECRET_PARAMETERS =
  /token|secret|^code$|^auth_code$|^state$|^code_verifier$|password|^key$|^api_key$|signature|^sig$/i;

/** A query for the log: values of parameters that hold secrets are replaced. */
export function withoutSecrets(query: URLSearchParams): Record<string, string> {
  return Object.fromEntries(
    [...query].map(([name, value]) => [name, SECRET_PARAMETERS.test(name) ? '…' : value]),
  );
}
