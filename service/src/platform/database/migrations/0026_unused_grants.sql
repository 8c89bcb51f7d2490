-- account: the vendor account of the connector that had the grant, or null if it is unknown.
-- queued_at: the service gives up a grant that no connector uses any more two days later, and two days after its incident was undone. Older processes count attempts instead.
alter table grant_revocations
  add column account text,
  add column queued_at timestamptz(3) not null default now();

-- A connector whose account is unknown may have been created by the user of any grant for the same OAuth app.
create index connectors_without_account on connectors (kind) where account is null;
