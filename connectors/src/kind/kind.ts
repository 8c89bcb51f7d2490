import { ConnectorAuthError, type ActionName, type SupportLevel } from '@connector-auth/api';
import type { z } from 'zod';
import type { Consent } from './consent.ts';
import type { VendorFailure } from './failure.ts';
import type { Grant, OAuthApp } from './grants.ts';
import type { Bucket } from './rate-limit.ts';
import type { Vendor, VendorRequest, VendorResponse } from './vendor.ts';

/**
 * A connector kind: the declaration of everything the platform knows about one vendor.
 *
 * The executor, the service, the catalog, the widget's forms and the reference documentation are derived from
 * it and contain no vendor names. {@link defineKind} keeps the exact types of entities and actions, so that
 * the compiler checks `execute('notes', 'list', {…})`.
 */
export interface Kind<Entities extends Record<string, Entity> = Record<string, Entity>> {
  /** Lower case, joined by `-`. */
  readonly key: string;
  readonly name: string;
  /** UUID in catalog entries and requests. */
  readonly definitionId: string;
  /** What it contains, in a short phrase for end-customers. */
  readonly description: string;
  readonly supportLevel: SupportLevel;
  /** A square SVG document. */
  readonly icon: string;
  /** Prefix of the environment variables of the platform's OAuth app, such as `OAUTH_GONG`. */
  readonly environmentPrefix: string;
  /**
   * Strict schema of what the OAuth app has besides client id and secret, all of it text, such as
   * `developer_token`. The platform's app reads it from variables with the prefix:
   * `OAUTH_GOOGLE_ADS_DEVELOPER_TOKEN`.
   */
  readonly appExtras?: z.ZodObject;
  /** Hosts that requests may go to. A leading `*.` matches any subdomain. */
  readonly hosts: readonly string[];
  readonly authMethods: readonly [AuthMethod, ...AuthMethod[]];
  /** Schema of `replication_config`, the sync settings. */
  readonly settings?: z.ZodObject;
  readonly rateLimits: readonly RateLimit[];
  readonly entities: Entities;
  readonly check: Check;
  /**
   * Classifies a vendor's response; null for a success. The grant decides whether rejected credentials are
   * the customer's or the operator's.
   */
  readonly readFailure: (response: VendorResponse, nowMs: number, grant: Grant) => VendorFailure | null;
}

export interface AuthMethod {
  readonly id: string;
  readonly type: 'oauth' | 'credentials';
  readonly title: string;
  readonly description: string;
  /** The vendor's page about where to find the credentials. */
  readonly helpUrl: string | null;
  /** Strict schema of the credentials and source of the form. Secrets have `meta({ writeOnly: true })`. */
  readonly fields: z.ZodObject;
  /** The field to blame if the vendor rejects the credentials. */
  readonly rejectedField: string;
  /** Adds the credentials to a request. Pure. */
  readonly authorize: (request: VendorRequest, grant: Grant) => VendorRequest;
  readonly refresh?: Refresh;
  /** How consent yields credentials of this shape. */
  readonly consent?: Consent;
  /** Whether these credentials come from consent only and cannot be pasted. */
  readonly isConsentOnly?: boolean;
}

/** How an access token is renewed. */
export interface Refresh {
  /** Whether the access token is missing or expires within a minute. */
  readonly isDue: (grant: Grant, nowMs: number) => boolean;
  readonly request: (grant: Grant, app: OAuthApp | null) => VendorRequest;
  /** Returns the grant with the new tokens. Throws if the response is an error. */
  readonly read: (response: VendorResponse, grant: Grant, nowMs: number) => Grant;
}

/** A rate limit of the vendor. */
export interface RateLimit extends Bucket {
  /** What the bucket is shared by, such as `company`. Requests with equal subjects draw from one bucket. */
  readonly countedBy: string;
  /** Null if the limit does not apply to the request. */
  readonly subject: (grant: Grant, request: VendorRequest, app: OAuthApp | null) => string | null;
}

/** The cheapest real call that verifies the credentials. */
export interface Check {
  readonly entity: string;
  readonly action: string;
  /**
   * Verifies the credentials and identifies their account.
   * @param knownAs the connector's account so far, if known. Credentials for several accounts match it if it
   * is one of them.
   * @throws ConnectorAuthError if the vendor rejects the credentials.
   */
  readonly run: (vendor: Vendor, knownAs?: string | null) => Promise<CheckedAccount>;
}

export interface CheckedAccount {
  /** Stable id of the vendor account, to detect a different one; null if the vendor does not identify it. */
  readonly account: string | null;
  /** State to store with the connector. */
  readonly state?: Readonly<Record<string, unknown>>;
}

/** A type of object at the vendor, with its actions. */
export interface Entity {
  readonly description: string;
  readonly actions: Readonly<Partial<Record<ActionName, Action>>>;
  readonly search?: Searchable;
}

/** The result of an action, with the members of the API. */
export interface Outcome<Result = unknown, Metadata = unknown> {
  readonly result: Result;
  readonly connector_metadata: Metadata;
}

export interface Action<Params extends z.ZodType = z.ZodType, Result = unknown, Metadata = unknown> {
  readonly summary: string;
  /** Strict: an unknown parameter is invalid. */
  readonly params: Params;
  /** Schema of the returned record, for types and documentation. Responses are mapped, not validated. */
  readonly record: z.ZodType;
  // Method notation makes params bivariant, so that an Action of exact types is assignable to any Action.
  run(params: z.output<Params>, vendor: Vendor): Promise<Outcome<Result, Metadata>>;
  /** Returns the params of the next page of a list, or null after the last. */
  nextPage?(params: z.output<Params>, page: Outcome<Result, Metadata>): z.input<Params> | null;
}

/**
 * Types of searchable fields. A `decimal` is a number that the vendor sends as a string; it is compared as a
 * number.
 */
export type SearchType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'decimal';

/** What hosted search offers for an entity, and how its records are synced. */
export interface Searchable {
  /** Names as shown in search, dots included. */
  readonly fields: Readonly<Record<string, SearchType>>;
  /** Names of the fields that identify a record within a connector. */
  readonly primaryKey: readonly string[];
  /** Fields of the primary key that may be null. A record without one of the other key fields is skipped. */
  readonly nullableKey?: readonly string[];
  /** Fields indexed for filter and sort, besides the primary key. */
  readonly indexed: readonly string[];
  /** Fields indexed for `like`, `fuzzy` and `keyword`. */
  readonly text: readonly string[];
  readonly sync: Sync;
}

/** How an entity's records are synced. */
export interface Sync {
  /** Whether a run can read only what changed. Otherwise every run reads everything. */
  readonly incremental: boolean;
  /**
   * Yields pages of search records. An interrupted run resumes from the `position` of its last finished page.
   * A run with `since` null reads everything: records it does not yield no longer exist at the vendor.
   */
  readonly run: (vendor: Vendor, start: SyncStart) => AsyncIterable<SyncPage>;
}

export interface SyncStart {
  /** `since` of the last page of the previous run; null to read everything. */
  readonly since: string | null;
  /** Position of the last finished page of this run; null at its start. */
  readonly position: unknown;
}

export interface SyncPage {
  readonly records: readonly Readonly<Record<string, unknown>>[];
  /** JSON that resumes the run after this page. */
  readonly position: unknown;
  /** On the last page: the `since` of the next run. */
  readonly since?: string | null;
}

/** Declares a kind and keeps its exact types. */
export function defineKind<const Entities extends Record<string, Entity>>(
  kind: Kind<Entities>,
): Kind<Entities> {
  return kind;
}

/** Finds the auth method of a grant. */
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
