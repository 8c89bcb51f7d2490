-- Administration: admin keys, sessions of the console, set-up codes, and what operators can disable.
-- Older processes keep running beside this one. They ignore the new columns, so what an operator disables or freezes continues to work in
-- them until they are stopped.

-- Operators authenticate with a key, of which only the hash is stored.
create table admin_keys (
  id uuid primary key,
  name text not null,
  hash text not null unique,
  access text not null check (access in ('read', 'write')),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  last_used_at timestamptz(3)
);

-- A browser that is signed in to the console. A session without a key belongs to ADMIN_TOKEN, and ends if that variable changes.
create table admin_sessions (
  id uuid primary key,
  hash text not null unique,
  key_id uuid references admin_keys on delete cascade,
  admin_token_hash text,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  check ((key_id is null) <> (admin_token_hash is null))
);
create index on admin_sessions (key_id);

-- The codes that processes without any application and admin key have printed. The first use deletes all of them.
create table setup_codes (
  hash text primary key,
  expires_at timestamptz(3) not null
);

-- version: incremented by every edit, so that two operators do not overwrite each other's changes.
alter table organizations
  add column version integer not null default 1,
  -- Null means all kinds.
  add column enabled_kinds text[],
  add column disabled_at timestamptz(3);

alter table applications
  add column version integer not null default 1,
  -- Null means that the client id is the name.
  add column name text;

-- incident_id: the incident that froze the connector.
alter table connectors
  add column disabled_at timestamptz(3),
  add column incident_id uuid;
-- Operators address connectors and customers without their organization.
create index connectors_by_id on connectors (id);
create index customers_by_id on customers (id);
