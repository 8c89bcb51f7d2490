-- The customer's name as people know it. `name` is the integrator's identifier, which people must not see. An older process ignores it.
alter table customers add column display_name text;
