-- How many requests to the vendor the last full run of an entity took, from which workers decide whether the next run is full.
-- Older processes keep running beside this one. They do not count requests, so the runs that they finish change nothing here.

-- run_calls: requests of the current run. full_run_calls: null until a full run has counted them.
alter table synced_entities
  add column run_calls integer not null default 0,
  add column full_run_calls integer;
