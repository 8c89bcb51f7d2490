import { ConnectorAuthError, type ActionName, type SupportLevel } from '@connector-auth/api';
import type { z } from 'zod';
import type { Consent } from './consent.ts';
import type { VendorFailure } from './failure.ts';
import type { Grant, OAuthApp } from './grants.ts';
import type { Bucket } from './rate-limit.ts';
import type { Vendor, VendorRequest, VendorResponse } from './vendor.ts';

/**
 * A connector kind: everything the platform knows of one vendor, in one declaration.
 *
 * The executor, the service, the catalog, the forms of the widget and the reference documentation are made from it;
 * none of them knows a vendor's name. {@link defineKind} keeps the exact types of entities and actions, from which
 * `execute('notes', 'list', {…})` is checked by the compiler.
 */
export interface Kind<Entities extends Record<string, Entity> = Record<string, Entity>> {
  /** What requests and records call it: lower case, words joined by `-`. */
  readonly key: string;
  readonly name: string;
  /** The UUID that catalog entries and requests carry. */
  readonly definitionId: string;
  /** What a person finds in it, in a few words. */
  readonly description: string;
  readonly supportLevel: SupportLevel;
  /** A square SVG document. */
  readonly icon: string;
  /** Prefix of the environment variables that hold the platform's OAuth app, e.g. `OAUTH_GONG`. */
  readonly environmentPrefix: string;
  /**
   * Strict schema of what the OAuth app has beside client id and secret, all of it text, e.g. `developer_token`. The
   * platform's app has it in variables with that prefix: `OAUTH_GOOGLE_ADS_DEVELOPER_TOKEN`.
   */
  readonly appExtras?: z.ZodObject;
  /** Host names its requests may go to; `*.` in front means any subdomain. */
  readonly hosts: readonly string[];
  readonly authMethods: readonly [AuthMethod, ...AuthMethod[]];
  /** Schema of `replication_config`: what a person may set about synchronising. */
  readonly settings?: z.ZodObject;
  readonly rateLimits: readonly RateLimit[];
  readonly entities: Entities;
  readonly check: Check;
  /**
   * What went wrong, told from the vendor's answer; null when the answer is a success. The grant tells whose the refused
   * credentials are: the customer's own, or the operator's.
   */
  readonly readFailure: (response: VendorResponse, nowMs: number, grant: Grant) => VendorFailure | null;
}

/** One way to authenticate. */
export interface AuthMethod {
  readonly id: string;
  readonly type: 'oauth' | 'credentials';
  readonly title: string;
  readonly description: string;
  /** The vendor's page that explains where to find the credentials. */
  readonly helpUrl: string | null;
  /** Strict schema of the credentials; secrets carry `meta({ writeOnly: true })`. The form is made from it. */
  readonly fields: z.ZodObject;
  /** The field a refusal of the vendor concerns. */
  readonly rejectedField: string;
  /** Adds the credentials to a request. Pure. */
  readonly authorize: (request: VendorRequest, grant: Grant) => VendorRequest;
  readonly refresh?: Refresh;
  /** How a person's consent gives credentials of this shape. */
  readonly consent?: Consent;
  /** Whether credentials of this shape come of consent alone, so that nobody can paste them. */
  readonly isConsentOnly?: boolean;
}

/** How a method's access token is renewed. */
export interface Refresh {
  /** Whether the access token is missing, or ends within the next minute. */
  readonly isDue: (grant: Grant, nowMs: number) => boolean;
  readonly request: (grant: Grant, app: OAuthApp | null) => VendorRequest;
  /** The grant with the new tokens. Throws when the answer is a refusal. */
  readonly read: (response: VendorResponse, grant: Grant, nowMs: number) => Grant;
}

/** One limit of the vendor. */
export interface RateLimit extends Bucket {
  /** Who shares the bucket, e.g. `company`; requests of equal subject draw from one bucket. */
  readonly countedBy: string;
  /** Null when the limit does not concern the request. */
  readonly subject: (grant: Grant, request: VendorRequest, app: OAuthApp | null) => string | null;
}

/** The cheapest real call that proves the credentials. */
export interface Check {
  readonly entity: string;
  readonly action: string;
  /**
   * Throws when the vendor does not accept the credentials.
   * @param knownAs the account that the connector stands for, where one is known: credentials that reach several are of it as long as
   *   they reach it.
   */
  readonly run: (vendor: Vendor, knownAs?: string | null) => Promise<CheckedAccount>;
}

export interface CheckedAccount {
  /** Stable name of the vendor's account, so that another one is noticed; null when the vendor does not tell. */
  readonly account: string | null;
  /** State learned on the way, to be kept with the connector. */
  readonly state?: Readonly<Record<string, unknown>>;
}

/** A kind of object at the vendor, and what can be done with it. */
export interface Entity {
  readonly description: string;
  readonly actions: Readonly<Partial<Record<ActionName, Action>>>;
  readonly search?: Searchable;
}

/** What an action gives: the same two members as on the wire. */
export interface Outcome<Result = unknown, Metadata = unknown> {
  readonly result: Result;
  readonly connector_metadata: Metadata;
}

/** One action of an entity. */
export interface Action<Params extends z.ZodType = z.ZodType, Result = unknown, Metadata = unknown> {
  readonly summary: string;
  /** Strict schema: an unknown parameter is a fault. */
  readonly params: Params;
  /** Schema of the record it gives: types and documentation are made from it; answers are mapped, not validated. */
  readonly record: z.ZodType;
  // Method notation on purpose: it lets an Action of exact types stand where any Action is asked for.
  run(params: z.output<Params>, vendor: Vendor): Promise<Outcome<Result, Metadata>>;
  /** For lists: the params of the page after this one, or null after the last. */
  nextPage?(params: z.output<Params>, page: Outcome<Result, Metadata>): z.input<Params> | null;
}

/** Types of searchable fields. A `decimal` is a number that the vendor sends as a string; it compares as a number. */
export type SearchType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'decimal';

/** What hosted search offers of an entity, and how its records are kept fresh. */
export interface Searchable {
  /** Names as search shows them, dots included. */
  readonly fields: Readonly<Record<string, SearchType>>;
  /** Names of the fields that identify a record within a connector. */
  readonly primaryKey: readonly string[];
  /** Fields of the primary key that some records do not have; a record without one of the others is left out. */
  readonly nullableKey?: readonly string[];
  /** Fields indexed for filter and sort; the primary key always is. */
  readonly indexed: readonly string[];
  /** Fields whose text is indexed for `like`, `fuzzy` and `keyword`. */
  readonly text: readonly string[];
  readonly sync: Sync;
}

/** How an entity's records are walked. */
export interface Sync {
  /** Whether a walk of only what changed is possible; otherwise every walk sees everything. */
  readonly incremental: boolean;
  /**
   * Yields pages of search records. A walk that stopped continues from the `position` of the last page it finished.
   * A walk with `since` null sees everything: what it did not see has vanished at the vendor.
   */
  readonly run: (vendor: Vendor, start: SyncStart) => AsyncIterable<SyncPage>;
}

export interface SyncStart {
  /** Where an earlier incremental walk ended, as it gave it; null to see everything. */
  readonly since: string | null;
  /** Position of the last finished page of this walk; null at its beginning. */
  readonly position: unknown;
}

export interface SyncPage {
  readonly records: readonly Readonly<Record<string, unknown>>[];
  /** JSON that continues the walk after this page. */
  readonly position: unknown;
  /** On the last page of a walk: what to pass as `since` next time. */
  readonly since?: string | null;
}

/** Declares a kind and keeps its exact types. */
export function defineKind<const Entities extends Record<string, Entity>>(
  kind: Kind<Entities>,
): Kind<Entities> {
  return kind;
}

/** The auth method whose shape a grant's credentials have. */
export function methodOf(kind: Kind, grant: Grant): AuthMethod {
  const method = kind.authMethods.find(({ id }) => id === grant.method);
  if (!method)
    throw new ConnectorAuthError('internal_error', `${kind.name} has no auth method ${grant.method}`);
  return method;
}

/** Declares an action and infers the types of its params and outcome. */
export function defineAction<Params extends z.ZodType, Result, Metadata>(
  action: Action<Params, Result, Metadata>,
): Action<Params, Result, Metadata> {
  return action;
}
