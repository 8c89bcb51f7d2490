import type { Kind } from '@connector-auth/connectors/kind';

/** Names of a kind's entities that are synchronised. */
export function searchableEntities({ entities }: Pick<Kind, 'entities'>): string[] {
  return Object.entries(entities).flatMap(([name, { search }]) => (search ? [name] : []));
}
