-- The event `records.changed`, and where to read the changes that an event reports. The service inserts that event, from the log of
-- the change feed: what stores records does no more than before.

-- A position in the log, and last_xid: once this transaction is below the horizon, readers find the changes.
create function feed_position(xid xid8, sequence bigint, changed_at timestamptz, last_xid xid8)
  returns jsonb language sql stable as $$
  select jsonb_build_object('epoch', change_feed.epoch, 'xid', xid::text, 'sequence', sequence,
    'time_ms', floor(extract(epoch from changed_at) * 1000)::bigint, 'last_xid', last_xid::text)
  from change_feed
$$;

-- Null if the event reports no changes, or an older version has inserted it.
alter table webhook_events add column read_from jsonb;

-- Where the changes of the current run begin. Null if it has made none, or had made some before this migration.
alter table synced_entities add column run_read_from jsonb;

create or replace function report_sync() returns trigger language plpgsql as $$
declare
  about jsonb;
  changes_from jsonb;
  types text[] := '{}';
begin
  if new.run_changes > 0 and old.run_changes = 0 then
    new.run_read_from := feed_position(pg_current_xact_id(), 0, now(), pg_current_xact_id());
  end if;
  changes_from := case when new.run_changes > 0
    then new.run_read_from || jsonb_build_object('last_xid', pg_current_xact_id()::text)
    else feed_position(pg_current_xact_id(), 0, now(), pg_current_xact_id()) end;
  if new.failures >= 3 and not old.is_reported_failing then
    types := types || text 'sync.failing';
    new.is_reported_failing := true;
  elsif old.is_reported_failing and new.failures = 0 then
    types := types || text 'sync.recovered';
    new.is_reported_failing := false;
  end if;
  if old.records = 0 and new.records > 0 and old.last_synced_at is null then
    types := types || text 'sync.first_data';
  end if;
  if new.last_synced_at > coalesce(old.last_synced_at, '-infinity') and (new.run_changes > 0 or old.last_synced_at is null) then
    types := types || text 'sync.finished';
    new.run_changes := 0;
    new.run_read_from := null;
  end if;
  if types <> '{}' and receives_events(new.organization_id) then
    select event_about(new.organization_id, new.connector_id, customers.name, connectors.kind)
        || jsonb_build_object('entity', new.entity) into about
      from connectors join customers
        on customers.organization_id = connectors.organization_id and customers.id = connectors.customer_id
      where connectors.organization_id = new.organization_id and connectors.id = new.connector_id;
    insert into webhook_events (organization_id, type, data, read_from)
      select new.organization_id, type, about
        || case type
          when 'sync.failing' then jsonb_build_object('error_code', coalesce(new.last_error_code, 'internal_error'))
          when 'sync.finished' then jsonb_build_object('records', new.records)
          else '{}' end,
        case when type in ('sync.first_data', 'sync.finished') then changes_from end
      from unnest(types) as type;
  end if;
  return new;
end
$$;

drop trigger report_sync on synced_entities;
create trigger report_sync before update on synced_entities for each row
  when (
    (new.failures >= 3 and not old.is_reported_failing)
    -- A restart clears the error as well. Only a page or a finished run shows that syncing works.
    or (old.is_reported_failing and new.failures = 0
      and (new.seen_batches > old.seen_batches or new.last_synced_at > coalesce(old.last_synced_at, '-infinity')))
    or (old.records = 0 and new.records > 0 and old.last_synced_at is null)
    or (new.last_synced_at > coalesce(old.last_synced_at, '-infinity') and (new.run_changes > 0 or old.last_synced_at is null))
    or (new.run_changes > 0 and old.run_changes = 0)
  )
  execute function report_sync();

-- Up to where the changes of an organization have been reported, and when that was. Exists from the first webhook on that receives
-- `records.changed`. What was running when the webhook was created is reported.
create table reported_changes (
  organization_id uuid primary key references organizations on delete cascade,
  up_to xid8 not null default pg_snapshot_xmin(pg_current_snapshot()),
  reported_at timestamptz(3) not null default '-infinity'
);

create function receives_changes(events text[]) returns boolean language sql immutable as $$
  select events is null or 'records.changed' = any(events)
$$;

create function start_reporting_changes() returns trigger language plpgsql as $$
begin
  insert into reported_changes (organization_id) values (new.organization_id)
    on conflict (organization_id) do update set up_to = excluded.up_to
    -- Nothing was reported in between if no other webhook received the event.
    where not exists (
      select from webhooks
      where organization_id = new.organization_id and id <> new.id and receives_changes(events)
    );
  return null;
end
$$;
create trigger start_reporting_to_new after insert on webhooks for each row
  when (receives_changes(new.events)) execute function start_reporting_changes();
create trigger start_reporting_to_changed after update of events on webhooks for each row
  when (receives_changes(new.events) and not receives_changes(old.events)) execute function start_reporting_changes();
insert into reported_changes (organization_id)
  select distinct organization_id from webhooks where receives_changes(events);
