-- How much of each vendor limit is used up, for all processes together: the time at which the bucket would be full again. Unlogged,
-- for a change of it must cost next to nothing; after a crash of the server every bucket is full.
create unlogged table vendor_limits (
  key text primary key,
  full_at timestamptz not null
);
