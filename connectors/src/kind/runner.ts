import { connect } from './connection.ts';
import { parseGrant } from './credentials.ts';
import { check, execute, type CheckResult, type ExecuteOptions } from './execute.ts';
import { grantsInMemory, type Grant, type OAuthApp } from './grants.ts';
import type { Kind, Outcome } from './kind.ts';
import type { Limiter } from './rate-limit.ts';
import type { Transport } from './transport.ts';

/** Runs the operations of a connector object, in this process or through the service. */
export interface Runner {
  readonly execute: (
    entity: string,
    action: string,
    params?: Readonly<Record<string, unknown>>,
    options?: ExecuteOptions,
  ) => Promise<Outcome>;
  readonly check: (options?: ExecuteOptions) => Promise<CheckResult>;
}

/** Open source mode: uses the caller's own credentials in the caller's process. */
export interface OpenOptions {
  /** In the shape of one of the kind's auth methods. */
  readonly credentials: Readonly<Record<string, unknown>>;
  /** The `state` of the last `onCredentialsChanged`. As secret as the credentials. */
  readonly state?: Readonly<Record<string, unknown>>;
  /** In the shape of the kind's settings, such as the version of the vendor's API. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /**
   * Called with renewed credentials or new state, and awaited before they are used. Store both: a refresh
   * token may work only once.
   */
  readonly onCredentialsChanged?: (changed: Pick<Grant, 'credentials' | 'state'>) => Promise<void> | void;
  /** The OAuth app that renews tokens, if the credentials do not contain one. */
  readonly app?: OAuthApp;
  /** Max wait for one response of the vendor, in milliseconds. */
  readonly timeoutMs?: number;
  /** Replaces the network, for example with a sandbox. */
  readonly transport?: Transport;
  /** Replaces the rate limiter of this process. */
  readonly limiter?: Limiter;
}

/** Runs operations in this process with the caller's credentials. */
export function openRunner(kind: Kind, options: OpenOptions): Runner {
  const { onCredentialsChanged, app, timeoutMs, transport, limiter } = options;
  const grant = parseGrant(kind, options.credentials, options.settings, options.state);
  const connection = connect({
    kind,
    grants: grantsInMemory(grant, ({ credentials, state }) => onCredentialsChanged?.({ credentials, state })),
    ...(app ? { app } : {}),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(transport ? { transport } : {}),
    ...(limiter ? { limiter } : {}),
  });
  return {
    execute: (entity, action, params, runOptions) =>
      execute(connection, { entity, action, params }, runOptions),
    check: runOptions => check(connection, runOptions),
  };
}
