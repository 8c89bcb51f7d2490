import { ConnectorAuthError } from '@connector-auth/api';
import { brokenPage, requireRecords } from '../kind/failure.ts';
import { asObject, asString } from '../kind/record.ts';
import type { Vendor, VendorRequest, VendorResponse } from '../kind/vendor.ts';
import { newestVersion, settingsOf } from './settings.ts';

export const host = 'googleads.googleapis.com';

/** What every request needs beside the access token. */
export interface Caller {
  /** Major version of the API, e.g. `v25`. */
  readonly version: string;
  readonly developerToken: string;
}

/**
 * Who a connector calls as: its own developer token, else the operator's.
 * @throws ConnectorAuthError `vendor_misconfigured` when there is neither.
 */
export function callerOf({ grant, app }: Pick<Vendor, 'grant' | 'app'>): Caller {
  const developerToken = asString(grant.credentials['developer_token']) ?? app?.extras['developer_token'];
  if (developerToken === undefined) {
    throw new ConnectorAuthError(
      'vendor_misconfigured',
      'The Google Ads OAuth app has no developer token. Set OAUTH_GOOGLE_ADS_DEVELOPER_TOKEN.',
    );
  }
  return { version: settingsOf(grant).api_version ?? newestVersion, developerToken };
}

/** The request for the accounts that the user reaches directly. No `login-customer-id` concerns it. */
export function requestAccessibleCustomers(caller: Caller): VendorRequest {
  return {
    method: 'GET',
    url: `https://${host}/${caller.version}/customers:listAccessibleCustomers`,
    headers: { 'developer-token': caller.developerToken },
  };
}

/**
 * `customers/…` names; an empty object means none.
 * @throws ConnectorAuthError `vendor_failed` for any other answer without names.
 */
export function readAccessibleCustomers(response: VendorResponse): string[] {
  const body = asObject(response.body);
  if (body === response.body && Object.keys(body).length === 0) return [];
  const names = requireRecords('Google Ads', response, body['resourceNames'], 'resourceNames');
  return names.filter(name => typeof name === 'string');
}

/** The request for a page of a query. A page size is not among its members: Google refuses one, pages have 10,000 rows. */
export function requestSearch(
  caller: Caller,
  customerId: string,
  { query, pageToken }: { query: string; pageToken: string | null },
): VendorRequest {
  return {
    method: 'POST',
    url: `https://${host}/${caller.version}/customers/${customerId}/googleAds:search`,
    headers: { 'developer-token': caller.developerToken },
    body: { query, ...(pageToken === null ? {} : { pageToken }) },
  };
}

/** Rows of a page: objects by resource, names in camelCase, 64-bit integers as strings. */
export type Row = Readonly<Record<string, unknown>>;

export interface RowPage {
  readonly rows: readonly Row[];
  readonly nextPageToken: string | null;
}

/**
 * A page of rows. An empty page has no `results`, but tells like any other which fields were asked for; the last one has
 * no token.
 * @throws ConnectorAuthError `vendor_failed` when the answer has neither rows nor the fields asked for, or a token that is none.
 */
export function readSearch(response: VendorResponse): RowPage {
  const { results, fieldMask, nextPageToken = '' } = asObject(response.body);
  const isEmpty = results === undefined && typeof fieldMask === 'string';
  const rows = isEmpty ? [] : requireRecords('Google Ads', response, results, 'results');
  if (typeof nextPageToken !== 'string') throw brokenPage('Google Ads', response);
  return { rows: rows.map(asObject), nextPageToken: nextPageToken === '' ? null : nextPageToken };
}

/** The request for changes of one kind of resource; all of them happen or none. */
export function requestMutation(
  caller: Caller,
  customerId: string,
  service: MutationService,
  operations: readonly unknown[],
): VendorRequest {
  return {
    method: 'POST',
    url: `https://${host}/${caller.version}/customers/${customerId}/${service}:mutate`,
    headers: { 'developer-token': caller.developerToken },
    body: { operations },
  };
}

export type MutationService = 'campaigns' | 'adGroups' | 'labels' | 'campaignLabels' | 'adGroupLabels';

/** The request as seen through a manager account; as it is when the account is reached directly. */
export function throughManager(request: VendorRequest, managerId: string | null): VendorRequest {
  if (managerId === null) return request;
  return { ...request, headers: { ...request.headers, 'login-customer-id': managerId } };
}

/** `customers/6120459183` → `6120459183`. */
export function idOfCustomer(resourceName: string): string {
  return resourceName.slice(resourceName.indexOf('/') + 1);
}
