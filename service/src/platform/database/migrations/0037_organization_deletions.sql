-- Deleting organizations. Older processes keep running beside this one: they respect that the organization is disabled, and the
-- constraint prevents them from enabling it.
alter table organizations
  add column deletion_requested_at timestamptz(3),
  add constraint disabled_while_deleted check (deletion_requested_at is null or disabled_at is not null);

-- The receipt of a deletion, which stays. It contains only ids and counts. There are no foreign keys: it outlives the organization
-- and the admin key.
create table organization_deletions (
  organization_id uuid primary key,
  requested_at timestamptz(3) not null default now(),
  -- The id of the admin key. Null for ADMIN_TOKEN.
  requested_by uuid,
  -- The number of deleted rows by what they contain, such as {"connectors": 12}.
  deleted jsonb not null default '{}',
  erased_audit_entries bigint not null default 0,
  -- The id up to which the audit log has been searched for entries to erase.
  erased_until bigint not null default 0,
  grants_revoked integer not null default 0,
  grants_in_use integer not null default 0,
  grants_failed integer not null default 0,
  finished_at timestamptz(3)
);
create index organization_deletions_newest on organization_deletions (requested_at desc, organization_id desc);
create index organization_deletions_unfinished on organization_deletions (requested_at) where finished_at is null;

create index grant_revocations_of_organization on grant_revocations (organization_id);
create index incidents_of_organization on incidents (organization_id) where organization_id is not null;
create index vendor_quota_usage_of_organization on vendor_quota_usage (organization_id);

-- The audit log stays append-only, except that a deletion erases what identifies people.
create or replace function reject_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('connector_auth.deletes_old_audit_entries', true) = 'on'
    or tg_op = 'UPDATE' and current_setting('connector_auth.erases_audit_entries', true) = 'on' then
    return null;
  end if;
  raise exception 'audit_entries is append-only' using errcode = 'insufficient_privilege';
end
$$;

create function allow_only_erasing() returns trigger language plpgsql as $$
begin
  if new.customer_name is null then old.customer_name := null; end if;
  if new.address is null then old.address := null; end if;
  if new is distinct from old then
    raise exception 'audit_entries is append-only' using errcode = 'insufficient_privilege';
  end if;
  return new;
end
$$;
create trigger only_erasing before update on audit_entries
  for each row execute function allow_only_erasing();
