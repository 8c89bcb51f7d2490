import {
  agentScopes,
  ConnectorAuthError,
  endpoints,
  JsonText,
  stringifyJson,
  validate,
  type ActionName,
  type AgentScope,
  type Clock,
  type Connector,
  type Endpoint,
} from '@connector-auth/api';
import { connectionState } from '@connector-auth/api/connection-state';
import type { Kind } from '@connector-auth/connectors/kind';
import type { OpenSources, SourceGateway, ToolRights } from '@connector-auth/connectors/mcp';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { AuditDetails } from '../../platform/audit-log/entry.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { rightsOfScopes, type AgentToken } from '../../shared/auth/agent-token.ts';
import { restrictToCustomer, type ApplicationCaller, type ScopedCaller } from '../../shared/auth/caller.ts';
import type { KindRegistry } from '../../shared/definitions/registry.ts';
import { requireKind } from '../../shared/definitions/resolve-kind.ts';
import type { CallOf, Handlers, ResponseOf } from '../../shared/http/handler.ts';
import { RequestAudit, type EndpointAudit } from '../../shared/http/request-audit.ts';
import { findCustomer } from '../../shared/repositories/customers.ts';

type CalledEndpoint =
  | 'createConnectLink'
  | 'deleteConnectLink'
  | 'execute'
  | 'getConnectLink'
  | 'listConnectors'
  | 'listDefinitions';

export interface HostedContext {
  readonly db: Kysely<Tables>;
  readonly kinds: KindRegistry;
  /** The handlers of the endpoints that the tools call. */
  readonly handlers: Pick<Handlers, CalledEndpoint>;
  readonly audit: EndpointAudit;
  readonly clock: Pick<Clock, 'now'>;
}

/** An authenticated request to the MCP server. */
export interface McpCall extends Pick<
  CallOf<Endpoint>,
  'requestId' | 'address' | 'signal' | 'onClose' | 'audit'
> {
  readonly caller: ApplicationCaller | ScopedCaller;
  /** What the token of an agent says, which {@link caller} is then. */
  readonly agent: AgentToken | null;
  /** The scope that the called tool needs, if the person was asked for it and left it out. */
  readonly declinedScope: AgentScope | null;
}

/** Returns the rights that decide which tools a token sees. Agents also see those that their person can allow in addition. */
export function rightsOf({ caller: { customer, rights }, agent }: McpCall): ToolRights {
  const visible = agent === null ? rights.granted : rightsOfScopes(agent, agent.allowedScopes);
  const { allowedActions: actions, allowedManagement } = visible;
  return { actions, connects: allowedManagement.includes('link'), namesCustomer: customer === null };
}

/** Returns how the caller can use a connector that allows all actions. */
function accessOf(call: McpCall): string {
  const writes = (actions: readonly ActionName[]) =>
    agentScopes.write.actions.some(action => actions.includes(action));
  if (writes(call.caller.rights.granted.allowedActions)) return 'write';
  return writes(rightsOf(call).actions) ? 'read; write if the person allows it' : 'read';
}

const uuid = z.uuid();
const connectionsPerPage = 20;
/** So that a page of connections is never cut. */
const maxSettingsBytes = 200;
/** Shorter than the time that clients wait for a tool. */
const waitSeconds = 20;
/** A call within this time of a new connection repeats the one that led to it. */
const repeatSeconds = 120;

/**
 * Opens the sources of one customer. Every tool calls the handler of an HTTP endpoint, so rights, limits, the audit log
 * and errors are the same.
 * @throws ConnectorAuthError `customer_not_found`; `action_not_allowed`.
 */
export async function openSources(
  context: HostedContext,
  call: McpCall,
  customerName: Parameters<OpenSources>[0]['customerName'],
): Promise<SourceGateway> {
  const { declinedScope } = call;
  if (declinedScope !== null) {
    throw new ConnectorAuthError(
      'action_not_allowed',
      `The person did not allow this app the scope ${declinedScope}. They can allow it when they connect the app again`,
    );
  }
  const caller = await customerCaller(context, call.caller, customerName);
  const ask = <Name extends CalledEndpoint>(name: Name, input: Input) =>
    callEndpoint(context, { ...call, caller, token: call.caller }, name, input);
  return {
    listSources: async cursor => {
      const { data, meta } = await ask('listConnectors', { query: { limit: connectionsPerPage, cursor } });
      const isFirstPage = cursor === undefined;
      const { definitions } = isFirstPage ? await ask('listDefinitions', { query: {} }) : { definitions: [] };
      return {
        connections: data.map(connector => {
          const { name: state, records, since } = connectionState(connector);
          return {
            connector_id: connector.id,
            source: connector.connector_type,
            name: connector.name,
            state,
            access: connector.access === 'read' ? 'read' : accessOf(call),
            sync: connector.sync.status,
            last_synced_at: since,
            records,
            settings: shortSettings(connector.replication_config),
          };
        }),
        sources: definitions.map(({ connectorType: source, name, description }) => ({
          source,
          name,
          description,
        })),
        next_cursor: meta.cursor,
      };
    },
    requireKind: source => {
      const kind = requireKind(context.kinds, { connector_type: source });
      caller.rights.requireSource(kind);
      return kind;
    },
    execute: async (id, { entity, action, params }, { idempotencyKey }) => {
      requireUuid(id);
      let kind: Kind | null = null;
      // The entry in the audit log names the kind of the connector that was found.
      const onAudit = (details: AuditDetails) => {
        if (typeof details.kind === 'string') kind = context.kinds.byKey(details.kind);
      };
      const input = { params: { id }, body: { entity, action, params } };
      const response = await ask('execute', { ...input, idempotencyKey, onAudit });
      if (kind === null) throw new Error('The audit log has no entry for this execute');
      return { ...response, result: parseTexts(response.result), kind };
    },
    links: {
      create: ({ source, connector_id: id }) =>
        ask('createConnectLink', {
          body: {
            ...(source === undefined ? {} : { connector_type: source }),
            ...(id === undefined ? {} : { connector_id: requireUuid(id) }),
          },
        }),
      waitFor: id => ask('getConnectLink', { params: { id }, query: { wait_seconds: String(waitSeconds) } }),
      revoke: async id => {
        await ask('deleteConnectLink', { params: { id } });
      },
      justConnected: async ({ source, connector_id: id }) => {
        const query = {
          limit: connectionsPerPage,
          ...(source === undefined ? {} : { connector_type: source }),
        };
        const { data } = await ask('listConnectors', { query });
        const since = context.clock.now() - repeatSeconds * 1000;
        const connected = data.find(connector =>
          id === undefined
            ? Date.parse(connector.created_at) > since
            : connector.id === id &&
              connector.status === 'active' &&
              Date.parse(connector.updated_at) > since,
        );
        return connected?.id ?? null;
      },
    },
  };
}

/** Parses a result, or the records of a search, that is JSON as text, because tools select from the records. */
function parseTexts(result: unknown): unknown {
  if (result instanceof JsonText) return result.parse();
  if (typeof result !== 'object' || result === null || !('data' in result)) return result;
  return { ...result, data: parseTexts(result.data) };
}

/** @throws ConnectorAuthError `connector_not_found`. */
function requireUuid(id: string): string {
  if (uuid.safeParse(id).success) return id;
  throw new ConnectorAuthError('connector_not_found', 'No connector has this id');
}

function shortSettings(settings: Connector['replication_config'] = null): Connector['replication_config'] {
  return Buffer.byteLength(stringifyJson(settings)) <= maxSettingsBytes ? settings : null;
}

/** Restricts the token of an application to the customer that a tool call names. */
async function customerCaller(
  { db }: HostedContext,
  token: McpCall['caller'],
  customerName: string | null,
): Promise<ScopedCaller> {
  if (token.kind === 'scoped') return token;
  const name = customerName ?? '';
  const id = await findCustomer(db, token.organizationId, name);
  if (id === null) throw new ConnectorAuthError('customer_not_found', 'No customer has this name');
  return restrictToCustomer(token, { id, name });
}

interface Input {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly idempotencyKey?: string | null;
  readonly onAudit?: (details: AuditDetails) => void;
}

/** Calls the handler of an endpoint as an HTTP request does: with validated input, and an entry in the audit log. */
async function callEndpoint<Name extends CalledEndpoint>(
  { handlers, audit }: HostedContext,
  {
    token,
    caller,
    ...request
  }: McpCall & { readonly caller: ScopedCaller; readonly token: McpCall['caller'] },
  name: Name,
  { idempotencyKey = null, onAudit = () => {}, ...input }: Input,
): Promise<ResponseOf<(typeof endpoints)[Name]>> {
  const endpoint: Endpoint = endpoints[name];
  const entry = new RequestAudit(audit, endpoint, request);
  entry.setCaller(token);
  entry.add({ customer: caller.customer });
  entry.addPath(input.params);
  try {
    // Names every member, so that a new one is not forgotten. `parse` validates with the schemas of this endpoint.
    const call: { readonly [Member in keyof CallOf<Endpoint>]: unknown } = {
      ...request,
      caller,
      params: parse(endpoint.params, input.params),
      query: parse(endpoint.query, input.query),
      body: parse(endpoint.body, input.body),
      headers: undefined,
      cookie: undefined,
      userAgent: undefined,
      language: 'en',
      idempotencyKey,
      // The response has started when a tool runs.
      setHeader: () => {},
      reportLimit: () => {},
      reportRejection: () => {},
      audit: (details: AuditDetails) => {
        onAudit(details);
        request.audit(details);
        entry.add(details);
      },
    };
    const handler = handlers[name] as (input: unknown) => Promise<ResponseOf<(typeof endpoints)[Name]>>;
    const result = await handler(call);
    entry.succeed(result);
    return result;
  } catch (error) {
    entry.fail(error);
    throw error;
  }
}

function parse(schema: Endpoint['body'], value: unknown): unknown {
  if (schema === undefined) return undefined;
  const parsed = validate(schema, value);
  if (parsed.ok) return parsed.value;
  throw ConnectorAuthError.invalid('malformed_request', parsed.issues);
}
