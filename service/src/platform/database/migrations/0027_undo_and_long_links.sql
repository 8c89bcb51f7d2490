-- When a connector is deleted that its user has disconnected with time to undo it. Until then, only its deletion and its
-- restore find it. Older processes keep running beside this one: they use such a connector until it is deleted.
alter table connectors add column delete_at timestamptz(3);
create index connectors_to_delete on connectors (delete_at) where delete_at is not null;

-- Whether a connect link can be valid for seven days instead of one, and the colour of what integrators show to users, such
-- as #3150d3. Older processes create no such links.
alter table organizations
  add column long_connect_links boolean not null default false,
  add column brand_color text;
