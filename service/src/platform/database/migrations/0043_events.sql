-- Inserts the events of webhooks in the transactions that they report. The contract declares the types and the members of `data`.

-- Whether an organization has a webhook, disabled ones included: their owners replay events. One that is being deleted has no events.
create function receives_events(organization uuid) returns boolean language sql stable as $$
  select exists (
    select from webhooks join organizations on organizations.id = webhooks.organization_id
    where webhooks.organization_id = organization and organizations.deletion_requested_at is null
  )
$$;

-- When a user last replaced the grant. A refresh replaces it as well, and is no event.
alter table connectors add column reconnected_at timestamptz(3);

-- What callers see of a connector. The first one that applies.
create function connector_state(delete_at timestamptz, incident_id uuid, disabled_at timestamptz, status text)
  returns text language sql immutable as $$
  select case
    when delete_at is not null then 'disconnected'
    when incident_id is not null then 'frozen'
    when disabled_at is not null then 'disabled'
    else status end
$$;

-- The members that all events about a connector have.
create function event_about(organization uuid, connector uuid, customer_name text, kind text)
  returns jsonb language sql immutable as $$
  select jsonb_build_object('organization_id', organization, 'connector_id', connector,
    'customer_name', customer_name, 'connector_type', kind)
$$;

create function report_new_connectors() returns trigger language plpgsql as $$
begin
  insert into webhook_events (organization_id, type, data)
    select added.organization_id, 'connector.connected',
      event_about(added.organization_id, added.id, customers.name, added.kind) || jsonb_build_object('name', added.name)
    from added
      join customers on customers.organization_id = added.organization_id and customers.id = added.customer_id
    where receives_events(added.organization_id);
  return null;
end
$$;
create trigger report_new after insert on connectors
  referencing new table as added for each statement execute function report_new_connectors();

create function report_changed_connectors() returns trigger language plpgsql as $$
begin
  insert into webhook_events (organization_id, type, data)
    select organization_id, 'connector.' || event,
      event_about(organization_id, id, customer_name, kind) || jsonb_build_object('name', name)
        || case when event = 'needs_reauth'
          then jsonb_build_object('reconnect', jsonb_build_object('customer_name', customer_name, 'connector_id', id))
          else '{}' end
    from (
      select changed.*, customers.name as customer_name,
        case
          when changed.state <> 'active' then case when changed.state <> changed.old_state then changed.state end
          when changed.is_reconnected then 'reconnected'
          when changed.old_state <> 'active' then 'restored'
        end as event
      from (
        select after_change.organization_id, after_change.id, after_change.customer_id, after_change.kind, after_change.name,
          connector_state(after_change.delete_at, after_change.incident_id, after_change.disabled_at, after_change.status) as state,
          connector_state(before_change.delete_at, before_change.incident_id, before_change.disabled_at, before_change.status)
            as old_state,
          after_change.reconnected_at is distinct from before_change.reconnected_at
            -- Older processes do not set the time.
            or (before_change.status = 'needs_reauth' and after_change.status = 'active'
              and after_change.credentials_version <> before_change.credentials_version) as is_reconnected
        from after_change join before_change using (organization_id, id)
      ) as changed
        join customers on customers.organization_id = changed.organization_id and customers.id = changed.customer_id
      where receives_events(changed.organization_id)
    ) as reported
    where event is not null;
  return null;
end
$$;
create trigger report_changed after update on connectors
  referencing old table as before_change new table as after_change
  for each statement execute function report_changed_connectors();

-- One that could be restored was reported when it was disconnected.
create function report_deleted_connectors() returns trigger language plpgsql as $$
begin
  insert into webhook_events (organization_id, type, data)
    select deleted.organization_id, 'connector.disconnected',
      event_about(deleted.organization_id, deleted.id, customers.name, deleted.kind) || jsonb_build_object('name', deleted.name)
    from deleted
      join customers on customers.organization_id = deleted.organization_id and customers.id = deleted.customer_id
    where deleted.delete_at is null and receives_events(deleted.organization_id);
  return null;
end
$$;
create trigger report_deleted after delete on connectors
  referencing old table as deleted for each statement execute function report_deleted_connectors();

-- The connectors of a deleted customer are deleted after it, when its name can no longer be read.
create function report_connectors_of_customer() returns trigger language plpgsql as $$
begin
  if receives_events(old.organization_id) then
    insert into webhook_events (organization_id, type, data)
      select organization_id, 'connector.disconnected',
        event_about(organization_id, id, old.name, kind) || jsonb_build_object('name', name)
      from connectors
      where organization_id = old.organization_id and customer_id = old.id and delete_at is null;
  end if;
  return old;
end
$$;
create trigger report_connectors before delete on customers
  for each row execute function report_connectors_of_customer();

-- Whether `sync.failing` was reported and `sync.recovered` not yet; and how many records the last run has changed so far.
alter table synced_entities
  add column is_reported_failing boolean not null default false,
  add column run_changes bigint not null default 0;

-- Saving a page that changes none of this costs only the condition of the trigger.
create function report_sync() returns trigger language plpgsql as $$
declare
  about jsonb;
  types text[] := '{}';
begin
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
  end if;
  if receives_events(new.organization_id) then
    select event_about(new.organization_id, new.connector_id, customers.name, connectors.kind)
        || jsonb_build_object('entity', new.entity) into about
      from connectors join customers
        on customers.organization_id = connectors.organization_id and customers.id = connectors.customer_id
      where connectors.organization_id = new.organization_id and connectors.id = new.connector_id;
    insert into webhook_events (organization_id, type, data)
      select new.organization_id, type, about
        || case type
          when 'sync.failing' then jsonb_build_object('error_code', coalesce(new.last_error_code, 'internal_error'))
          when 'sync.finished' then jsonb_build_object('records', new.records)
          else '{}' end
      from unnest(types) as type;
  end if;
  return new;
end
$$;
create trigger report_sync before update on synced_entities for each row
  when (
    (new.failures >= 3 and not old.is_reported_failing)
    -- A restart clears the error as well. Only a page or a finished run shows that syncing works.
    or (old.is_reported_failing and new.failures = 0
      and (new.seen_batches > old.seen_batches or new.last_synced_at > coalesce(old.last_synced_at, '-infinity')))
    or (old.records = 0 and new.records > 0 and old.last_synced_at is null)
    or (new.last_synced_at > coalesce(old.last_synced_at, '-infinity') and (new.run_changes > 0 or old.last_synced_at is null))
  )
  execute function report_sync();

create function report_used_link() returns trigger language plpgsql as $$
begin
  insert into webhook_events (organization_id, type, data)
    select new.organization_id, 'link.used',
      event_about(new.organization_id, connectors.id, customers.name, connectors.kind)
        || jsonb_build_object('link_id', new.id)
    from connectors
      join customers on customers.organization_id = connectors.organization_id and customers.id = connectors.customer_id
    where connectors.organization_id = new.organization_id and connectors.id = new.connector_id
      and receives_events(new.organization_id);
  return null;
end
$$;
create trigger report_used after update of used_at on connect_links for each row
  when (old.used_at is null and new.used_at is not null) execute function report_used_link();

-- An incident concerns the organization that it names, or those that have a connector of its kind or use its application. The
-- operator's reason and the names of others stay out.
create function report_incident() returns trigger language plpgsql as $$
begin
  insert into webhook_events (organization_id, type, data)
    select concerned.id, case tg_op when 'INSERT' then 'incident.declared' else 'incident.undone' end,
      jsonb_build_object('organization_id', concerned.id, 'incident_id', new.id, 'scope', new.scope,
        'customer_name', case new.scope when 'customer' then new.target end, 'connector_type', new.kind)
    from (
      select new.organization_id as id where new.organization_id is not null
      union select organization_id from connectors where new.scope = 'kind' and kind = new.kind
      union select organization_id from application_organizations where application_id = new.application_id
    ) as concerned
    where receives_events(concerned.id);
  return null;
end
$$;
create trigger report_declared after insert on incidents for each row execute function report_incident();
create trigger report_undone after update of undone_at on incidents for each row
  when (old.undone_at is null and new.undone_at is not null) execute function report_incident();
