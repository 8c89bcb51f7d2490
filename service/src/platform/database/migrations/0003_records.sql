-- Synchronised records stand in one table per searchable entity, made from the kinds' declarations at start (`records/ensure.ts`).

-- Text is found by its trigrams, within one connector.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- Whose records are to be deleted. A connector may have millions of them: too many for the request that deletes it.
create table deleted_connectors (
  id uuid primary key,
  kind text not null,
  deleted_at timestamptz(3) not null default now()
);

create function note_deleted_connector() returns trigger language plpgsql as $$
begin
  insert into deleted_connectors (id, kind) values (old.id, old.kind) on conflict do nothing;
  return null;
end
$$;
create trigger note_deleted_connector after delete on connectors
  for each row execute function note_deleted_connector();
