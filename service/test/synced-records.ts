import {
  connect,
  createTransport,
  grantsInMemory,
  parseGrant,
  unlimited,
  type Kind,
  type Searchable,
} from '@connector-auth/connectors/kind';
import type { RunningSandbox } from '@connector-auth/sandbox';
import { sql, type Kysely } from 'kysely';
import { vi } from 'vitest';
import type { Tables } from '../src/platform/database/tables.ts';
import { columnValueOf } from '../src/shared/records/column-value.ts';
import { recordTableOf, type RecordTable } from '../src/shared/records/record-table.ts';
import { upsertRecords } from '../src/shared/records/store.ts';
import type { ConnectorRef } from '../src/shared/repositories/connectors.ts';
import type { TestService } from './test-service.ts';

type SearchRecord = Readonly<Record<string, unknown>>;

/** Returns credentials that the sandbox accepts. */
export function goodCredentials(sandbox: RunningSandbox, kind: string): Readonly<Record<string, string>> {
  const vendor = sandbox.control.vendors().find(({ key }) => key === kind);
  const credential = vendor?.credentials.find(({ works }) => works);
  if (!credential) throw new Error(`The sandbox has no credentials for ${kind}`);
  return credential.values;
}

/** The values from which a connector is created, besides its name. */
export interface VendorAccount {
  readonly credentials: Readonly<Record<string, string>>;
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
}

/** Reads all records of an entity from the vendor, ordered by key. */
export async function vendorRecords(
  sandbox: RunningSandbox,
  kind: Kind,
  entity: string,
  { credentials, settings }: VendorAccount,
): Promise<unknown[]> {
  const search = searchOf(kind, entity);
  const grants = grantsInMemory(parseGrant(kind, credentials, settings));
  const transport = createTransport({ sandboxUrl: sandbox.url });
  const connection = connect({ kind, grants, transport, limiter: unlimited });
  const vendor = await connection.vendorFor({ repeatable: true, deadlineMs: Infinity });
  const table = recordTableOf(kind.key, entity, search);
  const records = new Map<string, SearchRecord>();
  for await (const page of search.sync.run(vendor, { since: null, position: null })) {
    for (const record of page.records) {
      const stored = Object.fromEntries(
        [...table.fields.values()].map(field => [field.field, columnValueOf(field)(record[field.field])]),
      );
      records.set(keyOf(search, stored), comparable(stored));
    }
  }
  return inOrder(records);
}

/** Reads all stored records of a connector's entity, ordered by key. */
export async function storedRecords(
  db: Kysely<Tables>,
  kind: Kind,
  entity: string,
  connectorId: string,
): Promise<unknown[]> {
  const search = searchOf(kind, entity);
  const table = recordTableOf(kind.key, entity, search);
  const { rows } = await sql<Record<string, unknown>>`
    select * from ${sql.id(table.name)} where "$connector" = ${connectorId}`.execute(db);
  const records = new Map<string, SearchRecord>();
  for (const row of rows) {
    const record = Object.fromEntries(
      [...table.fields.values()].map(({ field, column }) => [field, row[column]]),
    );
    const key = keyOf(search, record);
    if (records.has(key)) throw new Error(`${entity} has ${key} twice`);
    records.set(key, comparable(record));
  }
  return inOrder(records);
}

/** Resolves with the connector when every entity is synced. */
export async function untilReady(service: TestService, token: string, id: string) {
  return vi.waitFor(
    async () => {
      const { body } = await service.ask('GET', `/api/v1/integrations/connectors/${id}`, { token });
      if (body.sync.status !== 'ready') throw new Error(`Not ready: ${JSON.stringify(body.sync)}`);
      return body;
    },
    { timeout: 120_000, interval: 50 },
  );
}

function searchOf(kind: Kind, entity: string): Searchable {
  const search = kind.entities[entity]?.search;
  if (!search) throw new Error(`${kind.key}.${entity} has no search`);
  return search;
}

function keyOf({ primaryKey }: Searchable, record: SearchRecord): string {
  return primaryKey.map(name => String(record[name])).join(' ');
}

/** Converts numbers to text, because a stored number may be read as a number, a bigint or text. */
function comparable(record: SearchRecord): SearchRecord {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => {
      if (typeof value === 'number' || typeof value === 'bigint') return [name, String(value)];
      // Image URLs are signed again on each request.
      return [name, typeof value === 'string' ? value.replace(/x-expires=\d+/, '') : value];
    }),
  );
}

function inOrder(records: ReadonlyMap<string, SearchRecord>): SearchRecord[] {
  return [...records].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, record]) => record);
}

/** Stores records of a connector's entity as an unfinished first sync run would. */
export async function storeRecords(
  db: Kysely<Tables>,
  table: RecordTable,
  connector: ConnectorRef,
  records: readonly SearchRecord[],
): Promise<number | null> {
  await db
    .updateTable('synced_entities')
    .set({ records: records.length })
    .where('organization_id', '=', connector.organizationId)
    .where('connector_id', '=', connector.id)
    .where('entity', '=', table.entity)
    .execute();
  return upsertRecords(db, table, { connector, seenRun: null }, records);
}
