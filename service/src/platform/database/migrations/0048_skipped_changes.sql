-- The changes that readers of the change feed have skipped, because a process had not loaded their kind, or its version of the kind lacks the
-- entity. A process that has it reports them again. Older processes keep running beside this one: what they skip is not noted.
create table skipped_changes (
  organization_id uuid not null references organizations on delete cascade,
  kind text not null,
  entity text not null,
  -- The first transaction whose changes were skipped.
  since xid8 not null,
  primary key (organization_id, kind, entity)
);
