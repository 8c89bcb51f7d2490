-- Grants that no connector uses any more wait in the queue of the incidents' revocations until the vendor has revoked them. Their
-- incident_id and connector_name are null, and connector_credentials or session_credentials is a copy of the sealed grant.
-- Older processes keep running beside this one. They do not claim such grants, and revoke only those of connectors that they delete.
alter table grant_revocations alter column incident_id drop not null;

-- Why the vendor denied access, in its own words. Older processes do not set it: the sessions that they end have no reason.
alter table oauth_sessions add column error_reason text;
