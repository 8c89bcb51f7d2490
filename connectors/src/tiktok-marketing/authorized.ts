import { ConnectorAuthError } from '@connector-auth/api';
import type { CheckedAccount } from '../kind/kind.ts';
import { asArray, asObject, asString } from '../kind/record.ts';
import type { Vendor } from '../kind/vendor.ts';
import { maxIdsPerCall, readAdvertisers, requestAdvertisers, type Advertiser } from './advertiser.ts';
import { en } from './messages/en.ts';
import { listOf, request } from './wire.ts';

/**
 * Finds the advertisers to sync, oldest id first: those in the settings, otherwise those that TikTok lists
 * for the app, otherwise those that TikTok returned during the OAuth flow. Skips advertisers that the token
 * can no longer read, unless they are in the settings.
 * @throws ConnectorAuthError `invalid_credentials` if no advertiser is known; TikTok's error if the token can
 * read none of them.
 */
export async function readableAdvertisers(vendor: Vendor): Promise<Advertiser[]> {
  const chosen = idsIn(vendor.grant.settings);
  const ids = chosen ?? (await listAuthorizedIds(vendor)) ?? idsIn(vendor.grant.state);
  if (ids === null) throw unknownAdvertisersError();
  const advertisers: Advertiser[] = [];
  for (let start = 0; start < ids.length; start += maxIdsPerCall) {
    const batch = ids.slice(start, start + maxIdsPerCall);
    advertisers.push(...(chosen === null ? await readThose(batch, vendor) : await read(batch, vendor)));
  }
  return advertisers.sort((one, other) => compareIds(one.advertiser_id, other.advertiser_id));
}

function unknownAdvertisersError(): ConnectorAuthError {
  const issue = { path: 'replication_config.advertiser_ids', message: en.advertiserIds.unknown };
  return ConnectorAuthError.invalid('invalid_credentials', [issue]);
}

/**
 * Verifies the access token with the cheapest call possible. If the token covers several ad accounts, one of
 * them identifies the connector for as long as the token covers it.
 * @throws ConnectorAuthError `invalid_credentials` if a connector with this grant would have no advertisers to sync.
 */
export async function checkAccess(vendor: Vendor, knownAs?: string | null): Promise<CheckedAccount> {
  const ids = idsIn(vendor.grant.settings) ?? idsIn(vendor.grant.state) ?? [];
  const account = accountAmong(ids, knownAs);
  if (account !== null) {
    await vendor.send(requestAdvertisers([account]));
    return { account, accounts: ids };
  }
  const listed = await listAuthorizedIds(vendor);
  if (listed !== null) {
    return {
      account: accountAmong(listed, knownAs),
      accounts: listed,
      state: { advertiser_ids: listed },
    };
  }
  await vendor.send(request('/user/info/'));
  if (knownAs !== undefined) throw unknownAdvertisersError();
  return { account: null };
}

/** Compares ids numerically. Ids increase over time, so the oldest account comes first. */
export function compareIds(one: string, other: string): number {
  return one.length - other.length || (one < other ? -1 : Number(one > other));
}

/**
 * Returns `knownAs` if it is one of the ids, otherwise the oldest id, because newer accounts are added and
 * removed more often.
 */
function accountAmong(ids: readonly string[], knownAs: string | null = null): string | null {
  return knownAs !== null && ids.includes(knownAs) ? knownAs : (ids.toSorted(compareIds)[0] ?? null);
}

/** Returns the advertiser ids in settings or state; null if there are none. */
export function idsIn(holder: Readonly<Record<string, unknown>>): readonly string[] | null {
  const ids = asArray(holder['advertiser_ids']).map(String);
  return ids.length === 0 ? null : ids;
}

const rejectionCodes = new Set([
  'reauthentication_required',
  'vendor_permission_missing',
  'vendor_misconfigured',
]);

/** An advertiser that authorized the app. */
export interface Authorized {
  readonly id: string;
  /** Null if unknown. */
  readonly name: string | null;
}

async function listAuthorizedIds(vendor: Vendor): Promise<readonly string[] | null> {
  return (await listAuthorized(vendor))?.map(({ id }) => id) ?? null;
}

/**
 * Lists the advertisers that authorized the app in the credentials, otherwise the configured app. Returns null if there is
 * no app, or if the token does not belong to the configured one.
 * @throws ConnectorAuthError TikTok's error if it rejects the app in the credentials.
 */
export async function listAuthorized(vendor: Vendor): Promise<readonly Authorized[] | null> {
  const { app_id, secret } = vendor.grant.credentials;
  const isOwn = app_id !== undefined;
  if (!isOwn && vendor.app === null) return null;
  const app = isOwn ? { app_id, secret } : { app_id: vendor.app?.clientId, secret: vendor.app?.clientSecret };
  try {
    const response = await vendor.send(request('/oauth2/advertiser/get/', app));
    return listOf(response).map(listed => {
      const { advertiser_id, advertiser_name } = asObject(listed);
      return { id: String(advertiser_id), name: asString(advertiser_name) };
    });
  } catch (error) {
    if (!isOwn && error instanceof ConnectorAuthError && rejectionCodes.has(error.code)) return null;
    throw error;
  }
}

async function read(ids: readonly string[], vendor: Vendor): Promise<Advertiser[]> {
  return readAdvertisers(await vendor.send(requestAdvertisers(ids)));
}

/**
 * Reads the advertisers that the token can read.
 * @throws ConnectorAuthError TikTok's error if the token can read none of them.
 */
async function readThose(ids: readonly string[], vendor: Vendor): Promise<Advertiser[]> {
  const readable = await readPermitted(ids, vendor);
  // Requests one of them again, for the error.
  return readable.length === 0 ? read(ids.slice(0, 1), vendor) : readable;
}

/**
 * Reads those of up to 100 advertisers that the token can read. If the token has no permission for one of
 * them, the whole call fails, so each half is then requested separately.
 */
export async function readPermitted(ids: readonly string[], vendor: Vendor): Promise<Advertiser[]> {
  try {
    return ids.length === 0 ? [] : await read(ids, vendor);
  } catch (error) {
    if (!isPermissionError(error)) throw error;
    if (ids.length === 1) return [];
    const half = Math.ceil(ids.length / 2);
    const first = await readPermitted(ids.slice(0, half), vendor);
    return [...first, ...(await readPermitted(ids.slice(half), vendor))];
  }
}

function isPermissionError(error: unknown): boolean {
  return error instanceof ConnectorAuthError && error.code === 'vendor_permission_missing';
}
