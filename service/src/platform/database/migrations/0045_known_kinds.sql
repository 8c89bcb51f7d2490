-- The kinds that any process has loaded. Connectors of a kind that is no longer loaded are shown with what is known of it. Earlier
-- versions of the service do not use this table.
create table known_kinds (
  key text primary key,
  name text not null,
  definition_id uuid not null
);
