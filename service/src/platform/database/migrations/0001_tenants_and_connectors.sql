-- Who runs the platform (organizations, applications), whose data it reaches (customers), and through what (connectors).
-- Every tenant table leads with organization_id, and so does every query on it.

create table organizations (
  id uuid primary key,
  name text not null unique,
  created_at timestamptz(3) not null default now()
);

create table applications (
  id uuid primary key,
  client_id text not null unique,
  client_secret_hash text not null,
  redirect_urls text[] not null default '{}',
  created_at timestamptz(3) not null default now()
);

-- The lowest position is the organization that the token answer names.
create table application_organizations (
  application_id uuid not null references applications on delete cascade,
  organization_id uuid not null references organizations on delete cascade,
  position integer not null,
  primary key (application_id, organization_id),
  unique (application_id, position)
);
create index application_organizations_by_organization on application_organizations (organization_id);

-- A customer that is deleted and comes back has another id, so tokens made for the first one stay dead.
create table customers (
  organization_id uuid not null references organizations on delete cascade,
  id uuid not null,
  name text collate "C" not null,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, id),
  unique (organization_id, name)
);

-- credentials holds the whole grant, sealed: credentials, what the vendor told, settings.
-- credentials_version grows with every change of the credentials: whoever acts on what it once read compares it first.
create table connectors (
  organization_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  kind text not null,
  name text not null,
  auth_method text not null,
  status text not null default 'active' check (status in ('active', 'needs_reauth')),
  credentials bytea not null,
  credentials_version integer not null default 1,
  account text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, customer_id) references customers on delete cascade
);
create index connectors_newest_of_customer on connectors (organization_id, customer_id, created_at desc, id desc);
create index connectors_newest on connectors (organization_id, created_at desc, id desc);

-- One row per Idempotency-Key. The customer is held by name: the first connector of a new customer has no id before it is stored.
-- answer is null while the first request runs; attempt and lease_until say who runs it and until when it may be believed.
create table idempotency_keys (
  organization_id uuid not null references organizations on delete cascade,
  customer_name text collate "C" not null,
  route text not null,
  key text not null,
  body_hash bytea not null,
  attempt uuid not null,
  lease_until timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  answer text,
  primary key (organization_id, customer_name, route, key)
);
create index idempotency_keys_by_expiry on idempotency_keys (expires_at);
