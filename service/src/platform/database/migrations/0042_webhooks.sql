-- Webhooks, the events that they receive, and the queue of deliveries. Triggers insert the events in the transactions that
-- they report (0043), so older processes, which run beside this one, insert them as well.

create table webhooks (
  organization_id uuid not null references organizations on delete cascade,
  id uuid not null,
  url text not null,
  description text,
  -- Null: all.
  events text[],
  -- Sealed. The previous one signs events, too, until it expires.
  secret bytea not null,
  previous_secret bytea,
  previous_secret_expires_at timestamptz(3),
  -- When the first attempt after the last accepted event failed.
  failing_since timestamptz(3),
  disabled_at timestamptz(3),
  disabled_reason text check (disabled_reason in ('caller', 'failing', 'gone')),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (organization_id, id),
  check ((disabled_at is null) = (disabled_reason is null))
);

-- An organization without webhooks has no events. position: the order in which they were inserted.
-- webhook_id: the only webhook that receives the event, or null.
create table webhook_events (
  organization_id uuid not null references organizations on delete cascade,
  position bigint not null generated always as identity,
  id uuid not null default gen_random_uuid(),
  type text not null,
  data jsonb not null,
  webhook_id uuid,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, position),
  unique (organization_id, id),
  foreign key (organization_id, webhook_id) references webhooks on delete cascade
);
create index webhook_events_by_time on webhook_events (created_at);

-- due_at: when a process may make the next attempt, or until when the process that makes one has the delivery to itself.
create table webhook_deliveries (
  organization_id uuid not null,
  webhook_id uuid not null,
  position bigint not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  due_at timestamptz(3) default now(),
  last_attempt_at timestamptz(3),
  last_status integer,
  last_response text,
  primary key (organization_id, webhook_id, position),
  foreign key (organization_id, webhook_id) references webhooks on delete cascade,
  foreign key (organization_id, position) references webhook_events on delete cascade,
  check ((state = 'pending') = (due_at is not null))
) with (fillfactor = 70);
create index webhook_deliveries_due on webhook_deliveries (organization_id, webhook_id, due_at) where due_at is not null;
create index webhook_deliveries_of_event on webhook_deliveries (organization_id, position);

-- Queues the deliveries of new events, and wakes the workers when the transaction commits. A disabled webhook gets only what was
-- requested for it: its owner replays the others later.
create function queue_deliveries() returns trigger language plpgsql as $$
begin
  insert into webhook_deliveries (organization_id, webhook_id, position)
    select added.organization_id, webhooks.id, added.position
    from added join webhooks on webhooks.organization_id = added.organization_id
    where (webhooks.disabled_at is null or added.webhook_id is not null)
      and case when added.webhook_id is null then webhooks.events is null or added.type = any(webhooks.events)
        else added.webhook_id = webhooks.id end;
  if found then
    perform pg_notify('connector_auth', 'webhooks-due');
  end if;
  return null;
end
$$;
create trigger queue_deliveries after insert on webhook_events
  referencing new table as added for each statement execute function queue_deliveries();
