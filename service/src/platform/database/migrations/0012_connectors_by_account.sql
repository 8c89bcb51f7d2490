-- Which connectors use a vendor account: asked before a grant is revoked. Breaks no process of an earlier version.
-- The time at which this was applied also says when processes stop writing sealed values that an earlier version can read.

create index connectors_by_account on connectors (kind, account) where account is not null;
