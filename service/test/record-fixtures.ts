import { randomUUID } from 'node:crypto';
import type { Kind, Searchable } from '@connector-auth/connectors/kind';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../src/platform/database/tables.ts';
import { quote, textCollation, type RecordTable } from '../src/shared/records/record-table.ts';
import { insertConnector, type ConnectorRef } from '../src/shared/repositories/connectors.ts';
import { ensureCustomer } from '../src/shared/repositories/customers.ts';
import { firstKind } from './second-kind.ts';

/** Returns a connector kind with the given searchable entities. */
export function kindWith(key: string, entities: Readonly<Record<string, Searchable>>): Kind {
  return {
    ...firstKind,
    key,
    entities: Object.fromEntries(
      Object.entries(entities).map(([name, search]) => [name, { description: name, actions: {}, search }]),
    ),
  };
}

/** Creates a record table as versions before migration 0034 did, of which processes may still run. */
export async function createOlderTable(db: Kysely<Tables>, table: RecordTable): Promise<void> {
  const columns = Array.from(table.fields.values(), ({ column, sqlType, type }) =>
    sql.raw(`${quote(column)} ${sqlType}${type === 'string' ? ` collate ${textCollation}` : ''}`),
  );
  await sql`create table ${sql.id(table.name)} ("$connector" uuid not null, "$generation" bigint not null,
    ${sql.join(columns)})`.execute(db);
  const key = table.key.map(({ column }) => sql.id(column));
  await sql`create unique index on ${sql.id(table.name)} ("$connector", ${sql.join(key)}) nulls not distinct`.execute(
    db,
  );
}

/** Inserts a connector with a new organization and customer. */
export async function addConnector(db: Kysely<Tables>, kind: string): Promise<ConnectorRef> {
  const organizationId = randomUUID();
  await db.insertInto('organizations').values({ id: organizationId, name: organizationId }).execute();
  const customerId = await ensureCustomer(db, organizationId, 'acme');
  const id = randomUUID();
  await insertConnector(db, {
    id,
    organizationId,
    customerId,
    kind,
    name: 'Records',
    authMethod: 'api_key',
    sealedGrant: Buffer.of(1),
    account: null,
  });
  return { organizationId, id };
}
