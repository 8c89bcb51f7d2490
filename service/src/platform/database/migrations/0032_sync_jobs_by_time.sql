-- Lets operators' list of sync jobs be read in its order. Older processes keep running beside this one, and read by the new index
-- what they read by the old one. Syncs wait while it is created, which takes about a second for 200,000 rows.
create index synced_entities_by_time on synced_entities (coalesce(resume_at, due_at), connector_id, entity);
drop index synced_entities_by_next_slice;
