import { ConnectorAuthError, type Clock } from '@connector-auth/api';
import {
  connect,
  fill,
  grantsInMemory,
  methodOf,
  sharedMessages,
  type Grant,
  type Grants,
  type Kind,
  type Limiter,
  type Transport,
} from '@connector-auth/connectors/kind';
import { appForGrant, withSettingHint, type AppChoice } from './oauth-apps.ts';

export interface VerifiedGrant {
  readonly grant: Grant;
  /** The account's id at the vendor, or null if the vendor does not report it or could not be reached. */
  readonly account: string | null;
  /** All accounts that the grant can access, as far as the vendor reports them. */
  readonly accounts: readonly string[];
}

/**
 * Verifies new credentials with the kind's `check` call.
 *
 * Some credentials can be used only once, because refreshing them invalidates the original ones. Without
 * `saveRenewed`, credentials therefore count as verified if the refresh succeeds but the next call fails
 * temporarily, and the caller's signal is ignored once the refresh has started.
 * @param verification.choice the OAuth apps that can refresh the credentials.
 * @param verification.knownAs the vendor account of the connector to re-authenticate, if any.
 * @param verification.saveRenewed stores refreshed credentials, so that they can be verified again.
 * @throws ConnectorAuthError `credentials_refused` with the path of the rejected field; or an error for a
 * vendor failure.
 */
export async function verifyGrant(
  vendor: { readonly transport: Transport; readonly limiter: Limiter; readonly clock?: Clock },
  kind: Kind,
  given: Grant,
  verification: {
    readonly choice: AppChoice;
    readonly knownAs: string | null;
    readonly signal: AbortSignal;
    readonly saveRenewed: ((renewed: Grant) => Promise<void>) | undefined;
  },
): Promise<VerifiedGrant> {
  const { choice, knownAs, signal, saveRenewed } = verification;
  let grant = given;
  const cancellation = followSignal(signal);
  const memory = grantsInMemory(given, async renewed => {
    await saveRenewed?.(renewed);
    grant = renewed;
  });
  const grants: Grants = {
    ...memory,
    renew: (stale, renew) => {
      if (!saveRenewed) cancellation.ignore();
      return memory.renew(stale, renew);
    },
  };
  const app = appForGrant(choice, given);
  const connection = connect({ kind, grants, ...vendor, app });
  try {
    const vendor = await connection.vendorFor({ repeatable: true, signal: cancellation.signal });
    const { account, accounts, state } = await kind.check.run(vendor, knownAs);
    return {
      grant: { ...grant, state: { ...grant.state, ...state } },
      account,
      accounts: accounts ?? (account === null ? [] : [account]),
    };
  } catch (error) {
    if (grant !== given && !saveRenewed && isTransient(error)) return { grant, account: null, accounts: [] };
    throw toRejection(withSettingHint(error, kind, app, given), kind, given);
  } finally {
    cancellation.ignore();
  }
}

/** Returns a signal that aborts when `signal` does, until `ignore` is called. */
function followSignal(signal: AbortSignal): { readonly signal: AbortSignal; readonly ignore: () => void } {
  const follower = new AbortController();
  const abort = (): void => follower.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  return { signal: follower.signal, ignore: () => signal.removeEventListener('abort', abort) };
}

const transientCodes = new Set(['vendor_failed', 'vendor_timeout', 'vendor_rate_limited']);

/** Returns whether an error is temporary and does not indicate that the credentials are invalid. */
function isTransient(error: unknown): boolean {
  return error instanceof ConnectorAuthError && transientCodes.has(error.code);
}

const rejectionCodes = new Set(['reauthentication_required', 'vendor_permission_missing']);

function toRejection(error: unknown, kind: Kind, grant: Grant): unknown {
  if (!(error instanceof ConnectorAuthError) || !rejectionCodes.has(error.code)) return error;
  const words = error.vendor?.message;
  const message = words
    ? fill(sharedMessages.en.rejectedBecause, { source: kind.name, reason: words })
    : fill(sharedMessages.en.rejected, { source: kind.name });
  // The vendor may have reported which field it rejected.
  const reported = error.errors.filter(({ path }) => path.startsWith('credentials.'));
  const likely = { path: `credentials.${methodOf(kind, grant).rejectedField}`, message };
  return new ConnectorAuthError(
    'credentials_refused',
    `${kind.name} rejected the credentials${words ? `: ${words}` : ''}`,
    {
      errors: reported.length > 0 ? reported : [likely],
      ...(error.vendor ? { vendor: error.vendor } : {}),
      cause: error,
    },
  );
}
