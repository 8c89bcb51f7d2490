-- What the authorization server of agents stores: registered clients, sign-ins under way, codes and tokens.
create table authorization_records (
  -- The library's name for the kind of record.
  model text not null,
  -- What identifies the record: of a client its id, and otherwise the hash of an id, which of codes and tokens is their value.
  key text not null,
  -- Null for what belongs to no agent.
  agent_id uuid references agents (id) on delete cascade,
  -- What an access token allows. Null for other records.
  scopes text[],
  -- Sealed.
  payload bytea not null,
  -- When a code or refresh token was first used.
  consumed_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  -- Null: it does not expire.
  expires_at timestamptz(3),
  primary key (model, key)
);
create index authorization_records_of_agent on authorization_records (agent_id);
create index authorization_records_by_expiry on authorization_records (expires_at);
