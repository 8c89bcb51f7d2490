-- Which process has the turn, by the number it is present with (`storage/presence.ts`); null where that cannot be told. The turns of a
-- process that is present no more are free before their lease ends.
alter table synced_entities add column holder integer;
create index synced_entities_with_a_turn on synced_entities (holder) where turn is not null;
