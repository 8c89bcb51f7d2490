-- Notifies all processes of changed and deleted connectors, because they keep the rows of connectors in use in memory
-- (decision 0046). The payload is the connector's id, or empty if any connector may have changed. Older processes do
-- not listen.

create function notify_of_connectors() returns trigger language plpgsql as $$
begin
  -- An incident can change all connectors at once.
  if (select count(*) from (select from changed limit 101) as first) <= 100 then
    perform pg_notify('connector_changes', id::text) from changed;
  else
    perform pg_notify('connector_changes', '');
  end if;
  return null;
end $$;

create trigger notify_of_update after update on connectors
  referencing old table as changed for each statement execute function notify_of_connectors();
create trigger notify_of_delete after delete on connectors
  referencing old table as changed for each statement execute function notify_of_connectors();

create function notify_of_all_connectors() returns trigger language plpgsql as $$
begin
  perform pg_notify('connector_changes', '');
  return null;
end $$;

-- What a connector's row is read with, and what limits who can read it.
create trigger notify_of_change after insert or update or delete on oauth_apps
  for each row execute function notify_of_all_connectors();
create trigger notify_of_update after update on customers
  for each row execute function notify_of_all_connectors();

-- A link limits who can read the connector that it re-authenticates or has created, and no other.
create function notify_of_link() returns trigger language plpgsql as $$
begin
  perform pg_notify('connector_changes', coalesce(new.connector_id, new.target_id)::text);
  return null;
end $$;

create trigger notify_of_update after update on connect_links
  for each row when (coalesce(new.connector_id, new.target_id) is not null) execute function notify_of_link();
