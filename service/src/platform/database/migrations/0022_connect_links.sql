-- Links with which a person connects a source in a browser. Older processes keep running beside this one. They reject
-- the tokens of links, and do not revoke the links of an application or customer whose tokens they revoke.

alter table organizations
  -- Where the integrator's helper is mounted, which confirms who opens a link.
  add column connect_helper_url text,
  add column guest_connect_links boolean not null default false;

-- A link is used up by the transaction that stores or re-authenticates a connector with it: used_at and connector_id.
create table connect_links (
  organization_id uuid not null,
  id uuid not null unique,
  customer_id uuid not null,
  application_id uuid not null references applications on delete cascade,
  -- Null if the person chooses the source.
  kind text,
  -- The connector to re-authenticate.
  target_id uuid,
  secret_hash bytea not null,
  audience text not null check (audience in ('customer', 'guest')),
  inviter text,
  -- The limits of the creator's token, for the tokens of the link's page. Null access leaves that of the target.
  allowed_sources text[],
  access text check (access in ('read', 'write')),
  replication_defaults text,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  confirmed_at timestamptz(3),
  revoked_at timestamptz(3),
  used_at timestamptz(3),
  connector_id uuid,
  primary key (organization_id, id),
  foreign key (organization_id, customer_id) references customers on delete cascade,
  foreign key (organization_id, target_id) references connectors on delete cascade
);
create index connect_links_of_customer on connect_links (organization_id, customer_id);
-- Counts a customer's links that can still be used, while the customer is locked.
create index connect_links_open on connect_links (organization_id, customer_id, expires_at)
  where used_at is null and revoked_at is null;
create index connect_links_of_application on connect_links (application_id);
create index connect_links_of_target on connect_links (organization_id, target_id);
create index connect_links_by_expiry on connect_links (expires_at);

-- A browser that opened a link: it has a cookie, whose hash is stored. The code goes through the browser to the
-- integrator's helper, and the return code back to the browser, which confirms the visit.
create table connect_link_visits (
  organization_id uuid not null,
  link_id uuid not null,
  browser_hash bytea not null,
  code_hash bytea,
  code_expires_at timestamptz(3),
  return_hash bytea,
  return_expires_at timestamptz(3),
  confirmed_at timestamptz(3),
  created_at timestamptz(6) not null default clock_timestamp(),
  primary key (organization_id, link_id, browser_hash),
  foreign key (organization_id, link_id) references connect_links on delete cascade
);

-- The link whose page started an OAuth session, which no other caller can read or redeem.
alter table oauth_sessions
  add column link_id uuid,
  add foreign key (organization_id, link_id) references connect_links on delete cascade;
create index oauth_sessions_of_link on oauth_sessions (organization_id, link_id) where link_id is not null;
