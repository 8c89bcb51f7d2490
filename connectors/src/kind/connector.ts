import type { Transport } from './transport.ts';
import { connect, systemClock } from './connection.ts';
import { parseGrant } from './credentials.ts';
import { check, type CheckResult, execute, type ExecuteOptions } from './execute.ts';
import { grantsInMemory } from './grants.ts';
import type { Action, Entity, Grant, Kind, OAuthApp, Outcome } from './kind.ts';
import type { Limiter } from './rate-limit.ts';

type Params<A> = A extends { params: { _zod: { input: infer Input } } } ? Input : never;
type Result<A> = A extends { run(params: never, vendor: never): Promise<infer Done> } ? Done : never;
type RecordOf<Page> = Page extends { result: readonly (infer Item)[] } ? Item : never;
type Optional<P> =
  Partial<P> extends P ? [params?: P, options?: ExecuteOptions] : [params: P, options?: ExecuteOptions];
type ActionsOf<E> = E extends { actions: infer Actions } ? Actions : never;

/** `connector.notes`: its actions as methods, and walks over all pages of its list. */
export type EntityFace<E> = {
  [A in keyof ActionsOf<E>]: (...args: Optional<Params<ActionsOf<E>[A]>>) => Promise<Result<ActionsOf<E>[A]>>;
} & (ActionsOf<E> extends { list: infer List }
  ? {
      /** Every record of the list, page after page; only one page is in memory. */
      listAll(...args: Optional<Params<List>>): AsyncGenerator<RecordOf<Result<List>>, void>;
      /** Every page of the list. */
      listPages(...args: Optional<Params<List>>): AsyncGenerator<Result<List>, void>;
    }
  : unknown);

/** A connector object: `execute`, `check`, and one member for each entity. */
export type ConnectorFace<K extends Kind> = {
  /** Runs an action of an entity. Entity, action and params are checked by the compiler, the outcome is typed. */
  execute<E extends keyof K['entities'] & string, A extends keyof ActionsOf<K['entities'][E]> & string>(
    entity: E,
    action: A,
    ...args: Optional<Params<ActionsOf<K['entities'][E]>[A]>>
  ): Promise<Result<ActionsOf<K['entities'][E]>[A]>>;
  /** Whether the vendor accepts the credentials. */
  check(options?: ExecuteOptions): Promise<CheckResult>;
} & { readonly [E in keyof K['entities']]: EntityFace<K['entities'][E]> };

/** Open source mode: the caller's own credentials, used in the caller's own process. */
export interface ConnectorOptions {
  /** In the shape of one of the kind's auth methods. */
  readonly credentials: Readonly<Record<string, unknown>>;
  /** What an earlier `onCredentialsChanged` gave as `state`. Secret like the credentials. */
  readonly state?: Readonly<Record<string, unknown>>;
  /** In the shape of the kind's settings, e.g. the version of the vendor's API. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /**
   * Called with renewed credentials or newly learned state, and finished before they are used: store both here, a refresh token
   * may work once.
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

export type ConnectorConstructor<K extends Kind> = new (options: ConnectorOptions) => ConnectorFace<K>;

/** Makes the class of a kind: `new Granola({ credentials }).notes.list({ page_size: 10 })`. */
export function connectorClass<const K extends Kind>(kind: K): ConnectorConstructor<K> {
  class Connector {
    readonly execute: Run;
    readonly check: (options?: ExecuteOptions) => Promise<CheckResult>;

    constructor(options: ConnectorOptions) {
      const { onCredentialsChanged, app, timeoutMs, transport, limiter } = options;
      const grant = parseGrant(kind, options.credentials, options.settings, options.state);
      const connection = connect({
        kind,
        grants: grantsInMemory(grant, ({ credentials, state }) =>
          onCredentialsChanged?.({ credentials, state }),
        ),
        clock: systemClock,
        ...(app ? { app } : {}),
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        ...(transport ? { transport } : {}),
        ...(limiter ? { limiter } : {}),
      });
      this.execute = (entity, action, params, runOptions) =>
        execute(connection, { entity, action, params }, runOptions);
      this.check = checkOptions => check(connection, checkOptions);
      for (const [name, entity] of Object.entries(kind.entities)) {
        Object.defineProperty(this, name, {
          value: entityFace(name, entity, this.execute),
          enumerable: true,
        });
      }
    }
  }
  // The members are made from the declaration, which is what ConnectorFace describes.
  return Connector as unknown as ConnectorConstructor<K>;
}

type AnyParams = Readonly<Record<string, unknown>>;
type Run = (entity: string, action: string, params?: AnyParams, options?: ExecuteOptions) => Promise<Outcome>;

function entityFace(name: string, entity: Entity, run: Run): Record<string, unknown> {
  const methods = Object.keys(entity.actions).map(action => [
    action,
    (params?: AnyParams, options?: ExecuteOptions) => run(name, action, params, options),
  ]);
  const { list } = entity.actions;
  if (!list) return Object.fromEntries(methods) as Record<string, unknown>;
  const pages = (params: AnyParams = {}, options?: ExecuteOptions) =>
    walkPages(name, list, run, params, options);
  return {
    ...Object.fromEntries(methods),
    listPages: pages,
    listAll: async function* (params?: AnyParams, options?: ExecuteOptions) {
      // A list's result is the array of its records.
      for await (const page of pages(params, options)) yield* page.result as readonly unknown[];
    },
  };
}

async function* walkPages(name: string, list: Action, run: Run, first: AnyParams, options?: ExecuteOptions) {
  let params: AnyParams | null = first;
  while (params !== null) {
    const page: Outcome = await run(name, 'list', params, options);
    yield page;
    // Params of a list are an object: the executor has just validated them.
    params = (list.nextPage?.(params, page) as AnyParams | null | undefined) ?? null;
  }
}
