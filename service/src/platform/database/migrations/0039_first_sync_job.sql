-- Lets operators' list of sync jobs skip what cannot be synced. It has often been overdue for longest. Older processes keep running beside
-- this one: the functions of the database keep the column for them.

-- first_job_at: the earliest time at which an entity of the customer's connectors of the kind is or was due. Until the customer is
-- synced next, it may be earlier.
alter table sync_queue add column first_job_at timestamptz not null default '-infinity';
create index sync_queue_by_first_job on sync_queue (first_job_at);

create or replace function refresh_sync_queue(organization uuid, customer uuid, connector_kind text, known text[] default null)
  returns void language plpgsql as $$
declare
  next_at timestamptz;
  first_at timestamptz;
begin
  loop
    perform from sync_queue
      where organization_id = organization and customer_id = customer and kind = connector_kind for update;
    exit when found;
    insert into sync_queue (organization_id, customer_id, kind) values (organization, customer, connector_kind)
      on conflict do nothing;
  end loop;
  select min(next_slice_of(organization_id, id, known)), min((
      select min(coalesce(resume_at, due_at)) from synced_entities
      where synced_entities.organization_id = organization and connector_id = id
    ))
    into next_at, first_at from connectors
    where organization_id = organization and customer_id = customer and kind = connector_kind
      and status = 'active' and disabled_at is null and incident_id is null and delete_at is null
      and exists (select from organizations where id = organization and disabled_at is null);
  if next_at is null then
    delete from sync_queue where organization_id = organization and customer_id = customer and kind = connector_kind;
  else
    -- Stored times are rounded to a millisecond, possibly up.
    update sync_queue set first_job_at = first_at, due_at = case
        when next_at > now() + interval '1 ms' then next_at
        when due_at <= now() then due_at
        else now()
      end
      where organization_id = organization and customer_id = customer and kind = connector_kind;
  end if;
end
$$;

-- One function for both triggers of entities. Rows are locked in one order, so that statements which change many entities do not deadlock.
create or replace function queue_changed_entities() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform refresh_sync_queue(organization_id, customer_id, kind) from (
      select distinct connectors.organization_id, customer_id, kind
      from after_change join connectors
        on connectors.organization_id = after_change.organization_id and connectors.id = connector_id
      order by 1, 2, 3
    ) as changed;
  else
    perform refresh_sync_queue(organization_id, customer_id, kind) from (
      select distinct connectors.organization_id, customer_id, kind
      from after_change join before_change using (organization_id, connector_id, entity)
        join connectors on connectors.organization_id = after_change.organization_id and connectors.id = connector_id
      where (after_change.due_at, after_change.resume_at, after_change.lease_id)
          is distinct from (before_change.due_at, before_change.resume_at, before_change.lease_id)
        or after_change.lease_until < before_change.lease_until
      order by 1, 2, 3
    ) as changed;
  end if;
  return null;
end
$$;
drop trigger queue_added on synced_entities;
create trigger queue_added after insert on synced_entities
  referencing new table as after_change for each statement execute function queue_changed_entities();
drop function queue_added_entities();
