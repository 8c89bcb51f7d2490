import type { Kind } from '@connector-auth/connectors/kind';

/** Returns the names of a kind's entities that are synced. */
export function searchableEntities({ entities }: Pick<Kind, 'entities'>): string[] {
  return Object.entries(entities).flatMap(([name, { search }]) => (search ? [name] : []));
}
