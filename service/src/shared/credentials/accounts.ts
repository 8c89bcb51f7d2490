import { maxAccounts, type Clock, type Language, type ListAccountsResponse } from '@connector-auth/api';
import {
  connect,
  describeAccounts,
  grantsInMemory,
  type Grant,
  type Grants,
  type Kind,
  type Limiter,
  type Transport,
  type Vendor,
} from '@connector-auth/connectors/kind';
import { appForGrant, withSettingHint, type AppChoice } from './oauth-apps.ts';

/** The response for a kind or an auth method whose accounts cannot be listed. */
const none: ListAccountsResponse = {
  accounts: [],
  is_complete: true,
  selected: null,
  daily_requests_per_account: null,
};

/**
 * Lists the accounts that a grant can see, and those that its settings choose. Returns an empty list, without calling the
 * vendor, if the kind or the auth method has no accounts.
 * @param options.open opens a connection with the grant.
 * @throws ConnectorAuthError `reauthentication_required`, or an error for a vendor failure.
 */
export async function listAccounts(
  kind: Kind,
  { method, settings }: Pick<Grant, 'method' | 'settings'>,
  {
    language,
    syncsPerDay,
    open,
  }: {
    readonly language: Language;
    /** How often the organization's connectors are synced. */
    readonly syncsPerDay: number;
    readonly open: () => Promise<Vendor>;
  },
): Promise<ListAccountsResponse> {
  const declared = kind.accounts;
  if (!declared?.methods.includes(method)) return none;
  const { accounts, isComplete } = await declared.list(await open());
  const perDay = declared.dailyRequestsPerAccount?.(syncsPerDay) ?? null;
  return {
    accounts: describeAccounts(kind, accounts.slice(0, maxAccounts), language),
    is_complete: isComplete && accounts.length <= maxAccounts,
    selected: chosenIds(declared, settings),
    daily_requests_per_account: perDay === null ? null : Math.round(perDay),
  };
}

function chosenIds({ setting }: NonNullable<Kind['accounts']>, settings: Grant['settings']): string[] | null {
  const ids = settings[setting];
  return Array.isArray(ids) && ids.length > 0 ? ids.map(String) : null;
}

/**
 * Lists the accounts of a grant that no connector has yet; see {@link listAccounts}.
 * @param options.choice the OAuth apps that can refresh the grant.
 * @param options.saveRenewed stores a refreshed grant. The returned promise settles only after it was stored, so that the
 * caller can then end its lease.
 */
export async function listAccountsOfGrant(
  vendor: { readonly transport: Transport; readonly limiter: Limiter; readonly clock: Clock },
  kind: Kind,
  grant: Grant,
  options: {
    readonly choice: AppChoice;
    readonly language: Language;
    readonly syncsPerDay: number;
    readonly signal: AbortSignal;
    readonly saveRenewed: (renewed: Grant) => Promise<void>;
  },
): Promise<ListAccountsResponse> {
  const { choice, language, syncsPerDay, signal, saveRenewed } = options;
  const renewals: Promise<Grant>[] = [];
  const memory = grantsInMemory(grant, saveRenewed);
  const grants: Grants = {
    ...memory,
    renew: (stale, renew) => {
      const renewal = memory.renew(stale, renew);
      renewals.push(renewal);
      return renewal;
    },
  };
  const app = appForGrant(choice, grant);
  const connection = connect({ kind, grants, ...vendor, app });
  try {
    return await listAccounts(kind, grant, {
      language,
      syncsPerDay,
      open: () => connection.vendorFor({ repeatable: true, signal }),
    });
  } catch (error) {
    throw withSettingHint(error, kind, app, grant);
  } finally {
    // A kind may call the vendor several times at once, and reject as soon as one of the calls fails.
    await Promise.allSettled(renewals);
  }
}
