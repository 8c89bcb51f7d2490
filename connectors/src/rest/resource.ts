import type { z } from 'zod';
import { requireRecords } from '../kind/failure.ts';
import type { Grant } from '../kind/grants.ts';
import { asObject, readDeclared } from '../kind/record.ts';
import type { Vendor, VendorRequest, VendorResponse } from '../kind/vendor.ts';
import { requestTo, valueAt, type Api, type Values } from './api.ts';
import { onePage, type Paging } from './paging.ts';

/** A type of records of a vendor: its address, its pages and the schema of a record. */
export interface Resource<Shape extends z.ZodObject = z.ZodObject> {
  readonly api: Api;
  /** What a record is called, such as `contact`. */
  readonly noun: string;
  /** Default: the noun with an `s`. */
  readonly plural?: string;
  /** Path below the API's address, such as `/contacts`. A `{placeholder}` is a param of every action. */
  readonly path: string;
  /**
   * The fields of a record. Missing ones are null, and others are dropped. Vendors omit fields, so all of them allow null except
   * the record's own id: a record without it is an error. `integer` is for ids with up to 19 digits.
   */
  readonly record: Shape;
  /** Where a page has its records, such as `data.contacts`. Default: the body is the list. */
  readonly at?: string;
  /** Default: one page. */
  readonly paging?: Paging;
  /** Query parameters of every page, such as its size. */
  readonly query?: NonNullable<VendorRequest['query']>;
  /** Creates the request for the first page, for lists that are not a `GET` with the params as query, such as `graphql`. */
  readonly request?: (params: Values, grant: Grant) => VendorRequest;
  /** Changes a record as the vendor sends it before its fields are read, such as by moving nested ones up. */
  readonly reshape?: (wire: Values, params: Values) => Values;
  /** Returns whether a response without a list is an empty page. */
  readonly isEmpty?: (response: VendorResponse) => boolean;
}

/** A page of a resource's records as the vendor sent them, after `reshape`. */
export interface FetchedPage {
  readonly response: VendorResponse;
  readonly records: readonly unknown[];
  readonly next: string | null;
}

/** Requests a page. */
export async function fetchPage(
  resource: Resource,
  vendor: Vendor,
  params: Values,
  cursor: string | null,
): Promise<FetchedPage> {
  const { api, at = '', paging = onePage, isEmpty, reshape } = resource;
  const first = requestFirst(resource, params, vendor.grant);
  const response = await vendor.send(cursor === null ? first : paging.at(first, cursor));
  const records = isEmpty?.(response)
    ? []
    : requireRecords(api.name, response, valueAt(response.body, at), at || 'list of records');
  const next = paging.next({ vendorName: api.name, response, records, cursor });
  return {
    response,
    records: reshape ? records.map(wire => reshape(asObject(wire), params)) : records,
    next,
  };
}

function requestFirst(resource: Resource, params: Values, grant: Grant): VendorRequest {
  const { api, path, query, request } = resource;
  if (request) return request(params, grant);
  return requestTo(api, grant, { path, values: { ...query, ...params } });
}

/** Returns a record of the vendor after `reshape`. */
export function reshaped({ reshape }: Resource, wire: unknown, params: Values): Values {
  return reshape ? reshape(asObject(wire), params) : asObject(wire);
}

/** Returns the function that reads the declared fields of a record. */
export function readerOf<Shape extends z.ZodObject>({
  api,
  record,
}: Resource<Shape>): (wire: unknown) => z.infer<Shape> {
  return readDeclared(api.name, record);
}
