-- The code of an entity's last sync error, by which the widget explains it to users. Older processes keep running
-- beside this one. They do not change it, so an explanation can be that of an earlier error until all are replaced.

alter table synced_entities add column last_error_code text;
