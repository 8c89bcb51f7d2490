-- The queue of customers that wait for a time slice (decision 0012). Triggers keep it in the transactions that change what is due, so
-- older processes keep it as well. They run beside this one with their queue in the schema pgboss, which can be dropped after
-- they are stopped. An entity's lease keeps both from syncing it at once.

-- due_at: when the customer joins or joined the queue for one of its connectors of the kind. If nothing can be synced, there is no row.
create table sync_queue (
  organization_id uuid not null,
  customer_id uuid not null,
  kind text not null,
  due_at timestamptz not null default 'infinity',
  primary key (organization_id, customer_id, kind)
  -- Rows change often and there are few, so dead rows are removed early.
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create index sync_queue_by_kind on sync_queue (kind, due_at);
create index sync_queue_by_organization on sync_queue (organization_id, kind, due_at);

-- When a time slice of a connector can next start, or null. Up to three of its entities are synced at once. If an entity has
-- a lease, this is when the lease expires. known: the entities that count, or null for all.
create function next_slice_of(organization uuid, connector uuid, known text[]) returns timestamptz language sql stable as $$
  select case
    when count(*) filter (where lease_until > now()) < 3
      then min(greatest(coalesce(resume_at, due_at), lease_until)) filter (where known is null or entity = any(known))
    else min(greatest(coalesce(resume_at, due_at), lease_until)) filter (where lease_until > now())
  end
  from synced_entities where organization_id = organization and connector_id = connector
$$;

-- Recomputes when a customer's connectors of a kind are due. A customer that waits keeps its place. One that has just been taken
-- from the queue (infinity) and is still due goes to the end. Locks the row first, because the statement after it then
-- sees what the previous holder of the lock committed.
create function refresh_sync_queue(organization uuid, customer uuid, connector_kind text, known text[] default null)
  returns void language plpgsql as $$
declare
  next_at timestamptz;
begin
  loop
    perform from sync_queue
      where organization_id = organization and customer_id = customer and kind = connector_kind for update;
    exit when found;
    insert into sync_queue (organization_id, customer_id, kind) values (organization, customer, connector_kind)
      on conflict do nothing;
  end loop;
  select min(next_slice_of(organization_id, id, known)) into next_at from connectors
    where organization_id = organization and customer_id = customer and kind = connector_kind
      and status = 'active' and disabled_at is null and incident_id is null and delete_at is null
      and exists (select from organizations where id = organization and disabled_at is null);
  if next_at is null then
    delete from sync_queue where organization_id = organization and customer_id = customer and kind = connector_kind;
  else
    -- Stored times are rounded to a millisecond, possibly up.
    update sync_queue set due_at = case
        when next_at > now() + interval '1 ms' then next_at
        when due_at <= now() then due_at
        else now()
      end
      where organization_id = organization and customer_id = customer and kind = connector_kind;
  end if;
end
$$;

-- Rows are locked in one order, so that statements which change many entities do not deadlock.
create function queue_added_entities() returns trigger language plpgsql as $$
declare
  changed record;
begin
  for changed in
    select distinct connectors.organization_id, customer_id, kind
    from added join connectors on connectors.organization_id = added.organization_id and connectors.id = added.connector_id
    order by 1, 2, 3
  loop
    perform refresh_sync_queue(changed.organization_id, changed.customer_id, changed.kind);
  end loop;
  return null;
end
$$;
create trigger queue_added after insert on synced_entities
  referencing new table as added for each statement execute function queue_added_entities();

-- Saving a page and extending a lease change nothing here: when an extended lease would have expired, a worker finds nothing due
-- and refreshes the row.
create function queue_changed_entities() returns trigger language plpgsql as $$
declare
  changed record;
begin
  for changed in
    select distinct connectors.organization_id, customer_id, kind
    from after_change join before_change using (organization_id, connector_id, entity)
      join connectors on connectors.organization_id = after_change.organization_id and connectors.id = connector_id
    where (after_change.due_at, after_change.resume_at, after_change.lease_id)
        is distinct from (before_change.due_at, before_change.resume_at, before_change.lease_id)
      or after_change.lease_until < before_change.lease_until
    order by 1, 2, 3
  loop
    perform refresh_sync_queue(changed.organization_id, changed.customer_id, changed.kind);
  end loop;
  return null;
end
$$;
create trigger queue_changed after update on synced_entities
  referencing old table as before_change new table as after_change
  for each statement execute function queue_changed_entities();

-- Runs at the end of the transaction, because the transaction may lock entities first. A time slice that ends locks an entity and then
-- its row of the queue.
create function queue_changed_connector() returns trigger language plpgsql as $$
begin
  perform refresh_sync_queue(old.organization_id, old.customer_id, old.kind);
  return null;
end
$$;
create constraint trigger queue_changed after update of status, disabled_at, incident_id, delete_at on connectors
  deferrable initially deferred for each row
  when ((old.status, old.disabled_at, old.incident_id, old.delete_at)
    is distinct from (new.status, new.disabled_at, new.incident_id, new.delete_at))
  execute function queue_changed_connector();
create constraint trigger queue_deleted after delete on connectors
  deferrable initially deferred for each row execute function queue_changed_connector();

-- An enabled organization can have thousands of customers. They are queued at once, and workers remove those that are not due.
create function queue_customers_of_organization() returns trigger language plpgsql as $$
begin
  if new.disabled_at is null then
    insert into sync_queue (organization_id, customer_id, kind, due_at)
      select distinct organization_id, customer_id, kind, now() from connectors where organization_id = new.id
      on conflict do nothing;
  else
    delete from sync_queue where organization_id = new.id;
  end if;
  return null;
end
$$;
create constraint trigger queue_customers after update of disabled_at on organizations
  deferrable initially deferred for each row when ((old.disabled_at is null) <> (new.disabled_at is null))
  execute function queue_customers_of_organization();

insert into sync_queue (organization_id, customer_id, kind, due_at)
  select organization_id, customer_id, kind, min(next_at)
  from (
    select organization_id, customer_id, kind, next_slice_of(organization_id, id, null) as next_at from connectors
    where status = 'active' and disabled_at is null and incident_id is null and delete_at is null
      and exists (select from organizations where id = organization_id and organizations.disabled_at is null)
  ) as connectors
  where next_at is not null
  group by organization_id, customer_id, kind;
