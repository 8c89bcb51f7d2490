-- Grants of a deleted organization that their vendors no longer accept. Older processes keep running beside this one, and count them
-- as in use.
alter table organization_deletions add column grants_invalid integer not null default 0;

-- One index instead of two: a subject is looked up together with its organization.
create index grant_revocations_by_subject on grant_revocations (organization_id, subject_id);
drop index grant_revocations_of_organization;
drop index grant_revocations_of_subject;
