-- The events `agent.authorized` and `agent.revoked`, inserted in the transactions that they report.

-- Deletes what has ended, in the order of its end.
create index agents_by_revocation on agents (revoked_at) where revoked_at is not null;
create index agents_by_last_use on agents (last_used_at);

create function agent_event(agent agents, customer_name text) returns jsonb language sql immutable as $$
  select jsonb_build_object('organization_id', agent.organization_id, 'agent_id', agent.id, 'customer_name', customer_name,
    'user', jsonb_build_object('id', agent.user_id, 'name', agent.user_name),
    'client', jsonb_build_object('id', agent.client_id, 'host', agent.client_host, 'name', agent.client_name),
    'scopes', to_jsonb(agent.scopes))
$$;

create function report_agent() returns trigger language plpgsql as $$
begin
  insert into webhook_events (organization_id, type, data)
    select new.organization_id, case when new.revoked_at is null then 'agent.authorized' else 'agent.revoked' end,
      agent_event(new, customers.name)
    from customers
    where customers.organization_id = new.organization_id and customers.id = new.customer_id
      and receives_events(new.organization_id);
  return null;
end
$$;
create trigger report_authorized after insert on agents for each row execute function report_agent();
-- Using an agent changes neither.
create trigger report_changed after update of authorized_at, revoked_at on agents for each row
  when ((old.authorized_at <> new.authorized_at and new.revoked_at is null) or (old.revoked_at is null and new.revoked_at is not null))
  execute function report_agent();

-- The agents of a deleted customer are deleted after it, when its name can no longer be read.
create function report_agents_of_customer() returns trigger language plpgsql as $$
begin
  if receives_events(old.organization_id) then
    insert into webhook_events (organization_id, type, data)
      select organization_id, 'agent.revoked', agent_event(agents, old.name)
      from agents
      where organization_id = old.organization_id and customer_id = old.id and revoked_at is null;
  end if;
  return old;
end
$$;
create trigger report_agents before delete on customers
  for each row execute function report_agents_of_customer();
