-- How far the records of each connector's entities are. A walk sees an entity's records page by page, in turns; between walks the
-- entity waits until due_at. Deleting a connector deletes these rows, which ends a turn that is under way.

-- Null: the operator's default.
alter table organizations
  add column sync_interval_minutes integer check (sync_interval_minutes between 1 and 43200);

-- turn, lease_until: who has the turn and until when it may be believed, by the database's clock.
-- resume_at: when the walk goes on; null between walks. walk_since, walk_records, position: of the walk under way.
-- generation: number of the last full walk; its records carry it. since: where the next incremental walk begins.
create table synced_entities (
  organization_id uuid not null,
  connector_id uuid not null,
  entity text not null,
  due_at timestamptz(3) not null default now(),
  served_at timestamptz(3),
  turn uuid,
  lease_until timestamptz(3),
  resume_at timestamptz(3),
  walk_since text,
  walk_records bigint not null default 0,
  position text,
  generation bigint not null default 0,
  full_walk_at timestamptz(3),
  since text,
  records bigint not null default 0,
  last_synced_at timestamptz(3),
  last_error text,
  failures integer not null default 0,
  primary key (organization_id, connector_id, entity),
  foreign key (organization_id, connector_id) references connectors on delete cascade
);
create index synced_entities_by_next_turn on synced_entities (coalesce(resume_at, due_at));
