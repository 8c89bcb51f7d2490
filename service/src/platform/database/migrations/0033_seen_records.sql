-- A full run no longer writes its number into every record. It stores which records it has seen, so that unchanged ones stay as they are.
-- Older processes keep running beside this one: the trigger separates their runs from those of newer processes.

-- seen_run: identifies the records that the current full run has seen. Null between runs, and if pages are missing from it.
-- seen_batches: how many batches of records the run has stored since then.
alter table synced_entities
  add column seen_run uuid,
  add column seen_batches integer not null default 0;

-- The hashes of the keys of the records that a full run has seen, in batches.
create table seen_records (
  organization_id uuid not null,
  connector_id uuid not null,
  entity text not null,
  run uuid not null,
  batch bigint generated always as identity,
  key_hashes bigint[] not null,
  primary key (organization_id, connector_id, entity, run, batch),
  foreign key (organization_id, connector_id) references connectors on delete cascade
);
-- Hashes cannot be compressed.
alter table seen_records alter column key_hashes set storage external;

-- An older process deletes the records whose number is below that of the run. During a full run of a newer process, the number is
-- negative, so an older process that continues the run deletes nothing. It does not store which records it has seen either. If it
-- stores a page or finishes the run, vanished records are not deleted before the next full run, which is then due.
create function separate_runs_of_older_processes() returns trigger language plpgsql as $$
begin
  if new.resume_at is null then
    new.generation := abs(new.generation);
  end if;
  if new.seen_run is not null and (new.resume_at is null or new.seen_run = old.seen_run
      and new.position is distinct from old.position and new.seen_batches = old.seen_batches) then
    new.seen_run := null;
    new.full_run_at := null;
  end if;
  return new;
end
$$;
create trigger separate_runs_of_older_processes before update on synced_entities
  for each row when (new.seen_run is not null or new.generation < 0)
  execute function separate_runs_of_older_processes();

-- Counting records and finding vanished ones reads only an index if the table was vacuumed recently. Changes that no index contains
-- need no new index entries while their page has room.
do $$
declare record_table text;
begin
  for record_table in
    select relname from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname like 'records\_%'
  loop
    execute format('alter table %I set (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.05,
      autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05)', record_table);
  end loop;
end
$$;
