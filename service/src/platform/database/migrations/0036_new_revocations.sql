-- Each process reads new revocations every second, and a new token's time is later than that of the newest one.
create index token_revocations_by_time on token_revocations (not_before);
