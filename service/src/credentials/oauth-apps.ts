import { ConnectorAuthError } from '@connector-auth/api';
import type { Grant, Kind, OAuthApp } from '@connector-auth/connectors/kind';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { OAuthAppConfiguration } from '../config/configuration.ts';
import type { Sealer } from '../crypto/seal.ts';
import type { Tables } from '../database/tables.ts';
import { findOAuthApp } from '../repositories/oauth-apps.ts';

/** Whose an OAuth app is: the operator set it in the environment, or an organization brought its own. */
export interface OwnedApp extends OAuthApp {
  readonly owner: 'platform' | 'organization';
}

/** The OAuth apps of one kind that an organization may use, the one for new consents first. */
export type AppChoice = readonly OwnedApp[];

/** Member of a grant's state: the client id of the app that the consent was given to. Only that app can renew it. */
export const clientIdState = 'oauth_client_id';

/** The platform's OAuth apps and those that organizations brought. */
export class OAuthApps {
  readonly #db: Kysely<Tables>;
  readonly #sealer: Sealer;
  readonly #platform: ReadonlyMap<string, OAuthAppConfiguration>;

  /** @param platform by environment prefix, as configured. */
  constructor(db: Kysely<Tables>, sealer: Sealer, platform: ReadonlyMap<string, OAuthAppConfiguration>) {
    this.#db = db;
    this.#sealer = sealer;
    this.#platform = platform;
  }

  /** The apps an organization may use for a kind; none when no app is configured. */
  async choiceOf(organizationId: string, kind: Kind): Promise<AppChoice> {
    return this.choose(organizationId, kind, await findOAuthApp(this.#db, organizationId, kind.key));
  }

  /** The same, when the organization's own app has been read already. */
  choose(organizationId: string, kind: Kind, sealedOwn: Uint8Array | null): AppChoice {
    const own = sealedOwn === null ? [] : [this.#open(organizationId, kind, sealedOwn)];
    return [...own, ...this.#platformApp(kind)];
  }

  /** The configuration of an organization's app, sealed for its row. */
  seal(organizationId: string, kind: Kind, app: OAuthApp): Uint8Array {
    const { clientId, clientSecret, extras } = app;
    return this.#sealer.seal(
      JSON.stringify({ clientId, clientSecret, extras }),
      placeOf(organizationId, kind),
    );
  }

  #open(organizationId: string, kind: Kind, sealed: Uint8Array): OwnedApp {
    const text = this.#sealer.open(sealed, placeOf(organizationId, kind));
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
  return { organizationId, table: 'oauth_apps', column: 'configuration', row: key } as const;
}

/** The app to use with a grant: the one it was given to; for one that does not say, the one of new consents. */
export function appForGrant(choice: AppChoice, { state }: Grant): OwnedApp | null {
  const clientId = state[clientIdState];
  const isNamed = typeof clientId === 'string';
  return choice.find(app => !isNamed || app.clientId === clientId) ?? null;
}

/**
 * An error of the app's own, `vendor_misconfigured`, with the place where its owner sets it right; any other error as it is.
 * @param app null when the app of the grant is configured no longer.
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
      `The OAuth app that ${kind.name} was connected with is no longer configured: bring it back (${settingOf(kind, 'platform')}), or connect again`,
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

function settingOf({ environmentPrefix, appExtras }: Kind, owner: OwnedApp['owner']): string {
  if (owner === 'organization') return "the organization's own OAuth app (PUT /api/v1/oauth/credentials)";
  const names = ['client_id', 'client_secret', ...Object.keys(appExtras?.shape ?? {})];
  return names.map(name => `${environmentPrefix}_${name.toUpperCase()}`).join(', ');
}
