import type { Outcome, SearchType } from './kind.ts';

/** Searchable fields of an entity and their types, as its declaration has them. */
export type SearchFields = Readonly<Record<string, SearchType>>;

/** An integer beyond the safe range is a `bigint`, in both directions. */
type Integer = number | bigint;

/** Whatever JSON has, but null: neq and not find what has no value. */
type Json = string | Integer | boolean | object;

/** What a field is compared with. */
interface Operands {
  string: string;
  integer: Integer;
  number: Integer;
  boolean: boolean;
  array: readonly unknown[];
  object: object;
  /** A number, or a string that holds one. */
  decimal: Integer | string;
}

/** What a field is in a record. */
interface Values {
  string: string;
  integer: Integer;
  number: number;
  boolean: boolean;
  array: readonly unknown[];
  object: Readonly<Record<string, unknown>>;
  /** As the vendor wrote it, e.g. `20.000`. */
  decimal: string;
}

type NamesOf<F extends SearchFields, T extends SearchType> = {
  [N in keyof F]: F[N] extends T ? N : never;
}[keyof F] &
  string;
/** A place within an object field: `owner.email`. */
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

/** Operator, then field, then value. Several operators or fields in one node must all hold. */
export interface SearchFilter<F extends SearchFields> {
  readonly eq?: Equal<F>;
  /** Holds for records without the field too, as does `not`; no other operator does. */
  readonly neq?: Equal<F>;
  readonly gt?: Bound<F>;
  readonly gte?: Bound<F>;
  readonly lt?: Bound<F>;
  readonly lte?: Bound<F>;
  readonly in?: Among<F>;
  /** `%` is any text, `_` any character, `\` before them takes them literally. Case does not count. */
  readonly like?: Text<F>;
  /** The words occur in this order. Case does not count. */
  readonly fuzzy?: Text<F>;
  /** Any of the words occurs. Case does not count. */
  readonly keyword?: Text<F>;
  /** The array has this element. */
  readonly contains?: InArray<F, Json>;
  /** An element of the array fits the filter. */
  readonly any?: InArray<F, ElementFilter>;
  readonly not?: SearchFilter<F>;
  readonly and?: readonly SearchFilter<F>[];
  readonly or?: readonly SearchFilter<F>[];
}

type OfElement<Operand> = Readonly<Record<string, Operand>>;

/** A filter of an array's elements: fields are places within an element, `*` is the element itself. */
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

/** One field and its direction. */
export type SearchSort<F extends SearchFields> = { readonly [N in SortName<F>]?: Direction };

/** A field, a place within one, or the same in steps. */
export type SearchPath<F extends SearchFields> = (keyof F & string) | PathOf<F> | readonly string[];

/** What is searched. `Path` is what `fields` asks for; without it every searchable field comes. */
export interface SearchParams<F extends SearchFields, Path extends SearchPath<F> = SearchPath<F>> {
  readonly query: {
    readonly filter?: SearchFilter<F>;
    /** Nulls are last in both directions; the primary key decides what is left. */
    readonly sort?: readonly SearchSort<F>[];
  };
  /** 1 to 10,000 records a page; 1,000 when absent. */
  readonly limit?: number;
  /** `meta.cursor` of the page before, with the same filter and sort. */
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

/** A record as search gives it: flat, keys are the fields' names, dots included. */
export type SearchRecord<F extends SearchFields, Path = never> = [Path] extends [never]
  ? AllFields<F>
  : ChosenFields<F, Path>;

/** A page of records. */
export interface SearchPage<Item> {
  readonly data: readonly Item[];
  readonly meta: {
    readonly has_more: boolean;
    /** For the next page; null on the last. */
    readonly cursor: string | null;
    readonly took_ms: number;
    /** `building` before the first synchronised page, `preview` until everything was synchronised once, then `ready`. */
    readonly sync: 'building' | 'preview' | 'ready';
  };
}

export type SearchOutcome<Item> = Outcome<SearchPage<Item>, null>;

/** A search as the types of `execute` see an action: without a schema, so it states the type of its input. */
export interface SearchAction<F extends SearchFields> {
  readonly input: SearchParams<F>;
  run(params: never, vendor: never): Promise<SearchOutcome<SearchRecord<F>>>;
}
