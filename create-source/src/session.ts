import type { Clock } from '@connector-auth/api';
import {
  connect,
  execute,
  grantsInMemory,
  requireHost,
  syncPages,
  unlimited,
  type Connection,
  type Grant,
  type Kind,
  type Limiter,
  type OAuthApp,
  type SyncPage,
  type SyncStart,
  type Transport,
  type Vendor,
  type VendorRequest,
  type VendorResponse,
} from '@connector-auth/connectors/kind';

export interface SessionOptions {
  readonly kind: Kind;
  readonly grant: Grant;
  readonly app: OAuthApp | null;
  /** What the kind reads as the current time, in milliseconds since the epoch. */
  readonly nowMs: number;
  /** Answers the requests of the kind, as it made them and as they are sent with credentials. */
  readonly respond: (
    request: VendorRequest,
    authorized: VendorRequest,
    call: Parameters<Transport>[1],
  ) => Promise<VendorResponse>;
  /** Answers requests for tokens. */
  readonly respondToRefresh: Transport;
  /** Default: waits take no time. */
  readonly clock?: Clock;
  readonly limiter?: Limiter;
}

/** Runs the declaration of a kind as both modes do: with the executor, its retries and its masks. */
export interface Session {
  vendor(): Promise<Vendor>;
  /** Runs the kind's check, and stores the state that it returns. */
  check(): Promise<{ readonly account: string | null }>;
  /** Runs an action once. */
  execute(entity: string, action: string, params: Params): Promise<{ result: unknown; metadata: unknown }>;
  /** Runs a list until its last page, at most `maxPages`. */
  list(entity: string, params: Params, maxPages: number): Promise<ListRun>;
  /** Runs a sync until its last page, at most `maxPages`. */
  sync(entity: string, start: SyncStart, maxPages: number): Promise<SyncRun>;
}

export type Params = Readonly<Record<string, unknown>>;

export interface ListRun {
  readonly pages: readonly (readonly unknown[])[];
  readonly params: readonly Params[];
  readonly isCut: boolean;
}

export interface SyncRun {
  readonly pages: readonly SyncPage[];
  /** The `since` of the next run. */
  readonly since: string | null;
  readonly isCut: boolean;
}

export function openSession(options: SessionOptions): Session {
  const { grant, app, nowMs, respond, respondToRefresh, limiter = unlimited } = options;
  /** The requests as the kind made them, by the requests with credentials. */
  const made = new WeakMap<VendorRequest, VendorRequest>();
  const kind: Kind = {
    ...options.kind,
    // The list is as long as the one that the type requires.
    authMethods: options.kind.authMethods.map(method => ({
      ...method,
      authorize: (request: VendorRequest, used: Grant) => {
        const authorized = { ...method.authorize(request, used) };
        made.set(authorized, request);
        return authorized;
      },
    })) as unknown as Kind['authMethods'],
  };
  const inner = connect({
    kind,
    grants: grantsInMemory(grant),
    app,
    limiter,
    clock: options.clock ?? clockWithoutWaits(nowMs),
    transport: (authorized, call) => {
      requireHost(authorized.url, call);
      const request = made.get(authorized);
      return request === undefined ? respondToRefresh(authorized, call) : respond(request, authorized, call);
    },
  });
  const connection: Connection = {
    kind,
    vendorFor: async call => atTime(await inner.vendorFor(call), nowMs),
  };
  const vendor = () => connection.vendorFor({ repeatable: true, deadlineMs: Infinity });
  const run = async (entity: string, action: string, params: Params) => {
    const rights = { allowedData: ['private_fields'], deadlineMs: Infinity } as const;
    const outcome = await execute(connection, { entity, action, params }, rights);
    return { result: outcome.result, metadata: outcome.connector_metadata };
  };
  return {
    vendor,
    execute: run,
    check: async () => {
      const checking = await vendor();
      const { account, state = {} } = await kind.check.run(checking, null);
      if (Object.keys(state).length > 0) await checking.updateState(stored => ({ ...stored, ...state }));
      return { account };
    },
    list: async (entity, first, maxPages) => {
      const action = kind.entities[entity]?.actions.list;
      const pages: (readonly unknown[])[] = [];
      const asked: Params[] = [];
      let params: Params | null = first;
      while (params !== null && pages.length < maxPages) {
        const { result, metadata } = await run(entity, 'list', params);
        // The result of a list is an array.
        pages.push(result as readonly unknown[]);
        asked.push(params);
        const next: unknown = action?.nextPage?.(params, { result, connector_metadata: metadata });
        // Params are an object or null.
        params = (next as Params | null | undefined) ?? null;
      }
      return { pages, params: asked, isCut: params !== null };
    },
    sync: async (entity, start, maxPages) => {
      const pages: SyncPage[] = [];
      let { since } = start;
      const declared = kind.entities[entity]?.search?.sync;
      for await (const page of declared === undefined
        ? []
        : syncPages(declared, kind.name, await vendor(), start)) {
        pages.push(page);
        if (page.since !== undefined) ({ since } = page);
        if (page.position !== null && pages.length === maxPages) return { pages, since, isCut: true };
      }
      return { pages, since, isCut: false };
    },
  };
}

/** Fixes the time, so that the requests of a recording do not depend on when it is played. */
function atTime(vendor: Vendor, nowMs: number): Vendor {
  return {
    ...vendor,
    // Spreading would copy the current value.
    get grant() {
      return vendor.grant;
    },
    now: () => nowMs,
  };
}

function clockWithoutWaits(startMs: number): Clock {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    sleep: (ms, signal) => {
      signal?.throwIfAborted();
      nowMs += ms;
      return Promise.resolve();
    },
  };
}
