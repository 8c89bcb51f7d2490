import { randomUUID } from 'node:crypto';
import type { CompiledQuery, Kysely } from 'kysely';
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
    await selectPage(db, table, { organizationId, id }, { query, position: null, deadlineMs: null });
    expect(statements).toHaveLength(1);
    for (const statement of statements) {
      const plan = await explain(database().kysely, statement);
      expect(plan).toContain('to_json(');
      expect(plan.slice(plan.indexOf('Limit'))).not.toContain('to_json(');
    }
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
