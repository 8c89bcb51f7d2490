import type { z } from 'zod';
import type { CheckResult, ExecuteOptions } from './execute.ts';
import { hostedRunner, type HostedOptions } from './hosted.ts';
import type { Action, Entity, Kind, Outcome } from './kind.ts';
import { openRunner, type OpenOptions, type Runner } from './runner.ts';
import type {
  SearchAction,
  SearchFields,
  SearchOutcome,
  SearchParams,
  SearchPath,
  SearchRecord,
} from './search.ts';

type Params<A> = A extends { input: infer Input }
  ? Input
  : A extends { params: infer Schema }
    ? z.input<Schema>
    : never;
type Result<A> = A extends { run(params: never, vendor: never): Promise<infer Done> } ? Done : never;
type RecordOf<Page> = Page extends { result: readonly (infer Item)[] } ? Item : never;
type Optional<P> =
  IsOptional<P> extends true ? [params?: P, options?: ExecuteOptions] : [params: P, options?: ExecuteOptions];
/** True if `P` has no required members. */
type IsOptional<P> = P extends Record<string, never> ? true : Partial<P> extends P ? true : false;
type ActionsOf<E> = E extends { actions: infer Actions } ? Actions : never;
type FieldsOf<E> = E extends { search: { fields: infer Fields extends SearchFields } } ? Fields : never;
/** The operations that `execute` accepts: the entity's actions, and `search` if the entity is searchable. */
type OperationsOf<E> = ActionsOf<E> &
  ([FieldsOf<E>] extends [never] ? unknown : { search: SearchAction<FieldsOf<E>> });

/**
 * An entity as a member of the connector, such as `connector.notes`: its actions as methods, and iterators
 * over all pages of its list and search.
 */
export type EntityFace<E> = ActionFace<E> &
  ([FieldsOf<E>] extends [never] ? unknown : SearchFace<FieldsOf<E>>);

/**
 * Search over synced records. Available in hosted mode only; open source mode throws `search_needs_hosted`.
 */
export interface SearchFace<F extends SearchFields> {
  /** The result is `{ data, meta }` with the records in `data`, while that of `list` is the array of records itself. */
  search<const Path extends SearchPath<F> = never>(
    params: SearchParams<F, Path>,
    options?: ExecuteOptions,
  ): Promise<SearchOutcome<SearchRecord<F, Path>>>;
  /** Iterates over all matching records and holds one page in memory at a time. `limit` is the page size. */
  searchAll<const Path extends SearchPath<F> = never>(
    params: SearchParams<F, Path>,
    options?: ExecuteOptions,
  ): AsyncGenerator<SearchRecord<F, Path>, void>;
  /** Iterates over all pages of matching records. */
  searchPages<const Path extends SearchPath<F> = never>(
    params: SearchParams<F, Path>,
    options?: ExecuteOptions,
  ): AsyncGenerator<SearchOutcome<SearchRecord<F, Path>>, void>;
}

type ActionFace<E> = {
  [A in keyof ActionsOf<E>]: (...args: Optional<Params<ActionsOf<E>[A]>>) => Promise<Result<ActionsOf<E>[A]>>;
} & (ActionsOf<E> extends { list: infer List }
  ? {
      /** Iterates over all records of the list and holds one page in memory at a time. */
      listAll(...args: Optional<Params<List>>): AsyncGenerator<RecordOf<Result<List>>, void>;
      /** Iterates over all pages of the list. */
      listPages(...args: Optional<Params<List>>): AsyncGenerator<Result<List>, void>;
    }
  : unknown);

/** A connector object with `execute`, `check` and one member for each entity. */
export type ConnectorFace<K extends Kind> = {
  /**
   * Runs an action on an entity. The compiler checks entity, action and params, and infers the type of the
   * result.
   */
  execute<E extends keyof K['entities'] & string, A extends keyof OperationsOf<K['entities'][E]> & string>(
    entity: E,
    action: A,
    ...args: Optional<Params<OperationsOf<K['entities'][E]>[A]>>
  ): Promise<Result<OperationsOf<K['entities'][E]>[A]>>;
  /**
   * Runs an action whose entity or action is known only at run time, as in a request that is forwarded. The compiler
   * checks nothing, except that names written in the code exist.
   */
  execute<E extends string, A extends string>(
    entity: E & RuntimeName<E, A, keyof K['entities']>,
    action: A & RuntimeName<A, E, OperationName<K['entities'][keyof K['entities']]>>,
    params?: Readonly<Record<string, unknown>>,
    options?: ExecuteOptions,
  ): Promise<Outcome>;
  /** Checks whether the vendor accepts the credentials. */
  check(options?: ExecuteOptions): Promise<CheckResult>;
} & { readonly [E in keyof K['entities']]: EntityFace<K['entities'][E]> };

/**
 * The types of the records that search returns, by entity: `SearchRecords<typeof Granola>`. For `client.changes`; join those of
 * several connector classes with `&`.
 */
export type SearchRecords<Class> =
  Class extends ConnectorConstructor<infer K>
    ? {
        readonly [
          E in keyof K['entities'] as [FieldsOf<K['entities'][E]>] extends [never] ? never : E
        ]: SearchRecord<FieldsOf<K['entities'][E]>>;
      }
    : never;

/** Any string if the name is known only at run time; one of `Known` if only the other name is; otherwise never. */
type RuntimeName<Name extends string, Other extends string, Known> = string extends Name
  ? string
  : string extends Other
    ? Known
    : never;
type OperationName<E> = E extends unknown ? keyof OperationsOf<E> : never;

/** The credentials that a kind accepts: those of any auth method whose credentials can be pasted. */
export type CredentialsOf<K extends Kind> = K['authMethods'][number] extends infer Method
  ? Method extends { readonly isConsentOnly: true }
    ? never
    : Method extends { readonly fields: infer Fields extends z.ZodObject }
      ? Readonly<z.input<Fields>>
      : never
  : never;

type SettingsOf<K extends Kind> = Readonly<z.input<NonNullable<K['settings']>>>;

/**
 * Options for either mode: credentials in open source mode, or `hosted` in hosted mode, in which the service
 * stores the credentials.
 */
export type ConnectorOptions<K extends Kind = Kind> =
  | (OpenOptions<CredentialsOf<K>, SettingsOf<K>> & { readonly hosted?: undefined })
  | { readonly hosted: HostedOptions };

export type ConnectorConstructor<K extends Kind> = new (options: ConnectorOptions<K>) => ConnectorFace<K>;

/**
 * Creates the connector class for a kind: `new Granola({ credentials }).notes.list({ page_size: 10 })`.
 * Methods, results and errors are the same in both modes.
 */
export function connectorClass<const K extends Kind>(kind: K): ConnectorConstructor<K> {
  class Connector {
    readonly execute: Runner['execute'];
    readonly check: Runner['check'];

    constructor(options: ConnectorOptions) {
      const { execute, check } = options.hosted
        ? hostedRunner(kind, options.hosted)
        : openRunner(kind, options);
      this.execute = execute;
      this.check = check;
      for (const [name, entity] of Object.entries(kind.entities)) {
        Object.defineProperty(this, name, { value: entityFace(name, entity, execute), enumerable: true });
      }
    }
  }
  // The members are created from the declaration, as ConnectorFace describes.
  return Connector as unknown as ConnectorConstructor<K>;
}

type AnyParams = Readonly<Record<string, unknown>>;
type Run = Runner['execute'];

function entityFace(name: string, entity: Entity, run: Run): Record<string, unknown> {
  const methods = Object.keys(entity.actions).map(action => [
    action,
    (params?: AnyParams, options?: ExecuteOptions) => run(name, action, params, options),
  ]);
  return {
    ...Object.fromEntries(methods),
    ...(entity.actions.list && listFace(name, entity.actions.list, run)),
    ...(entity.search && searchFace(name, run)),
  };
}

function listFace(name: string, list: Action, run: Run) {
  const listPages = (params: AnyParams = {}, options?: ExecuteOptions) =>
    pagesOf(
      asked => run(name, 'list', asked, options),
      // List params are always an object, because `run` has just validated them.
      (asked, page) => (list.nextPage?.(asked, page) as AnyParams | null | undefined) ?? null,
      params,
    );
  return {
    listPages,
    listAll: async function* (params?: AnyParams, options?: ExecuteOptions) {
      // The result of a list is an array of records.
      for await (const page of listPages(params, options)) yield* page.result as readonly unknown[];
    },
  };
}

function searchFace(name: string, run: Run) {
  // The contract defines the type of a search result.
  const pageOf = ({ result }: Outcome) => result as SearchOutcome<unknown>['result'];
  const searchPages = (params: AnyParams, options?: ExecuteOptions) =>
    pagesOf(
      asked => run(name, 'search', asked, options),
      (asked, outcome) => {
        const { cursor } = pageOf(outcome).meta;
        return cursor === null ? null : { ...asked, cursor };
      },
      params,
    );
  return {
    search: (params: AnyParams, options?: ExecuteOptions) => run(name, 'search', params, options),
    searchPages,
    searchAll: async function* (params: AnyParams, options?: ExecuteOptions) {
      for await (const outcome of searchPages(params, options)) yield* pageOf(outcome).data;
    },
  };
}

async function* pagesOf(
  read: (params: AnyParams) => Promise<Outcome>,
  next: (params: AnyParams, page: Outcome) => AnyParams | null,
  first: AnyParams,
) {
  let params: AnyParams | null = first;
  while (params !== null) {
    const page: Outcome = await read(params);
    yield page;
    params = next(params, page);
  }
}
