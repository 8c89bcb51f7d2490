import { ConnectorAuthError } from '@connector-auth/api';
import { brokenPage, requireRecords } from '../kind/failure.ts';
import { asObject, asString } from '../kind/record.ts';
import type { Vendor, VendorRequest, VendorResponse } from '../kind/vendor.ts';
import { newestVersion, settingsOf } from './settings.ts';

export const host = 'googleads.googleapis.com';

/** What every request needs besides the access token. */
export interface Caller {
  /** Major version of the API, such as `v25`. */
  readonly version: string;
  readonly developerToken: string;
}

/**
 * Returns the API version and the developer token: the connector's own, otherwise the operator's.
 * @throws ConnectorAuthError `vendor_misconfigured` if there is neither.
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

/**
 * Creates the request for the accounts that the user can access directly. It takes no `login-customer-id`.
 */
export function requestAccessibleCustomers(caller: Caller): VendorRequest {
  return {
    method: 'GET',
    url: `https://${host}/${caller.version}/customers:listAccessibleCustomers`,
    headers: { 'developer-token': caller.developerToken },
  };
}

/**
 * Reads `customers/…` names. An empty object means none.
 * @throws ConnectorAuthError `vendor_failed` for any other response without names.
 */
export function readAccessibleCustomers(response: VendorResponse): string[] {
  const body = asObject(response.body);
  if (body === response.body && Object.keys(body).length === 0) return [];
  const names = requireRecords('Google Ads', response, body['resourceNames'], 'resourceNames');
  return names.filter(name => typeof name === 'string');
}

/** Creates the request for a page of a query. Google rejects page sizes: pages have 10,000 rows. */
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

/** Objects by resource, with camelCase names and 64-bit integers as strings. */
export type Row = Readonly<Record<string, unknown>>;

export interface RowPage {
  readonly rows: readonly Row[];
  readonly nextPageToken: string | null;
}

/**
 * Reads a page of rows. An empty page has no `results` but a `fieldMask`. The last page has no token.
 * @throws ConnectorAuthError `vendor_failed` if the response has neither, or an invalid token.
 */
export function readSearch(response: VendorResponse): RowPage {
  const { results, fieldMask, nextPageToken = '' } = asObject(response.body);
  const isEmpty = results === undefined && typeof fieldMask === 'string';
  const rows = isEmpty ? [] : requireRecords('Google Ads', response, results, 'results');
  if (typeof nextPageToken !== 'string') throw brokenPage('Google Ads', response);
  return { rows: rows.map(asObject), nextPageToken: nextPageToken === '' ? null : nextPageToken };
}

/** Creates the request for changes to one type of resource. Either all of them succeed or none. */
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

/** Sends a request through a manager account; unchanged if the account is reached directly. */
export function throughManager(request: VendorRequest, managerId: string | null): VendorRequest {
  if (managerId === null) return request;
  return { ...request, headers: { ...request.headers, 'login-customer-id': managerId } };
}

/** `customers/6120459183` → `6120459183`. */
export function idOfCustomer(resourceName: string): string {
  return resourceName.slice(resourceName.indexOf('/') + 1);
}
