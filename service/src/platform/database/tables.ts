import type { AgentScope, DataRight } from '@connector-auth/api';
import type { ColumnType, Generated, Kysely } from 'kysely';

/** Set by the database when the row is inserted. */
type CreatedAt = ColumnType<Date, Date | undefined, never>;

/** The tables created by `migrations/`. */
export interface Tables {
  /** The apps and agents that a person has allowed to use a customer's data. */
  agents: {
    organization_id: string;
    /** Also the id of the grant in the authorization server. */
    id: string;
    customer_id: string;
    /** The application whose server confirmed the person. */
    application_id: string;
    /** The integrator's identifier for the person. */
    user_id: string;
    user_name: string;
    client_id: string;
    /** What the client says about itself. */
    client_name: string | null;
    /** Null for an app on the person's device. */
    client_host: string | null;
    /** The URL of the MCP server that the agent's tokens are for. */
    resource: string;
    scopes: readonly AgentScope[];
    /** What the integrator lets the person allow. */
    allowed_scopes: readonly AgentScope[];
    /** Keys of kinds. Null allows all. */
    allowed_sources: readonly string[] | null;
    allowed_data: readonly DataRight[];
    authorized_at: Generated<Date>;
    /** To the minute. */
    last_used_at: Generated<Date>;
    expires_at: Date;
    revoked_at: Date | null;
  };
  /** A browser between a client's request and the consent page. What the helper confirms is null until then. */
  agent_sign_ins: {
    organization_id: string;
    /** The id of the interaction in the authorization server. */
    id: string;
    code_hash: Uint8Array | null;
    return_hash: Uint8Array | null;
    application_id: string | null;
    customer_id: string | null;
    user_id: string | null;
    user_name: string | null;
    allowed_scopes: readonly AgentScope[] | null;
    allowed_sources: readonly string[] | null;
    allowed_data: readonly DataRight[] | null;
    confirmed_at: Date | null;
    created_at: CreatedAt;
    expires_at: Date;
  };
  /** What the authorization server of agents stores. */
  authorization_records: {
    /** The library's name for the kind of record. */
    model: string;
    /** The id of a client, or the hash of the id of another record. */
    key: string;
    agent_id: string | null;
    /** Null for records that are no access token. */
    scopes: readonly AgentScope[] | null;
    /** The address of the MCP server that a sign-in under way is for. */
    resource: string | null;
    /** Sealed. */
    payload: Uint8Array;
    consumed_at: Date | null;
    created_at: CreatedAt;
    /** Null: it does not expire. */
    expires_at: Date | null;
  };
  webhooks: {
    organization_id: string;
    id: string;
    url: string;
    description: string | null;
    /** Null means all. */
    events: string[] | null;
    /** Sealed. */
    secret: Uint8Array;
    /** Sealed. It signs events, too, until it expires. */
    previous_secret: Uint8Array | null;
    previous_secret_expires_at: Date | null;
    /** When the first attempt after the last accepted event failed. */
    failing_since: Date | null;
    disabled_at: Date | null;
    disabled_reason: 'caller' | 'failing' | 'gone' | null;
    created_at: CreatedAt;
    updated_at: Generated<Date>;
  };
  /** Triggers insert all events but tests. */
  webhook_events: {
    organization_id: string;
    /** The order in which events were inserted. */
    position: Generated<number>;
    id: Generated<string>;
    type: string;
    data: Readonly<Record<string, unknown>>;
    /** The only webhook that receives the event, or null. */
    webhook_id: string | null;
    /** Where to read the changes that it reports. Null if it reports none, or an older version has inserted it. */
    read_from: StoredFeedPosition | null;
    created_at: CreatedAt;
  };
  /** The queue of deliveries, and their history. */
  webhook_deliveries: {
    organization_id: string;
    webhook_id: string;
    /** The event's. */
    position: number;
    state: Generated<'pending' | 'delivered' | 'failed'>;
    attempts: Generated<number>;
    /** When the next attempt is due, or until when the process that makes one has the delivery to itself. */
    due_at: Generated<Date | null>;
    last_attempt_at: Date | null;
    last_status: number | null;
    last_response: string | null;
  };
  added_record_columns: {
    table_name: string;
    column_name: string;
    added_at: CreatedAt;
    /** Processes that know this version write the column. */
    added_version: Generated<number>;
    /** The highest one of a field's columns is that of the column that the newest version of the kind declares. */
    declared_version: Generated<number>;
    /** Processes that know this version do not use the column. Null if it is used. */
    unused_version: number | null;
  };
  known_kinds: {
    key: string;
    name: string;
    definition_id: string;
  };
  admin_idempotency_keys: {
    /** The id of the admin key, or `ADMIN_TOKEN`. */
    caller: string;
    route: string;
    key: string;
    body_hash: Uint8Array;
    attempt: string;
    lease_until: Date;
    expires_at: Date;
    /** The encrypted response. Null while the first request is running. */
    sealed_answer: Uint8Array | null;
  };
  admin_keys: {
    id: string;
    name: string;
    hash: string;
    access: 'read' | 'write';
    created_at: CreatedAt;
    /** Null if the key does not expire. */
    expires_at: Date | null;
    /** Accurate to a minute. */
    last_used_at: Date | null;
  };
  admin_sessions: {
    id: string;
    hash: string;
    /** Null if the operator signed in with `ADMIN_TOKEN`. */
    key_id: string | null;
    /** The hash of the `ADMIN_TOKEN` that the operator signed in with. */
    admin_token_hash: string | null;
    created_at: CreatedAt;
    /** Accurate to a minute. */
    last_used_at: Generated<Date>;
    expires_at: Date;
    address: string | null;
    user_agent: string | null;
  };
  setup_codes: {
    hash: string;
    expires_at: Date;
  };
  organizations: {
    id: string;
    /** The configured name, which identifies the organization at startup. */
    name: string;
    /** The name that users see. Null if it is the same as `name`. */
    display_name: Generated<string | null>;
    support_url: Generated<string | null>;
    /** The URL where the integrator's helper is mounted, without a trailing slash. */
    connect_helper_url: Generated<string | null>;
    guest_connect_links: Generated<boolean>;
    long_connect_links: Generated<boolean>;
    agent_sign_in: Generated<boolean>;
    /** Such as `#3150d3`. */
    brand_color: Generated<string | null>;
    logo: Generated<Uint8Array | null>;
    logo_type: Generated<'image/png' | 'image/webp' | null>;
    logo_version: Generated<string | null>;
    sync_interval_minutes: Generated<number | null>;
    /** Incremented by every edit. */
    version: Generated<number>;
    /** Keys of the kinds that customers can connect. Null means all. */
    enabled_kinds: Generated<string[] | null>;
    disabled_at: Generated<Date | null>;
    /** Such an organization is disabled. */
    deletion_requested_at: Generated<Date | null>;
    created_at: CreatedAt;
  };
  /** The receipt of a deletion. Contains only ids and counts. */
  organization_deletions: {
    organization_id: string;
    requested_at: ColumnType<Date, never, never>;
    /** The id of the admin key. Null for `ADMIN_TOKEN`. */
    requested_by: string | null;
    /** The number of deleted rows, by table. */
    deleted: Generated<Readonly<Record<string, number>>>;
    erased_audit_entries: Generated<number>;
    /** The id up to which the audit log has been searched for entries to erase. A bigint if it exceeds the safe integers. */
    erased_until: Generated<number | bigint>;
    grants_revoked: Generated<number>;
    grants_in_use: Generated<number>;
    grants_invalid: Generated<number>;
    grants_failed: Generated<number>;
    finished_at: Date | null;
  };
  applications: {
    id: string;
    client_id: string;
    /** Empty. Only versions without `application_secrets` read it. */
    client_secret_hash: string;
    redirect_urls: Generated<string[]>;
    /** `environment` if the `BOOTSTRAP_…` variables own the application. */
    managed_by: Generated<'environment' | 'operator'>;
    /** Null if it is the same as `client_id`. */
    name: Generated<string | null>;
    /** Incremented by every edit. */
    version: Generated<number>;
    /** Null while the application can request tokens. */
    disabled_at: Date | null;
    created_at: CreatedAt;
  };
  application_secrets: {
    application_id: string;
    id: string;
    hash: string;
    created_at: CreatedAt;
    /** Null if the secret does not expire. */
    expires_at: Date | null;
    /** Accurate to a minute. */
    last_used_at: Date | null;
  };
  application_organizations: {
    application_id: string;
    organization_id: string;
    position: number;
  };
  /** Append-only. `audit-log/store.ts` is the only file that reads and writes it. */
  audit_entries: {
    /** A bigint if it exceeds the safe integers. */
    id: Generated<number | bigint>;
    at: Date;
    actor_type: 'application' | 'admin_key' | 'customer_token' | 'agent' | 'sync' | 'service';
    actor_id: string | null;
    actor_name: string | null;
    token_id: string | null;
    organization_id: string | null;
    customer_id: string | null;
    customer_name: string | null;
    connector_id: string | null;
    kind: string | null;
    entity: string | null;
    action: string;
    application_id: string | null;
    target_id: string | null;
    outcome: string;
    records: number | null;
    request_id: string | null;
    address: string | null;
    /** Set in the first entry of each batch. */
    batch_id: string | null;
  };
  change_feed: {
    is_only: Generated<boolean>;
    epoch: Generated<string>;
    system_identifier: string;
    timeline: string;
    /** A transaction id as text. All transactions below it have ended and are on disk. */
    horizon: Generated<string>;
    horizon_at: Generated<Date>;
    deleted_before: Generated<Date>;
  };
  customers: {
    organization_id: string;
    id: string;
    name: string;
    /** The name that people see, if the integrator has given one. */
    display_name: Generated<string | null>;
    created_at: CreatedAt;
  };
  /** A browser that opened a connect link. */
  connect_link_visits: {
    organization_id: string;
    link_id: string;
    browser_hash: Uint8Array;
    code_hash: Uint8Array | null;
    code_expires_at: Date | null;
    return_hash: Uint8Array | null;
    return_expires_at: Date | null;
    confirmed_at: Date | null;
    created_at: CreatedAt;
  };
  connect_links: {
    organization_id: string;
    id: string;
    customer_id: string;
    application_id: string;
    /** Null if the person chooses the source. */
    kind: string | null;
    /** The connector to re-authenticate. Null when creating a connector. */
    target_id: string | null;
    secret_hash: Uint8Array;
    audience: 'customer' | 'guest';
    inviter: string | null;
    /** The person that the link is for, if an agent has asked for it. */
    user_id: Generated<string | null>;
    /** The limits of the creator's token. Null allows all kinds. */
    allowed_sources: readonly string[] | null;
    /** Null leaves the access of the target. */
    access: 'read' | 'write' | null;
    /** As lossless JSON. Null if there are none. */
    replication_defaults: string | null;
    created_at: CreatedAt;
    expires_at: Date;
    confirmed_at: Date | null;
    revoked_at: Date | null;
    used_at: Date | null;
    /** The connector that was created or re-authenticated with the link. */
    connector_id: string | null;
  };
  connectors: {
    organization_id: string;
    id: string;
    customer_id: string;
    kind: string;
    name: string;
    auth_method: string;
    status: Generated<'active' | 'needs_reauth'>;
    /** The encrypted grant: credentials, account details reported by the vendor, and settings. */
    credentials: Uint8Array;
    credentials_version: Generated<number>;
    /** The vendor's id for the account, if the connector kind reports one. It is never returned to callers. */
    account: string | null;
    /** The settings. Null if they are only in the encrypted grant, as earlier versions stored them. */
    settings: Generated<Readonly<Record<string, unknown>> | null>;
    /** `read` rejects the actions that change data at the vendor. */
    access: Generated<'read' | 'write'>;
    disabled_at: Generated<Date | null>;
    /** The incident that froze the connector. */
    incident_id: Generated<string | null>;
    /** When the connector is deleted, if that can still be undone. */
    delete_at: Generated<Date | null>;
    /** When a user last replaced the grant. */
    reconnected_at: Generated<Date | null>;
    created_at: CreatedAt;
    updated_at: Generated<Date>;
  };
  /** A grant that an incident revokes at its vendor. */
  grant_revocations: {
    id: Generated<number>;
    /** Null if the grant is revoked because no connector uses it any more, and no incident contains it. */
    incident_id: string | null;
    organization_id: string;
    customer_id: string;
    customer_name: string;
    kind: string;
    auth_method: string;
    /** The id of the connector or of the OAuth session. */
    subject_id: string;
    /** Null if the grant is an OAuth session's or no connector uses it any more. */
    connector_name: string | null;
    /** Null if the grant is an OAuth session's. */
    credentials_version: number | null;
    /** The vendor account of the connector that had the grant. */
    account: Generated<string | null>;
    /** An unchanged copy of the encrypted grant that a connector had. */
    connector_credentials: Uint8Array | null;
    /** An unchanged copy of the encrypted grant that an OAuth session had. */
    session_credentials: Uint8Array | null;
    state: 'pending' | 'confirmed' | 'vendor_cannot';
    attempts: Generated<number>;
    /** Whether an attempt is being made, or one may have reached the vendor. */
    may_be_revoked: Generated<boolean>;
    last_error: string | null;
    /** The time of the next attempt. Null if no more are made. */
    due_at: Generated<Date | null>;
    /** The time since which no connector uses the grant, or since which the incident is open. */
    queued_at: Generated<Date>;
    confirmed_at: Date | null;
  };
  /** How often an organization's connectors of a kind were used in an hour. Written with the audit entries. */
  hourly_uses: {
    organization_id: string;
    kind: string;
    /** The start of the hour. */
    hour: Date;
    succeeded: number;
    failed: number;
  };
  /** What an incident is about: null matches any value. */
  incidents: {
    id: string;
    scope: 'organization' | 'kind' | 'application' | 'customer';
    organization_id: string | null;
    customer_id: string | null;
    kind: string | null;
    application_id: string | null;
    /** The name of what the incident is about. */
    target: string;
    reason: string | null;
    declared_by: string;
    declared_at: CreatedAt;
    undone_at: Date | null;
    /** The number of connectors in scope when the incident was declared. */
    frozen_connectors: Generated<number>;
  };
  idempotency_keys: {
    organization_id: string;
    customer_name: string;
    route: string;
    key: string;
    body_hash: Uint8Array;
    attempt: string;
    lease_until: Date;
    expires_at: Date;
    /** The response as lossless JSON. Null while the first request is running. */
    answer: string | null;
  };
  installation: {
    is_only: Generated<boolean>;
    id: Generated<string>;
    /** The organization that enabled the sign-in of agents first. */
    mcp_organization_id: Generated<string | null>;
  };
  leases: {
    name: string;
    holder: string;
    expires_at: Date;
  };
  oauth_apps: {
    organization_id: string;
    kind: string;
    client_id: string;
    /** The encrypted client secret and vendor-specific values. */
    configuration: Uint8Array;
    /** The path of the redirect URL that is registered in the app at the vendor. */
    callback_path: Generated<string>;
    updated_at: Generated<Date>;
  };
  oauth_sessions: {
    organization_id: string;
    id: string;
    customer_id: string;
    kind: string;
    /** The client id of the OAuth app. */
    client_id: string;
    status: Generated<'pending' | 'exchanging' | 'completed' | 'denied' | 'failed'>;
    redirect_url: string;
    /** The origin of the page that started the OAuth flow. Null if unknown. */
    origin: string | null;
    challenge: string | null;
    /** The connector to re-authenticate. Null when creating a connector. */
    target_id: string | null;
    /** The connect link whose page started the session. */
    link_id: Generated<string | null>;
    state_hash: Uint8Array;
    secret_hash: Uint8Array;
    /** The encrypted state, PKCE verifier, browser key and secret id. */
    secrets: Uint8Array;
    /** The encrypted grant. Null until the user consents, and after a connector has redeemed it. */
    credentials: Uint8Array | null;
    used_by: string | null;
    error_code: string | null;
    error_message: string | null;
    /** Why the vendor denied access, in its own words. */
    error_reason: string | null;
    claimed_at: Date | null;
    /** How often the accounts of the grant were listed. */
    account_listings: Generated<number>;
    expires_at: Date;
    secret_expires_at: Date | null;
    created_at: CreatedAt;
  };
  record_changes: {
    organization_id: string;
    /** The id of the transaction that made the change, as text. */
    xid: Generated<string>;
    sequence: Generated<number>;
    customer_id: string;
    connector_id: string;
    kind: string;
    /** Null if the connector was disconnected. */
    entity: string | null;
    /** An array for each field of the key, with the values of all changed records. */
    keys: string[][] | null;
    key_count: Generated<number>;
    changed_at: CreatedAt;
  };
  /** Up to where `records.changed` has reported the changes of an organization. */
  reported_changes: {
    organization_id: string;
    /** A transaction id as text. */
    up_to: Generated<string>;
    reported_at: Generated<Date>;
  };
  /** The changes that readers of the feed have skipped, because a process has not loaded their entity. */
  skipped_changes: {
    organization_id: string;
    kind: string;
    entity: string;
    /** A transaction id as text. */
    since: string;
  };
  /** When a customer joins the queue for a time slice of its connectors of a kind. The database's triggers change it. */
  sync_queue: {
    organization_id: string;
    customer_id: string;
    kind: string;
    /** Infinite while a worker takes the row. */
    due_at: Date;
    /** When the first of the entities is or was due, or earlier. */
    first_job_at: Generated<Date>;
  };
  synced_entities: {
    organization_id: string;
    connector_id: string;
    entity: string;
    due_at: Generated<Date>;
    slice_started_at: Date | null;
    lease_id: string | null;
    /** The liveness id of the process that holds the lease. Null if that process has no liveness id. */
    lease_holder: number | null;
    lease_until: Date | null;
    /** The earliest time at which the sync run can resume. Null between sync runs. */
    resume_at: Date | null;
    run_since: string | null;
    /** The position of the sync run as lossless JSON. */
    position: string | null;
    /** The number of the last full run of an older process. Negative during a full run of a newer one, see migration 0033. */
    generation: Generated<number>;
    /** Identifies the `seen_records` of the current full run. Null if they do not include all pages before `position`. */
    seen_run: string | null;
    /** How many batches of records the current run has stored. */
    seen_batches: Generated<number>;
    /** How many batches and finished runs processes have stored that write the log of changes. */
    logged_pages: Generated<number>;
    /** Every stored record has the fields that were declared before this time. */
    fields_since: Generated<Date>;
    /** Every stored record has the columns that were added up to this version, see `added_record_columns`. */
    columns_version: Generated<number>;
    /** The same of the records that the current full run has stored. */
    run_columns_version: Generated<number>;
    full_run_at: Date | null;
    /** How many requests to the vendor the current run has taken. */
    run_calls: Generated<number>;
    /** How many requests the last full run took. Null until a full run has counted them. */
    full_run_calls: number | null;
    since: string | null;
    records: Generated<number>;
    last_synced_at: Date | null;
    last_error: string | null;
    /** The problem code of `last_error`. Meaningless without one. */
    last_error_code: string | null;
    failures: Generated<number>;
    /** Whether the event `sync.failing` was inserted, and `sync.recovered` not yet. A trigger maintains it. */
    is_reported_failing: Generated<boolean>;
    /** How many records the current run has added, changed or deleted. */
    run_changes: Generated<number>;
    /** Where the changes of the current run begin. A trigger maintains it. */
    run_read_from: StoredFeedPosition | null;
  };
  token_revocations: {
    /** Null matches any organization; the other columns likewise. */
    organization_id: string | null;
    token_kind: 'application' | 'scoped' | 'widget' | null;
    application_id: string | null;
    customer_id: string | null;
    /** Has microseconds, which a Date does not. */
    not_before: Date;
  };
  /** The sums of `vendor_quota_usage` in one hour, which a trigger maintains. */
  vendor_quota_totals: {
    key: string;
    /** Empty for all organizations. */
    organization_id: string;
    hour: Date;
    /** The customers of one shard share a row. */
    shard: number;
    used: number;
    last_used_at: Date;
  };
  /** The requests that a customer has used of a vendor's daily quota in one hour. */
  vendor_quota_usage: {
    key: string;
    hour: Date;
    organization_id: string;
    customer_id: string;
    used: number;
    last_used_at: Date;
  };
  vendor_limits: {
    key: string;
    full_at: Date;
    /** The time of the last background request. Null if none has been sent. */
    background_at: Date | null;
  };
}

/** A position in the log of changes, as `feed_position` returns it. */
export interface StoredFeedPosition {
  readonly epoch: string;
  /** A transaction id as text. */
  readonly xid: string;
  readonly sequence: number;
  readonly time_ms: number;
  /** Once this transaction is below the horizon, readers find the changes. */
  readonly last_xid: string;
}

/** A row that a query returns, such as `RowOf<typeof links>`. The query's columns are the only list of its members. */
export type RowOf<Query extends (db: Kysely<Tables>) => { execute(): Promise<unknown[]> }> = Readonly<
  Awaited<ReturnType<ReturnType<Query>['execute']>>[number]
>;
