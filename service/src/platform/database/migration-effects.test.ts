import { Client } from 'pg';
import { expect, test } from 'vitest';
import { makeEmptyDatabase } from '../../../test/engines.ts';
import { readMigrations } from './migrate.ts';
import { effectsOf } from './migration-effects.ts';

const shipped = await readMigrations();

function effects(sql: string, ...existing: string[]) {
  return effectsOf({ name: '9001_tea', sql }, new Set(existing), shipped);
}

test(
  'names each table that PostgreSQL reads or writes while it applies a migration',
  { timeout: 120_000 },
  async () => {
    const { location, remove } = await makeEmptyDatabase('postgres');
    if (!('databaseUrl' in location)) throw new Error('PostgreSQL has a URL');
    const missed: Record<string, string[]> = {};
    let scanned = 0;
    for (const migration of shipped) {
      // The counts are those of a session.
      const client = new Client({ connectionString: location.databaseUrl });
      await client.connect();
      const namesFrom = async (text: string): Promise<string[]> =>
        (await client.query<{ name: string }>(text)).rows.map(({ name }) => name);
      const existing = new Set(await namesFrom('select relname as name from pg_stat_user_tables'));
      await client.query('begin');
      await client.query(migration.sql);
      const used = await namesFrom(
        `select relname as name from pg_stat_xact_user_tables
         where seq_scan > 0 or idx_scan > 0 or n_tup_upd > 0 or n_tup_del > 0`,
      );
      await client.query('commit');
      await client.end();
      const { scans, locks } = effectsOf(migration, existing, shipped);
      const before = used.filter(name => existing.has(name));
      scanned += before.length;
      const unknown = before.filter(name => !scans.includes(name) || !locks.includes(name));
      if (unknown.length > 0) missed[migration.name] = unknown;
    }
    expect(missed).toEqual({});
    expect(scanned).toBeGreaterThan(15);
    await remove();
  },
);

test('a migration that adds columns and tables reads no table', () => {
  expect(
    effects(
      `-- Adds milk. Older processes do not know it.
       alter table tea add column milk boolean not null default false, add column poured_at timestamptz default now();
       create table cup (id int references tea);
       create function pour() returns trigger language plpgsql as $$ begin update tea set milk = true; return null; end $$;`,
      'tea',
    ),
  ).toEqual({ title: 'Adds milk.', locks: ['tea'], scans: [], breaking: [] });
});

test.each([
  'alter table tea add column id uuid default gen_random_uuid()',
  `alter table tea add column milk text check (milk <> '')`,
  'create unique index on tea (milk)',
  'update tea set milk = true',
  'insert into cup (id) select id from tea',
  `do $$ begin delete from tea; end $$`,
])('reports that "%s" reads or writes a table', sql => {
  expect(effects(sql, 'tea', 'cup').scans).toEqual(['tea']);
});

test('reports what takes away what an earlier version uses', () => {
  const statements = [
    'alter table tea rename column milk to cream',
    'alter table tea add column a int, drop column milk',
    'alter table tea add column a int default 1, add column sugar int not null',
    'alter table tea alter column milk set not null',
    'alter table tea alter column milk type text',
    'drop table cup',
    'drop function vendor_quota_hours(text, text, text)',
  ];
  expect(effects(statements.join(';\n')).breaking).toEqual(statements);
  const breaking = shipped.filter(one => effectsOf(one, new Set(), shipped).breaking.length > 0);
  expect(breaking.map(({ name }) => name)).toEqual(['0008_sync_names']);
});
