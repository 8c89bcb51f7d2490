import { readFileSync } from 'node:fs';
import type { Client } from 'pg';
import { migrate, readMigrations } from '../../src/platform/database/migrate.ts';
import { silentLog } from '../../src/platform/log/log.ts';
import type { EarlierVersion } from './record.ts';

/** A database of an earlier version, and the statements that it sent. Written by `record.ts`. */
export const fixture = JSON.parse(
  readFileSync(new URL('../fixtures/earlier-version.json', import.meta.url), 'utf8'),
) as EarlierVersion;

/** Creates the tables of the earlier version in an empty database. */
export async function createEarlierSchema(client: Client, connectionString: string): Promise<void> {
  const migrations = await readMigrations();
  const last = migrations.findIndex(({ name }) => name === fixture.lastMigration);
  await migrate({ connectionString }, migrations.slice(0, last + 1), { log: silentLog });
  for (const text of fixture.schema) await client.query(text);
}
