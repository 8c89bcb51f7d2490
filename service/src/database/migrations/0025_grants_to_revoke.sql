-- Why the vendor denied access, in its own words. Older processes do not set it: the sessions that they end have no reason.
alter table oauth_sessions add column error_reason text;
