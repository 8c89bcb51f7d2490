import { ConnectorAuthError } from '@connector-auth/api';
import { connect, grantsInMemory, methodOf, type Grant, type Kind } from '@connector-auth/connectors/kind';
import { appForGrant, withSetting, type AppChoice } from '../oauth-apps/apps.ts';
import type { VendorAccess } from './vendor-access.ts';

/** A grant that the vendor accepted just now. */
export interface ProvenGrant {
  readonly grant: Grant;
  /** The vendor's own name of the account; null where the kind cannot tell. */
  readonly account: string | null;
}

/**
 * Asks the vendor, by the kind's cheapest real call, whether it accepts new credentials.
 * @param proof.choice the OAuth apps that they can be renewed with.
 * @param proof.knownAs the account of the connector that they are for, where it has one.
 * @param proof.keep stores them when they are renewed on the way; for those that nobody could give again.
 * @throws ConnectorAuthError `credentials_refused`, at the field that the refusal concerns; or the vendor's failure.
 */
export async function proveGrant(
  { transport, limiter }: Pick<VendorAccess, 'transport' | 'limiter'>,
  kind: Kind,
  given: Grant,
  proof: {
    readonly choice: AppChoice;
    readonly knownAs: string | null;
    readonly signal: AbortSignal;
    readonly keep: ((renewed: Grant) => Promise<void>) | undefined;
  },
): Promise<ProvenGrant> {
  const { choice, knownAs, signal, keep } = proof;
  let grant = given;
  const grants = grantsInMemory(given, async renewed => {
    await keep?.(renewed);
    grant = renewed;
  });
  const app = appForGrant(choice, given);
  const connection = connect({ kind, grants, transport, limiter, app });
  try {
    const vendor = await connection.vendorFor({ repeatable: true, signal });
    const { account, state } = await kind.check.run(vendor, knownAs);
    return { grant: { ...grant, state: { ...grant.state, ...state } }, account };
  } catch (error) {
    throw asRefusal(withSetting(error, kind, app, given), kind, given);
  }
}

const refusals = new Set(['reauthentication_required', 'vendor_permission_missing']);

function asRefusal(error: unknown, kind: Kind, grant: Grant): unknown {
  if (!(error instanceof ConnectorAuthError) || !refusals.has(error.code)) return error;
  const words = error.vendor?.message;
  const message = `${kind.name} does not accept this${words ? `: ${words}` : ''}`;
  // The vendor may have told which field it is about.
  const told = error.errors.filter(({ path }) => path.startsWith('credentials.'));
  const likely = { path: `credentials.${methodOf(kind, grant).refusedField}`, message };
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
