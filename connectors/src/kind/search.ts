import type { Outcome, SearchType } from './kind.ts';

/** Searchable fields of an entity and their types. */
export type SearchFields = Readonly<Record<string, SearchType>>;

/** Integers beyond the safe range are `bigint`, in params and results. */
type Integer = number | bigint;

/** Any JSON value but null: `neq` and `not` match records without a value. */
type Json = string | Integer | boolean | object;

/** What a field is compared with. */
interface Operands {
  string: string;
  integer: Integer;
  number: Integer;
  boolean: boolean;
  array: readonly unknown[];
  object: object;
  /** A number, or a string that contains one. */
  decimal: Integer | string;
}

/** The value of a field in a record. */
interface Values {
  string: string;
  integer: Integer;
  number: number;
  boolean: boolean;
  array: readonly unknown[];
  object: Readonly<Record<string, unknown>>;
  /** As the vendor sent it, such as `20.000`. */
  decimal: string;
}

type NamesOf<F extends SearchFields, T extends SearchType> = {
  [N in keyof F]: F[N] extends T ? N : never;
}[keyof F] &
  string;
/** A path inside an object field: `owner.email`. */
type PathOf<F extends SearchFields> = `${NamesOf<F, 'object'>}.${string}`;
type Ordered = 'string' | 'integer' | 'number' | 'decimal';

type Equal<F extends SearchFields> = { readonly [N in keyof F]?: Operands[F[N]] } & {
  readonly [P in PathOf<F>]?: Json;
};
type Among<F extends SearchFields> = { readonly [N in keyof F]?: readonly Operands[F[N]][] } & {
  readonly [P in PathOf<F>]?: readonly Json[];
};
type Bound<F extends SearchFields> = { readonly [N in NamesOf<F, Ordered>]?: Operands[F[N]] } & {
  readonly [P in PathOf<F>]?: Integer | string;
};
type Text<F extends SearchFields> = { readonly [N in NamesOf<F, 'string' | 'decimal'> | PathOf<F>]?: string };
type InArray<F extends SearchFields, Operand> = {
  readonly [N in keyof F as F[N] extends 'array' ? N : never]?: Operand;
} & { readonly [P in PathOf<F>]?: Operand };

/** Operator, then field, then value. All operators and fields of a node must match. */
export interface SearchFilter<F extends SearchFields> {
  readonly eq?: Equal<F>;
  /** Also matches records without the field, like `not` and unlike all other operators. */
  readonly neq?: Equal<F>;
  readonly gt?: Bound<F>;
  readonly gte?: Bound<F>;
  readonly lt?: Bound<F>;
  readonly lte?: Bound<F>;
  readonly in?: Among<F>;
  /** `%` matches any text, `_` any character, and `\` escapes them. Ignores case. */
  readonly like?: Text<F>;
  /** Matches the words in this order. Ignores case. */
  readonly fuzzy?: Text<F>;
  /** Matches any of the words. Ignores case. */
  readonly keyword?: Text<F>;
  /** Matches arrays with this element. */
  readonly contains?: InArray<F, Json>;
  /** Matches arrays with an element that matches the filter. */
  readonly any?: InArray<F, ElementFilter>;
  readonly not?: SearchFilter<F>;
  readonly and?: readonly SearchFilter<F>[];
  readonly or?: readonly SearchFilter<F>[];
}

type OfElement<Operand> = Readonly<Record<string, Operand>>;

/** A filter on array elements. Fields are paths inside an element; `*` is the element itself. */
export interface ElementFilter {
  readonly eq?: OfElement<Json>;
  readonly neq?: OfElement<Json>;
  readonly gt?: OfElement<Integer | string>;
  readonly gte?: OfElement<Integer | string>;
  readonly lt?: OfElement<Integer | string>;
  readonly lte?: OfElement<Integer | string>;
  readonly in?: OfElement<readonly Json[]>;
  readonly like?: OfElement<string>;
  readonly fuzzy?: OfElement<string>;
  readonly keyword?: OfElement<string>;
  readonly contains?: OfElement<Json>;
  readonly any?: OfElement<ElementFilter>;
  readonly not?: ElementFilter;
  readonly and?: readonly ElementFilter[];
  readonly or?: readonly ElementFilter[];
}

type Direction = 'asc' | 'desc';
type SortName<F extends SearchFields> = NamesOf<F, Ordered | 'boolean'> | PathOf<F>;

export type SearchSort<F extends SearchFields> = { readonly [N in SortName<F>]?: Direction };

/** A field, a path inside one, or the path as an array. */
export type SearchPath<F extends SearchFields> = (keyof F & string) | PathOf<F> | readonly string[];

/** A search. `Path` is the type of `fields`; without them every searchable field is returned. */
export interface SearchParams<F extends SearchFields, Path extends SearchPath<F> = SearchPath<F>> {
  readonly query: {
    readonly filter?: SearchFilter<F>;
    /** Nulls come last in both directions. The primary key breaks ties. */
    readonly sort?: readonly SearchSort<F>[];
  };
  /** Page size, 1 to 10,000. Default: 1,000. */
  readonly limit?: number;
  /** `meta.cursor` of the previous page, with the same filter and sort. */
  readonly cursor?: string;
  readonly fields?: readonly Path[];
}

type AllFields<F extends SearchFields> = { readonly [N in keyof F]: Values[F[N]] | null };
type Joined<P extends readonly string[]> = P extends readonly [
  infer First extends string,
  ...infer Rest extends string[],
]
  ? Rest extends []
    ? First
    : `${First}.${Joined<Rest>}`
  : string;
type KeyOf<Path> = Path extends readonly string[] ? Joined<Path> : Path & string;
type ChosenFields<F extends SearchFields, Path> = {
  readonly [N in KeyOf<Path>]: N extends keyof F ? Values[F[N]] | null : unknown;
};

/** A flat record of a search. Its keys are field names, dots included. */
export type SearchRecord<F extends SearchFields, Path = never> = [Path] extends [never]
  ? AllFields<F>
  : ChosenFields<F, Path>;

export interface SearchPage<Item> {
  readonly data: readonly Item[];
  readonly meta: {
    readonly has_more: boolean;
    /** Cursor of the next page; null on the last. */
    readonly cursor: string | null;
    readonly took_ms: number;
    /** `building` before the first synced page, `preview` until everything was synced once, then `ready`. */
    readonly sync: 'building' | 'preview' | 'ready';
  };
}

export type SearchOutcome<Item> = Outcome<SearchPage<Item>, null>;

/** Search as an action of `execute`. It has no schema, so it states the type of its input. */
export interface SearchAction<F extends SearchFields> {
  readonly input: SearchParams<F>;
  run(params: never, vendor: never): Promise<SearchOutcome<SearchRecord<F>>>;
}
