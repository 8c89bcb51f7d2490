-- Reports changed connectors also in a notice, to the connection that changed them: a process that does not listen on this
-- connection drops the rows that it keeps in memory before its own change returns (decision 0046). Notifications stay as
-- they are, so older processes see what newer ones change, and the other way round.

create or replace function notify_of_connectors() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then
    return null;
  end if;
  -- An incident can change all connectors at once.
  if (select count(*) from (select from changed limit 101) as first) <= 100 then
    perform pg_notify('connector_changes', id::text) from changed;
    raise notice 'connector_changes %', (select string_agg(id::text, ' ') from changed);
  else
    perform pg_notify('connector_changes', '');
    raise notice 'connector_changes ';
  end if;
  return null;
end $$;

create or replace function notify_of_all_connectors() returns trigger language plpgsql as $$
begin
  perform pg_notify('connector_changes', '');
  raise notice 'connector_changes ';
  return null;
end $$;

create or replace function notify_of_link() returns trigger language plpgsql as $$
begin
  perform pg_notify('connector_changes', coalesce(new.connector_id, new.target_id)::text);
  raise notice 'connector_changes %', coalesce(new.connector_id, new.target_id);
  return null;
end $$;
