-- Every record has the organization of its connector, with which its key begins. New record tables have only this key. Those that
-- exist get the column and the key beside the old one when the service starts, and the service fills the column in the background.
-- Older processes keep running beside this one: a trigger of each existing table fills the column for them.

-- Null for connectors that were deleted before.
alter table deleted_connectors add column organization_id uuid;
create or replace function note_deleted_connector() returns trigger language plpgsql as $$
begin
  insert into deleted_connectors (id, kind, organization_id) values (old.id, old.kind, old.organization_id) on conflict do nothing;
  return null;
end
$$;

create function fill_record_organization() returns trigger language plpgsql as $$
begin
  new."$organization" := (select organization_id from connectors where id = new."$connector");
  return new;
end
$$;

-- The record tables of older versions in which every record has an organization.
create table filled_record_tables (
  name text primary key
);
