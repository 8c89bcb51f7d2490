import { randomUUID } from 'node:crypto';
import { sql, type CompiledQuery, type Kysely } from 'kysely';
import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/engines.ts';
import { kindWith } from '../../../test/record-fixtures.ts';
import { everything } from '../../../test/search/arbitrary.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { ensureRecordTables } from '../../shared/records/ensure.ts';
import { RecordTables, type RecordTable } from '../../shared/records/record-table.ts';
import { readQuery } from './query.ts';
import { selectPage } from './select.ts';

const tables = new RecordTables([kindWith('searchable', { things: everything })]);
const table = tables.find('searchable', 'things') as RecordTable;
const [organizationId, id] = [randomUUID(), randomUUID()];

onEachEngine('a page of search', database => {
  test.each([
    ['one field', ['note']],
    ['two fields', ['note', 'campaign.name']],
    ['all fields', undefined],
  ])('is limited before the records are written, with %s', async (_title, fields) => {
    await ensureRecordTables(database().kysely, tables);
    const { db, statements } = watch(database().kysely);
    const query = readQuery(table, { query: { sort: [{ ratio: 'desc' }] }, fields });
    await selectPage(
      db,
      table,
      { organizationId, id },
      { query, position: null, deadlineMs: null, checkPlan: null },
    );
    expect(statements).toHaveLength(1);
    for (const statement of statements) {
      const plan = await explain(database().kysely, statement);
      expect(plan).toContain('to_json(');
      expect(plan.slice(plan.indexOf('Limit'))).not.toContain('to_json(');
    }
  });

  test('is not read if the planner expects that to cost too much', async () => {
    await ensureRecordTables(database().kysely, tables);
    await sql`insert into ${sql.id(table.name)} ("$organization", "$connector", "$generation", id, "segments.day", note, clicks)
      select ${organizationId}::uuid, ${id}::uuid, 1, n, '2026-01-01', 'note ' || n, n
      from generate_series(1, 20000) as n`.execute(database().kysely);
    await sql`analyze ${sql.id(table.name)}`.execute(database().kysely);
    const { db, statements } = watch(database().kysely);
    const read = (filter: unknown) => {
      const query = readQuery(table, { query: { filter } });
      const checkPlan = (planned: number): void => {
        if (planned > 100) throw new Error(`It costs ${planned}`);
      };
      return selectPage(
        db,
        table,
        { organizationId, id },
        { query, position: null, deadlineMs: null, checkPlan },
      );
    };
    await expect(read({ eq: { note: 'note 7' } })).rejects.toThrow('It costs ');
    expect(statements).toEqual([]);
    expect((await read({ eq: { id: 7 } })).records.parse()).toMatchObject([{ id: 7 }]);
  });
});

/** Returns the database with a record of the statements that it executes. */
function watch(db: Kysely<Tables>): { db: Kysely<Tables>; statements: readonly CompiledQuery[] } {
  const statements: CompiledQuery[] = [];
  const watched = new Proxy(db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        // The first argument of this method is the statement.
        if (name === 'executeQuery') statements.push(args[0] as CompiledQuery);
        return Reflect.apply(value, target, args);
      };
    },
  });
  return { db: watched, statements };
}

async function explain(db: Kysely<Tables>, statement: CompiledQuery): Promise<string> {
  const sql = `explain (verbose, costs off) ${statement.sql}`;
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': string }>({ ...statement, sql });
  return rows.map(row => row['QUERY PLAN']).join('\n');
}
