import type { Kind } from '@connector-auth/connectors/kind';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import { createKindRegistry, type KindRegistry } from './registry.ts';
import { resolveKind, type KindNames } from './resolve-kind.ts';

/** Stores what is shown of the connectors of these kinds while they are not loaded. */
export async function rememberKinds(db: Kysely<Tables>, { all }: Pick<KindRegistry, 'all'>): Promise<void> {
  if (all.length === 0) return;
  const rows = all.map(({ key, name, definitionId }) => ({ key, name, definition_id: definitionId }));
  await db
    .insertInto('known_kinds')
    .values(rows)
    .onConflict(conflict =>
      conflict
        .column('key')
        .doUpdateSet(eb => ({
          name: eb.ref('excluded.name'),
          definition_id: eb.ref('excluded.definition_id'),
        }))
        .where(
          sql<boolean>`(known_kinds.name, known_kinds.definition_id) is distinct from (excluded.name, excluded.definition_id)`,
        ),
    )
    .execute();
}

/**
 * Returns the kinds that are loaded, and those that were loaded at another time or by another process. The latter have no
 * entities and no auth methods: nothing can be done with their connectors.
 */
export async function readKnownKinds(db: Kysely<Tables>, kinds: KindRegistry): Promise<KindRegistry> {
  const rows = await db.selectFrom('known_kinds').selectAll().execute();
  const others = rows.filter(({ key }) => kinds.byKey(key) === null);
  return createKindRegistry([
    ...kinds.all,
    ...others.map(({ key, name, definition_id }) =>
      unavailableKind({ key, name, definitionId: definition_id }),
    ),
  ]);
}

/** Returns the kinds that are loaded or, if these names are not all among them, those of {@link readKnownKinds}. */
export async function kindsWith(
  db: Kysely<Tables>,
  kinds: KindRegistry,
  names: readonly string[],
): Promise<KindRegistry> {
  return names.every(name => kinds.byName(name) !== null) ? kinds : readKnownKinds(db, kinds);
}

/** Same as {@link resolveKind}, but also finds a kind that is not loaded. */
export async function resolveKnownKind(
  db: Kysely<Tables>,
  kinds: KindRegistry,
  names: KindNames,
): Promise<Kind | null> {
  const { connector_type: type, definition_id: id } = names;
  const isLoaded =
    (type === undefined || kinds.byName(type) !== null) &&
    (id === undefined || kinds.byDefinitionId(id) !== null);
  return resolveKind(isLoaded ? kinds : await readKnownKinds(db, kinds), names);
}

/** Returns a kind of which only these members are known. */
export function unavailableKind(known: Pick<Kind, 'key' | 'name' | 'definitionId'>): Kind {
  return {
    ...known,
    description: '',
    supportLevel: 'community',
    icon: '',
    environmentPrefix: '',
    hosts: [],
    // Connectors of the kind have no auth method that is known.
    authMethods: [] as unknown as Kind['authMethods'],
    rateLimits: [],
    fullSyncCallsPerHour: 0,
    entities: {},
    check: { entity: '', action: '', run: () => Promise.reject(new Error(`${known.name} is not loaded`)) },
    readFailure: () => null,
  };
}
