-- Daily quotas are counted in functions, of which each connection keeps the plans: planning took longer than counting.

-- The use of a quota in the last 24 hours, by hour: by all, by a customer and by its organization. An hour counts until all its requests are
-- at least 24 hours old. Reads a few hundred rows, however many customers use the quota: those of the customer, and the totals of its
-- organization and of all.
create function vendor_quota_hours(quota text, organization text, customer text)
returns table (starts_at timestamptz, used_by_all integer, used_by_customer integer, used_by_organization integer)
language sql stable as $$
  select hour, sum(total)::integer, sum(own)::integer, sum(shared)::integer
  from (
    select hour, used as own, 0 as shared, 0 as total from vendor_quota_usage
    where key = quota and organization_id = organization and customer_id = customer
      and hour >= date_trunc('hour', now()) - interval '24 hours'
    union all
    select hour, 0, case organization_id when '' then 0 else used end, case organization_id when '' then used else 0 end
    from vendor_quota_totals
    where key = quota and organization_id in (organization, '') and hour >= date_trunc('hour', now()) - interval '24 hours'
  ) as uses
  group by hour
$$;

-- Whether others used a quota within the time of contention. companion: an id in the organization that is not another customer.
create function vendor_quota_others(quota text, organization text, customer text, companion text, contention interval)
returns table (has_other_customer boolean, has_other_organization boolean)
language sql stable as $$
  select exists (
    select from vendor_quota_usage where key = quota and last_used_at > now() - contention
      and not (organization_id = organization and customer_id in (customer, companion))
  ), exists (
    select from vendor_quota_totals where key = quota and last_used_at > now() - contention
      and organization_id not in (organization, '')
  )
$$;

-- Counts one request and returns true, unless a limit is reached. The limits of a customer and of an organization are two: while others use
-- the quota, and alone. Concurrent requests can exceed a limit by their number.
create function count_vendor_request(
  quota text, organization text, customer text, companion text, contention interval,
  limit_of_all float8, limits_of_customer float8[], limits_of_organization float8[], delays_commit boolean
)
returns boolean language plpgsql as $$
declare
  used record;
  others record;
begin
  select coalesce(sum(used_by_all), 0) as by_all, coalesce(sum(used_by_customer), 0) as by_customer,
    coalesce(sum(used_by_organization), 0) as by_organization
  into used from vendor_quota_hours(quota, organization, customer);
  if used.by_all >= limit_of_all then
    return false;
  end if;
  if used.by_customer >= limits_of_customer[1] or used.by_organization >= limits_of_organization[1] then
    select * into others from vendor_quota_others(quota, organization, customer, companion, contention);
    if used.by_customer >= limits_of_customer[case when others.has_other_customer then 1 else 2 end]
      or used.by_organization >= limits_of_organization[case when others.has_other_organization then 1 else 2 end] then
      return false;
    end if;
  end if;
  if delays_commit then
    perform set_config('synchronous_commit', 'off', true);
  end if;
  insert into vendor_quota_usage as counted (key, hour, organization_id, customer_id, used, last_used_at)
  values (quota, date_trunc('hour', now()), organization, customer, 1, now())
  on conflict (key, organization_id, customer_id, hour) do update set used = counted.used + 1, last_used_at = now();
  return true;
end
$$;
