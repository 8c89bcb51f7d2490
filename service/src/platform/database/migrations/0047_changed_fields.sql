-- A field whose type changes gets a column of its own, beside the one of the other type. Searches read the other one until the new one is
-- filled. Older processes keep running beside this one: they write and read only the columns that they know.

-- The versions count up with each change of a column, under the lock for schema changes. A process remembers the highest one when it
-- starts: it knows all columns up to it.
-- added_version: processes that know it write the column.
-- declared_version: which of the columns of a field the version of the kind declares that was introduced last.
-- unused_version: processes that know it neither read nor write the column. It is dropped when all processes do.
alter table added_record_columns
  add column added_version integer not null default 0,
  add column declared_version integer not null default 0,
  add column unused_version integer;

-- columns_version: every stored record has the columns up to this version.
-- run_columns_version: the same of the records that the current full run has stored.
alter table synced_entities
  add column columns_version integer not null default 0,
  add column run_columns_version integer not null default 0;

-- The records that processes store which are older than the log of changes have none of the added columns.
create or replace function end_epoch_of_change_feed() returns trigger language plpgsql as $$
begin
  update change_feed set epoch = gen_random_uuid();
  update synced_entities set columns_version = 0, run_columns_version = 0
    where organization_id = new.organization_id and connector_id = new.connector_id and entity = new.entity
      and (columns_version <> 0 or run_columns_version <> 0);
  return null;
end
$$;
