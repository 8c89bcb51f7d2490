-- Incidents, and the queue of grants that they revoke at the vendors.
-- Older processes keep running beside this one. Tokens that an incident ends are rejected by them too, but connectors that it freezes
-- continue to work in them until they are stopped.

-- What an incident is about: null matches any value. An incident about an application freezes no connectors. There are no
-- foreign keys: an incident outlives its customer. frozen_connectors: how many were in scope when it was declared.
create table incidents (
  id uuid primary key,
  scope text not null check (scope in ('organization', 'kind', 'application', 'customer')),
  organization_id uuid,
  customer_id uuid,
  kind text,
  application_id uuid,
  target text not null,
  reason text,
  declared_by text not null,
  declared_at timestamptz(3) not null default clock_timestamp(),
  undone_at timestamptz(3),
  frozen_connectors integer not null default 0
);
create index incidents_newest on incidents (declared_at desc, id desc);

-- The receipt of one grant: of a connector, or of a consent (session_id) that no connector had used.
-- pending: attempts are made from due_at on, or no more if it is null; a process that makes one has until due_at for it.
-- may_be_revoked: an attempt is being made, or one may have reached the vendor.
-- connector_credentials, session_credentials: unchanged copies of sealed grants whose row in connectors or oauth_sessions is gone.
create table grant_revocations (
  id bigint generated always as identity primary key,
  incident_id uuid not null references incidents,
  organization_id uuid not null,
  customer_id uuid not null,
  customer_name text not null,
  kind text not null,
  auth_method text not null,
  -- The id of the connector or of the session.
  subject_id uuid not null,
  -- Null if the grant is a session's.
  connector_name text,
  credentials_version integer,
  connector_credentials bytea,
  session_credentials bytea,
  state text not null check (state in ('pending', 'confirmed', 'vendor_cannot')),
  attempts integer not null default 0,
  may_be_revoked boolean not null default false,
  last_error text,
  due_at timestamptz(3) default now(),
  confirmed_at timestamptz(3)
);
create index grant_revocations_of_incident on grant_revocations (incident_id, id);
create index grant_revocations_by_state on grant_revocations (incident_id, state, id);
create index grant_revocations_due on grant_revocations (incident_id, kind, due_at) where state = 'pending' and due_at is not null;
create index grant_revocations_of_subject on grant_revocations (subject_id);

-- A frozen connector can be deleted with its customer. Its grant is kept until the vendor has revoked it.
create function keep_grant_to_revoke() returns trigger language plpgsql as $$
begin
  update grant_revocations
    set connector_credentials = old.credentials, credentials_version = old.credentials_version, auth_method = old.auth_method
    where organization_id = old.organization_id and subject_id = old.id and connector_name is not null and state = 'pending';
  return null;
end
$$;
create trigger keep_grant_to_revoke after delete on connectors
  for each row when (old.incident_id is not null) execute function keep_grant_to_revoke();
