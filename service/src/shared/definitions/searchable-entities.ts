import type { Kind } from '@connector-auth/connectors/kind';

/** Returns the names of the entities that are synced for a kind. */
export function searchableEntities({ entities }: Pick<Kind, 'entities'>): string[] {
  return Object.entries(entities).flatMap(([name, { search }]) => (search ? [name] : []));
}
