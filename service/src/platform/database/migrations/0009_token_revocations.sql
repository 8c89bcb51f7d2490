-- Ending tokens before they expire, applications with up to two secrets, and the id of the installation.
-- Older processes keep running beside this one: they read client_secret_hash, which is still written. They do not read
-- token_revocations, application_secrets or disabled_at, so what ends here ends for them only when they are stopped.

-- A token is rejected if a row matches it and its issue time is not later than not_before. Null matches any value.
-- Rows are deleted when every token that they match has expired. There are no foreign keys: a row outlives its customer.
create table token_revocations (
  organization_id uuid,
  token_kind text check (token_kind in ('application', 'scoped', 'widget')),
  application_id uuid,
  customer_id uuid,
  not_before timestamptz not null,
  unique nulls not distinct (organization_id, token_kind, application_id, customer_id)
);

-- managed_by: 'environment' if the BOOTSTRAP_* variables own the application. Until now, they created every application.
alter table applications
  add column managed_by text not null default 'environment' check (managed_by in ('environment', 'operator')),
  add column disabled_at timestamptz(3);

create table application_secrets (
  application_id uuid not null references applications on delete cascade,
  id uuid not null,
  hash text not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  primary key (application_id, id)
);
insert into application_secrets (application_id, id, hash, created_at)
  select id, gen_random_uuid(), client_secret_hash, created_at from applications;

-- One row. Tokens name the id as an audience, so another installation with the same signing key does not accept them.
create table installation (
  is_only boolean primary key default true check (is_only),
  id uuid not null default gen_random_uuid()
);
insert into installation default values;
