import {
  actionNames,
  ConnectorAuthError,
  JsonText,
  readOnlyActions,
  type ActionName,
  type ExecuteResponse,
} from '@connector-auth/api';
import {
  execute,
  isReading,
  TransportError,
  type Kind,
  type Operation,
} from '@connector-auth/connectors/kind';
import type { Kysely } from 'kysely';
import { LimitError, type LimitPolicy } from '../../platform/concurrency/limit-error.ts';
import { Semaphore } from '../../platform/concurrency/semaphore.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { Caller } from '../../shared/auth/caller.ts';
import type { Credentials } from '../../shared/credentials/credentials.ts';
import type { KindRegistry } from '../../shared/definitions/registry.ts';
import type { Call } from '../../shared/http/handler.ts';
import { outcomeUnknown, type Idempotency } from '../../shared/idempotency/idempotency.ts';
import type { CustomerOwner } from '../../shared/idempotency/key-tables.ts';
import type { CachedConnectors } from '../../shared/repositories/cached-connectors.ts';
import type { StoredConnector } from '../../shared/repositories/connectors.ts';
import { requireConnector } from '../../shared/tenancy/connectors.ts';
import type { VendorResponses } from '../../shared/vendor-limits/response-memory.ts';

/**
 * Searches a connector's synced records of one entity. Returns null if the entity is not searchable.
 * @throws ConnectorAuthError `invalid_params`, `query_too_expensive`, `query_too_slow`, `rate_limited`,
 * `overloaded`.
 */
export type Search = (
  connector: StoredConnector,
  entity: string,
  params: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
) => Promise<unknown> | null;

export interface ExecuteContext {
  readonly db: Kysely<Tables>;
  readonly kinds: KindRegistry;
  readonly cached: CachedConnectors;
  readonly credentials: Credentials;
  readonly search: Search;
  readonly responses: VendorResponses;
  readonly idempotency: Idempotency<CustomerOwner>;
  /** Limits each customer's concurrent calls to vendors. */
  readonly concurrency: ExecuteLimit;
}

interface ExecuteLimit {
  readonly semaphore: Semaphore;
  readonly policy: LimitPolicy;
}

/** Creates the limit of concurrent executes per customer. */
export function limitExecutes(maxConcurrent: number): ExecuteLimit {
  const retryAfterSeconds = 5;
  const policy = { name: 'executes', quota: maxConcurrent, windowSeconds: null };
  const semaphore = new Semaphore(
    { maxConcurrent, maxQueued: 4 * maxConcurrent, maxWaitMs: 30_000 },
    () =>
      new LimitError(
        policy,
        `Too many concurrent executes for this customer: ${maxConcurrent} are running. Send fewer at once, or try again in ${retryAfterSeconds} s`,
        retryAfterSeconds,
      ),
  );
  return { semaphore, policy };
}

interface ExecuteCall extends Pick<
  Call<'execute'>,
  'idempotencyKey' | 'signal' | 'onClose' | 'reportLimit' | 'audit'
> {
  readonly operation: Operation;
}

/** The connector that an action runs on. */
interface Target {
  readonly stored: StoredConnector;
  readonly kind: Kind;
}

/**
 * Runs an action on a connector. Either searches the connector's synced records or calls the vendor with the
 * stored credentials. Runs at most one database query before calling the vendor, and none if the connector was used
 * within the last seconds, unless a change has an idempotency key.
 * @throws ConnectorAuthError `action_not_allowed` if the token does not allow the action, or the connector
 * only reads;
 * `connector_not_found`; `connector_disabled`; `connector_frozen`; `rate_limited` if the customer runs too many executes; errors from the operation, such
 * as `unknown_action`; errors from the vendor, such as `reauthentication_required`; `idempotency_key_reused` or
 * `outcome_unknown` for a change with an idempotency key.
 */
export async function executeAction(
  context: ExecuteContext,
  caller: Caller,
  id: string,
  call: ExecuteCall,
): Promise<ExecuteResponse> {
  const { operation, signal, audit } = call;
  // `execute` rejects unknown actions with an error that lists the known ones.
  const action = actionNames.find(name => name === operation.action);
  if (action !== undefined) {
    audit({ action });
    caller.rights.requireAction(action);
  }
  const target = await requireConnector(context, { caller, audit }, id, 'use');
  const { stored, kind } = target;
  if (action !== undefined) requireAccess(stored, kind, action);
  // Other names are untrusted text.
  const isEntity = operation.entity === '*' || Object.hasOwn(kind.entities, operation.entity);
  audit({ entity: isEntity ? operation.entity : null });
  if (operation.action === 'search') {
    const found = await context.search(stored, operation.entity, operation.params ?? {}, signal);
    if (found !== null) {
      audit({ records: countRecords('search', found) });
      return { result: found, connector_metadata: null };
    }
  }
  const response = isReading(operation.action)
    ? await callVendor(context, caller, target, call)
    : await changeOnce(context, caller, target, call);
  if (action !== undefined) audit({ records: countRecords(action, response.result) });
  return response;
}

/**
 * Makes a change at most once per idempotency key. A change that has started is not aborted if the caller
 * disconnects, because its outcome would be unknown.
 */
async function changeOnce(
  context: ExecuteContext,
  caller: Caller,
  target: Target,
  call: ExecuteCall,
): Promise<ExecuteResponse> {
  const { idempotencyKey, operation, signal } = call;
  if (idempotencyKey === null) return callVendor(context, caller, target, call);
  const { stored } = target;
  const key = await context.idempotency.reserve<ExecuteResponse | null>({
    organizationId: stored.organizationId,
    customerName: stored.customerName,
    route: 'execute',
    key: idempotencyKey,
    // The response contains private fields if the caller's token allows them.
    body: { id: stored.id, operation, allowedData: caller.rights.granted.allowedData },
    signal,
    isRepeatable: false,
  });
  if (key.status === 'completed') {
    if (key.response === null) throw outcomeUnknown();
    return key.response;
  }
  let response: ExecuteResponse;
  let isStarted = false;
  try {
    const whenStarted = (): AbortSignal => {
      isStarted = true;
      return new AbortController().signal;
    };
    response = await callVendor(context, caller, target, { ...call, whenStarted });
  } catch (error) {
    if (!isStarted || isWithoutEffect(error)) {
      await key.release();
      throw error;
    }
    await key.commit(context.db, null);
    throw outcomeUnknown(error);
  }
  await key.commit(context.db, response).catch((error: unknown) => {
    throw outcomeUnknown(error);
  });
  return response;
}

/** Returns whether a change that failed with this error certainly had no effect at the vendor. */
function isWithoutEffect(error: unknown): boolean {
  if (error instanceof TransportError) return !error.mayHaveArrived;
  if (!(error instanceof ConnectorAuthError)) return false;
  // From 499, the vendor or the connection failed, except that the vendor rejects an app that is misconfigured.
  return error.status < 499 || error.code === 'vendor_misconfigured';
}

interface VendorCall extends ExecuteCall {
  /** Called before the first request to the vendor. Returns the signal that aborts the requests. */
  readonly whenStarted?: () => AbortSignal;
}

async function callVendor(
  { credentials, responses, concurrency }: ExecuteContext,
  { rights }: Caller,
  { stored, kind }: Target,
  { operation, signal, whenStarted = () => signal, onClose, reportLimit }: VendorCall,
): Promise<ExecuteResponse> {
  const memory = responses.open(stored);
  let isClosed = false;
  // The serialized result uses memory until it has been sent.
  onClose(() => {
    isClosed = true;
    memory.release();
  });
  const run = () => {
    const remaining = concurrency.semaphore.availableBesides(stored.customerId);
    reportLimit({ policy: concurrency.policy, remaining, resetSeconds: null });
    const options = { signal: whenStarted(), allowedData: rights.granted.allowedData };
    return execute(credentials.connect(kind, stored, memory), operation, options);
  };
  try {
    const { result, connector_metadata } = await concurrency.semaphore.run(stored.customerId, run, signal);
    // Kinds declare the result as an object or null, but the return type of `execute` is wider.
    return { result, connector_metadata: (connector_metadata ?? null) as Record<string, unknown> | null };
  } finally {
    // A change continues after its caller has disconnected.
    if (isClosed) memory.release();
  }
}

/** Throws `action_not_allowed` if an action changes data at the vendor and the connector only reads. */
function requireAccess({ access }: StoredConnector, { name }: Kind, action: ActionName): void {
  if (access === 'write' || readOnlyActions.some(allowed => allowed === action)) return;
  throw new ConnectorAuthError(
    'action_not_allowed',
    `This connector only reads from ${name}, because the token that connected it has the access read. To change data, reconnect it with a token whose access is write`,
  );
}

/** Returns the number of records in a result, or null if the action returns none. */
function countRecords(action: ActionName, result: unknown): number | null {
  if (action === 'check') return null;
  if (Array.isArray(result) || result instanceof JsonText) return result.length;
  if (typeof result !== 'object' || result === null) return 0;
  if (action === 'search' && 'data' in result) return countRecords('list', result.data);
  const isWrite = action === 'create' || action === 'update';
  return isWrite && 'results' in result ? countRecords('list', result.results) : 1;
}
