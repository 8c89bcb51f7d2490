-- When the last background request of a bucket was let through: every so often one goes although interactive ones use up everything.
alter table vendor_limits add column background_at timestamptz;
