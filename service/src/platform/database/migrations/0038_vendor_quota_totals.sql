-- Running sums of vendor_quota_usage, so that counting a request does not read the rows of all customers. A trigger maintains
-- them, because older processes keep running beside this one. The customers of a shard share a row, so that others do not wait for its lock.

-- organization_id: '' for all organizations.
create table vendor_quota_totals (
  key text not null,
  organization_id text not null,
  hour timestamptz not null,
  shard smallint not null,
  used integer not null,
  last_used_at timestamptz not null,
  primary key (key, organization_id, hour, shard) include (used)
);
create index vendor_quota_totals_recent on vendor_quota_totals (key, last_used_at) include (organization_id);
create index vendor_quota_totals_by_hour on vendor_quota_totals (hour);
create index vendor_quota_totals_of_organization on vendor_quota_totals (organization_id);

create function add_to_quota_totals() returns trigger language plpgsql as $$
declare
  added integer := case tg_op when 'INSERT' then new.used else new.used - old.used end;
  shard_of_customer smallint := (hashtext(new.customer_id) & 7)::smallint;
  total text;
begin
  -- In this order, so that writers of the same rows wait for each other instead of deadlocking.
  foreach total in array array[new.organization_id, ''] loop
    insert into vendor_quota_totals as totals (key, organization_id, hour, shard, used, last_used_at)
    values (new.key, total, new.hour, shard_of_customer, added, new.last_used_at)
    on conflict (key, organization_id, hour, shard) do update
    set used = totals.used + excluded.used, last_used_at = greatest(totals.last_used_at, excluded.last_used_at);
  end loop;
  return null;
end
$$;
create trigger add_to_totals after insert or update of used on vendor_quota_usage
  for each row execute function add_to_quota_totals();

insert into vendor_quota_totals (key, organization_id, hour, shard, used, last_used_at)
  select key, total, hour, (hashtext(customer_id) & 7)::smallint as shard, sum(used), max(last_used_at)
  from vendor_quota_usage, unnest(array[organization_id, '']) as total
  group by key, total, hour, shard;

-- A customer's rows are beside each other. Older processes name the same columns in their conflicts.
alter table vendor_quota_usage
  drop constraint vendor_quota_usage_pkey,
  add primary key (key, organization_id, customer_id, hour) include (used);
create index vendor_quota_usage_recent on vendor_quota_usage (key, last_used_at) include (organization_id, customer_id);
