import type { Kind, Sync, SyncStart } from '@connector-auth/connectors/kind';
import { z } from 'zod';
import { kindWith } from './record-fixtures.ts';

/** The pages that sync runs for one entity of a connector return. */
export interface Script {
  /** Pages of record ids, the same in each sync run. */
  pages: readonly (readonly number[])[];
  /** Awaited before each page. An error fails the sync run. */
  before?: (page: number) => Promise<void> | void;
  /** The parameters with which each sync run was started. */
  readonly runs: SyncStart[];
}

/** Scripts keyed by entity and the `script` setting of the connector. */
export type Scripts = Map<string, Script>;

/** Registers a script. */
export function addScript(scripts: Scripts, name: string, entity: string, script: Partial<Script>): Script {
  const whole = { pages: [], runs: [], ...script };
  scripts.set(`${name}/${entity}`, whole);
  return whole;
}

/**
 * Returns a kind whose sync runs follow scripts. `things` is synced fully, and `changes` is synced
 * incrementally.
 */
export function scriptedKind(scripts: Scripts): Kind {
  const search = (entity: string, incremental: boolean) => ({
    fields: { id: 'integer', name: 'string' } as const,
    primaryKey: ['id'],
    indexed: [],
    text: ['name'],
    sync: { incremental, run: runOf(scripts, entity) },
  });
  return {
    ...kindWith('scripted', { things: search('things', false), changes: search('changes', true) }),
    fullSyncCallsPerHour: 0,
    settings: z.strictObject({ script: z.string().optional(), note: z.string().optional() }),
    settingsWithoutSync: ['note'],
  };
}

function runOf(scripts: Scripts, entity: string): Sync['run'] {
  return async function* (vendor, start) {
    const script = scripts.get(`${String(vendor.grant.settings['script'])}/${entity}`);
    script?.runs.push(start);
    const { pages = [] } = script ?? {};
    // This function yielded the position, so its type is known.
    const first = (start.position as { next: number } | null)?.next ?? 0;
    for (const [index, ids] of pages.entries()) {
      if (index < first) continue;
      await script?.before?.(index);
      yield { records: ids.map(id => ({ id, name: `${entity} ${id}` })), position: { next: index + 1 } };
    }
    yield { records: [], position: null, since: `after run ${script?.runs.length ?? 0}` };
  };
}
