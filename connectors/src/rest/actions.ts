import { ConnectorAuthError } from '@connector-auth/api';
import { z } from 'zod';
import { repeatedPage } from '../kind/failure.ts';
import { defineAction, type Action, type Searchable, type SearchType, type Sync } from '../kind/kind.ts';
import { recordId } from '../kind/record.ts';
import { searchFieldsOf, type SearchFieldsOf } from '../kind/search-fields.ts';
import type { Vendor, VendorRequest } from '../kind/vendor.ts';
import { asText, placeholdersOf, requestTo, valueAt, withoutPlaceholders, type Values } from './api.ts';
import { fetchPage, readerOf, reshaped, type Resource } from './resource.ts';

/** The metadata of a page. */
export const pageMeta = z.object({
  cursor: z.string().nullable().describe('Cursor of the next page; null on the last page'),
  has_more: z.boolean(),
});

const cursorParam = z
  .string()
  .min(1, "Use the previous page's cursor, or omit it for the first page")
  .optional()
  .describe('`cursor` of the previous page');

// oxlint-disable-next-line typescript/no-generated-empty-object-type -- a shape without params
type NoParams = Record<never, never>;

export interface ListOptions<Params extends z.ZodRawShape> {
  /** Default: `List contacts`. */
  readonly summary?: string;
  /** Params for the path, and for the query under the vendor's names. */
  readonly params?: Params;
}

/** A page of records per call, with its cursor. */
export function list<Shape extends z.ZodObject, Params extends z.ZodRawShape = NoParams>(
  resource: Resource<Shape>,
  { summary = `List ${pluralOf(resource)}`, params }: ListOptions<Params> = {},
): Action<
  z.ZodObject<Params & { cursor: typeof cursorParam }, z.core.$strict>,
  z.infer<Shape>[],
  z.infer<typeof pageMeta>
> {
  const read = readerOf(resource);
  // Without params, Params is empty.
  const shape = (params ?? {}) as Params;
  requireParams(resource.path, shape);
  return defineAction({
    summary,
    params: z.strictObject({ ...shape, cursor: cursorParam }),
    record: resource.record,
    metadata: pageMeta,
    run: async (given, vendor) => {
      // The schema above has checked the cursor.
      const { cursor = null, ...values } = given as Values & { readonly cursor?: string };
      const page = await fetchPage(resource, vendor, values, cursor);
      if (page.next !== null && page.next === cursor) throw repeatedPage(resource.api.name, page.response);
      return {
        result: page.records.map(read),
        connector_metadata: { cursor: page.next, has_more: page.next !== null },
      };
    },
    nextPage: (given, { connector_metadata: { cursor } }) =>
      // The params of a page are also valid for the next one.
      cursor === null ? null : ({ ...given, cursor } as never),
  });
}

/** The id of a record in a path. */
const pathId = z.string().regex(/^(?!\.{1,2}$)\S+$/, "An ID can't be empty or contain spaces");

export interface GetOptions<Id extends z.ZodType, Params extends z.ZodRawShape> {
  /** Default: `Get a contact`. */
  readonly summary?: string;
  /** Schema of the param `id`. An id that does not match its pattern belongs to no record. Default: any text. */
  readonly id?: Id;
  /** Other params, for the path and the query. */
  readonly params?: Params;
  /** Query parameters of every request, such as the fields to return. */
  readonly query?: NonNullable<VendorRequest['query']>;
  /** Default: the path of the resource with `/{id}`. */
  readonly path?: string;
  /** Where the response has the record. Default: it is the body. */
  readonly at?: string;
}

/** One record by its id. */
export function get<
  Shape extends z.ZodObject,
  Id extends z.ZodType = z.ZodString,
  Params extends z.ZodRawShape = NoParams,
>(
  resource: Resource<Shape>,
  options: GetOptions<Id, Params> = {},
): Action<z.ZodObject<Params & { id: Id }, z.core.$strict>, z.infer<Shape>, null> {
  const { summary = `Get ${aRecordOf(resource)}`, path = `${resource.path}/{id}`, at } = options;
  return oneRecord(resource, {
    summary,
    ...(at !== undefined && { at }),
    path,
    params: { ...options.params, id: idOf(options.id, resource) } as Params & { id: Id },
    request: (params, vendor) =>
      requestTo(resource.api, vendor.grant, { path, values: { ...options.query, ...params } }),
  });
}

export interface WriteOptions<Params extends z.ZodRawShape> {
  readonly summary?: string;
  /** Params for the path, and for the JSON body under the vendor's names. */
  readonly params: Params;
  readonly method?: 'POST' | 'PUT' | 'PATCH';
  /** Default: the path of the resource, with `/{id}` to update a record. */
  readonly path?: string;
  /** Where the response has the record. Default: it is the body. */
  readonly at?: string;
  /** Returns the body of the request, for vendors that do not accept the params as they are. */
  readonly body?: (params: Values) => unknown;
  /**
   * The action that reads the record afterwards, usually `get` of the same resource, for vendors whose response is not the record.
   * The change has then happened already: if the record cannot be read, the result has only its `id`.
   */
  readonly readBy?: Action<z.ZodObject>;
  /** With `readBy`: where the response has the id. Default: `id`. An update needs none in its response. */
  readonly idAt?: string;
}

/** Creates a record. The request is not sent again if it may have arrived. */
export function create<Shape extends z.ZodObject, Params extends z.ZodRawShape>(
  resource: Resource<Shape>,
  options: WriteOptions<Params>,
): Action<z.ZodObject<Params, z.core.$strict>, z.infer<Shape>, null> {
  const { summary = `Create ${aRecordOf(resource)}`, path = resource.path, params } = options;
  const { method = 'POST', body } = options;
  return oneRecord(resource, {
    ...options,
    summary,
    path,
    params,
    request: writing(resource, { method, path, body }),
  });
}

/** Changes a record. The request is not sent again if it may have arrived. */
export function update<
  Shape extends z.ZodObject,
  Params extends z.ZodRawShape,
  Id extends z.ZodType = z.ZodString,
>(
  resource: Resource<Shape>,
  options: WriteOptions<Params> & { readonly id?: Id },
): Action<z.ZodObject<Params & { id: Id }, z.core.$strict>, z.infer<Shape>, null> {
  const { summary = `Change ${aRecordOf(resource)}`, path = `${resource.path}/{id}` } = options;
  const { method = 'PATCH', body } = options;
  return oneRecord(resource, {
    ...options,
    summary,
    path,
    params: { ...options.params, id: idOf(options.id, resource) },
    request: writing(resource, { method, path, body }),
  });
}

interface OneRecord<Params extends z.ZodRawShape> extends Pick<
  WriteOptions<Params>,
  'at' | 'readBy' | 'idAt' | 'params'
> {
  readonly summary: string;
  readonly path: string;
  readonly request: (params: Values, vendor: Vendor) => VendorRequest;
}

function oneRecord<Shape extends z.ZodObject, Params extends z.ZodRawShape>(
  resource: Resource<Shape>,
  { summary, at = '', path, params, request, readBy, idAt = 'id' }: OneRecord<Params>,
): Action<z.ZodObject<Params, z.core.$strict>, z.infer<Shape>, null> {
  const read = readerOf(resource);
  requireParams(path, params);
  return defineAction({
    summary,
    params: z.strictObject(params),
    record: resource.record,
    run: async (given, vendor) => {
      const { body } = await vendor.send(request(given, vendor));
      if (readBy === undefined)
        return { result: read(reshaped(resource, valueAt(body, at), given)), connector_metadata: null };
      const values: Values = given;
      const id = valueAt(body, idAt) ?? values['id'] ?? null;
      const names = Object.keys(readBy.params.shape).filter(name => name in values);
      const named = Object.fromEntries(names.map(name => [name, values[name]]));
      try {
        const { result } = await readBy.run({ ...named, id: asText(id) }, vendor);
        // It reads the same resource.
        return { result: result as z.infer<Shape>, connector_metadata: null };
      } catch (error) {
        if (!(error instanceof ConnectorAuthError)) throw error;
        // A caller that got an error would make the change again.
        return { result: read({ id }), connector_metadata: null };
      }
    },
  });
}

function writing(
  { api }: Resource,
  {
    method,
    path,
    body = given => given,
  }: {
    readonly method: 'POST' | 'PUT' | 'PATCH';
    readonly path: string;
    readonly body: WriteOptions<z.ZodRawShape>['body'];
  },
): OneRecord<z.ZodRawShape>['request'] {
  return (params, { grant }) => {
    const { query: _, ...request } = requestTo(api, grant, { method, path, values: params });
    return { ...request, body: body(withoutPlaceholders(path, params)) };
  };
}

function idOf<Id extends z.ZodType>(id: Id | undefined, { noun }: Resource): Id {
  const schema = id ?? pathId.describe(`ID of the ${noun}`);
  // Without a schema, Id is a string.
  return (schema instanceof z.ZodString ? recordId(schema) : schema) as Id;
}

function requireParams(path: string, params: z.ZodRawShape): void {
  const missing = placeholdersOf(path).filter(name => !(name in params));
  if (missing.length > 0) throw new TypeError(`The path ${path} needs params: ${missing.join(', ')}`);
}

function pluralOf({ noun, plural = `${noun}s` }: Resource): string {
  return plural;
}

function aRecordOf({ noun }: Resource): string {
  const isVowel = 'aeiou'.includes(noun.charAt(0)); // cspell:disable-line
  return `${isVowel ? 'an' : 'a'} ${noun}`;
}

export interface SearchOptions<Fields> {
  readonly sync: Sync;
  /** The searchable fields and their types. Default: all fields of the record. */
  readonly fields?: Fields;
  /** Default: `id`. */
  readonly primaryKey?: readonly string[];
  /** Fields to filter and sort by. Default: the times. */
  readonly indexed?: readonly string[];
  /** Fields for `like`, `fuzzy` and `keyword`. The first one names a record. Default: none. */
  readonly text?: readonly string[];
  /** Default: the fields that are declared as `z.iso.datetime()`. */
  readonly times?: readonly string[];
}

/** What makes an entity searchable: its fields and how its records are synced. */
export function search<
  Shape extends z.ZodObject,
  const Fields extends Readonly<Record<string, SearchType>> = SearchFieldsOf<Shape>,
>(
  { record }: Resource<Shape>,
  options: SearchOptions<Fields>,
): Omit<Searchable, 'fields'> & { readonly fields: NoInfer<Fields> } {
  const times = options.times ?? timesOf(record).filter(name => !options.fields || name in options.fields);
  return {
    // Without fields, Fields is derived from the record.
    fields: options.fields ?? (searchFieldsOf(record) as unknown as Fields),
    primaryKey: options.primaryKey ?? ['id'],
    indexed: options.indexed ?? times,
    text: options.text ?? [],
    times,
    sync: options.sync,
  };
}

function timesOf(record: z.ZodObject): string[] {
  return Object.keys(record.shape).filter(name => {
    let field: z.core.$ZodType = record.shape[name] as z.core.$ZodType;
    while (field instanceof z.ZodNullable || field instanceof z.ZodOptional) field = field.unwrap();
    return field instanceof z.ZodISODateTime;
  });
}
