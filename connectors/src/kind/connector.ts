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
/** Whether nothing in P is required, or P has no members at all. */
type IsOptional<P> = P extends Record<string, never> ? true : Partial<P> extends P ? true : false;
type ActionsOf<E> = E extends { actions: infer Actions } ? Actions : never;
type FieldsOf<E> = E extends { search: { fields: infer Fields extends SearchFields } } ? Fields : never;
/** What `execute` offers: the actions, and search where the entity has it. */
type OperationsOf<E> = ActionsOf<E> &
  ([FieldsOf<E>] extends [never] ? unknown : { search: SearchAction<FieldsOf<E>> });

/** `connector.notes`: its actions as methods, search, and walks over all pages of its list and of a search. */
export type EntityFace<E> = ActionFace<E> &
  ([FieldsOf<E>] extends [never] ? unknown : SearchFace<FieldsOf<E>>);

/** Search over synchronised records; hosted mode only, in open source mode it refuses with `search_needs_hosted`. */
export interface SearchFace<F extends SearchFields> {
  search<const Path extends SearchPath<F> = never>(
    params: SearchParams<F, Path>,
    options?: ExecuteOptions,
  ): Promise<SearchOutcome<SearchRecord<F, Path>>>;
  /** Every record that is found, page after page; only one page is in memory. `limit` is the size of a page. */
  searchAll<const Path extends SearchPath<F> = never>(
    params: SearchParams<F, Path>,
    options?: ExecuteOptions,
  ): AsyncGenerator<SearchRecord<F, Path>, void>;
  /** Every page that is found. */
  searchPages<const Path extends SearchPath<F> = never>(
    params: SearchParams<F, Path>,
    options?: ExecuteOptions,
  ): AsyncGenerator<SearchOutcome<SearchRecord<F, Path>>, void>;
}

type ActionFace<E> = {
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
  execute<E extends keyof K['entities'] & string, A extends keyof OperationsOf<K['entities'][E]> & string>(
    entity: E,
    action: A,
    ...args: Optional<Params<OperationsOf<K['entities'][E]>[A]>>
  ): Promise<Result<OperationsOf<K['entities'][E]>[A]>>;
  /** Whether the vendor accepts the credentials. */
  check(options?: ExecuteOptions): Promise<CheckResult>;
} & { readonly [E in keyof K['entities']]: EntityFace<K['entities'][E]> };

/** Open source mode takes credentials; hosted mode takes `hosted`, and the service has the credentials. */
export type ConnectorOptions = OpenOptions | { readonly hosted: HostedOptions };

export type ConnectorConstructor<K extends Kind> = new (options: ConnectorOptions) => ConnectorFace<K>;

/**
 * Makes the class of a kind: `new Granola({ credentials }).notes.list({ page_size: 10 })`. Both modes have the same face,
 * the same results and the same errors.
 */
export function connectorClass<const K extends Kind>(kind: K): ConnectorConstructor<K> {
  class Connector {
    readonly execute: Runner['execute'];
    readonly check: Runner['check'];

    constructor(options: ConnectorOptions) {
      const { execute, check } =
        'hosted' in options ? hostedRunner(kind, options.hosted) : openRunner(kind, options);
      this.execute = execute;
      this.check = check;
      for (const [name, entity] of Object.entries(kind.entities)) {
        Object.defineProperty(this, name, { value: entityFace(name, entity, execute), enumerable: true });
      }
    }
  }
  // The members are made from the declaration, which is what ConnectorFace describes.
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
      // Params of a list are an object: the executor has just validated them.
      (asked, page) => (list.nextPage?.(asked, page) as AnyParams | null | undefined) ?? null,
      params,
    );
  return {
    listPages,
    listAll: async function* (params?: AnyParams, options?: ExecuteOptions) {
      // A list's result is the array of its records.
      for await (const page of listPages(params, options)) yield* page.result as readonly unknown[];
    },
  };
}

function searchFace(name: string, run: Run) {
  // What a search answers, by the contract.
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
