-- Indexes for the operators' lists of customers, connectors and sync jobs. Older processes keep running beside this one. Writes to the
-- tables wait while the indexes are created, which takes about a second for 100,000 connectors.

-- Names are compared without case. The collation is the same in all databases and knows all languages, and `name` of customers has another.
create index connectors_by_name on connectors (lower(name collate "pg_c_utf8"), id);
create index connectors_by_part_of_name on connectors using gin (lower(name collate "pg_c_utf8") gin_trgm_ops);
create index connectors_by_creation on connectors (created_at, id);
create index connectors_by_update on connectors (updated_at, id);
-- Most connectors are active.
create index connectors_not_active on connectors (created_at, id)
  where status <> 'active' or disabled_at is not null or incident_id is not null;

create index customers_by_name on customers (lower(name collate "pg_c_utf8"), id);
create index customers_by_part_of_name on customers using gin (lower(name collate "pg_c_utf8") gin_trgm_ops);
create index customers_by_creation on customers (created_at, id);

create index synced_entities_failing on synced_entities (coalesce(resume_at, due_at)) where failures > 0;
