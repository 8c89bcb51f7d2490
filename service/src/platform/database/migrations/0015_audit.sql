-- Who did what, when and with which outcome: every administrative act and every use of a credential. Never values.
-- Older processes keep running beside this one. They write no entries, so their acts and uses are missing until they are stopped.

-- Has no foreign keys, because entries outlive what they are about.
create table audit_entries (
  -- Increases in the order in which entries become visible, because writers take turns.
  id bigint generated always as identity primary key,
  at timestamptz(3) not null,
  actor_type text not null check (actor_type in ('application', 'admin_key', 'customer_token', 'sync', 'service')),
  actor_id text,
  actor_name text,
  token_id text,
  organization_id uuid,
  customer_id uuid,
  customer_name text,
  connector_id uuid,
  kind text,
  entity text,
  action text not null,
  target_id text,
  outcome text not null,
  records integer,
  request_id text,
  address text,
  -- Set in the first entry of each batch, so that a batch cannot be written twice.
  batch_id uuid
);
create unique index audit_entries_batch on audit_entries (batch_id) where batch_id is not null;
create index on audit_entries (organization_id, id);
create index on audit_entries (connector_id, id) where connector_id is not null;
create index on audit_entries (at);

create function reject_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('connector_auth.deletes_old_audit_entries', true) = 'on' then
    return null;
  end if;
  raise exception 'audit_entries is append-only' using errcode = 'insufficient_privilege';
end
$$;

create trigger append_only before update or delete or truncate on audit_entries
  for each statement execute function reject_audit_change();
