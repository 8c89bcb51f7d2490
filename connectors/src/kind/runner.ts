import type { DataRight } from '@connector-auth/api';
import { connect } from './connection.ts';
import { parseOwnGrant } from './credentials.ts';
import { check, execute, type CheckResult, type ExecuteOptions } from './execute.ts';
import { grantsInMemory, type Grant, type OAuthApp } from './grants.ts';
import type { Kind, Outcome } from './kind.ts';
import type { Limiter } from './rate-limit.ts';
import type { Transport } from './transport.ts';

/** Runs a connector's operations in this process or through the service. */
export interface Runner {
  readonly execute: (
    entity: string,
    action: string,
    params?: Readonly<Record<string, unknown>>,
    options?: ExecuteOptions,
  ) => Promise<Outcome>;
  readonly check: (options?: ExecuteOptions) => Promise<CheckResult>;
}

/**
 * Options for open source mode, in which the caller's process calls the vendor with the caller's own
 * credentials.
 */
export interface OpenOptions<
  Credentials = Readonly<Record<string, unknown>>,
  Settings = Readonly<Record<string, unknown>>,
> {
  /** Credentials for one of the kind's auth methods. */
  readonly credentials: Credentials;
  /**
   * The `state` passed to the most recent `onCredentialsChanged` call. Must be kept as secret as the
   * credentials.
   */
  readonly state?: Readonly<Record<string, unknown>>;
  /** Settings specific to the kind, such as the version of the vendor's API. */
  readonly settings?: Settings;
  /**
   * Called with refreshed credentials or new state, and awaited before they are used. Store both, because a
   * refresh token may be valid only once.
   */
  readonly onCredentialsChanged?: (changed: {
    readonly credentials: Credentials;
    readonly state: Grant['state'];
  }) => Promise<void> | void;
  /** The OAuth app used to refresh tokens, if the credentials do not include one. */
  readonly app?: OAuthApp;
  /** Data to read in addition: `private_fields`, such as the private notes in Granola. Default: none. */
  readonly allowedData?: readonly DataRight[];
  /** Maximum wait for one response from the vendor, in milliseconds. */
  readonly timeoutMs?: number;
  /** Replaces the network transport, for example with the sandbox. */
  readonly transport?: Transport;
  /** Replaces the default rate limiter, which all connectors in this process share. */
  readonly limiter?: Limiter;
}

/** Runs operations in this process with the caller's credentials. */
export function openRunner(kind: Kind, options: OpenOptions): Runner {
  const { onCredentialsChanged, app, timeoutMs, transport, limiter, allowedData = [] } = options;
  const grant = parseOwnGrant(kind, options.credentials, options.settings, options.state);
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
      execute(connection, { entity, action, params }, { ...runOptions, allowedData }),
    check: runOptions => check(connection, runOptions),
  };
}
