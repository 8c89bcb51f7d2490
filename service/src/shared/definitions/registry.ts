import type { Kind } from '@connector-auth/connectors/kind';

/** The connector kinds that this service offers. */
export interface KindRegistry {
  readonly all: readonly Kind[];
  /** Finds a kind by key or name, ignoring case, spaces, `-` and `_`. */
  byName(name: string): Kind | null;
  byDefinitionId(id: string): Kind | null;
  /**
   * Finds a kind by the key of a stored connector. Returns null if this build no longer includes the kind.
   */
  byKey(key: string): Kind | null;
}

export function createKindRegistry(all: readonly Kind[]): KindRegistry {
  const byName = new Map(
    all.flatMap(kind => [kind.name, kind.key].map(name => [normalize(name), kind] as const)),
  );
  const byDefinitionId = new Map(all.map(kind => [kind.definitionId, kind]));
  const byKey = new Map(all.map(kind => [kind.key, kind]));
  return {
    all,
    byName: name => byName.get(normalize(name)) ?? null,
    byDefinitionId: id => byDefinitionId.get(id.toLowerCase()) ?? null,
    byKey: key => byKey.get(key) ?? null,
  };
}

function normalize(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '');
}
