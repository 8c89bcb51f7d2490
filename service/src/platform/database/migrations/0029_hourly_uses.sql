-- How often an organization's connectors of a kind were used in an hour, for the health page of the console. Kept for 30 days. Older
-- processes keep running beside this one. They count nothing, so the uses that they record are missing until they are stopped.

create table hourly_uses (
  organization_id uuid not null references organizations on delete cascade,
  kind text not null,
  -- The start of the hour.
  hour timestamptz not null,
  succeeded integer not null,
  failed integer not null,
  primary key (organization_id, kind, hour)
  -- Leaves room for new versions of the current hour's rows, so that updating them changes no index.
) with (fillfactor = 50);
create index on hourly_uses (hour);
