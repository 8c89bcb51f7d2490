import { ConnectorAuthError } from '@connector-auth/api';
import { methodOf, type Grant, type Kind, type OAuthApp } from '@connector-auth/connectors/kind';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { OAuthAppConfiguration } from '../../platform/config/configuration.ts';
import type { Sealer } from '../../platform/crypto/seal.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { findCallbackPath, findOAuthApp } from '../repositories/oauth-apps.ts';

/**
 * An OAuth app and its owner: `platform` if the operator configured it, `organization` if the organization
 * added it.
 */
export interface OwnedApp extends OAuthApp {
  readonly owner: 'platform' | 'organization';
}

/** The OAuth apps that an organization can use for one kind. New OAuth sessions use the first one. */
export type AppChoice = readonly OwnedApp[];

/**
 * The key in a grant's state that stores the client id of its OAuth app. Only that app can refresh the grant.
 */
const clientIdState = 'oauth_client_id';
/** The key in a grant's state that stores the owner of its OAuth app. */
const ownerState = 'oauth_app_owner';

/** The path to which vendors redirect for apps that were registered before each kind had a path of its own. */
export const sharedCallbackPath = '/oauth/callback';

/**
 * Returns the path to which a kind's vendor redirects. Each kind has its own, so that one vendor cannot return
 * another vendor's code (a mix-up attack).
 */
export function callbackPathOf({ key }: Pick<Kind, 'key'>): string {
  return `${sharedCallbackPath}/${key}`;
}

export class OAuthApps {
  readonly #db: Kysely<Tables>;
  readonly #sealer: Sealer;
  readonly #platform: ReadonlyMap<string, OAuthAppConfiguration>;

  /** @param platform the operator's apps by environment variable prefix. */
  constructor(db: Kysely<Tables>, sealer: Sealer, platform: ReadonlyMap<string, OAuthAppConfiguration>) {
    this.#db = db;
    this.#sealer = sealer;
    this.#platform = platform;
  }

  async choiceOf(organizationId: string, kind: Kind): Promise<AppChoice> {
    return this.choose(organizationId, kind, await findOAuthApp(this.#db, organizationId, kind.key));
  }

  /** Same as `choiceOf`, for callers that have already read the organization's own app. */
  choose(organizationId: string, kind: Kind, sealedOwn: Uint8Array | null): AppChoice {
    const own = sealedOwn === null ? [] : [this.#open(organizationId, kind, sealedOwn)];
    return [...own, ...this.#platformApp(kind)];
  }

  /** Returns the callback path that is registered in an app at the vendor. */
  async callbackPathFor(app: OwnedApp, organizationId: string, kind: Kind): Promise<string> {
    if (app.owner === 'platform') return this.#platformCallbackPath(kind);
    return (await findCallbackPath(this.#db, organizationId, kind.key)) ?? callbackPathOf(kind);
  }

  /** Returns the operator's app for a kind without its secrets, or null if there is none. */
  describePlatformApp(kind: Kind): { readonly clientId: string; readonly callbackPath: string } | null {
    const configured = this.#platform.get(kind.environmentPrefix);
    return configured
      ? { clientId: configured.clientId, callbackPath: this.#platformCallbackPath(kind) }
      : null;
  }

  #platformCallbackPath(kind: Kind): string {
    const isPerKind = this.#platform.get(kind.environmentPrefix)?.usesKindCallback === true;
    return isPerKind ? callbackPathOf(kind) : sharedCallbackPath;
  }

  seal(organizationId: string, kind: Kind, app: OAuthApp): Uint8Array {
    const { clientId, clientSecret, extras } = app;
    return this.#sealer.seal(
      JSON.stringify({ clientId, clientSecret, extras }),
      placeOf(organizationId, kind),
    );
  }

  #open(organizationId: string, kind: Kind, sealed: Uint8Array): OwnedApp {
    const text = this.#sealer.open(sealed, placeOf(organizationId, kind));
    // oxlint-disable-next-line no-restricted-properties -- reads what this service sealed
    return { ...storedApp.parse(JSON.parse(text)), owner: 'organization' };
  }

  #platformApp(kind: Kind): OwnedApp[] {
    const configured = this.#platform.get(kind.environmentPrefix);
    if (configured === undefined) return [];
    const { clientId, clientSecret, extras } = configured;
    return [
      {
        owner: 'platform',
        clientId,
        clientSecret: clientSecret.reveal(),
        extras: Object.fromEntries([...extras].map(([name, value]) => [name, value.reveal()])),
      },
    ];
  }
}

const storedApp = z.object({
  clientId: z.string(),
  clientSecret: z.string(),
  extras: z.record(z.string(), z.string()),
});

function placeOf(organizationId: string, { key }: Kind) {
  const owner = { customerId: null, kind: key, version: null };
  return { organizationId, table: 'oauth_apps', column: 'configuration', row: key, owner } as const;
}

/** Returns the app to which a grant was issued, or null if there is none or it is no longer configured. */
export function appForGrant(choice: AppChoice, { state }: Grant): OwnedApp | null {
  const { [clientIdState]: clientId, [ownerState]: owner } = state;
  return choice.find(app => app.clientId === clientId && app.owner === owner) ?? null;
}

/**
 * Returns the client id of the OAuth app to which a grant was issued, or null if it is unknown. A customer can paste the
 * credentials of an app with its tokens.
 */
export function clientIdOf({ credentials, state }: Grant): string | null {
  const clientId = credentials['client_id'] ?? state[clientIdState];
  return typeof clientId === 'string' ? clientId : null;
}

/** Returns the state that binds a new grant to an app, or to none. */
export function stateOfApp(app: OwnedApp | null): Grant['state'] {
  return { [clientIdState]: app?.clientId ?? null, [ownerState]: app?.owner ?? null };
}

/**
 * Binds a pasted grant to the organization's own app, or to none. The platform's app serves only the grants
 * of its own OAuth sessions: its client secret would make a refresh token usable that was stolen from another
 * organization. Returns the grant of an OAuth session unchanged.
 * @throws ConnectorAuthError `oauth_app_required` if the grant cannot be refreshed without an app.
 */
export function bindToApp(kind: Kind, choice: AppChoice, grant: Grant): Grant {
  if (grant.state[clientIdState] !== undefined) return grant;
  const own = choice.find(({ owner }) => owner === 'organization') ?? null;
  if (own === null && methodOf(kind, grant).refresh?.needsApp?.(grant) === true) {
    const message = `Enter the client ID and client secret of the OAuth app that issued these ${kind.name} tokens`;
    throw ConnectorAuthError.invalid(
      'oauth_app_required',
      [{ path: 'credentials.client_id', message }],
      `${kind.name} tokens need their OAuth app. Include client_id and client_secret, add the organization's own app with PUT /api/v1/oauth/credentials, or let the user sign in`,
    );
  }
  return { ...grant, state: { ...grant.state, ...stateOfApp(own) } };
}

/**
 * Extends a `vendor_misconfigured` error with a hint about where the OAuth app is configured. Returns other
 * errors unchanged.
 * @param app the grant's app, or null if it is no longer configured.
 */
export function withSettingHint(
  error: unknown,
  kind: Kind,
  app: OwnedApp | null,
  grant: Grant | null = null,
): unknown {
  if (!(error instanceof ConnectorAuthError)) return error;
  const isGone = app === null && typeof grant?.state[clientIdState] === 'string';
  if (isGone && (error.code === 'vendor_misconfigured' || error.code === 'invalid_credentials')) {
    return misconfigured(
      error,
      `The OAuth app that was used to connect ${kind.name} is no longer configured. Restore it (${settingOf(kind, ownerOf(grant))}) or reconnect`,
    );
  }
  if (error.code !== 'vendor_misconfigured' || app === null || error.message.includes(kind.environmentPrefix))
    return error;
  return misconfigured(error, `${error.message.replace(/\.$/, '')}. Check ${settingOf(kind, app.owner)}`);
}

function misconfigured(error: ConnectorAuthError, message: string): ConnectorAuthError {
  return new ConnectorAuthError('vendor_misconfigured', message, {
    ...(error.vendor ? { vendor: error.vendor } : {}),
    cause: error,
  });
}

function ownerOf(grant: Grant | null): OwnedApp['owner'] {
  return grant?.state[ownerState] === 'organization' ? 'organization' : 'platform';
}

function settingOf({ environmentPrefix, appExtras }: Kind, owner: OwnedApp['owner']): string {
  if (owner === 'organization') return "the organization's own OAuth app (PUT /api/v1/oauth/credentials)";
  const names = ['client_id', 'client_secret', ...Object.keys(appExtras?.shape ?? {})];
  return names.map(name => `${environmentPrefix}_${name.toUpperCase()}`).join(', ');
}
