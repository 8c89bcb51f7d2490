import { ConnectorAuthError } from '@connector-auth/api';
import {
  connect,
  grantsInMemory,
  methodOf,
  type Grant,
  type Grants,
  type Kind,
  type Limiter,
  type Transport,
} from '@connector-auth/connectors/kind';
import { appForGrant, withSettingHint, type AppChoice } from './oauth-apps.ts';

/** A grant that the vendor accepted just now. */
export interface VerifiedGrant {
  readonly grant: Grant;
  /** The vendor's own name of the account; null where the kind cannot tell, or could not be asked. */
  readonly account: string | null;
}

/**
 * Asks the vendor, by the kind's cheapest real call, whether it accepts new credentials.
 *
 * Credentials may work once: renewing them spends what was given. Where nothing else keeps the renewed ones, a renewal is
 * therefore proof enough when the call after it fails for a passing reason, and from it on the caller's leaving ends nothing.
 * @param verification.choice the OAuth apps that they can be renewed with.
 * @param verification.knownAs the account of the connector that they are for, where it has one.
 * @param verification.saveRenewed stores them when they are renewed on the way, so that they can be verified again.
 * @throws ConnectorAuthError `credentials_refused`, at the field that the refusal concerns; or the vendor's failure.
 */
export async function verifyGrant(
  { transport, limiter }: { readonly transport: Transport; readonly limiter: Limiter },
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
  const departure = followSignal(signal);
  const memory = grantsInMemory(given, async renewed => {
    await saveRenewed?.(renewed);
    grant = renewed;
  });
  const grants: Grants = {
    ...memory,
    renew: (stale, renew) => {
      if (!saveRenewed) departure.ignore();
      return memory.renew(stale, renew);
    },
  };
  const app = appForGrant(choice, given);
  const connection = connect({ kind, grants, transport, limiter, app });
  try {
    const vendor = await connection.vendorFor({ repeatable: true, signal: departure.signal });
    const { account, state } = await kind.check.run(vendor, knownAs);
    return { grant: { ...grant, state: { ...grant.state, ...state } }, account };
  } catch (error) {
    if (grant !== given && !saveRenewed && isTransient(error)) return { grant, account: null };
    throw toRejection(withSettingHint(error, kind, app, given), kind, given);
  } finally {
    departure.ignore();
  }
}

/** A signal that aborts with another, until that one is to be ignored. */
function followSignal(signal: AbortSignal): { readonly signal: AbortSignal; readonly ignore: () => void } {
  const follower = new AbortController();
  const abort = (): void => follower.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  return { signal: follower.signal, ignore: () => signal.removeEventListener('abort', abort) };
}

const transientCodes = new Set(['vendor_failed', 'vendor_timeout', 'vendor_rate_limited']);

/** Whether a failure says nothing about the credentials. */
function isTransient(error: unknown): boolean {
  return error instanceof ConnectorAuthError && transientCodes.has(error.code);
}

const rejectionCodes = new Set(['reauthentication_required', 'vendor_permission_missing']);

function toRejection(error: unknown, kind: Kind, grant: Grant): unknown {
  if (!(error instanceof ConnectorAuthError) || !rejectionCodes.has(error.code)) return error;
  const words = error.vendor?.message;
  const message = `${kind.name} does not accept this${words ? `: ${words}` : ''}`;
  // The vendor may have told which field it is about.
  const told = error.errors.filter(({ path }) => path.startsWith('credentials.'));
  const likely = { path: `credentials.${methodOf(kind, grant).rejectedField}`, message };
  return new ConnectorAuthError(
    'credentials_refused',
    `${kind.name} refused the credentials${words ? `: ${words}` : ''}`,
    {
      errors: told.length > 0 ? told : [likely],
      ...(error.vendor ? { vendor: error.vendor } : {}),
      cause: error,
    },
  );
}
