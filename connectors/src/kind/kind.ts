import { ConnectorAuthError, type Account, type ActionName, type SupportLevel } from '@connector-auth/api';
import type { z } from 'zod';
import type { Consent } from './consent.ts';
import type { VendorFailure } from './failure.ts';
import type { Grant, OAuthApp } from './grants.ts';
import type { Bucket } from './rate-limit.ts';
import type { Vendor, VendorRequest, VendorResponse } from './vendor.ts';
import type { Messages } from './words.ts';

/**
 * A connector kind: the declaration of everything the platform knows about one vendor.
 *
 * The executor, the service, the catalog, the widget's forms and the reference documentation derive from this
 * declaration and do not contain vendor names. {@link defineKind} preserves the exact types of entities, actions and
 * credentials, so that the compiler can check `new Granola({ credentials })` and `execute('notes', 'list', {…})`.
 */
export interface Kind<
  Entities extends Record<string, Entity> = Record<string, Entity>,
  Methods extends AuthMethods = AuthMethods,
  Settings extends z.ZodObject = z.ZodObject,
  Key extends string = string,
> {
  /** Lower-case words joined by `-`. */
  readonly key: Key;
  readonly name: string;
  /** Where end-customers sign in, if that has another name, such as `Google`. */
  readonly vendorName?: string;
  /** UUID that identifies the kind in catalog entries and requests. */
  readonly definitionId: string;
  /** Short description of the vendor's data for end-customers. */
  readonly description: string;
  /**
   * What fields contain, for developers, by their names. The description in a field's schema takes precedence;
   * `users.title` is for one entity.
   */
  readonly fieldDescriptions?: Readonly<Record<string, string>>;
  readonly supportLevel: SupportLevel;
  /** The group in which long catalogs show the kind, such as `Advertising`. */
  readonly category?: string;
  /** The data that the kind reads and changes, as lower-case nouns for end-customers, such as `campaigns`. */
  readonly access?: { readonly reads: readonly string[]; readonly changes: readonly string[] };
  /**
   * What end-customers read of this declaration and of its errors, in other languages. Everything is declared in English,
   * and is translated if `en` contains it.
   */
  readonly messages?: Messages;
  /** A square SVG document. */
  readonly icon: string;
  /** Prefix of the environment variables of the platform's OAuth app, such as `OAUTH_GONG`. */
  readonly environmentPrefix: string;
  /**
   * Strict schema of the values that the OAuth app needs besides the client id and secret, such as
   * `developer_token`. All values are strings. The platform's app reads each value from an environment
   * variable with the prefix, such as `OAUTH_GOOGLE_ADS_DEVELOPER_TOKEN`.
   */
  readonly appExtras?: z.ZodObject;
  /** Hosts to which requests can be sent. A leading `*.` matches any subdomain. */
  readonly hosts: readonly string[];
  readonly authMethods: Methods;
  /**
   * Schema of `replication_config`, the sync settings. Each one names its audience:
   * `meta({ 'x-audience': 'customer' })`, or `integrator` if only the integrator's backend may set it.
   */
  readonly settings?: Settings;
  /** Names of the settings that do not determine which records are synced. */
  readonly settingsWithoutSync?: readonly string[];
  /** The accounts that a grant can see, if users can choose which of them to sync. */
  readonly accounts?: Accounts;
  readonly rateLimits: readonly RateLimit[];
  /**
   * The requests per hour that full syncs of one entity may take. Every sync is a full one if the last full sync
   * took at most this many requests for each hour of the sync interval. Otherwise, or if it is 0, one sync a day is.
   */
  readonly fullSyncCallsPerHour: number;
  readonly entities: Entities;
  readonly check: Check;
  /** Returns the location of the recorded calls, which documentation shows. A test records them. */
  readonly examples?: () => URL;
  /**
   * Classifies a vendor's response. Returns null if the response is successful. The grant determines whether
   * the customer or the operator must fix rejected credentials.
   */
  readonly readFailure: (response: VendorResponse, nowMs: number, grant: Grant) => VendorFailure | null;
}

type AuthMethods = readonly [AuthMethod, ...AuthMethod[]];

/** How the accounts of a grant are listed and chosen. */
export interface Accounts {
  /** The setting that lists the ids of the chosen accounts. Without it, all accounts are synced. */
  readonly setting: string;
  /** What the vendor calls its accounts, such as `Workspaces`. Omitted if `Accounts` fits. */
  readonly title?: string;
  /** Ids of the auth methods whose grants can list accounts. */
  readonly methods: readonly string[];
  /** Estimates the requests per day that syncing one account takes; null if unknown. */
  readonly dailyRequestsPerAccount: ((syncsPerDay: number) => number) | null;
  /**
   * Lists the accounts, at most 2,000 of them, with the accounts that cannot be selected and the reason.
   * @throws ConnectorAuthError if the vendor rejects the grant.
   */
  readonly list: (vendor: Vendor) => Promise<AccountList>;
}

export interface AccountList {
  readonly accounts: readonly Account[];
  readonly isComplete: boolean;
}

export interface AuthMethod {
  readonly id: string;
  readonly type: 'oauth' | 'credentials';
  readonly title: string;
  readonly description: string;
  /** Offers this method beside another one, such as `Use an access key instead`. */
  readonly instead?: string;
  /** How a user obtains the credentials. */
  readonly guide?: {
    readonly steps: readonly string[];
    /** The vendor's page where users create the credentials. */
    readonly url: string | null;
    /** Who can create them, and with which plan. */
    readonly who: string | null;
  };
  /** URL of the vendor's help page on where to find the credentials. */
  readonly helpUrl: string | null;
  /**
   * Strict schema of the credentials, from which the form is generated. Secrets are marked with `meta({
   * writeOnly: true })`.
   */
  readonly fields: z.ZodObject;
  /** The field that is reported as invalid if the vendor rejects the credentials. */
  readonly rejectedField: string;
  /** Returns the request with the credentials added. Pure function. */
  readonly authorize: (request: VendorRequest, grant: Grant) => VendorRequest;
  readonly refresh?: Refresh;
  /** The OAuth flow that produces credentials for this method. */
  readonly consent?: Consent;
  /** Whether these credentials can only come from an OAuth flow and cannot be pasted. */
  readonly isConsentOnly?: boolean;
  /** Whether these credentials can only be used in open source mode, where the caller renews them. */
  readonly isOpenSourceOnly?: boolean;
  readonly revocation: Revocation;
}

/** How a grant is revoked at the vendor. */
export interface Revocation {
  /** URL of the vendor's page where a person can revoke the grant, or of its instructions for that. */
  readonly pageUrl: string;
  /**
   * Returns the request that revokes the grant, or null if it needs an OAuth app that is missing. Omitted if the
   * vendor's API cannot revoke grants.
   */
  readonly request?: (grant: Grant, app: OAuthApp | null) => VendorRequest | null;
  /** Returns whether the vendor rejected the request because the grant was no longer valid. */
  readonly isAlreadyRevoked?: (response: VendorResponse) => boolean;
}

/** How to refresh an access token. */
export interface Refresh {
  /** Returns whether the access token is missing or expires within a minute. */
  readonly isDue: (grant: Grant, nowMs: number) => boolean;
  readonly request: (grant: Grant, app: OAuthApp | null) => VendorRequest;
  /** Returns whether the request needs an OAuth app because the credentials do not include one. */
  readonly needsApp?: (grant: Grant) => boolean;
  /** Returns the grant with the new tokens. Throws if the response is an error. */
  readonly read: (response: VendorResponse, grant: Grant, nowMs: number) => Grant;
}

/** A vendor's rate limit. */
export interface RateLimit extends Bucket {
  /**
   * The scope that shares one bucket, such as `company`. Requests with the same subject draw from the same
   * bucket.
   */
  readonly countedBy: string;
  /**
   * Returns the subject that the request counts against, or null if the limit does not apply to the request.
   */
  readonly subject: (grant: Grant, request: VendorRequest, app: OAuthApp | null) => string | null;
}

/** The cheapest vendor call that verifies the credentials. */
export interface Check {
  readonly entity: string;
  readonly action: string;
  /**
   * Verifies the credentials and identifies the vendor account.
   * @param knownAs the account that the connector was last identified by; null if there is none. Credentials for several
   * accounts match if that account is one of them. If undefined, only the credentials are verified.
   * @throws ConnectorAuthError if the vendor rejects the credentials, or if the connector could not sync with them.
   */
  readonly run: (vendor: Vendor, knownAs?: string | null) => Promise<CheckedAccount>;
}

export interface CheckedAccount {
  /**
   * Stable id of the vendor account, used to detect a switch to a different account; null if the vendor does
   * not identify the account.
   */
  readonly account: string | null;
  /** All accounts that the credentials can access, if they can access others besides `account`. */
  readonly accounts?: readonly string[];
  /** State to store with the connector. */
  readonly state?: Readonly<Record<string, unknown>>;
}

/** A type of vendor object, with its actions. */
export interface Entity {
  /** The name for end-customers, such as `Daily ad reports`. */
  readonly title?: string;
  /** What is read, in one sentence for end-customers. */
  readonly access?: string;
  readonly description: string;
  readonly actions: Readonly<Partial<Record<ActionName, Action>>>;
  readonly search?: Searchable;
}

/** The result of an action, with the same members as in the API. */
export interface Outcome<Result = unknown, Metadata = unknown> {
  readonly result: Result;
  readonly connector_metadata: Metadata;
}

export interface Action<Params extends z.ZodType = z.ZodType, Result = unknown, Metadata = unknown> {
  readonly summary: string;
  /** Strict schema: unknown parameters are invalid. */
  readonly params: Params;
  /**
   * Schema of the returned record, used for types and documentation. Responses are mapped to it but not
   * validated.
   */
  readonly record: z.ZodType;
  /** Fields of the record that only callers with the right `private_fields` receive. */
  readonly privateFields?: readonly string[];
  /** Schema of `connector_metadata`, as in `record`. Omitted if it is null. */
  readonly metadata?: z.ZodType;
  // Method notation makes params bivariant, so that an Action with exact types is assignable to any Action.
  run(params: z.output<Params>, vendor: Vendor): Promise<Outcome<Result, Metadata>>;
  /** Returns the params for the next page of a list, or null after the last page. */
  nextPage?(params: z.output<Params>, page: Outcome<Result, Metadata>): z.input<Params> | null;
}

/**
 * Types of searchable fields. A `decimal` is a number that the vendor sends as a string; search compares it
 * as a number.
 */
export type SearchType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'decimal';

/** The search declaration for an entity: its searchable fields and how its records are synced. */
export interface Searchable {
  /** Searchable fields by name. Names can contain dots. */
  readonly fields: Readonly<Record<string, SearchType>>;
  /** Names of the fields that identify a record within a connector. */
  readonly primaryKey: readonly string[];
  /** Primary key fields that can be null. Records in which any other key field is null are skipped. */
  readonly nullableKey?: readonly string[];
  /** Fields indexed for filtering and sorting, in addition to the primary key. */
  readonly indexed: readonly string[];
  /** Fields indexed for `like`, `fuzzy` and `keyword`. */
  readonly text: readonly string[];
  /**
   * Text fields that contain a time such as `2026-02-17T10:30:00-08:00` or `2026-02-17 10:30:00`. Filters compare
   * them with whole days. A time without an offset is in UTC.
   */
  readonly times?: readonly string[];
  readonly sync: Sync;
}

/** How to sync an entity's records. */
export interface Sync {
  /** Whether a run can read only the records that changed. Otherwise every run reads all records. */
  readonly incremental: boolean;
  /** What only full runs find. Default: `deletions`. Null if other runs find everything. */
  readonly onlyFullRunsFind?: string | null;
  /**
   * Yields pages of search records. An interrupted run resumes from the `position` of its last finished page.
   * A run for which `since` is null reads all records; records that it does not yield no longer exist at the
   * vendor.
   */
  readonly run: (vendor: Vendor, start: SyncStart) => AsyncIterable<SyncPage>;
}

export interface SyncStart {
  /** The `since` value that the previous run returned with its last page; null to read all records. */
  readonly since: string | null;
  /** Position of the last finished page of this run; null if the run has not finished a page. */
  readonly position: unknown;
}

export interface SyncPage {
  readonly records: readonly Readonly<Record<string, unknown>>[];
  /** The fields of the primary key of records that no longer exist at the vendor. Full runs need not yield any. */
  readonly deleted?: readonly Readonly<Record<string, unknown>>[];
  /** JSON value from which the run resumes after this page. */
  readonly position: unknown;
  /** Set on the last page: the `since` value for the next run. */
  readonly since?: string | null;
}

/** Declares a kind and preserves its exact types. */
export function defineKind<
  const Entities extends Record<string, Entity>,
  const Methods extends AuthMethods,
  Settings extends z.ZodObject = z.ZodObject<Record<string, never>>,
  const Key extends string = string,
>(kind: Kind<Entities, Methods, Settings, Key>): Kind<Entities, Methods, Settings, Key> {
  return kind;
}

/** Returns the form in which names of kinds are compared: without case, spaces, `-` and `_`. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '');
}

/** Returns the auth method that a grant was created with. */
export function methodOf(kind: Kind, grant: Grant): AuthMethod {
  const method = kind.authMethods.find(({ id }) => id === grant.method);
  if (!method)
    throw new ConnectorAuthError('internal_error', `${kind.name} has no auth method ${grant.method}`);
  return method;
}

/** Declares an action and infers the types of its params and result. */
export function defineAction<Params extends z.ZodType, Result, Metadata>(
  action: Action<Params, Result, Metadata>,
): Action<Params, Result, Metadata> {
  return action;
}
