import { ConnectorAuthError } from '@connector-auth/api';
import { createClient, type Client } from '@connector-auth/api/client';
import type { Dispatcher } from 'undici';
import type { CheckResult, ExecuteOptions } from './execute.ts';
import type { Kind, Outcome } from './kind.ts';
import type { Runner } from './runner.ts';

/** Hosted mode: the service keeps the credentials and runs the operations. */
export interface HostedOptions {
  /** The customer whose connector is used. */
  readonly customerName: string;
  /** Required when the application belongs to several organizations. */
  readonly organizationId?: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Address of the service. */
  readonly baseUrl: string;
  /** Which connector, when the customer has several of the kind. */
  readonly connectorId?: string;
  /** Longest wait for one call, in milliseconds. */
  readonly timeoutMs?: number;
  readonly dispatcher?: Dispatcher;
}

/**
 * Runs operations through the service. The connector is found by customer and kind on first use, and looked for again
 * when it is gone. Calls that need it at the same time share one look; each stops waiting for it when its own signal or
 * deadline says so.
 * @throws (its calls) ConnectorAuthError `connector_not_found`, or `connector_ambiguous` when the customer has several.
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
      // Deleted, and perhaps made anew: the next call looks again.
      const isGone = error instanceof ConnectorAuthError && error.code === 'connector_not_found';
      if (isGone && found === looked) found = null;
      throw error;
    }
  }

  async function look(): Promise<string> {
    try {
      return connectorId ?? (await findConnector(client, kind, customerName));
    } catch (error) {
      // Not made yet, one of several, or the service was away: none of it need be so at the next call.
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

/** Waits for what others may wait for too, as long as this caller does. */
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

/** The longest that timers and the client wait: a day. */
const maxTimerMs = 86_400_000;

function msUntil(deadlineMs: number): number {
  return Math.min(maxTimerMs, Math.max(1, Math.ceil(deadlineMs - Date.now())));
}
