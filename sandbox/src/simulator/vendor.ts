import type { Request, RequestHandler, Response } from 'express';
import type { Clock } from './clock.ts';
import type { OAuthApp, OAuthApps } from './oauth-apps.ts';
import type { Random } from './random.ts';
import type { Reply } from './reply.ts';
import type { Settings, SettingValue } from './settings.ts';
import type { TokenStore } from './tokens.ts';

/** The vendor's error responses for injected faults. */
export interface Dialect {
  /** The rate-limit response, with the seconds to wait if the vendor sends them. */
  rateLimited(retryAfterSeconds: number | undefined, request: Request): Reply;
  /** The error response for this HTTP status (400 to 599). */
  failure(status: number, request: Request): Reply;
}

/** A credential to paste into a connection form. */
export interface Credential {
  readonly title: string;
  readonly description: string;
  readonly works: boolean;
  /** The id of the small business whose account it opens (`invented/businesses.ts`). */
  readonly business?: string;
  /** Values by field name. */
  readonly values: Readonly<Record<string, string>>;
}

/** The dependencies of a vendor's simulator. */
export interface VendorContext {
  /** The random source of this vendor. */
  readonly random: Random;
  readonly clock: Clock;
  readonly tokens: TokenStore;
  readonly settings: Settings;
  readonly apps: OAuthApps;
  /** Whether the vendor's own rate limits are simulated. */
  readonly rateLimits: boolean;
}

/** A running simulator. */
export interface Simulation {
  /** Serves the vendor's paths, without the host. */
  readonly router: RequestHandler;
  /** Creates the credentials on each call, so that single-use tokens are unused. */
  credentials(): readonly Credential[];
  /**
   * Actions that change the simulated data, such as adding a note or revoking a key; throw a `SandboxError`
   * for invalid input.
   */
  readonly actions?: Readonly<Record<string, (input: Readonly<Record<string, unknown>>) => unknown>>;
}

/** A simulated vendor: a folder and an entry in `vendors.ts`, or a file that `VENDORS` names. */
export interface Vendor {
  readonly key: string;
  readonly name: string;
  /** The vendor's hosts. Patterns must be anchored. */
  readonly hosts: readonly (string | RegExp)[];
  readonly dialect: Dialect;
  /** The default settings. Vendors with `oauthApps` also get the settings for consent pages. */
  readonly settings?: Readonly<Record<string, SettingValue>>;
  /** The documented OAuth apps; the sandbox's options can add more. */
  readonly oauthApps?: readonly OAuthApp[];
  simulate(context: VendorContext): Simulation;
}

/** The vendor host that a request was sent to. */
export function vendorHost(response: Response): string {
  return String(response.locals['host']);
}
