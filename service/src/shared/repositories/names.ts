import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Returns the current names of applications, admin keys, organizations and what incidents are about, by id. Ignores
 * other ids, and ids of what was deleted.
 */
export async function findNames(
  db: Kysely<Tables>,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(ids)].filter(id => uuid.test(id));
  if (wanted.length === 0) return new Map();
  const isWanted = sql<boolean>`id = any(${wanted}::uuid[])`;
  const { rows } = await sql<{ id: string; name: string }>`
    select id, coalesce(name, client_id) as name from applications where ${isWanted}
    union all select id, name from admin_keys where ${isWanted}
    union all select id, name from organizations where ${isWanted}
    union all select id, target from incidents where ${isWanted}`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
