-- records: was at least the number of records of the current run. Now every transaction that changes records changes it, too.
-- Requires the old processes to be stopped: they write run_records, which only served to estimate progress.
alter table synced_entities drop column run_records;
