import type { Database } from '../src/storage/database.ts';

/** All that a request may change, to compare before and after. */
export async function storedRows({ kysely }: Database): Promise<unknown> {
  return {
    customers: await kysely.selectFrom('customers').select('id').orderBy('id').execute(),
    connectors: await kysely
      .selectFrom('connectors')
      .select(['id', 'name', 'status', 'credentials_version', 'updated_at'])
      .orderBy('id')
      .execute(),
    keys: await kysely.selectFrom('idempotency_keys').select(['key', 'attempt']).orderBy('key').execute(),
  };
}
