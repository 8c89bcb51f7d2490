import { ConnectorAuthError, type DataRight } from '@connector-auth/api';
import { createClient, type Client } from '@connector-auth/api/client';
import type { Dispatcher } from 'undici';
import type { CheckResult, ExecuteOptions } from './execute.ts';
import type { Kind, Outcome } from './kind.ts';
import type { Runner } from './runner.ts';

/** Options for hosted mode, in which the service stores the credentials and runs the operations. */
export interface HostedOptions {
  /** The customer who owns the connector. */
  readonly customerName: string;
  /** Required if the application belongs to more than one organization. */
  readonly organizationId?: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** URL of the service. */
  readonly baseUrl: string;
  /** Required if the customer has more than one connector for this kind. */
  readonly connectorId?: string;
  /** Maximum duration of one call, in milliseconds. */
  readonly timeoutMs?: number;
  readonly dispatcher?: Dispatcher;
  /** Data to read in addition: `private_fields`, such as the private notes in Granola. Default: none. */
  readonly allowedData?: readonly DataRight[];
}

/**
 * Runs operations through the service. Looks up the connector by customer and kind on first use, and again
 * after the connector has been deleted. Concurrent calls share one lookup, but each call stops waiting at its
 * own deadline or when its own signal aborts.
 * @throws (each call) ConnectorAuthError `connector_not_found`, or `connector_ambiguous` if the customer has
 * more than one connector for the kind.
 */
export function hostedRunner(kind: Kind, { customerName, connectorId, ...options }: HostedOptions): Runner {
  const client = createClient(options);
  let found: Promise<string> | null = null;

  async function withConnector<Result>(
    runOptions: ExecuteOptions | undefined,
    call: (id: string) => Promise<Result>,
  ): Promise<Result> {
    const looked = (found ??= look());
    try {
      return await call(await untilLeft(looked, runOptions));
    } catch (error) {
      // The connector was deleted and may have been recreated with a new id, so the next call looks it up.
      const isGone = error instanceof ConnectorAuthError && error.code === 'connector_not_found';
      if (isGone && found === looked) found = null;
      throw error;
    }
  }

  async function look(): Promise<string> {
    try {
      return connectorId ?? (await findConnector(client, kind, customerName));
    } catch (error) {
      // The next call looks up the connector again, because the lookup may then succeed.
      found = null;
      throw error;
    }
  }

  return {
    execute: (entity, action, params, runOptions) =>
      withConnector(runOptions, async id => {
        const result = await client.execute(
          id,
          { entity, action, params: params ?? null },
          callOptions(runOptions),
        );
        return result satisfies Outcome;
      }),
    check: runOptions =>
      withConnector(runOptions, async id => {
        const result = await client.connectors.check(id, callOptions(runOptions));
        return result satisfies CheckResult;
      }),
  };
}

async function findConnector(client: Client, kind: Kind, customerName: string): Promise<string> {
  const { data } = await client.connectors.list({
    customer_name: customerName,
    connector_type: kind.key,
    limit: 2,
  });
  const [connector, another] = data;
  if (connector === undefined) {
    throw new ConnectorAuthError(
      'connector_not_found',
      `Customer ${customerName} has no ${kind.name} connector`,
    );
  }
  if (another !== undefined) {
    throw new ConnectorAuthError(
      'connector_ambiguous',
      `Customer ${customerName} has more than one ${kind.name} connector. Set \`connectorId\``,
    );
  }
  return connector.id;
}

/**
 * Waits for a promise until this caller's signal aborts or its deadline passes. Other callers can continue to
 * wait for the same promise.
 */
async function untilLeft<T>(awaited: Promise<T>, options: ExecuteOptions = {}): Promise<T> {
  const { signal, deadlineMs } = options;
  const left = Promise.withResolvers<never>();
  const leave = (): void => {
    left.reject(
      new ConnectorAuthError('aborted', 'The caller cancelled the request', { cause: signal?.reason }),
    );
  };
  const expire = (): void => {
    left.reject(new ConnectorAuthError('timeout', 'The service did not respond before the deadline'));
  };
  const timer = deadlineMs === undefined ? undefined : setTimeout(expire, msUntil(deadlineMs));
  signal?.addEventListener('abort', leave, { once: true });
  if (signal?.aborted) leave();
  try {
    return await Promise.race([left.promise, awaited]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', leave);
  }
}

function callOptions({ signal, deadlineMs }: ExecuteOptions = {}) {
  return {
    ...(signal ? { signal } : {}),
    ...(deadlineMs === undefined ? {} : { timeoutMs: msUntil(deadlineMs) }),
  };
}

/** One day, which is the maximum for timers and for the client. */
const maxTimerMs = 86_400_000;

function msUntil(deadlineMs: number): number {
  return Math.min(maxTimerMs, Math.max(1, Math.ceil(deadlineMs - Date.now())));
}
