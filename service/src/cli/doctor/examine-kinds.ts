import { join } from 'node:path';
import type { Kind } from '@connector-auth/connectors/kind';
import { sql, type Kysely } from 'kysely';
import { readStorageConfiguration } from '../../platform/config/configuration.ts';
import { FolderInUseError } from '../../platform/database/folder-lock.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { readColumns } from '../../shared/records/ensure.ts';
import {
  otherColumns,
  RecordTables,
  type RecordTable,
  type StoredColumns,
} from '../../shared/records/record-table.ts';
import type { Syntax } from '../arguments.ts';
import type { CommandContext } from '../command.ts';
import { count } from '../count.ts';
import { openStorage } from '../open-storage.ts';
import { isPresent } from './check-database.ts';
import { checkKinds } from './check-network.ts';
import { findingsOf, reasonOf, type Finding } from './finding.ts';

export const kindsSyntax: Syntax = {
  command: 'doctor kinds',
  summary:
    'Show what the next start changes for the connectors, because KINDS or a version of a kind has changed',
  options: { json: { value: null, description: 'Print JSON' } },
  notes: ['Run it with the new KINDS and the new packages, before anything is migrated. It changes nothing.'],
};

const { ok, warning, problem, skipped } = findingsOf('kinds');

/** Compares the declarations of the kinds with what is stored. */
export async function examineKinds({
  environment,
  kinds,
  kindProblems = [],
}: CommandContext): Promise<Finding[]> {
  const storage = readStorageConfiguration(environment);
  if (kindProblems.length > 0) return kindProblems.map(text => problem(`${text}.`));
  if (storage.databaseUrl === null && !(await isPresent(join(storage.dataDir, 'pglite')))) {
    return [ok('There is no database yet, so nothing changes.')];
  }
  try {
    const database = await openStorage(storage);
    try {
      const { kysely: db } = database;
      const [stored, use] = [await readColumns(db), await readUse(db)];
      if (stored.size === 0) return [ok('The database has no records yet, so nothing changes.')];
      const changes = kinds.flatMap(kind => changesOf(kind, stored, use));
      return [
        ...(await checkKinds(kinds, database)),
        ...(changes.length > 0 ? changes : [ok('No entity or field changes.')]),
      ];
    } finally {
      await database.close();
    }
  } catch (error) {
    return error instanceof FolderInUseError
      ? [skipped('PGlite allows one process.', 'Stop the service and run the command again.')]
      : [problem(reasonOf(error))];
  }
}

/** An entity of a kind's connectors. */
interface Use {
  readonly kind: string;
  /** Null if a connector has no entities that are synced. */
  readonly entity: string | null;
  readonly connectors: number;
  readonly records: number;
}

async function readUse(db: Kysely<Tables>): Promise<readonly Use[]> {
  const { rows } = await sql<Use>`
    select kind, entity, count(*)::integer as connectors, coalesce(sum(records), 0)::float8 as records
    from connectors left join synced_entities
      on synced_entities.organization_id = connectors.organization_id and connector_id = connectors.id
    group by kind, entity order by kind, entity`.execute(db);
  return rows;
}

function changesOf(
  kind: Kind,
  stored: ReadonlyMap<string, StoredColumns>,
  use: readonly Use[],
): readonly Finding[] {
  const ofKind = use.filter(({ kind: key }) => key === kind.key);
  const connectors = Math.max(0, ...ofKind.map(entity => entity.connectors));
  if (connectors === 0) return [];
  try {
    const tables = new RecordTables([kind], stored).all;
    const removed = ofKind.flatMap(({ entity, ...of }) =>
      entity === null || tables.some(table => table.entity === entity)
        ? []
        : [removedEntity(kind, entity, of)],
    );
    return [
      ...removed,
      ...tables.flatMap(table => {
        const columns = stored.get(table.name);
        if (columns !== undefined) return changedFields(table, columns);
        return [ok(`${nameOf(table)} is new. Its first sync begins for ${count(connectors, 'connector')}.`)];
      }),
    ];
  } catch (error) {
    return [problem(reasonOf(error))];
  }
}

function removedEntity({ key }: Kind, entity: string, { connectors, records }: Omit<Use, 'entity' | 'kind'>) {
  return warning(
    `${key}.${entity} is removed: its ${count(records, 'record')} of ${count(connectors, 'connector')} are no longer synced and cannot be searched.`,
    'The records stay until their connector is deleted, and can be searched again if the entity returns.',
  );
}

function changedFields(table: RecordTable, columns: StoredColumns): readonly Finding[] {
  const fields = [...table.fields.values()];
  const added = fields.filter(
    field => !columns.has(field.column) && otherColumns(field, columns).length === 0,
  );
  const changed = fields.flatMap(field => {
    const before = otherColumns(field, columns).at(-1);
    return before === undefined || columns.has(field.column) ? [] : [{ field, before }];
  });
  const declared = new Set(fields.flatMap(({ column, field }) => [column, field]));
  const removed = [...columns].flatMap(([name, { unusedVersion }]) => {
    // A column of a changed type has the name of the field before `$`. Names that begin with it are the service's own.
    const [field = ''] = name.split('$');
    return field === '' || unusedVersion !== null || declared.has(name) || declared.has(field) ? [] : [field];
  });
  return [
    ...added.map(({ field }) =>
      ok(`${nameOf(table)} gets the field ${field}. The next full sync of each connector fills it.`),
    ),
    ...changed.map(({ field: { field, type }, before }) =>
      warning(
        `${nameOf(table)} changes the type of ${field} from ${before.type} to ${type}.`,
        `Searches return it as ${before.type} until the next full sync of their connector has filled the new column.`,
      ),
    ),
    ...[...new Set(removed)].map(field =>
      warning(
        `${nameOf(table)} no longer has the field ${field}: searches neither return it nor accept it in filters.`,
        'Its stored values stay.',
      ),
    ),
  ];
}

function nameOf({ kind, entity }: RecordTable): string {
  return `${kind}.${entity}`;
}
