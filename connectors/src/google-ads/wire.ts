import { ConnectorAuthError } from '@connector-auth/api';
import { brokenPage, requireRecords } from '../kind/failure.ts';
import { asObject, asString } from '../kind/record.ts';
import type { Vendor, VendorRequest, VendorResponse } from '../kind/vendor.ts';
import { newestVersion } from './api-version.ts';
import { settingsOf } from './settings.ts';

export const host = 'googleads.googleapis.com';

/** The values that every request needs in addition to the access token. */
export interface Caller {
  /** Major API version, such as `v25`. */
  readonly version: string;
  readonly developerToken: string;
}

/**
 * Returns the API version and the developer token, which is the connector's own or otherwise the operator's.
 * @throws ConnectorAuthError `vendor_misconfigured` if neither has a developer token.
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
 * Creates the request for the accounts that the user can access directly. This request does not accept
 * `login-customer-id`.
 */
export function requestAccessibleCustomers(caller: Caller): VendorRequest {
  return {
    method: 'GET',
    url: `https://${host}/${caller.version}/customers:listAccessibleCustomers`,
    headers: { 'developer-token': caller.developerToken },
  };
}

/**
 * Parses `customers/…` names. An empty object means that there are no accounts.
 * @throws ConnectorAuthError `vendor_failed` for any other response without names.
 */
export function readAccessibleCustomers(response: VendorResponse): string[] {
  const body = asObject(response.body);
  if (body === response.body && Object.keys(body).length === 0) return [];
  const names = requireRecords('Google Ads', response, body['resourceNames'], 'resourceNames');
  return names.filter(name => typeof name === 'string');
}

/**
 * Creates the request for one page of a query. Google rejects a page size and always returns up to 10,000
 * rows.
 */
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

/** A row with one object per resource. Names are in camelCase and 64-bit integers are strings. */
export type Row = Readonly<Record<string, unknown>>;

export interface RowPage {
  readonly rows: readonly Row[];
  readonly nextPageToken: string | null;
}

/**
 * Parses a page of rows. An empty page contains `fieldMask` but no `results`. The last page contains no
 * token.
 * @throws ConnectorAuthError `vendor_failed` if the response contains neither `results` nor `fieldMask`, or
 * if it contains an invalid token.
 */
export function readSearch(response: VendorResponse): RowPage {
  const { results, fieldMask, nextPageToken = '' } = asObject(response.body);
  const isEmpty = results === undefined && typeof fieldMask === 'string';
  const rows = isEmpty ? [] : requireRecords('Google Ads', response, results, 'results');
  if (typeof nextPageToken !== 'string') throw brokenPage('Google Ads', response);
  return { rows: rows.map(asObject), nextPageToken: nextPageToken === '' ? null : nextPageToken };
}

/** Creates the request that changes resources of one type. The changes either all succeed or all fail. */
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

/**
 * Returns the request with the manager's `login-customer-id`, or unchanged if the user can access the account
 * directly.
 */
export function throughManager(request: VendorRequest, managerId: string | null): VendorRequest {
  if (managerId === null) return request;
  return { ...request, headers: { ...request.headers, 'login-customer-id': managerId } };
}

/** Returns the id from a resource name, such as `6120459183` from `customers/6120459183`. */
export function idOfCustomer(resourceName: string): string {
  return resourceName.slice(resourceName.indexOf('/') + 1);
}
