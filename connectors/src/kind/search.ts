import type { Outcome, SearchType } from './kind.ts';

/** An entity's searchable fields and their types. */
export type SearchFields = Readonly<Record<string, SearchType>>;

/** An integer in params or results. Integers outside the safe range are `bigint`. */
type Integer = number | bigint;

/** Any JSON value except null. */
type Json = string | Integer | boolean | object;

/** The types of values that each type of field can be compared with. */
interface Operands {
  string: string;
  integer: Integer;
  number: Integer;
  boolean: boolean;
  array: readonly unknown[];
  object: object;
  /** A number, or a string that contains a number. */
  decimal: Integer | string;
}

/** The types of field values in a record. */
interface Values {
  string: string;
  integer: Integer;
  number: number;
  boolean: boolean;
  array: readonly unknown[];
  object: Readonly<Record<string, unknown>>;
  /** The string that the vendor sent, such as `20.000`. */
  decimal: string;
}

/** The names of fields that contain an id. */
type IdName = 'id' | `${string}.id` | `${string}_id` | `${string}Id`;

/**
 * Returns whether a field contains an id. Filters compare ids with integers as well as with strings of digits,
 * because many JSON parsers round 64-bit integers.
 */
export function isIdName(name: string): name is IdName {
  return /(?:^|[._])id$|Id$/.test(name);
}

type NamesOf<F extends SearchFields, T extends SearchType> = {
  [N in keyof F]: F[N] extends T ? N : never;
}[keyof F] &
  string;
/** A path to a value inside an object field, such as `owner.email`. */
type PathOf<F extends SearchFields> = `${NamesOf<F, 'object'>}.${string}`;
type Ordered = 'string' | 'integer' | 'number' | 'decimal';
/** The values that a field can be equal to. */
type EqualTo<F extends SearchFields, N extends keyof F> =
  | Operands[F[N]]
  | (N extends IdName ? (F[N] extends 'string' | 'integer' ? Integer | string : never) : never);
/** The values that a field can be greater or less than. */
type BoundOf<F extends SearchFields, N extends keyof F> =
  | Operands[F[N]]
  | (N extends IdName ? (F[N] extends 'integer' ? string : never) : never);

type Equal<F extends SearchFields> = { readonly [N in keyof F]?: EqualTo<F, N> | null } & {
  readonly [P in PathOf<F>]?: Json | null;
};
type Among<F extends SearchFields> = { readonly [N in keyof F]?: readonly EqualTo<F, N>[] } & {
  readonly [P in PathOf<F>]?: readonly Json[];
};
type Bound<F extends SearchFields> = { readonly [N in NamesOf<F, Ordered>]?: BoundOf<F, N> } & {
  readonly [P in PathOf<F>]?: Integer | string;
};
type Text<F extends SearchFields> = { readonly [N in NamesOf<F, 'string' | 'decimal'> | PathOf<F>]?: string };
type InArray<F extends SearchFields, Operand> = {
  readonly [N in keyof F as F[N] extends 'array' ? N : never]?: Operand;
} & { readonly [P in PathOf<F>]?: Operand };

/** The operators that compare a field with a value. A filter also combines nodes with `any`, `not`, `and` and `or`. */
export const comparisonOperators = [
  'eq',
  'neq',
  'gt',
  'gte',
  'lt',
  'lte',
  'in',
  'like',
  'fuzzy',
  'keyword',
  'contains',
] as const satisfies readonly (keyof ElementFilter)[];
export type ComparisonOperator = (typeof comparisonOperators)[number];

/**
 * A filter node that maps each operator to fields and each field to a value. All operators and fields of a
 * node must match.
 */
export interface SearchFilter<F extends SearchFields> {
  /** With null, matches records without the field. With a day, matches times on that day in UTC. */
  readonly eq?: Equal<F>;
  /**
   * Unlike all other operators except `not`, also matches records without the field. With null, matches records
   * with the field.
   */
  readonly neq?: Equal<F>;
  readonly gt?: Bound<F>;
  readonly gte?: Bound<F>;
  readonly lt?: Bound<F>;
  readonly lte?: Bound<F>;
  readonly in?: Among<F>;
  /**
   * Matches a pattern and ignores case. `%` matches any text, `_` matches any character, and `\` escapes
   * them.
   */
  readonly like?: Text<F>;
  /** Matches the words in the given order. Ignores case. */
  readonly fuzzy?: Text<F>;
  /** Matches any of the given words. Ignores case. */
  readonly keyword?: Text<F>;
  /** Matches arrays that contain this element. */
  readonly contains?: InArray<F, Json>;
  /** Matches arrays in which at least one element matches the filter. */
  readonly any?: InArray<F, ElementFilter>;
  readonly not?: SearchFilter<F>;
  readonly and?: readonly SearchFilter<F>[];
  readonly or?: readonly SearchFilter<F>[];
}

type OfElement<Operand> = Readonly<Record<string, Operand>>;

/** A filter on array elements. Fields are paths inside an element; `*` refers to the element itself. */
export interface ElementFilter {
  readonly eq?: OfElement<Json | null>;
  readonly neq?: OfElement<Json | null>;
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

/** A field to sort by: `'title'` or, in descending order, `'-title'`, or one of the longer forms. */
export type SearchSort<F extends SearchFields> =
  | SortName<F>
  | `-${SortName<F>}`
  | { readonly field: SortName<F>; readonly order?: Direction }
  | ({ readonly [N in SortName<F>]?: Direction } & { readonly order?: never });

/** A field, a path to a value inside a field, or such a path as an array. */
export type SearchPath<F extends SearchFields> = (keyof F & string) | PathOf<F> | readonly string[];

/**
 * Params for a search. `Path` is the type of `fields`; if `fields` is omitted, all searchable fields are
 * returned.
 */
export interface SearchParams<F extends SearchFields, Path extends SearchPath<F> = SearchPath<F>> {
  readonly query: {
    readonly filter?: SearchFilter<F>;
    /** Sort order. Nulls come last in both directions, and the primary key breaks ties. */
    readonly sort?: SearchSort<F> | readonly SearchSort<F>[];
  };
  /** Page size from 1 to 10,000. Default: 1,000. */
  readonly limit?: number;
  /** The `meta.cursor` of the previous page. Valid only with the same filter and sort. */
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

/** A flat record in a search result. Its keys are field names, including any dots. */
export type SearchRecord<F extends SearchFields, Path = never> = [Path] extends [never]
  ? AllFields<F>
  : ChosenFields<F, Path>;

export interface SearchPage<Item> {
  readonly data: readonly Item[];
  readonly meta: {
    readonly has_more: boolean;
    /** Cursor for the next page; null on the last page. */
    readonly cursor: string | null;
    readonly took_ms: number;
    readonly sync: {
      /**
       * `building` before the first page is synced, `preview` until all records have been synced once, then
       * `ready`.
       */
      readonly status: 'building' | 'preview' | 'ready';
      /** When the last sync of the entity ended, as ISO 8601 in UTC; null until the first one has. */
      readonly last_synced_at: string | null;
    };
  };
}

export type SearchOutcome<Item> = Outcome<SearchPage<Item>, null>;

/** Search as an action for `execute`. It has no schema, so the type of its input is declared here. */
export interface SearchAction<F extends SearchFields> {
  readonly input: SearchParams<F>;
  run(params: never, vendor: never): Promise<SearchOutcome<SearchRecord<F>>>;
}
