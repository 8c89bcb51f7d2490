-- records: was at least the number of records of the current run. Now every transaction that changes records changes it, too. Older
-- processes keep running beside this one: until a full run has finished, what they store is counted as before.
comment on column synced_entities.run_records is 'Only older processes write this column, to estimate progress.';
