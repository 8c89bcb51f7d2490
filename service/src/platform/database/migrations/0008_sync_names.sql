-- Names of sync state as in the glossary. Breaks older builds: their sync and connector lists read the columns by the old names.

alter table synced_entities rename column turn to lease_id;
alter table synced_entities rename column holder to lease_holder;
alter table synced_entities rename column served_at to slice_started_at;
alter table synced_entities rename column walk_since to run_since;
alter table synced_entities rename column walk_records to run_records;
alter table synced_entities rename column full_walk_at to full_run_at;
alter index synced_entities_by_next_turn rename to synced_entities_by_next_slice;
alter index synced_entities_with_a_turn rename to synced_entities_with_lease;
