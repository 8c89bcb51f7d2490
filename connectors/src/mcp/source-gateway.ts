import type {
  ActionName,
  ConnectLink,
  CreateConnectLinkResponse,
  ExecuteResponse,
} from '@connector-auth/api';
import type { ConnectionStateName } from '@connector-auth/api/connection-state';
import type { Operation } from '../kind/execute.ts';
import type { Kind } from '../kind/kind.ts';

/** A connector that the tools can use. */
export interface Connection {
  readonly connector_id: string;
  /** Key of the connector's kind. */
  readonly source: string;
  readonly name: string;
  /** What every surface shows of the connection, and whether it works. */
  readonly state: ConnectionStateName;
  readonly access: string;
  /** The progress of the sync, without which `search` finds nothing. */
  readonly sync: string;
  /** When anything was last synced; null if nothing was. `search` says it for an entity. */
  readonly last_synced_at: string | null;
  /** How many records `search` finds, in all entities. */
  readonly records: number;
  /** What the user chose, such as the vendor's accounts, as far as it is short; null otherwise. */
  readonly settings: Readonly<Record<string, unknown>> | null;
}

/** A source that can be connected. */
export interface Source {
  readonly source: string;
  readonly name: string;
  readonly description: string;
}

export interface SourceList {
  readonly connections: readonly Connection[];
  readonly sources: readonly Source[];
  /** Cursor for more connections; null if there are none. */
  readonly next_cursor: string | null;
}

/** The response to an action. */
export interface Executed extends ExecuteResponse {
  readonly kind: Kind;
}

/** What the user connects with a link: a source, the connector to reconnect, or what they choose. */
export interface LinkTarget {
  readonly source?: string | undefined;
  readonly connector_id?: string | undefined;
}

/** Links with which the user connects a source in a browser. */
export interface ConnectLinks {
  create(target: LinkTarget): Promise<CreateConnectLinkResponse>;
  /** Returns a link as soon as it is used or over, or after a while. */
  waitFor(id: string): Promise<ConnectLink>;
  revoke(id: string): Promise<void>;
  /** Returns the id of a connector that the user has just connected or reconnected, or null. */
  justConnected(target: LinkTarget): Promise<string | null>;
}

/** The data that the tools work on: that of one customer in the service, or of one connector in this process. */
export interface SourceGateway {
  listSources(cursor: string | undefined): Promise<SourceList>;
  /** @throws ConnectorAuthError `unknown_connector_type`; `source_not_allowed`. */
  requireKind(source: string): Kind;
  /**
   * Runs an action, and returns its response and the kind of the connector.
   * @param options.idempotencyKey for `create` and `update`, which are made at most once per key.
   * @param options.signal aborts an action that only reads.
   */
  execute(
    connectorId: string,
    operation: Operation,
    options: { readonly idempotencyKey: string | null; readonly signal: AbortSignal },
  ): Promise<Executed>;
  /** Null in open source mode. */
  readonly links: ConnectLinks | null;
}

/** What a caller may do, which decides which tools it sees. */
export interface ToolRights {
  readonly actions: readonly ActionName[];
  /** Whether it may create links with which users connect sources. */
  readonly connects: boolean;
  /** Whether each call names the customer, because the token is not for one. */
  readonly namesCustomer: boolean;
}

/** Creates the access for one tool call. `customerName` is set if `namesCustomer` is. */
export type OpenSources = (call: {
  readonly customerName: string | null;
}) => Promise<SourceGateway> | SourceGateway;
