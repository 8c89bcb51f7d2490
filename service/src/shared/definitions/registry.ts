import { plainName, type Kind } from '@connector-auth/connectors/kind';

/** The connector kinds that this service offers. */
export interface KindRegistry {
  readonly all: readonly Kind[];
  /** Finds a kind by key or name, ignoring case, spaces, `-` and `_`. */
  byName(name: string): Kind | null;
  byDefinitionId(id: string): Kind | null;
  /**
   * Finds a kind by the key of a stored connector. Returns null if the kind is not loaded.
   */
  byKey(key: string): Kind | null;
}

export function createKindRegistry(all: readonly Kind[]): KindRegistry {
  const byName = new Map(
    all.flatMap(kind => [kind.name, kind.key].map(name => [plainName(name), kind] as const)),
  );
  const byDefinitionId = new Map(all.map(kind => [kind.definitionId, kind]));
  const byKey = new Map(all.map(kind => [kind.key, kind]));
  return {
    all,
    byName: name => byName.get(plainName(name)) ?? null,
    byDefinitionId: id => byDefinitionId.get(id.toLowerCase()) ?? null,
    byKey: key => byKey.get(key) ?? null,
  };
}
