-- The address of the MCP server that a sign-in under way is for. Null for other records, and for sign-ins that older processes start.
alter table authorization_records add column resource text;
create index waiting_sign_ins on authorization_records (resource, created_at) where model = 'Interaction';
