-- From where an operator signed in, for the list of sessions, and when the session was last used, accurate to a minute:
-- it ends after an hour without a request. Older processes ignore this.
alter table admin_sessions
  add column last_used_at timestamptz(3) not null default now(),
  add column address text,
  add column user_agent text;

-- The application of an act of an operator, because a deleted client secret no longer names it.
alter table audit_entries add column application_id uuid;
