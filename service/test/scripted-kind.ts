import type { Kind, Sync, SyncStart } from '@connector-auth/connectors/kind';
import { z } from 'zod';
import { kindWith } from './record-fixtures.ts';

/** What a connector's walks of an entity find, and what becomes of them. */
export interface Script {
  /** Pages of ids, for each walk anew. */
  pages: readonly (readonly number[])[];
  /** Awaited before a page is given; what it throws, the walk throws. */
  before?: (page: number) => Promise<void> | void;
  /** How every walk began. */
  readonly walks: SyncStart[];
}

/** Scripts by the connector's setting `script` and the entity. */
export type Scripts = Map<string, Script>;

/** A script with these pages, registered. */
export function addScript(scripts: Scripts, name: string, entity: string, script: Partial<Script>): Script {
  const whole = { pages: [], walks: [], ...script };
  scripts.set(`${name}/${entity}`, whole);
  return whole;
}

/** A kind whose walks follow scripts, with two entities: `things`, always walked whole, and `changes`, walked for changes alone. */
export function scriptedKind(scripts: Scripts): Kind {
  const search = (entity: string, incremental: boolean) => ({
    fields: { id: 'integer', name: 'string' } as const,
    primaryKey: ['id'],
    indexed: [],
    text: ['name'],
    sync: { incremental, run: walkOf(scripts, entity) },
  });
  return {
    ...kindWith('scripted', { things: search('things', false), changes: search('changes', true) }),
    settings: z.strictObject({ script: z.string().optional() }),
  };
}

function walkOf(scripts: Scripts, entity: string): Sync['run'] {
  return async function* (vendor, start) {
    const script = scripts.get(`${String(vendor.grant.settings['script'])}/${entity}`);
    script?.walks.push(start);
    const { pages = [] } = script ?? {};
    // Positions are those that it gave.
    const first = (start.position as { next: number } | null)?.next ?? 0;
    for (const [index, ids] of pages.entries()) {
      if (index < first) continue;
      await script?.before?.(index);
      yield { records: ids.map(id => ({ id, name: `${entity} ${id}` })), position: { next: index + 1 } };
    }
    yield { records: [], position: null, since: `after walk ${script?.walks.length ?? 0}` };
  };
}
