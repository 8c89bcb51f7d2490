import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';

/** Returns the id that the first start gave to this installation. */
export async function readInstallationId(db: Kysely<Tables>): Promise<string> {
  const { id } = await db.selectFrom('installation').select('id').executeTakeFirstOrThrow();
  return id;
}
