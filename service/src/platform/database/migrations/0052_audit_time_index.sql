-- Entries are inserted in the order of their time, so a summary of each range of pages finds them, and costs an entry nothing.
drop index audit_entries_at_idx;
create index audit_entries_by_time on audit_entries using brin (at) with (pages_per_range = 32, autosummarize = on);
