-- Whether a connector may change data at its vendor, and how often the accounts of an OAuth session were listed.
-- Older processes keep running beside this one. They create connectors with the default, and do not reject writes to a
-- connector whose access is `read`: replace all of them before you mint tokens with `access`.

alter table connectors
  add column access text not null default 'write' check (access in ('read', 'write'));

-- Limits how often one session makes the service call its vendor.
alter table oauth_sessions add column account_listings integer not null default 0;
