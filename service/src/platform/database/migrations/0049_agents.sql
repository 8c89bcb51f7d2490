-- Agents: the chat clients and apps that a person has allowed to use a customer's data. Older processes keep running beside this one. They do not
-- end the agents of a customer, an application or an organization whose tokens they revoke, so use this version for incidents.

alter table organizations add column agent_sign_in boolean not null default false;

-- The first organization that enabled the sign-in of agents: its login is used at the address that names no organization.
alter table installation add column mcp_organization_id uuid references organizations on delete set null;

-- The id of the grant in the authorization server is that of the agent.
create table agents (
  organization_id uuid not null,
  id uuid not null unique,
  customer_id uuid not null,
  -- The application whose server confirmed the person.
  application_id uuid not null references applications on delete cascade,
  -- The integrator's identifier for the person, and their name.
  user_id text not null,
  user_name text not null,
  client_id text not null,
  -- What the client says about itself.
  client_name text,
  -- The host that serves the client's metadata document, or that receives its codes. Null for an app on the person's device.
  client_host text,
  -- The URL of the MCP server that the agent's tokens are for.
  resource text not null,
  -- What the person has allowed, and what the integrator lets this person allow.
  scopes text[] not null,
  allowed_scopes text[] not null,
  -- Keys of kinds. Null allows all.
  allowed_sources text[],
  allowed_data text[] not null,
  authorized_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  primary key (organization_id, id),
  unique (organization_id, customer_id, user_id, client_id, resource),
  foreign key (organization_id, customer_id) references customers on delete cascade
);
create index agents_of_application on agents (application_id);
create index agents_by_expiry on agents (expires_at);

-- A browser on its way from a client's request to the consent page. The code goes through the browser to the integrator's
-- helper, and the return code back to the browser, which confirms who is signed in.
create table agent_sign_ins (
  organization_id uuid not null references organizations on delete cascade,
  -- The id of the interaction in the authorization server.
  id text not null unique,
  code_hash bytea,
  return_hash bytea,
  -- What the helper has confirmed, and when the browser returned.
  application_id uuid references applications on delete cascade,
  customer_id uuid,
  user_id text,
  user_name text,
  allowed_scopes text[],
  allowed_sources text[],
  allowed_data text[],
  confirmed_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, customer_id) references customers on delete cascade
);
create index agent_sign_ins_of_customer on agent_sign_ins (organization_id, customer_id);
create index agent_sign_ins_of_application on agent_sign_ins (application_id);
create index agent_sign_ins_by_expiry on agent_sign_ins (expires_at);

-- The person that a connect link is for, if an agent has asked for it: nobody else of the customer can use it.
alter table connect_links add column user_id text;

alter table audit_entries drop constraint audit_entries_actor_type_check;
alter table audit_entries add constraint audit_entries_actor_type_check
  check (actor_type in ('application', 'admin_key', 'customer_token', 'agent', 'sync', 'service')) not valid;
