-- The settings of a connector (`replication_config`), which can be changed without its grant. Settings contain no secrets.
-- Older processes keep running beside this one: they ignore the column, and sync with the settings in the encrypted grant.
-- Both are the same until settings are changed.

-- Null for connectors of earlier versions whose settings were never changed. Theirs are in the encrypted grant.
alter table connectors add column settings jsonb;
