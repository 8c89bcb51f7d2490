import type { Request, Response, Router } from 'express';
import type { Clock } from './clock.ts';
import type { OAuthApp, OAuthApps } from './oauth-apps.ts';
import type { Random } from './random.ts';
import type { Reply } from './reply.ts';
import type { Settings, SettingValue } from './settings.ts';
import type { TokenStore } from './tokens.ts';

/** How a vendor words what faults make it say. */
export interface Dialect {
  /** "Too fast", with the seconds to wait where the vendor tells them. */
  rateLimited(retryAfterSeconds: number | undefined, request: Request): Reply;
  /** An error with this HTTP status (400 to 599). */
  failure(status: number, request: Request): Reply;
}

/** What a person can paste into a connection form, and what to expect of it. */
export interface Credential {
  readonly title: string;
  readonly description: string;
  readonly works: boolean;
  /** Field name → value. */
  readonly values: Readonly<Record<string, string>>;
}

/** What a simulator of a vendor is made from. */
export interface VendorContext {
  /** The sandbox's seed, forked for this vendor. */
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
  /** Answers the vendor's paths, without the host. */
  readonly router: Router;
  /** Made anew at each look, so that a single-use token on the page is a fresh one. */
  credentials(): readonly Credential[];
  /** What a test or a person may make happen in the vendor's world: add a note, revoke a key. Bad input throws a `SandboxError`. */
  readonly actions?: Readonly<Record<string, (input: Readonly<Record<string, unknown>>) => unknown>>;
}

/** One vendor's simulator: a folder, and a line in `vendors.ts`. */
export interface Vendor {
  readonly key: string;
  readonly name: string;
  /** The hosts it answers for; a pattern must be anchored. */
  readonly hosts: readonly (string | RegExp)[];
  readonly dialect: Dialect;
  /** Names, types and first values of its switches; those of the consent page come by themselves when it has `oauthApps`. */
  readonly settings?: Readonly<Record<string, SettingValue>>;
  /** The apps registered at this vendor; more can be registered through the sandbox's options. */
  readonly oauthApps?: readonly OAuthApp[];
  simulate(context: VendorContext): Simulation;
}

/** Which of the vendor's hosts a request was meant for. */
export function vendorHost(response: Response): string {
  return String(response.locals['host']);
}
