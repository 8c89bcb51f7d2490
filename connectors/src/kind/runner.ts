import { connect } from './connection.ts';
import { parseGrant } from './credentials.ts';
import { check, execute, type CheckResult, type ExecuteOptions } from './execute.ts';
import { grantsInMemory, type Grant, type OAuthApp } from './grants.ts';
import type { Kind, Outcome } from './kind.ts';
import type { Limiter } from './rate-limit.ts';
import type { Transport } from './transport.ts';

/** What a connector object runs its operations with: this process, or the service. */
export interface Runner {
  readonly execute: (
    entity: string,
    action: string,
    params?: Readonly<Record<string, unknown>>,
    options?: ExecuteOptions,
  ) => Promise<Outcome>;
  readonly check: (options?: ExecuteOptions) => Promise<CheckResult>;
}

/** Open source mode: the caller's own credentials, used in the caller's own process. */
export interface OpenOptions {
  /** In the shape of one of the kind's auth methods. */
  readonly credentials: Readonly<Record<string, unknown>>;
  /** What an earlier `onCredentialsChanged` gave as `state`. Secret like the credentials. */
  readonly state?: Readonly<Record<string, unknown>>;
  /** In the shape of the kind's settings, e.g. the version of the vendor's API. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /**
   * Called with renewed credentials or newly learned state, and finished before they are used: store both here, a
   * refresh token may work once.
   */
  readonly onCredentialsChanged?: (changed: Pick<Grant, 'credentials' | 'state'>) => Promise<void> | void;
  /** The OAuth app to renew tokens with, where the credentials do not name one. */
  readonly app?: OAuthApp;
  /** Longest wait for one answer of the vendor, in milliseconds. */
  readonly timeoutMs?: number;
  /** Replaces the network, e.g. by a sandbox. */
  readonly transport?: Transport;
  /** Replaces this process's counting of the vendor's limits. */
  readonly limiter?: Limiter;
}

/** Runs operations in this process, with the caller's credentials. */
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
