-- A person's consent at a vendor: from oauth/initiate to the connector that is made with what came of it.

-- What lets one process at a time do a thing, by the database's clock. A holder that is late cannot know that it is, so whatever
-- it writes afterwards must compare a version too.
create table leases (
  name text primary key,
  holder uuid not null,
  expires_at timestamptz(3) not null
);

-- An organization's own OAuth app at a vendor; configuration is sealed: client secret and extras.
create table oauth_apps (
  organization_id uuid not null references organizations on delete cascade,
  kind text not null,
  client_id text not null,
  configuration bytea not null,
  updated_at timestamptz(3) not null default now(),
  primary key (organization_id, kind)
);

-- secrets, sealed: state, PKCE verifier, browser key, secret_id. What is looked up by is stored as hash only.
-- pending: the person has not answered; exchanging: the vendor is asked for tokens (since claimed_at); completed: credentials
-- (sealed) wait until secret_expires_at for the connector they make, which is then used_by.
-- target_id: the connector to re-authenticate.
create table oauth_sessions (
  organization_id uuid not null,
  id uuid not null unique,
  customer_id uuid not null,
  kind text not null,
  client_id text not null,
  status text not null default 'pending'
    check (status in ('pending', 'exchanging', 'completed', 'denied', 'failed')),
  redirect_url text not null,
  origin text,
  challenge text,
  target_id uuid,
  state_hash bytea not null unique,
  secret_hash bytea not null unique,
  secrets bytea not null,
  credentials bytea,
  used_by uuid,
  error_code text,
  error_message text,
  claimed_at timestamptz(3),
  expires_at timestamptz(3) not null,
  secret_expires_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, customer_id) references customers on delete cascade
);
create index oauth_sessions_of_customer on oauth_sessions (organization_id, customer_id);
create index oauth_sessions_by_expiry on oauth_sessions (expires_at);
