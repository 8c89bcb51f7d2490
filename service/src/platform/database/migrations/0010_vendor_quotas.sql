-- How many requests each customer has used of a vendor's daily quota, by hour. Logged, so that the counts survive a crash. Adds a table
-- only: an older process that still runs keeps counting daily quotas in vendor_limits. The ids have no foreign keys, because the
-- vendor still counts the requests of a deleted customer.
create table vendor_quota_usage (
  key text not null,
  hour timestamptz not null,
  organization_id text not null,
  customer_id text not null,
  used integer not null,
  last_used_at timestamptz not null,
  primary key (key, hour, organization_id, customer_id)
);
create index vendor_quota_usage_by_hour on vendor_quota_usage (hour);
