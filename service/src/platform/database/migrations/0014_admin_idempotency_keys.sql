-- The Idempotency-Keys of operators. Older processes keep running beside this one, because they do not use the table.

-- sealed_answer: encrypted, because a response may contain a new secret. Null while the first request runs.
create table admin_idempotency_keys (
  -- The id of the admin key, or ADMIN_TOKEN.
  caller text collate "C" not null,
  route text not null,
  key text not null,
  body_hash bytea not null,
  attempt uuid not null,
  lease_until timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  sealed_answer bytea,
  primary key (caller, route, key)
);
create index admin_idempotency_keys_by_expiry on admin_idempotency_keys (expires_at);
