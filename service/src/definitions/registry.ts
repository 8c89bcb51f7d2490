import type { Kind } from '@connector-auth/connectors/kind';

/** The connector kinds this service offers. */
export interface KindRegistry {
  readonly all: readonly Kind[];
  /** By key or name, ignoring case, spaces, `-` and `_`; null when there is none. */
  byName(name: string): Kind | null;
  byDefinitionId(id: string): Kind | null;
  /** By the exact key that stored connectors carry; null when this build no longer has the kind. */
  byKey(key: string): Kind | null;
}

/** Makes kinds findable. */
export function createKindRegistry(all: readonly Kind[]): KindRegistry {
  const byName = new Map(
    all.flatMap(kind => [kind.name, kind.key].map(name => [plain(name), kind] as const)),
  );
  const byDefinitionId = new Map(all.map(kind => [kind.definitionId, kind]));
  const byKey = new Map(all.map(kind => [kind.key, kind]));
  return {
    all,
    byName: name => byName.get(plain(name)) ?? null,
    byDefinitionId: id => byDefinitionId.get(id.toLowerCase()) ?? null,
    byKey: key => byKey.get(key) ?? null,
  };
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '');
}
