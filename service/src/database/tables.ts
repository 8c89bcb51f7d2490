import type { ColumnType, Generated } from 'kysely';

/** Set by the database when the row is inserted. */
type CreatedAt = ColumnType<Date, Date | undefined, never>;

/** The tables that `migrations/` creates. */
export interface Tables {
  organizations: OrganizationsTable;
  applications: ApplicationsTable;
  application_organizations: ApplicationOrganizationsTable;
  customers: CustomersTable;
  connectors: ConnectorsTable;
  idempotency_keys: IdempotencyKeysTable;
  leases: LeasesTable;
  oauth_apps: OAuthAppsTable;
  oauth_sessions: OAuthSessionsTable;
  synced_entities: SyncedEntitiesTable;
  vendor_limits: VendorLimitsTable;
}

export interface OrganizationsTable {
  id: string;
  name: string;
  sync_interval_minutes: Generated<number | null>;
  created_at: CreatedAt;
}

export interface ApplicationsTable {
  id: string;
  client_id: string;
  client_secret_hash: string;
  redirect_urls: Generated<string[]>;
  created_at: CreatedAt;
}

export interface ApplicationOrganizationsTable {
  application_id: string;
  organization_id: string;
  position: number;
}

export interface CustomersTable {
  organization_id: string;
  id: string;
  name: string;
  created_at: CreatedAt;
}

export interface ConnectorsTable {
  organization_id: string;
  id: string;
  customer_id: string;
  kind: string;
  name: string;
  auth_method: string;
  status: Generated<'active' | 'needs_reauth'>;
  /** The sealed grant: credentials, what the vendor reported, settings. */
  credentials: Uint8Array;
  credentials_version: Generated<number>;
  /** The vendor's id of the account, for kinds that report one; never shown. */
  account: string | null;
  created_at: CreatedAt;
  updated_at: Generated<Date>;
}

export interface IdempotencyKeysTable {
  organization_id: string;
  customer_name: string;
  route: string;
  key: string;
  body_hash: Uint8Array;
  attempt: string;
  lease_until: Date;
  expires_at: Date;
  /** Lossless JSON of the response; null while the first request runs. */
  answer: string | null;
}

export interface LeasesTable {
  name: string;
  holder: string;
  expires_at: Date;
}

export interface OAuthAppsTable {
  organization_id: string;
  kind: string;
  client_id: string;
  /** Client secret and extras, sealed. */
  configuration: Uint8Array;
  updated_at: Generated<Date>;
}

export interface OAuthSessionsTable {
  organization_id: string;
  id: string;
  customer_id: string;
  kind: string;
  /** The OAuth app's client id. */
  client_id: string;
  status: Generated<'pending' | 'exchanging' | 'completed' | 'denied' | 'failed'>;
  redirect_url: string;
  /** The origin of the page that began the consent; null if unknown. */
  origin: string | null;
  challenge: string | null;
  /** The connector to re-authenticate. */
  target_id: string | null;
  state_hash: Uint8Array;
  secret_hash: Uint8Array;
  /** State, PKCE verifier, browser key and secret id, sealed. */
  secrets: Uint8Array;
  /** The sealed grant; null before consent and after a connector has redeemed it. */
  credentials: Uint8Array | null;
  used_by: string | null;
  error_code: string | null;
  error_message: string | null;
  claimed_at: Date | null;
  expires_at: Date;
  secret_expires_at: Date | null;
  created_at: CreatedAt;
}

export interface SyncedEntitiesTable {
  organization_id: string;
  connector_id: string;
  entity: string;
  due_at: Generated<Date>;
  slice_started_at: Date | null;
  lease_id: string | null;
  /** Liveness id of the process that has the lease; null if the process has none. */
  lease_holder: number | null;
  lease_until: Date | null;
  /** Null between sync runs. */
  resume_at: Date | null;
  run_since: string | null;
  run_records: Generated<number>;
  /** Lossless JSON. */
  position: string | null;
  generation: Generated<number>;
  full_run_at: Date | null;
  since: string | null;
  records: Generated<number>;
  last_synced_at: Date | null;
  last_error: string | null;
  failures: Generated<number>;
}

export interface VendorLimitsTable {
  key: string;
  full_at: Date;
  /** Time of the last background request; null if there was none. */
  background_at: Date | null;
}
